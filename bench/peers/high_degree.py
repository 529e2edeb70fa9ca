#!/usr/bin/env python3
"""Linear problems on one interval of high degree: the dense, the condensed and the banded solver in turn.

    high_degree.py GWRM [--runs 3] [--markdown PATH]

heat                      u_t = u_xx / 10, one window of 12 nodes
advection and diffusion   u_t + (1 + t x^d) u_x = u_xx / 10 + f, d = 2 and 8, u = exp(-t) sin(3 x)
Airy                      1e-6 u'' = x u, steady

Seconds inside the program (without start-up and imports), on one thread, medians; every run is held against its exact
solution or, Airy's equation from degree 1024 on, against known values. A solver is left out from the degree on for which
it took longer than --longest seconds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HEAT = """
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)/10"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-pi^2*t/10)*sin(pi*x)"}
"""

ADVECTION = """
domain: {t: [0, 1], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) + (1 + t*x^POWER)*dx(u) = dx(u,2)/10 + exp(-t)*(3*(1 + t*x^POWER)*cos(3*x) - 0.1*sin(3*x))"]
initial: {u: "sin(3*x)"}
boundary: ["u(x=-1) = -exp(-t)*sin(3)", "u(x=1) = exp(-t)*sin(3)"]
exact: {u: "exp(-t)*sin(3*x)"}
"""

AIRY = """
domain: {x: [-1, 1]}
unknowns: [u]
equations: ["1.0e-6*dx(u,2) = x*u"]
boundary: ["u(x=-1) = 0.17675339323955287809", "u(x=1) = 0"]
"""
KNOWN = {"u": ({"x": 0}, 0.35502805388781723926), "dx(u)": ({"x": 0}, -25.881940379280679841)}
RESOLVES_AIRY = 1024

PROBLEMS = [("heat", "constant", HEAT), ("advection and diffusion", "degree 2, with t", ADVECTION.replace("POWER", "2")),
            ("the same", "degree 8, with t", ADVECTION.replace("POWER", "8")), ("Airy, steady", "degree 1", AIRY)]
DEGREES = (257, 512, 1024, 2048)
SOLVERS = ("dense", "averaged", "banded")


def case_of(text, degree, solver):
    case = "schema: 1" + text + f"solver: {{linear: {solver}}}\n"
    if "exact" in text:
        time = "t: 12, "
        check = "tolerance: 1.0e-9"
    else:
        time = ""
        values = [f'{{expr: "{e}", at: {json.dumps(at)}, value: {value}}}' for e, (at, value) in KNOWN.items()]
        check = "tolerance: 1.0e-9" + (f", values: [{', '.join(values)}]" if degree >= RESOLVES_AIRY else "")
    tails = "" if degree >= RESOLVES_AIRY or "exact" in text else ", tail: 1, residual: 1.0e+6"
    return case + f"resolution: {{degree: {{{time}x: {degree}}}}}\nverification: {{estimate: off, {check}{tails}}}\n"


def run(gwrm, text, degree, solver, directory):
    case, result = os.path.join(directory, "case.yaml"), os.path.join(directory, "run.h5")
    with open(case, "w", encoding="utf-8") as file:
        file.write(case_of(text, degree, solver))
    done = subprocess.run([gwrm, "run", case, "--threads", "1", "--quiet", "--json", "-o", result, "--overwrite"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{solver}, degree {degree}: {done.stdout}{done.stderr}\n{open(case, encoding='utf-8').read()}")
    return json.loads(done.stdout)["wall_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--longest", type=float, default=4.0)
    parser.add_argument("--markdown")
    given = parser.parse_args()
    lines = ["| problem | coefficients | degree | dense | condensed | banded | condensed / banded |",
             "|---|---|---|---|---|---|---|"]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as directory:
        for name, coefficients, text in PROBLEMS:
            left_out = set()
            for degree in DEGREES:
                times = {solver: [] for solver in SOLVERS if solver not in left_out}
                for _ in range(given.runs):
                    for solver, taken in times.items():
                        taken.append(run(given.gwrm, text, degree, solver, directory))
                medians = {solver: statistics.median(taken) for solver, taken in times.items()}
                left_out |= {solver for solver, taken in medians.items() if taken > given.longest}
                ratio = f"{medians['averaged'] / medians['banded']:.2g}" if "averaged" in medians else ""
                cells = [f"{medians[solver]:.3g}" if solver in medians else "-" for solver in SOLVERS]
                first = degree == DEGREES[0]
                lines.append(f"| {name if first else ''} | {coefficients if first else ''} | {degree} | " +
                             " | ".join(cells) + f" | {ratio} |")
                print(lines[-1], flush=True)
    if given.markdown:
        with open(given.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
