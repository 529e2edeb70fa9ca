#!/usr/bin/env python3
"""Every command, with allocations that fail: one alone, or all from one on.

    failing_allocations.py GWRM LIBRARY INPUTS [--trials N | --every N] [--seed N] [--jobs N] [NAME ...]

LIBRARY is that of tests/hard_input/failing_allocations.c. Each command runs undisturbed first, which counts its
allocations; those of libraries while they are loaded, before any code of the program, have a row of their own. Then number
n fails, or all from n on, n spread over the logarithm and drawn at random (--trials of them, a command), or every N-th in
both ways (--every; 1: each). A trial is a finding if it

    dies by a signal or takes longer than a minute,
    ends with another status than that of the undisturbed one or 7; 2 and 8 pass where the system's reason is "Cannot allocate
        memory", or zlib's that it could not begin; 6 where the report says that the error's estimate found no memory (a sweep: of a run),
    ends as the undisturbed one and has not printed and written the same; what the report says of an estimate that found no
        memory may differ,
    ends with 7 and no word on memory, or with --json without an object that says so,
    leaves a temporary file, or under any name of the undisturbed one a file that is not the same (a sweep's has its runs that
        found no memory marked).

Prints a table, one row a command, and the findings; exit status 1 if there are any.
"""
import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import json
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SECONDS = 60
TOO_LITTLE = 7
# The cases are as small as their kind allows: a trial is a process.
OSCILLATORS = """domain: {t: [0, 2]}
unknowns: [a, b, c]
equations: ["dt(a) = b", "dt(b) = c - a", "dt(c) = a*b - c"]
initial: {a: "1", b: "0", c: "0.5"}
resolution: {degree: {t: 8}, domains: {t: 2}}
verification: {tolerance: 1.0e-2}
"""
HEAT_2D = """domain: {t: [0, 0.1], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u) + sin(pi*x)*sin(2*pi*y)"]
initial: {u: "sin(pi*x)*sin(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 6, x: 8, y: 10}}
verification: {tolerance: 1.0e-1, tail: 1.0e-2}
"""
PARAMETER = """domain: {t: [0, 0.1], x: [0, 1], nu: [0.1, 0.2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 5, x: 12, nu: 2}}
verification: {tolerance: 1.0e-1}
output: {error: on}
"""
AUTOMATIC = """domain: {t: [0, 0.2], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.05*dx(u,2)"]
initial: {u: "-sin(pi*x)"}
boundary: ["u(x=-1) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1.0e-3}
"""
STUDY = """domain: {t: [0, 0.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 6, x: 8}}
verification: {tolerance: 1.0e-1}
"""
CASES = {"oscillators.yaml": OSCILLATORS, "heat_2d.yaml": HEAT_2D, "parameter.yaml": PARAMETER,
         "automatic.yaml": AUTOMATIC, "study.yaml": STUDY}


@dataclasses.dataclass
class Command:
    name: str
    words: list
    status: int = 0  # of the undisturbed one
    loading: bool = False
    allocations: int = 0
    printed: str = ""
    folder: pathlib.Path = None  # of the undisturbed one: what it has written
    ends: collections.Counter = dataclasses.field(default_factory=collections.Counter)


