#!/usr/bin/env python3
"""Iteration counts of the root solvers in single windows of Burgers' equation: the second table of docs/root-solvers.md.

    root_solvers.py GWRM [--threads N] [--timeout SECONDS]

Every case is one time window of degree 16, started from the initial data at all times; the subdomains stand where the
front will be. A window that the program had to halve counts as failed. Needs nothing but Python 3.8.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

DEGREE_T = 16
# Enough for the slowest to get there: Anderson's steps are cheap and many, R of SIR needs about 15 iterations to fall.
MOST_ITERATIONS = {"none": 50, "natural": 50, "sir": 150, "anderson": 300}


@dataclasses.dataclass(frozen=True)
class Window:
    name: str
    nu: str
    length: float
    start: str
    edges: tuple
    degree: int  # in each subdomain

    def case_text(self):
        return f"""schema: 1
title: Burgers' equation, one window
domain:
  t: [0, {self.length}]
  x: [{self.edges[0]}, {self.edges[-1]}]
constants: {{nu: {self.nu}}}
unknowns: [u]
equations:
  - "dt(u) + u*dx(u) = nu*dx(u,2)"
initial:
  u: "{self.start}"
boundary:
  - "u(x={self.edges[0]}) = 0"
  - "u(x={self.edges[-1]}) = 0"
resolution:
  degree: {{t: {DEGREE_T}, x: {self.degree}}}
  domains: {{t: 1, x: {list(self.edges)}}}
"""


WINDOWS = (
    Window("sine, nu = 0.01, h = 0.25", "0.01", 0.25, "sin(pi*x)", (0, 0.5, 1), 20),
    Window("sine, nu = 0.01, h = 1", "0.01", 1.0, "sin(pi*x)", (0, 0.6, 0.9, 1), 24),
    Window("Basdevant, h = 0.2", "0.01/pi", 0.2, "-sin(pi*x)", (-1, -0.1, 0, 0.1, 1), 32),
    Window("Basdevant, h = 1", "0.01/pi", 1.0, "-sin(pi*x)", (-1, -0.1, 0, 0.1, 1), 32),
    Window("sine, nu = 0.001, h = 0.5", "1e-3", 0.5, "sin(pi*x)", (0, 0.6, 0.9, 0.98, 1), 24),
    Window("sine, nu = 0.0005, h = 1", "5e-4", 1.0, "sin(pi*x)", (0, 0.6, 0.9, 0.98, 1), 32),
)
COLUMNS = (("none", "dense"), ("natural", "dense"), ("sir", "dense"), ("anderson", "dense"), ("natural", "averaged"))


def run(options, window, globalisation, linear, folder):
    """The program's JSON object; None if it did not end in time."""
    case = pathlib.Path(folder, "window.yaml")
    case.write_text(window.case_text())
    command = [options.gwrm, "run", str(case), "--json", "--quiet", "--threads", str(options.threads), "--overwrite",
               "-o", str(case.with_suffix(".h5")), "--set", f"solver.newton.globalisation={globalisation}",
               "--set", f"solver.newton.max_iterations={MOST_ITERATIONS[globalisation]}",
               "--set", f"solver.linear={linear}"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode in (1, 2) or not done.stdout:
        sys.exit(f"{' '.join(command)}\nexit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def solved(result):
    # 6: the verification found a tail too long; that says nothing of the root solver.
    return result is not None and result["exit_status"] in (0, 6) and result["n_windows"] == 1


def cell(result, linear):
    if not solved(result):
        return "fails"
    iterations = str(result["n_newton_iterations"])
    return iterations if linear == "dense" else f"{iterations} / {result['n_linear_iterations']}"


def tail(result, axis):
    checks = result["verification"]["checks"]
    return next(check["value"] for check in checks if check["kind"] == "tail" and check["subject"] == f"u along {axis}")


def row(options, window, folder):
    results = [(run(options, window, *column, folder), column[1]) for column in COLUMNS]
    good = next((result for result, _ in results if solved(result)), None)
    what = ["", "", ""]
    if good is not None:
        what = [str(good["n_unknowns"]), f"{tail(good, 't'):.0e}", f"{tail(good, 'x'):.0e}"]
    return [window.name, *what, *(cell(*result) for result in results)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds per run; a run cut off counts as failed")
    options = parser.parse_args()
    options.gwrm = os.path.abspath(options.gwrm)
    version = subprocess.run([options.gwrm, "info"], stdout=subprocess.PIPE, text=True, check=True).stdout
    print(version.splitlines()[0] + "\n")
    head = ["window", "unknowns", "tail t", "tail x",
            *(name if linear == "dense" else f"{name}, {linear}" for name, linear in COLUMNS)]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for window in WINDOWS:
            print("| " + " | ".join(row(options, window, folder)) + " |", flush=True)


if __name__ == "__main__":
    main()
