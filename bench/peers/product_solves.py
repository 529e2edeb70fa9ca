#!/usr/bin/env python3
"""Whole solves in the papers' form, time: {weighting: chebyshev}, with the products of unknowns formed in every way.

    product_solves.py GWRM [--backends cpu,cuda] [--runs 3] [--cases NAME,..] [--ways WAY,..] [--threads N]
                      [--markdown PATH]

Burgers in one and two dimensions and Lorenz-84 with its forcing as a coupled parameter, each at the degrees of SIZES.
Ways: on padded points, and of the coefficients by direct sums, transforms and the paper's two kernels; linear solvers:
the LU of every Jacobian (dense), and GMRES with products J v behind the LU of the first one (lagged).

Every run must pass its own verification, and its polynomials are compared (gwrm diff) with those of the CPU with padded
points and dense LU; the script fails if they differ by more than --tolerance (relative to the largest value). Prints a
table in Markdown: seconds of the solve (wall_seconds of the run, the median of --runs runs taken in turn), iterations and
the largest difference. With --cpu-time the seconds are those that the process spent on its cores, for a machine that
others use too. Needs nothing but the standard library.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "..", "inputs")

WAYS = ["pointwise", "direct", "transform", "stride", "monolithic"]
SOLVERS = ["dense", "lagged"]
CASES = {
    "Burgers 1-D": os.path.join(INPUTS, "burgers_degrees.yaml"),
    "Burgers 2-D": os.path.join(INPUTS, "burgers_2d.yaml"),
    "Lorenz-84, F coupled": os.path.join(HERE, "cases", "products_lorenz84.yaml"),
}
SIZES = [  # case, degrees, the sums that are worth waiting for
    ("Burgers 1-D", {"t": 20, "x": 36}, WAYS),
    ("Burgers 1-D", {"t": 31, "x": 63}, WAYS),
    ("Burgers 2-D", {"t": 6, "x": 11, "y": 11}, WAYS),
    ("Burgers 2-D", {"t": 8, "x": 15, "y": 15}, ["pointwise", "direct", "transform", "stride"]),
    ("Lorenz-84, F coupled", {"t": 20, "F": 10}, WAYS),
    ("Lorenz-84, F coupled", {"t": 31, "F": 31}, WAYS),
]


def run(options, case, degrees, way, solver, backend, path):
    """JSON of one run, and the seconds that its process spent on its cores."""
    text = ", ".join(f"{axis}: {degree}" for axis, degree in degrees.items())
    command = [options.gwrm, "run", CASES[case], "--quiet", "--json", "-o", path, "--overwrite", "--backend", backend,
               "--set", "verification.estimate=off",
               "--set", "time.weighting=chebyshev", "--set", f"solver.product={way}",
               "--set", f"solver.linear={solver}", "--set", f"resolution.degree={{{text}}}"]
    if options.threads:
        command += ["--threads", str(options.threads)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), spent


def difference(options, reference, path):
    """The largest of all fields' differences, relative to the field's largest value."""
    command = [options.gwrm, "diff", reference, path, "--json", "--quiet", "--tolerance", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    fields = [f for f in json.loads(done.stdout)["fields"] if f["what"] == "polynomials"]
    if not fields or not all(f["compared"] for f in fields):
        raise SystemExit(f"{reference} and {path} cannot be compared")
    return max(f["relative"] for f in fields)


def measure(options, case, degrees, ways, folder):
    """Rows (backend, way, solver, unknowns, seconds, result, difference) of one size."""
    variants = [(backend, way, solver) for backend in options.backends.split(",") for way in ways
                for solver in SOLVERS]
    reference = os.path.join(folder, "reference.h5")
    run(options, case, degrees, "pointwise", "dense", "cpu", reference)
    seconds = {variant: [] for variant in variants}
    results, apart = {}, {}
    for turn in range(options.runs):
        for variant in variants:
            backend, way, solver = variant
            path = os.path.join(folder, "-".join(variant) + ".h5")
            result, spent = run(options, case, degrees, way, solver, backend, path)
            seconds[variant].append(spent if options.cpu_time else result["wall_seconds"])
            results[variant] = result
            if turn == 0:
                apart[variant] = difference(options, reference, path)
    return [(*variant, statistics.median(seconds[variant]), results[variant], apart[variant]) for variant in variants]


def table(case, degrees, rows):
    lines = []
    size = ", ".join(f"{axis} {degree}" for axis, degree in degrees.items())
    for backend in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == backend]
        unknowns = mine[0][4]["n_unknowns"]
        for solver in SOLVERS:
            found = {row[1]: row for row in mine if row[2] == solver}
            cells = [f"{found[way][3]:.3g}" if way in found else "" for way in WAYS]
            one = next(iter(found.values()))[4]
            iterations = f"{one['n_newton_iterations']}"
            if solver == "lagged":
                iterations += f" + {one['n_linear_iterations']}"
            largest = max(row[5] for row in found.values())
            lines.append(f"| {case} | {size} | {unknowns} | {backend} | {solver} | {iterations} | "
                         + " | ".join(cells) + f" | {largest:.1e} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gwrm")
    parser.add_argument("--backends", default="cpu")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--cases", default="", help="part of the names of the cases to run, separated by commas")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--tolerance", type=float, default=1e-13)
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--markdown", default="")
    options = parser.parse_args()
    lines = ["| case | degrees | unknowns | backend | linear | Newton + GMRES | " + " | ".join(WAYS)
             + " | largest difference |", "|" + "---|" * (len(WAYS) + 7)]
    print("\n".join(lines), flush=True)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for case, degrees, ways in SIZES:
            if options.cases and not any(name in case for name in options.cases.split(",")):
                continue
            rows = measure(options, case, degrees, [way for way in ways if way in options.ways.split(",")], folder)
            worst = max([worst] + [row[5] for row in rows])
            new = table(case, degrees, rows)
            print("\n".join(new), flush=True)
            lines += new
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    if worst > options.tolerance:
        sys.exit(f"the solutions differ by {worst:.1e}, more than {options.tolerance:.1e}")


if __name__ == "__main__":
    main()