def commands(given):
    """`given` has the cases, and result files, that commands read; none of them writes there."""
    def run(case, *more):
        return ["run", str(given / case), "--backend", "cpu", "-o", "result.h5", *more]

    result, parameter = str(given / "burgers.h5"), str(given / "parameter.h5")
    at = "t=0.3,x=0:1:21"
    return [
        Command("loading the libraries", ["--version"], loading=True),
        Command("version", ["--version"]),
        Command("info", ["info"]),
        Command("schema", ["schema"]),
        Command("check", ["check", str(given / "burgers_degrees.yaml"), "--jacobian"]),
        Command("check --json", ["check", str(given / "burgers_degrees.yaml"), "--json"]),
        Command("run, 1-D", run("burgers_degrees.yaml")),
        Command("run --json", run("burgers_degrees.yaml", "--json")),
        Command("run, 2-D", run("heat_2d.yaml")),
        Command("run, ODEs", run("oscillators.yaml")),
        Command("run, parameter", run("parameter.yaml")),
        Command("run, automatic", run("automatic.yaml")),
        Command("run, branch", run("bratu_branch.yaml")),
        Command("run, sbp_sat_poisson", run("sbp_poisson.yaml", "--set", "sbp_sat.intervals=24", "--set",
                                           "verification.tolerance=0.1")),
        Command("run, recurrence_bvp", run("bvp_neumann.yaml", "--set", "recurrence.intervals=4000", "--set",
                                         "verification.tolerance=1.0e-6")),
        Command("converge", ["converge", str(given / "study.yaml"), "--backend", "cpu", "--vary", "x=6,8", "-o",
                             "study.h5"]),
        Command("sweep", ["sweep", str(given / "study.yaml"), "--backend", "cpu", "--vary", "x=6,8", "-o", "sweep.h5"]),
        Command("rerun", ["rerun", result, "--backend", "cpu", "-o", "result.h5"]),
        Command("eval", ["eval", result, "--at", at, "--expr", "dx(u)^2"]),
        Command("eval --error", ["eval", parameter, "--at", "t=0.05,x=0:1:5,nu=0.15", "--expr", "u", "--error"]),
        Command("export xdmf", ["export", result, "--format", "xdmf", "-o", "out"]),
        Command("export vtk", ["export", result, "--format", "vtk", "-o", "out"]),
        Command("export csv", ["export", result, "--format", "csv", "-o", "out"]),
        Command("diff", ["diff", result, str(given / "other.h5")], 6),
        Command("eval, no checksum", ["eval", str(given / "no_checksum.h5"), "--at", at, "--expr", "u"]),
    ]


