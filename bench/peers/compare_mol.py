#!/usr/bin/env python3
"""Times gwrm beside other ways to the same answer: method of lines, Fourier with exponential steps, Dedalus.

    compare_mol.py [GWRM] [--cases basdevant,kdv] [--dedalus PYTHON] [--work FOLDER] [--markdown FILE] [--csv FILE]

Without GWRM (also --gwrm GWRM) the peers alone.
Whole processes from start to exit, reading and writing of files and imports included, one thread each unless the table
says otherwise. All programs of a case run in turn, five rounds after one to warm up; medians are quoted, ratios round by
round. Every answer is compared with an independent reference (references.py) at all check points; a run that misses the target is
marked and takes part in no ratio. The peers run with the cheapest resolution and tolerance that reach the target:
found by a search and kept in peer_settings.json (--search searches anew).

Exit status: 0 if all gwrm runs reach their targets, 1 if not, 2 on wrong usage.
"""
import argparse
import csv
import dataclasses
import datetime
import functools
import importlib.util
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time

import h5py
import numpy as np

import etdrk4_cpp
from peer_table import PEERS
from references import HERE, PROBLEMS, reference_file, relative_error

LIMIT = 600  # seconds for one run
SETTINGS = os.path.join(HERE, "peer_settings.json")


@dataclasses.dataclass(frozen=True)
class Run:
    seconds: float
    error: float  # infinite if the run failed
    note: str = ""
    inside: float = float("nan")  # seconds by the program's own clock: without start-up and imports
    processor: float = float("nan")  # seconds of all its threads, system time included


def processor_seconds():
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def case_files(name, chebyshev):
    """gwrm's case files by what they are called in the table: with Fourier axes where there is one, else, or `chebyshev` too,
    the one with polynomials; NAME_velocity is the flow in velocity and pressure."""
    fourier = os.path.join(HERE, "cases", "fourier", f"{name}.yaml")
    polynomials = os.path.join(HERE, "cases", f"{name}.yaml")
    velocity = os.path.join(HERE, "cases", "fourier", f"{name}_velocity.yaml")
    if not os.path.exists(fourier):
        return {"gwrm": polynomials}
    more = {"gwrm, Chebyshev": polynomials if chebyshev else "", "gwrm, velocity and pressure": velocity}
    return {"gwrm": fourier, **{who: path for who, path in more.items() if os.path.exists(path)}}


