#!/usr/bin/env python3
"""Time and memory of whole runs against the number of time windows and of space subdomains.

    scaling.py GWRM [--runs 3] [--csv scaling.csv] [--figure PATH]

Windows     u_tt = u_xx - sin u, K = 8, L = 24, windows of length 1/4: more of them means a longer time. Each window is
            solved once, whatever came before it: the cost is proportional.
Subdomains  a Burgers front, L = 12 on each of n subdomains of a fixed interval, K = 8, four windows: condensation makes
            the cost of a window proportional to n.

Whole processes on one thread, from start to exit, sampling and writing included: the median of several runs, and the
largest of their peaks of memory. Every run has to pass its verification; those with a known solution include its error.
Prints the exponents of cost over count, least squares through the logarithms: of the costs as they are, and of what
they add to those of the smallest count, which takes the start-up of the program (some 20 ms and 30 MB) out of both.
The figure needs the packages of postprocess/.
"""
import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

SINE_GORDON = """
title: Sine-Gordon, {windows} windows
domain: {{t: [0, {windows}/4], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2) - sin(u)"]
initial: {{u: "sin(pi*x)", "dt(u)": "0"}}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution:
  degree: {{t: 8, x: 24}}
  domains: {{t: {windows}, x: {subdomains}}}
"""

# u = 1 - tanh((x - t - 1/2)/(2 nu)), four windows of length 1/10.
BURGERS_FRONT = """
title: Burgers front, {subdomains} subdomains
domain: {{t: [0, 0.4], x: [0, 1]}}
constants: {{nu: 0.1}}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {{u: "1 - tanh((x - 0.5)/(2*nu))"}}
boundary: ["u(x=0) = 1 - tanh((0 - t - 0.5)/(2*nu))", "u(x=1) = 1 - tanh((1 - t - 0.5)/(2*nu))"]
exact: {{u: "1 - tanh((x - t - 0.5)/(2*nu))"}}
resolution:
  degree: {{t: 8, x: 12}}
  domains: {{t: {windows}, x: {subdomains}}}
"""

STUDIES = {
    "windows": (SINE_GORDON, [{"windows": n, "subdomains": 1} for n in (10, 30, 100, 300, 1000)]),
    "subdomains": (BURGERS_FRONT, [{"windows": 4, "subdomains": n} for n in (4, 8, 16, 32, 64, 128, 256)]),
}


def run_once(gwrm, case, output):
    """Seconds from start to exit, peak of memory in MB, and the result that the program prints."""
    command = [gwrm, "run", case, "--quiet", "--json", "--threads", "1", "--backend", "cpu", "-o", output,
               "--overwrite"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as answer:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=answer, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        answer.seek(0)
        text = answer.read()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}\n{text}")
    return seconds, usage.ru_maxrss / 1024, json.loads(text)


def measure(gwrm, template, counts, runs, folder):
    case, output = os.path.join(folder, "case.yaml"), os.path.join(folder, "result.h5")
    with open(case, "w", encoding="utf-8") as file:
        file.write("schema: 1\n" + template.format(**counts).strip() + "\n")
    seconds, memory, results = zip(*(run_once(gwrm, case, output) for _ in range(runs)))
    errors = [check["value"] for check in results[0]["verification"]["checks"] if check["kind"] == "error_max"]
    return {**counts, "seconds": f"{statistics.median(seconds):.4f}", "memory_mb": f"{max(memory):.1f}",
            "unknowns": results[0]["n_unknowns"], "error": f"{max(errors):.1e}" if errors else ""}


def slope(counts, costs):
    """Of the least-squares line through (log count, log cost)."""
    x, y = [math.log(n) for n in counts], [math.log(cost) for cost in costs]
    x_mean, y_mean = statistics.mean(x), statistics.mean(y)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


def print_exponents(study, rows):
    counts = [row[study] for row in rows]
    for cost in ("seconds", "memory_mb"):
        costs = [float(row[cost]) for row in rows]
        added = [(n - counts[0], value - costs[0]) for n, value in zip(counts, costs) if value > costs[0]]
        without = f"{slope(*zip(*added)):.2f}" if len(added) > 1 else "none: no growth"
        print(f"{cost} over {study}: exponent {slope(counts, costs):.2f}, of what is added {without}")


def draw(table, path):
    sys.path.insert(0, os.path.join(HERE, "..", "..", "postprocess"))
    from gwrm_post import plot_scaling

    figure = plot_scaling(table, second="memory_mb")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, dpi=120)
    print(f"wrote {path}, {os.path.getsize(path) / 1000:.0f} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", help="the program")
    parser.add_argument("--runs", type=int, default=3, help="of each point (default: 3)")
    parser.add_argument("--csv", default="scaling.csv", help="the table (default: scaling.csv)")
    parser.add_argument("--figure", metavar="PATH", help="draw the table")
    parser.add_argument("--only-figure", action="store_true", help="draw a table that is there, and measure nothing")
    options = parser.parse_args()
    if options.runs < 1 or not os.access(options.gwrm, os.X_OK):
        parser.error("the program, and at least one run")
    if not options.only_figure:
        measured = []
        with tempfile.TemporaryDirectory() as folder:
            for study, (template, points) in STUDIES.items():
                rows = []
                for counts in points:
                    rows.append(measure(os.path.abspath(options.gwrm), template, counts, options.runs, folder))
                    print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
                print_exponents(study, rows)
                measured += rows
        with open(options.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(measured[0]))
            writer.writeheader()
            writer.writerows(measured)
    if options.figure:
        draw(options.csv, options.figure)


if __name__ == "__main__":
    main()
