#!/usr/bin/env python3
"""Transient Rayleigh-Benard convection at equal error: gwrm, a semi-implicit multistep method in C++, Dedalus.

    convection_peers.py GWRM [--dedalus PYTHON] [--runs 5] [--work FOLDER] [--markdown FILE]

All programs expand u, v, T in the same series (16 waves along x, degree 28 along y), run on one thread, in turn; steps
are the fewest of a ladder that reach the target, 1e-10 of the largest value of each field at the end. The reference is
that of the C++ program with 26 waves, degree 40 and 16 000 steps of fourth order; the answer of every timed run is
compared with it. Times: of the peers the steps alone, without start-up; of gwrm processor seconds of the whole process,
wall seconds of its own clock, which begins after start-up and ends with the file.

Exit status: 0 if gwrm reaches the target, 1 if not, 2 on wrong usage.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET, WAVES, DEGREE = 1e-10, "16", "28"
LADDERS = {"SBDF3, C++": (8000, 9500, 11000, 12500), "SBDF4, C++": (1000, 1400, 1700, 2000, 2400),
           "Dedalus, SBDF4": (1000, 1200, 1400, 1600, 2000), "Dedalus, SBDF3": (8000, 9500, 11000),
           "Dedalus, RK443": (4000,)}


def compiled(folder):
    source = os.path.join(HERE, "peers", "convection", "convection_sbdf.cpp")
    path = os.path.join(folder, "convection_sbdf")
    compiler = shutil.which("c++") or shutil.which("g++")
    subprocess.run([compiler, "-std=c++20", "-O3", "-march=native", "-ffast-math", source, "-lfftw3", "-o", path],
                   check=True)
    return path


def run(command):
    """Last line of the output and processor seconds of one process."""
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env={**os.environ, **threads}, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else "", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Programs:
    def __init__(self, options):
        self.options, self.peer = options, compiled(options.work)
        self.answer = os.path.join(options.work, "answer.bin")
        run([self.peer, "4", "16000", "26", "40", self.answer])
        self.reference = self.read()

    def read(self):
        return np.fromfile(self.answer).reshape(3, 17, 17)

    def error(self, values):
        return max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(values, self.reference))

    def run_peer(self, name, steps):
        if os.path.exists(self.answer):
            os.remove(self.answer)
        if name.endswith("C++"):
            command = [self.peer, name[4], str(steps), WAVES, DEGREE, self.answer]
        else:
            command = [self.options.dedalus, os.path.join(HERE, "peers", "dedalus_convection.py"), self.answer,
                       "--scheme", name.split()[1], "--steps", str(steps), "--m", WAVES, "--n", DEGREE]
        text, _ = run(command)
        times = re.search(r"seconds ([0-9.]+) processor ([0-9.]+)", text)
        return (float(times.group(1)), float(times.group(2)), self.error(self.read())) if times else None

    def run_gwrm(self):
        path = os.path.join(self.options.work, "convection.h5")
        case = os.path.join(HERE, "cases", "fourier", "convection.yaml")
        _, processor = run([self.options.gwrm, "run", case, "--quiet", "--backend", "cpu", "--threads", "1", "-o", path,
                            "--overwrite"])
        with h5py.File(path, "r") as file:
            values = [file[field][0].T for field in "uvT"]
            return float(file.attrs["wall_seconds"]), processor, self.error(values)


def fewest(programs, name):
    for steps in LADDERS[name]:
        result = programs.run_peer(name, steps)
        if result is None:
            return None
        print(f"  {name}, {steps} steps: {result[1]:.3f} s, error {result[2]:.1e}", file=sys.stderr)
        if result[2] <= TARGET:
            return steps
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--dedalus", help="a Python with Dedalus 3")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--work", default=os.path.join(HERE, "..", "..", "build", "compare"))
    parser.add_argument("--markdown")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    programs, rounds, settings = Programs(options), {}, {"gwrm": "case file"}
    contestants = {"gwrm": programs.run_gwrm}
    for name in LADDERS:
        if name.startswith("Dedalus") and not options.dedalus:
            continue
        steps = fewest(programs, name)
        if steps is None:
            print(f"  {name}: no step of the ladder reaches the target", file=sys.stderr)
            continue
        settings[name] = f"{steps} steps"
        contestants[name] = lambda name=name, steps=steps: programs.run_peer(name, steps)
    for _ in range(options.runs):
        for name, one in contestants.items():
            rounds.setdefault(name, []).append(one())
    lines = ["| program | setting | processor, s | wall, s | error | processor time over gwrm's |",
             "|---|---|---|---|---|---|"]
    for name, results in rounds.items():
        wall, processor = (statistics.median(result[i] for result in results) for i in (0, 1))
        ratio = statistics.median(theirs[1] / ours[1] for theirs, ours in zip(results, rounds["gwrm"]))
        lines.append(f"| {name} | {settings[name]} | {processor:.3f} | {wall:.3f} | {max(r[2] for r in results):.1e} | "
                     f"{'' if name == 'gwrm' else f'{ratio:.2g}'} |")
    text = "\n".join(lines)
    print(text)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    return 0 if max(result[2] for result in rounds["gwrm"]) <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