class Workplace:
    """Where the runs happen: interpreter, gwrm, folder of answers, references."""

    def __init__(self, options):
        self.gwrm = os.path.abspath(options.gwrm) if options.gwrm else None
        self.folder = os.path.abspath(options.work)
        os.makedirs(self.folder, exist_ok=True)
        self.dedalus = options.dedalus
        self.references = {}

    def reference(self, name):
        if name not in self.references:
            path = reference_file(name, self.folder)
            stored = np.load(path)
            self.references[name] = (path, {axis: stored[axis] for axis in PROBLEMS[name].axes}, stored["values"])
        return self.references[name]

    def timed(self, command, threads):
        """Seconds, processor seconds, exit status and output of one process."""
        counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_MAX_THREADS")
        environment = {**os.environ, **{name: str(threads) for name in counts}}
        begin, used = time.perf_counter(), processor_seconds()
        try:
            run = subprocess.run(command, env=environment, cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return float(LIMIT), float("nan"), 1, f"over {LIMIT} s"
        seconds, used = time.perf_counter() - begin, processor_seconds() - used
        lines = (run.stdout if run.returncode == 0 else run.stderr).strip().splitlines()
        return seconds, used, run.returncode, lines[-1] if lines else ""

    def run_gwrm(self, name, case_file, extra, threads=1):
        path = os.path.join(self.folder, "gwrm.h5")
        command = [self.gwrm, "run", case_file, "--quiet", "--backend", "cpu", "--threads", str(threads), "-o", path,
                   "--overwrite", "--set", "verification.estimate=off", *extra]
        if os.path.exists(path):
            os.remove(path)
        seconds, used, status, text = self.timed(command, threads)
        if not os.path.exists(path):
            return Run(seconds, float("inf"), f"exit status {status}: {text}")
        _, axes, wanted = self.reference(name)
        with h5py.File(path, "r") as file:
            for axis, points in axes.items():
                if not np.allclose(file[axis][:], points, rtol=0, atol=1e-12 * np.abs(points).max()):
                    raise SystemExit(f"{name}: output.grid.{axis} of the case is not the check points")
            values = np.stack([file[field][:] for field in PROBLEMS[name].fields])
            note = f"{int(file.attrs['n_newton_iterations'])} Newton iterations"
            inside = float(file.attrs["wall_seconds"])
        note = note if status == 0 else f"exit status {status}, {note}"
        return Run(seconds, relative_error(values, wanted), note, inside, used)

    def run_peer(self, name, peer, setting, threads=1):
        path, _, wanted = self.reference(name)
        answer = os.path.join(self.folder, "answer.npy")
        if peer.compiled:
            command = [etdrk4_cpp.program(self.folder), peer.case, answer, *setting]
        else:
            interpreter = self.dedalus if peer.dedalus else sys.executable
            command = [interpreter, os.path.join(HERE, "peers", peer.script), peer.case, path, answer, *setting]
        if threads > 1 and peer.threads_option:
            command += ["--threads", str(threads)]
        if os.path.exists(answer):
            os.remove(answer)
        seconds, used, status, text = self.timed(command, threads)
        if status or not os.path.exists(answer):
            return Run(seconds, float("inf"), text)
        inside = float(re.search(r"seconds ([0-9.]+)", text).group(1))
        return Run(seconds, relative_error(np.load(answer), wanted), text, inside, used)


def search(work, name, peer, store, again):
    """The cheapest setting of the peer that reaches the target: [arguments], or None. Kept in `store`.

    Every family (method, edges, basis) is a ladder of resolutions and one of tolerances or steps. The smallest
    resolution is found with the sharpest tolerance; then, for it and the next one, the tolerance is loosened while
    the target is still met. Cheapest in processor seconds: other work on the machine moves them least.
    """
    key = f"{name}/{peer.name}"
    if key in store and not again:
        return store[key]
    target, best = 0.9 * PROBLEMS[name].target, None  # a tenth to spare: not all peers repeat their last digits

    def attempt(family, resolution, control):
        nonlocal best
        setting = [*family.arguments, "--n", str(resolution), family.control, str(control)]
        run = work.run_peer(name, peer, setting)
        print(f"  {peer.name} {' '.join(setting)}: {run.processor:.3f} s, error {run.error:.1e}", file=sys.stderr)
        if run.error <= target and (best is None or run.processor < best[0]):
            best = (run.processor, setting)
        return run.error <= target

    for family in peer.families:
        sharpest = family.controls[-1]
        enough = next((i for i, n in enumerate(family.resolutions) if attempt(family, n, sharpest)), None)
        if enough is None:
            continue
        for resolution in family.resolutions[enough : enough + 2]:
            for control in reversed(family.controls[:-1]):
                if not attempt(family, resolution, control):
                    break
    store[key] = best[1] if best else None
    return store[key]


def median_row(name, who, setting, threads, runs, target):
    worst = max(run.error for run in runs)
    return {"case": name, "program": who, "setting": setting, "threads": threads, "target": target,
            "seconds": statistics.median(run.seconds for run in runs),
            "fastest": min(run.seconds for run in runs), "slowest": max(run.seconds for run in runs),
            "processor": statistics.median(run.processor for run in runs),
            "inside": statistics.median(run.inside for run in runs), "error": worst,
            "reached": worst <= target, "ratio": None, "busy": None, "inner": None, "note": runs[-1].note}


def contestants(work, name, options, store):
    """(program, setting, threads, run) of everything that is timed in a case, and the peers that miss its target."""
    problem, timed, missing = PROBLEMS[name], [], []
    variants = []
    for who, case_file in case_files(name, options.chebyshev).items() if work.gwrm else ():
        variants.append((who, case_file, []))
        if who == "gwrm" and not options.no_automatic:
            variants.append(("gwrm, automatic", case_file,
                             ["--set", f"resolution={{tolerance: {problem.automatic}}}"]))
    for who, case_file, extra in variants:
        for threads in options.threads if who == "gwrm" else options.threads[:1]:
            timed.append((who, " ".join(extra), threads,
                          functools.partial(work.run_gwrm, name, case_file, extra, threads)))
    for peer in PEERS[name]:
        if peer.dedalus and not work.dedalus:
            print(f"  {peer.name}: left out, no Python with dedalus (--dedalus PYTHON)", file=sys.stderr)
            continue
        try:
            setting = search(work, name, peer, store, options.search)
            if peer.compiled:
                etdrk4_cpp.program(work.folder)
        except etdrk4_cpp.Missing as why:
            print(f"  {peer.name}: left out, {why}", file=sys.stderr)
            continue
        write_json(SETTINGS, store)
        if setting is None:
            missing.append(peer.name)
            continue
        for threads in options.threads if peer.gains_by_threads else [1]:
            timed.append((peer.name, " ".join(setting), threads,
                          functools.partial(work.run_peer, name, peer, setting, threads)))
    return timed, missing


def compare(work, name, options, store):
    """Rows of the table for one case: all programs in turn, once to warm up and then `runs` times."""
    problem = PROBLEMS[name]
    print(f"{name}: {problem.title}", file=sys.stderr)
    timed, missing = contestants(work, name, options, store)
    rounds = {}
    for number in range(options.runs + 1):
        for who, setting, threads, run in timed:
            result = run()
            print(f"  {who}, {threads} threads: {result.seconds:.3f} s, error {result.error:.1e}, {result.note}",
                  file=sys.stderr)
            if number > 0:
                rounds.setdefault((who, setting, threads), []).append(result)
    rows = [median_row(name, *key, runs, problem.target) for key, runs in rounds.items()]
    ours = {threads: runs for (who, _, threads), runs in rounds.items() if who == "gwrm"}
    for row, ((who, _, threads), theirs) in zip(rows, rounds.items()):
        beside = ours.get(threads, ours.get(options.threads[0]))
        if beside is None:
            continue
        reached = max(run.error for run in beside) <= problem.target
        if not who.startswith("gwrm") and row["reached"] and reached:
            row["ratio"] = statistics.median(b.seconds / a.seconds for a, b in zip(beside, theirs))
            row["busy"] = statistics.median(b.processor / a.processor for a, b in zip(beside, theirs))
            row["inner"] = statistics.median(b.inside / a.inside for a, b in zip(beside, theirs))
    for who in missing:
        rows.append({"seconds": None, "ratio": None, "case": name, "program": who, "threads": 1, "target": problem.target,
                     "setting": "none of the search reaches the target", "reached": False, "note": ""})
    return rows


def write_json(path, data):
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
    os.replace(path + ".part", path)


def machine(gwrm):
    """Lines that say where and with what the table was made."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], stdout=subprocess.PIPE, text=True)
    version = subprocess.run([gwrm, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip() if gwrm else "peers alone"
    packages = ", ".join(f"{module.__name__} {module.__version__}" for module in (np, __import__("scipy")))
    return [f"{datetime.date.today()}, {model}, {len(os.sched_getaffinity(0))} cores",
            f"{version}, source {commit.stdout.strip() or 'unknown'}; Python {platform.python_version()}, {packages}"]


def table(rows, heads):
    lines = [*heads, "", "Medians, in seconds. time: the whole process, with its range; cpu: the same on the processor, all threads; "
             "inside: by the program's own clock, without start-up and imports, of the compiled peer without plans and "
             "coefficients. error: the largest of all runs, relative to the largest value. ratios: peer / gwrm with as many "
             "threads, of the columns time, cpu and inside, medians over rounds.", "",
             "| case | target | program | threads | time | range | cpu | inside | error | ratios | setting |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if row["seconds"] is None:
            figures = "- | - | - | - | -"
        elif not np.isfinite(row["error"]):
            figures = "failed | - | - | - | -"
        else:
            missed = "" if row["reached"] else " (target missed)"
            figures = (f"{row['seconds']:.3f} | {row['fastest']:.3f} ... {row['slowest']:.3f} | {row['processor']:.3f} "
                       f"| {row['inside']:.3f} | {row['error']:.1e}{missed}")
        ratio = f"{row['ratio']:.2g}, {row['busy']:.2g}, {row['inner']:.2g}" if row["ratio"] else ""
        setting = row["setting"] if row["seconds"] is None or np.isfinite(row["error"]) else row["note"]
        lines.append(f"| {row['case']} | {row['target']:.0e} | {row['program']} | {row['threads']} | {figures} "
                     f"| {ratio} | {setting.replace('|', ' ')} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", nargs="?", help="the program; without it the peers alone")
    parser.add_argument("--gwrm", dest="gwrm_option", metavar="GWRM", help="the same")
    parser.add_argument("--chebyshev", action="store_true", help="gwrm with polynomials too where it has Fourier axes")
    parser.add_argument("--cases", default=",".join(PROBLEMS), help="some of " + ", ".join(PROBLEMS))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", default="1", help="how many; 1,2: gwrm and peers that may gain with one and with two")
    parser.add_argument("--no-automatic", action="store_true", help="without gwrm's automatic variant")
    parser.add_argument("--dedalus", help="a Python with dedalus 3; default: this one if it has it")
    parser.add_argument("--work", default=os.path.join(HERE, "..", "..", "build", "compare"))
    parser.add_argument("--search", action="store_true", help="search the peers' settings anew")
    parser.add_argument("--markdown")
    parser.add_argument("--csv")
    options = parser.parse_args()
    options.gwrm = options.gwrm or options.gwrm_option
    names = options.cases.split(",")
    options.threads = [int(number) for number in options.threads.split(",")]
    unknown = [name for name in names if name not in PROBLEMS]
    if unknown or options.runs < 1 or (options.gwrm and not os.access(options.gwrm, os.X_OK)):
        parser.error(f"no such case: {', '.join(unknown)}" if unknown else "the program, and at least one run")
    if not options.dedalus and importlib.util.find_spec("dedalus"):
        options.dedalus = sys.executable
    work = Workplace(options)
    store = {}
    if os.path.exists(SETTINGS):
        with open(SETTINGS, encoding="utf-8") as file:
            store = json.load(file)
    rows = []
    heads = machine(work.gwrm)
    for name in names:
        rows += compare(work, name, options, store)
        text = table(rows, heads)  # written after every case: a long run that is stopped leaves what it has
        if options.markdown:
            with open(options.markdown, "w", encoding="utf-8") as file:
                file.write(text)
        if options.csv:
            with open(options.csv, "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, fieldnames=list(max(rows, key=len)))
                writer.writeheader()
                writer.writerows(rows)
    print(text)
    sys.exit(0 if all(row["reached"] for row in rows if row["program"] == "gwrm") else 1)


if __name__ == "__main__":
    main()
