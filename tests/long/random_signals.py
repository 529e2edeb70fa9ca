#!/usr/bin/env python3
"""Signals at random moments of every stage of every command.

    random_signals.py GWRM [--trials 200] [--seconds S] [--seed N] [--python PYTHON] [--device] [--only STAGE ...]

A stage is a command and a case of which it takes most of the time. SIGINT, SIGTERM or SIGHUP comes at a random moment of its
undisturbed length, over the result of an earlier run. The end must be that of docs/failures.md, no temporary file may be
left, the earlier result is as it was or the new one is complete; of interrupted runs with a journal one in five is
continued and compared with the undisturbed result to the bit. Prints a table; status 1 if anything is wrong.

--trials are those of all stages together. Takes half an hour on two cores. --seconds: for the trials of one stage, of which
there may be fewer then. --python: one with the packages of postprocess, for `gwrm plot`. --device: the stages of a program
with CUDA on its GPU, and no others. Ended by a signal, as by timeout, it prints the row of the trials so far.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cases"))
import signals  # noqa: E402
from signals import DENSE, EQUATIONS, digest, send, start, temporary, windows_case  # noqa: E402

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

# A grid of ten million points in all.
SAMPLED = EQUATIONS.replace("END", "3") + """\
resolution: {degree: {t: 8, x: 30}, domains: {t: 150}}
output: {file: run.h5, grid: {t: 4001, x: 2501}, fields: {u: u, a: "sin(u)*x + dx(u)", b: "exp(u) + t"}}
"""
# A quarter of that, for the commands that read.
STORED = SAMPLED.replace("t: 4001, x: 2501", "t: 2001, x: 1251")
JUDGED = """\
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*lap(u) + u*dx(u) + exp(-t)*sin(pi*x)*sin(pi*y)"]
initial: {u: "sin(pi*x)*sin(pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 1}
resolution: {degree: {t: 8, x: 32, y: 32}, domains: {t: 40}}
output: {file: run.h5, grid: {t: 5, x: 11, y: 11}}
"""
AUTOMATIC = EQUATIONS.replace("END", "200") + """\
resolution: {tolerance: 1.0e-8}
output: {file: run.h5, grid: {t: 21, x: 11}}
"""
SET_UP = """\
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {order: 4, intervals: 1400, coefficient: {xx: "2 + sin(x*y)", xy: "0.3*y", yy: "1 + x^2"}, source: "exp(x)*y"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
verification: {tolerance: 1}
output: {file: run.h5}
"""
BRANCH = """\
domain: {x: [0, 1]}
constants: {lam: 0}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 300}}
verification: {tolerance: 1, tail: 1, residual: 1}
continue: {parameter: lam, to: 3.4, step: 0.02}
output: {file: run.h5}
"""

# x' = -k x: a run takes a millisecond.
DECAY = """\
domain: {t: [0, 1]}
constants: {k: 1}
unknowns: [v]
equations: ["dt(v) = -k*v"]
initial: {v: "1"}
resolution: {degree: {t: 12}}
output: {file: run.h5, grid: {t: 3}}
"""
MANY_RUNS = ["--vary", "constants.k=0:1:6000"]
# Runs of half a second, and two million values of each.
SWEPT = windows_case(100, 701)
FEW_RUNS = ["--vary", "verification.tail=1,2,3,4,5,6,7,8"]

# Two unknowns in a plane, many windows: the tensor solver on a GPU, with windows of 66 000 unknowns.
PLANE = """\
domain: {t: [0, 40], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.02*lap(u) + sin(t)*sin(pi*x)*y", "dt(v) + u*dx(v) + v*dy(v) = 0.02*lap(v)"]
initial: {u: "sin(pi*x)*sin(pi*y)", v: "sin(pi*x)*sin(2*pi*y)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 1}
resolution: {degree: {t: 8, x: 64, y: 64}, domains: {t: 400}}
output: {file: run.h5, grid: {t: 5, x: 11, y: 11}}
"""
LAYERS = """\
problem: recurrence_bvp
domain: {x: [0, 2]}
constants: {k: 300}
unknowns: [u]
boundary: ["u(x=0) = 5", "u(x=2) = k"]
recurrence: {intervals: 2^22, reaction: k^2, order: 4, source: "k^2 + (pi^2 + k^2)*sin(pi*x)"}
verification: {tolerance: 1, residual: 1}
output: {file: run.h5, grid: {x: 401}}
"""
CUDA = ["--backend", "cuda"]

# name: case, arguments; those with "run" write run.h5. MOST: seconds of it that are tried, where nobody waits for the end.
EVERYWHERE = ["--expr", "sin(u)", "--at", "t=0:3:1500,x=0:1:1500"]
STAGES = {
    "dense Newton steps, 6000 unknowns": (DENSE, ["run", "case.yaml"]),
    "dense Newton steps, two threads": (DENSE, ["run", "case.yaml", "--threads", "2"]),
    "many windows": (windows_case(500, 101), ["run", "case.yaml", "--threads", "1"]),
    "windows by a tolerance": (AUTOMATIC, ["run", "case.yaml"]),
    "estimate on its own thread": (windows_case(500, 101), ["run", "case.yaml"]),
    "two dimensions, verification": (JUDGED, ["run", "case.yaml"]),
    "sampling and writing 1e7 points": (SAMPLED, ["run", "case.yaml"]),
    "set-up and CG of sbp_sat_poisson": (SET_UP, ["run", "case.yaml"]),
    "branch": (BRANCH, ["run", "case.yaml"]),
    "restart": (windows_case(2000, 501), ["run", "--restart", "run.journal"]),
    "rerun": (STORED, ["rerun", "earlier.h5", "-o", "run.h5"]),
    "converge": (AUTOMATIC, ["converge", "case.yaml", "--vary", "resolution.tolerance=1e-6,1e-7,1e-8"]),
    "sweep, 6000 short runs": (DECAY, ["sweep", "case.yaml", "-o", "run.h5", *MANY_RUNS]),
    "sweep, continued": (DECAY, ["sweep", "--restart", "run.journal", "-o", "run.h5"]),
    "sweep, fields of 17e6 values": (SWEPT, ["sweep", "case.yaml", "-o", "run.h5", *FEW_RUNS]),
    "sweep, dense Newton steps": (DENSE, ["sweep", "case.yaml", "-o", "run.h5", "--vary", "verification.tail=1,2"]),
    "check --time": (DENSE.replace("x: 150", "x: 120"), ["check", "case.yaml", "--time"]),
    "eval": (STORED, ["eval", "earlier.h5", *EVERYWHERE]),
    "export csv": (STORED, ["export", "earlier.h5", "--format", "csv", "-o", "table"]),
    "export vtk": (STORED.replace("t: 2001", "t: 101"), ["export", "earlier.h5", "--format", "vtk", "-o", "pictures"]),
    "diff": (STORED, ["diff", "earlier.h5", "earlier.h5"]),
    "bench": (None, ["bench", "--shape", "200x200", "--batch", "64"]),
    "plot, pictures": (windows_case(100, 2001), ["plot", "earlier.h5"]),
    "plot, a film": (windows_case(100, 2001), ["plot", "earlier.h5", "--kind", "film"]),
}
DEVICE_STAGES = {
    "GPU, dense Newton steps, 6000 unknowns": (DENSE, ["run", "case.yaml", *CUDA]),
    "GPU, tensor solver, 66 000 unknowns": (PLANE, ["run", "case.yaml", *CUDA]),
    "GPU, sampling and writing 1e7 points": (SAMPLED, ["run", "case.yaml", *CUDA]),
    "GPU, sbp_sat_poisson": (SET_UP, ["run", "case.yaml", *CUDA]),
    "GPU, recurrence_bvp": (LAYERS, ["run", "case.yaml", *CUDA]),
}
OVERWRITES = {"run", "rerun", "sweep", "converge", "export"}
WRITES_RESULT = {"run", "rerun", "sweep"}
UNFINISHED = {"dense Newton steps, 6000 unknowns", "dense Newton steps, two threads", "sweep, dense Newton steps",
              "GPU, dense Newton steps, 6000 unknowns", "GPU, tensor solver, 66 000 unknowns"}
MOST = 6.0


class Stage:
    """What all trials of a stage have in common, made in a folder of its own."""

    def __init__(self, name, parent):
        self.name = name
        self.case, self.arguments = {**STAGES, **DEVICE_STAGES}[name]
        self.command = self.arguments[0]
        self.solves = self.command in WRITES_RESULT | {"converge"}
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
        self.reference = self.folder / "reference"
        self.reference.mkdir()
        if self.case:
            (self.reference / "case.yaml").write_text(self.case)
        if "earlier.h5" in self.arguments:
            self.take_earlier_result(pathlib.Path(parent) / f"{hash(self.case)}.h5")
        if "--restart" in self.arguments:
            first = [self.command, "case.yaml", "-q", "-o", "run.h5", *(MANY_RUNS if self.command == "sweep" else [])]
            process = start(self.reference, *first)
            signals.wait_until(lambda: (self.reference / "run.journal").exists()
                               and (self.reference / "run.journal").stat().st_size > 1 << 16, process)
            process.kill()
            process.communicate()
        self.length = MOST if self.name in UNFINISHED else self.undisturbed()

    def take_earlier_result(self, path):
        """Made once for all stages with this case."""
        if not path.exists():
            self.must(["run", "case.yaml", "-q", "-o", path])
        os.link(path, self.reference / "earlier.h5")

    def must(self, arguments):
        process = start(self.reference, *arguments, stdout=subprocess.DEVNULL)
        _, said = process.communicate()
        if process.returncode != 0:
            sys.exit(f"{self.name}: {arguments}: status {process.returncode}\n{said}")

    def undisturbed(self):
        folder = self.fresh()
        began = time.monotonic()
        process = start(folder, *self.all_arguments(), stdout=subprocess.DEVNULL)
        _, said = process.communicate()
        length = time.monotonic() - began
        if process.returncode != 0:
            sys.exit(f"{self.name}: status {process.returncode}\n{said}")
        if (folder / "run.h5").exists():
            shutil.move(folder / "run.h5", self.reference / "answer.h5")
        shutil.rmtree(folder)
        return length

    def all_arguments(self):
        more = ["-q"] if self.command != "plot" else []
        return self.arguments + more + (["--overwrite"] if self.command in OVERWRITES else [])

    def fresh(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name in ("case.yaml", "earlier.h5", "run.journal"):
            if (self.reference / name).exists():
                os.link(self.reference / name, folder / name)
        if (self.reference / "run.journal").exists():  # it will be appended to
            (folder / "run.journal").unlink()
            shutil.copy(self.reference / "run.journal", folder / "run.journal")
        return folder


class Trial:
    """One signal. `wrong` says in words what should not be."""

    def __init__(self, stage, chance):
        self.stage, self.wrong = stage, []
        self.folder = stage.fresh()
        self.earlier = b"an earlier result\n" * 1000
        if stage.command in WRITES_RESULT:
            (self.folder / "run.h5").write_bytes(self.earlier)
        process = start(self.folder, *stage.all_arguments(), stdout=subprocess.DEVNULL)
        self.number = chance.choice(NUMBERS)
        self.moment = chance.uniform(0.05, 1.0) * stage.length
        end = time.monotonic() + self.moment
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.002)
        self.was_over = process.poll() is not None
        self.seconds, self.status, _, self.said = send(process, self.number)
        self.judge()

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def judge(self):
        stage = self.stage
        # Before it handles signals, in its first moments, a process is ended by them as any other.
        allowed = {0, 130} if stage.solves else {0, -self.number}
        if self.moment < 1.0:
            allowed.add(-self.number)
        self.expect(self.status in allowed, f"status {self.status}: {self.said[-300:]}")
        self.expect(not temporary(self.folder), "a temporary file is left")
        if stage.command not in WRITES_RESULT:
            return
        result = self.folder / "run.h5"
        if self.status == 0 or result.read_bytes()[:100] != self.earlier[:100]:
            self.expect(self.same_as_undisturbed(), "the new result is not the undisturbed one")
            self.expect(self.status == 0 or "the result is complete" in self.said, "complete without a word")
        else:
            self.expect(result.read_bytes() == self.earlier, "the earlier result is not as it was")
        journal = (self.folder / "run.journal").exists()
        self.expect(self.status != 0 or not journal, "a journal is left behind a result")
        self.expect(not journal or self.status != 130 or "--restart run.journal" in self.said, "the journal is not told")

    def same_as_undisturbed(self):
        answer = self.stage.reference / "answer.h5"
        if not answer.exists():
            return True
        process = start(self.folder, "diff", "run.h5", answer, "--tolerance", "0", stdout=subprocess.DEVNULL)
        process.communicate()
        return process.returncode == 0

    def can_be_continued(self):
        return self.status == 130 and (self.folder / "run.journal").exists() and self.stage.name not in UNFINISHED

    def continue_it(self):
        arguments = self.stage.arguments
        same = [word for name in ("--threads", "--backend") if name in arguments
                for word in arguments[arguments.index(name):arguments.index(name) + 2]]
        again = ["sweep", "-o", "run.h5"] if self.stage.command == "sweep" else ["run"]
        process = start(self.folder, *again, "--restart", "run.journal", "-q", "--overwrite", *same,
                        stdout=subprocess.DEVNULL)
        _, said = process.communicate()
        self.expect(process.returncode == 0, f"continued: status {process.returncode}: {said[-300:]}")
        self.expect(self.same_as_undisturbed(), "continued it is not the undisturbed result")


class Tally:
    """The trials of a stage so far: a row of the table."""

    def __init__(self, name, n_trials):
        self.name, self.n_trials = name, n_trials
        self.longest, self.n_continued, self.n_wrong, self.statuses = 0.0, 0, 0, collections.Counter()

    def try_all(self, stage, chance, end):
        for k in range(self.n_trials):
            if time.monotonic() > end:
                return
            trial = Trial(stage, chance)
            if trial.can_be_continued() and self.n_continued < (self.n_trials + 4) // 5:
                trial.continue_it()
                self.n_continued += 1
            self.longest = max(self.longest, trial.seconds)
            self.statuses["over before" if trial.was_over else trial.status] += 1
            self.n_wrong += bool(trial.wrong)
            for wrong in trial.wrong:
                print(f"{self.name}, trial {k}: signal {int(trial.number)} after {trial.moment:.2f} s: {wrong}",
                      file=sys.stderr, flush=True)
            shutil.rmtree(trial.folder)

    def row(self):
        told = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items(), key=str))
        return (f"| {self.name} | {sum(self.statuses.values())} | {self.longest:.2f} s | {told} | {self.n_continued} | "
                f"{self.n_wrong} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("gwrm", type=os.path.abspath)
    parser.add_argument("--trials", type=int, default=200, help="over all stages")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for the trials of a stage")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", help="for gwrm plot; without it that is left out")
    parser.add_argument("--device", action="store_true")
    parser.add_argument("--only", nargs="*", help="beginnings of the names of stages")
    arguments = parser.parse_args()
    signals.GWRM = arguments.gwrm
    stages = DEVICE_STAGES if arguments.device else STAGES
    names = [name for name in stages if not arguments.only or any(name.startswith(only) for only in arguments.only)]
    for only in arguments.only or []:
        if not any(name.startswith(only) for name in stages):
            parser.error(f"no stage begins with '{only}': {', '.join(stages)}")
    if arguments.python:
        os.environ["GWRM_PYTHON"] = os.path.abspath(arguments.python)
    else:
        names = [name for name in names if not name.startswith("plot")]
        if not names:
            parser.error("the stages of gwrm plot need --python")
    for number in NUMBERS:
        signal.signal(number, signal.default_int_handler)  # ignored by whoever began this, they would be here too
    n_wrong = 0
    print("| stage | trials | longest answer | exit status | continued | wrong |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as parent:
        for i, name in enumerate(names):
            stage = Stage(name, parent)
            tally = Tally(name, arguments.trials // len(names) + (i < arguments.trials % len(names)))
            try:
                tally.try_all(stage, random.Random(f"{arguments.seed} {name}"), time.monotonic() + arguments.seconds)
            finally:
                print(tally.row(), flush=True)
            shutil.rmtree(stage.folder)
            n_wrong += tally.n_wrong
    return 1 if n_wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