class Campaign:
    what, usual_trials = "allocation", 40  # what fails, and how many of a command

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.given = folder / "given"
        self.findings = []

    def environment(self, **more):
        # Two threads everywhere: a team, and BLAS threads, are started even on a machine of one core. OpenBLAS's kernels of
        # small products for AVX-512 do not look whether malloc gave them their buffer, which no program can mend.
        kernels = {"OPENBLAS_CORETYPE": "Haswell"} if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text() else {}
        return {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "NO_COLOR": "1", **kernels, **more}

    def plain(self, *words, cwd=None):
        return subprocess.run([self.options.gwrm, *map(str, words)], cwd=cwd or self.given, env=self.environment(),
                              capture_output=True, text=True, timeout=SECONDS)

    def commands(self):
        return commands(self.given)

    def prepare(self):
        self.given.mkdir()
        for name, text in CASES.items():
            (self.given / name).write_text(text)
        for name in ("burgers_degrees.yaml", "bratu_branch.yaml", "sbp_poisson.yaml", "bvp_neumann.yaml"):
            shutil.copy(self.options.inputs / name, self.given / name)
        for case, result, *more in (("burgers_degrees.yaml", "burgers.h5", "--set", "output.grid={t: 5, x: 11}"),
                                    ("burgers_degrees.yaml", "other.h5", "--set", "output.grid={t: 5, x: 11}", "--set",
                                     "constants.nu=0.2"),
                                    ("parameter.yaml", "parameter.h5")):
            done = self.plain("run", case, "--backend", "cpu", "-o", result, *more)
            if done.returncode not in (0, 6):
                sys.exit(f"{case}: exit status {done.returncode}\n{done.stderr}")
        whole = (self.given / "burgers.h5").read_bytes()
        (self.given / "no_checksum.h5").write_bytes(whole[:-16])  # is read by a child process first

    def words(self, command):
        threads = [] if command.words == ["--version"] else ["--threads", "2", "--more-threads-than-cores"]
        return [self.options.gwrm, *command.words, *threads]

    def start(self, command, cwd, fail_at, all_from, loading=False):
        """(exit status or None for too long, stdout, stderr, number of allocations)"""
        count = cwd.with_suffix(".count")
        count.write_bytes(bytes(16))
        environment = self.environment(LD_PRELOAD=str(self.options.library), GWRM_FAIL_AT=str(fail_at),
                                       GWRM_FAIL_FROM=str(int(all_from)), GWRM_FAIL_COUNT=str(count),
                                       GWRM_FAIL_LOADING=str(int(loading)))
        process = subprocess.Popen(self.words(command), cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, said = process.communicate(timeout=SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, said = process.communicate()
            status = None
        n_allocations, _ = struct.unpack("QQ", count.read_bytes())
        count.unlink()
        return status, out.decode(errors="replace"), said.decode(errors="replace"), n_allocations

    def measure(self, command):
        command.folder = self.folder / ("undisturbed " + command.name)
        command.folder.mkdir()
        status, out, said, command.allocations = self.start(command, command.folder, 0, False)
        if status not in (0, command.status, 6):
            sys.exit(f"{command.name}, undisturbed: exit status {status}\n{said}")
        command.status, command.printed = status, comparable(out)
        if command.loading:
            command.allocations = self.start(command, command.folder, 0, False, True)[3] - command.allocations

    def same_file(self, path, reference):
        if path.name == "sweep.h5":  # a run that found no memory is marked in it
            return is_whole(path) and self.plain("diff", path, path).returncode == 0
        if path.suffix == ".h5" and "study" not in path.name:
            return self.plain("diff", path, reference, "--tolerance", "0").returncode == 0
        if path.suffix == ".h5":
            return is_whole(path)
        if "study" in path.name:
            return study_rows(path) <= study_rows(reference)
        return comparable(path.read_text(errors="replace")) == comparable(reference.read_text(errors="replace"))

    def wrong_files(self, command, cwd, complete, other_verdict):
        """`other_verdict`: without an estimate of the error the answer has its FAIL or NOT ESTIMATED in it."""
        reference = files_in(command.folder)
        for name, path in files_in(cwd).items():
            if name in reference:
                if other_verdict and self.plain("diff", path, path).returncode == 0:
                    continue
                if not self.same_file(path, reference[name]):
                    yield f"{name} is not what the undisturbed command writes"
            elif path.name.endswith(".partial.h5"):
                if self.plain("diff", path, path).returncode != 0:
                    yield f"{name} cannot be read"
            elif path.suffix != ".journal":
                yield f"{name} is left"
        if complete:
            yield from (f"{name} is missing" for name in reference if not (cwd / name).exists())

    def complaints(self, command, cwd, status, out, said):
        if status is None:
            yield "no end"
        elif status < 0:
            yield f"dies by signal {-status}"
        elif status == command.status:
            if comparable(out) != command.printed and not owns_up(out + said):
                yield "has printed something else"
        elif status == TOO_LITTLE:
            if not re.search(r"memory|threads?\b", said):
                yield "no word on memory"
            if "--json" in command.words and not says_in_json(out, status):
                yield f"printed no object with its status: {out}"
        elif not (status in (2, 8) and re.search(r"Cannot allocate memory|inflateInit\(\) failed", said)) and not (
                status in (6, 9) and (owns_up(out + said) or (command.name == "sweep" and re.search("verification failed|error not estimated", out + said)))):
            yield f"status {status}"
        other_verdict = owns_up(out + said) and status in (6, 9)
        yield from self.wrong_files(command, cwd, status == command.status, other_verdict)

    def trial(self, command, number, fail_at, all_from):
        cwd = self.folder / f"trial{number}"
        cwd.mkdir()
        status, out, said, _ = self.start(command, cwd, fail_at, all_from, command.loading)
        found = list(self.complaints(command, cwd, status, out, said))
        shutil.rmtree(cwd)
        how = "hung" if status is None else "died" if status < 0 else str(status)
        return how, [(command.name, fail_at, all_from, status, complaint, said) for complaint in found]

    def moments(self, command, random_numbers):
        """(n, whether all from n on)"""
        if command.loading:  # all from one on: libgfortran calls itself for its message, until its stack is full
            return [(n, False) for n in range(1, command.allocations + 1)]
        half = self.options.trials // 2
        every = 1 if command.allocations <= half else self.options.every
        if every:
            numbers = range(1, command.allocations + 1, every)
            return [(n, all_from) for n in numbers for all_from in (False, True)]
        spread = {round(math.exp(math.log(command.allocations) * k / max(1, half - 1))) for k in range(half)}
        drawn = {random_numbers.randint(1, command.allocations) for _ in range(self.options.trials - half)}
        return [(n, random_numbers.random() < 0.5) for n in sorted(spread | drawn)]

    def run(self):
        self.prepare()
        chosen = [c for c in self.commands() if not self.options.names or c.name in self.options.names]
        random_numbers = random.Random(self.options.seed)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for command in chosen:
                self.measure(command)
                moments = self.moments(command, random_numbers)
                trials = [pool.submit(self.trial, command, k, *moment) for k, moment in enumerate(moments)]
                for future in trials:
                    how, findings = future.result()
                    command.ends[how] += 1
                    self.findings += findings
                print(row(command), flush=True)
        for name, fail_at, all_from, status, complaint, said in self.findings:
            print(f"\n{name}: {self.what} {fail_at}{' and all behind it' if all_from else ''}: {complaint} "
                  f"(status {status})\n{said[-600:]}")
        print(f"{len(self.findings)} findings")
        return 1 if self.findings else 0


def owns_up(text):
    """A run without enough memory for the estimate of its error says so; its verdict is another one then."""
    return re.search(r"NOT ESTIMATED|not estimated", text) is not None and "memory" in text


def says_in_json(text, status):
    try:
        return json.loads(text)["exit_status"] == status
    except ValueError:
        return False


def files_in(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


def comparable(text):
    """Without times, dates and places."""
    text = re.sub(r" +", " ", text)  # columns are as wide as the times in them
    text = re.sub(r"\S*trial\d+\S*|\S*undisturbed \S*", "PLACE", text)
    text = re.sub(r"[-+.\de]+ (m?s|min)\b", "TIME", text)
    text = re.sub(r"[.\d]+ [kMGT]?B free", "MEMORY free", text)  # other programs come and go
    text = re.sub(r'"([a-z_]*_)?seconds": [-+.\de]+', "TIME", text)
    if re.search(r"unknowns +seconds$", text, re.M):  # the table of gwrm converge
        text = re.sub(r"^( +\d+ .*\S) +\S+$", r"\1 TIME", text, flags=re.M)
    return text


def study_rows(path):
    """Of a table of gwrm converge the runs that ended well: without times, and without what other runs have a part in."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = [{key: value for key, value in row.items() if key not in ("order", "rate", "fitted", "at_floor", "seconds")}
            for row in csv.DictReader(lines)]
    return {tuple(row.items()) for row in rows if row["exit_status"] == "0"}


def is_whole(path):
    """The checksum behind the file (src/output/checksum.hpp) is right."""
    data = path.read_bytes()
    if data[-16:-8] != b"gwrmsum2":
        return False
    value, words = 0xcbf29ce484222325, data[:-16] + bytes(-(len(data) - 16) % 8) + struct.pack("<Q", len(data) - 16)
    for (word,) in struct.iter_unpack("<Q", words):
        value = ((value ^ word) * 0x100000001b3) & 0xffffffffffffffff
        value ^= value >> 32
    return data[-8:] == struct.pack("<Q", value)


def row(command):
    ends = command.ends
    statuses = ", ".join(f"{status}: {ends[status]}" for status in sorted(ends) if status.isdigit())
    return (f"| {command.name} | {command.allocations} | {sum(ends.values())} | {ends['died']} | {ends['hung']} | "
            f"{statuses} |")


def main(campaign, text):
    parser = argparse.ArgumentParser(usage=text)
    parser.add_argument("gwrm", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=campaign.usual_trials)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        return campaign(options, pathlib.Path(folder)).run()


if __name__ == "__main__":
    sys.exit(main(Campaign, __doc__))
