#!/usr/bin/env python3
"""Fields in the full sphere at equal error: gwrm beside Dedalus 3, scalar heat and the kinematic dynamo s2t2.

    ball_peers.py GWRM --dedalus PYTHON [--runs 3] [--work FOLDER] [--markdown FILE]

One thread each, in turn. gwrm runs the cases of cases/ball as they stand; Dedalus (peers/dedalus_ball.py) takes the fewest
steps of a ladder that reach the target, with radial functions and degrees set by hand to the fewest. The error is the
largest at the check points at the end, over the components, relative to the largest value: of heat against the series in
spherical Bessel functions, of the dynamo against a finer run of gwrm, which a finer run of Dedalus is held against first.
Times are processor seconds: of the whole processes, and of Dedalus' steps alone, without imports, matrices and first steps.

Exit status: 0 if gwrm reaches the targets, 1 if not, 2 on wrong usage.
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import brentq
from scipy.special import spherical_jn

HERE = os.path.dirname(os.path.abspath(__file__))
POINTS = {"r": (0.3, 0.6, 0.9), "theta": (0.7, 1.9), "phi": (0.4, 2.5)}  # as in peers/dedalus_ball.py and cases/ball
TARGET = {"heat": 1e-9, "dynamo": 1e-5}
SPACE = {"heat": ("24", "6", "2"), "dynamo": ("28", "30", "1")}  # Dedalus: radial functions, degrees, orders
LADDERS = {"heat": {"SBDF4": (80, 100, 120, 140, 160), "SBDF3": (400, 500, 600), "RK443": (200, 250, 300)},
           "dynamo": {"SBDF3": (200, 225, 250, 300), "SBDF4": (400, 425, 450, 500), "RK443": (110, 150)}}
FIELDS = {"heat": ("u",), "dynamo": ("B_r", "B_theta", "B_phi")}


def run(command):
    """Output and processor seconds of one process."""
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env={**os.environ, **threads}, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def zeros(degree, count):
    x = np.linspace(0.5, np.pi * (count + degree + 2), 200 * count)
    values = spherical_jn(degree, x)
    at = np.nonzero(values[:-1] * values[1:] < 0)[0][:count]
    return [brentq(lambda q: spherical_jn(degree, q), x[i], x[i + 1], xtol=1e-15) for i in at]


def heat_series():
    """sum over l of H_l/r^l sum over the zeros q of j_l of 4(2l+3)/(q^3 j_(l+1)(q)) j_l(qr) exp(-q^2 t) at t = 0.03."""
    r, theta, phi = np.meshgrid(*POINTS.values(), indexing="ij")
    x, y, z = r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)
    harmonics = (np.ones_like(r), z, x**2 - y**2 + 2 * x * z, (5 * z**3 - 3 * z * r**2) / 2)
    return sum(harmonic / r**degree * sum(
        4 * (2 * degree + 3) / (q**3 * spherical_jn(degree + 1, q)) * spherical_jn(degree, q * r) * np.exp(-q * q * 0.03)
        for q in zeros(degree, 40)) for degree, harmonic in enumerate(harmonics))[None]


class Programs:
    def __init__(self, options):
        self.options = options
        self.reference = {"heat": heat_series()}
        finer = ("ball.degree={t: 10, r: 34, l: 44, m: 1}", "ball.windows=40")
        self.run_gwrm("dynamo", finer)
        self.reference["dynamo"] = self.answer
        beside = self.run_dedalus("dynamo", "SBDF4", 800, ("40", "44", "1"))
        print(f"reference of the dynamo: finer runs of gwrm and Dedalus differ by {beside[2]:.1e}", file=sys.stderr)

    def error(self, problem):
        reference = self.reference.get(problem)
        return np.nan if reference is None else float(np.abs(self.answer - reference).max() / np.abs(reference).max())

    def run_gwrm(self, problem, changes=()):
        """Seconds of the process, twice, and the error."""
        path = os.path.join(self.options.work, f"ball_{problem}.h5")
        command = [self.options.gwrm, "run", os.path.join(HERE, "cases", "ball", f"{problem}.yaml"), "--quiet",
                   "--backend", "cpu", "--threads", "1", "--overwrite", "-o", path]
        _, processor = run(command + [word for change in changes for word in ("--set", change)])
        with h5py.File(path, "r") as file:
            self.answer = np.stack([file[name][-1] for name in FIELDS[problem]])
        return processor, processor, self.error(problem)

    def run_dedalus(self, problem, scheme, steps, space=None):
        """Seconds of the process, of its steps, and the error."""
        path = os.path.join(self.options.work, "ball.bin")
        if os.path.exists(path):
            os.remove(path)
        r, degrees, orders = space or SPACE[problem]
        text, processor = run([self.options.dedalus, os.path.join(HERE, "peers", "dedalus_ball.py"), problem, path,
                               "--scheme", scheme, "--steps", str(steps), "--r", r, "--l", degrees, "--m", orders])
        times = re.search(r"seconds ([0-9.]+) processor ([0-9.]+)", text)
        if times is None or not os.path.exists(path):
            return processor, np.inf, np.inf
        self.answer = np.fromfile(path).reshape(-1, *(len(points) for points in POINTS.values()))
        return processor, float(times.group(2)), self.error(problem)


def fewest(programs, problem, scheme):
    for steps in LADDERS[problem][scheme]:
        _, inside, error = programs.run_dedalus(problem, scheme, steps)
        print(f"  {problem}, {scheme}, {steps} steps: {inside:.3f} s, error {error:.1e}", file=sys.stderr)
        if error <= TARGET[problem]:
            return steps
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--dedalus", required=True, help="a Python with Dedalus 3")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", default=os.path.join(HERE, "..", "..", "build", "compare"))
    parser.add_argument("--markdown")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    programs, met = Programs(options), True
    lines = ["| problem | target | program | setting | error | process, s | steps, s | process over gwrm's | steps over gwrm's |",
             "|---|---|---|---|---|---|---|---|---|"]
    for problem, target in TARGET.items():
        rounds = {"gwrm": ("case file", lambda problem=problem: programs.run_gwrm(problem))}
        for scheme in LADDERS[problem]:
            if (steps := fewest(programs, problem, scheme)) is not None:
                rounds[f"Dedalus, {scheme}"] = (f"{steps} steps", lambda problem=problem, scheme=scheme, steps=steps:
                                                programs.run_dedalus(problem, scheme, steps))
        results = {name: [] for name in rounds}
        for _ in range(options.runs):
            for name, (_, one) in rounds.items():
                results[name].append(one())
        met = met and max(result[2] for result in results["gwrm"]) <= target
        for name, (setting, _) in rounds.items():
            processor, inside = (statistics.median(result[i] for result in results[name]) for i in (0, 1))
            ratios = [statistics.median(theirs[i] / ours[i] for theirs, ours in zip(results[name], results["gwrm"]))
                      for i in (0, 1)]
            lines.append(f"| {problem} | {target:.0e} | {name} | {setting} | {max(r[2] for r in results[name]):.1e} | "
                         f"{processor:.3f} | " +
                         ("| | |" if name == "gwrm" else f"{inside:.3f} | {ratios[0]:.2g} | {ratios[1]:.2g} |"))
    text = "\n".join(lines)
    print(text)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
