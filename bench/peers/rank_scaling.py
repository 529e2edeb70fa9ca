#!/usr/bin/env python3
"""One run on 1, 2, 4, .. ranks: how its time, its memory and what is sent go with them.

    rank_scaling.py GWRM [--ranks 1,2,4] [--backend cpu|cuda] [--strong 3D:40] [--weak 3D:20,3D:25] [--runs 3]

Strong    a problem of device_scaling.py on each number of ranks.
Weak      as many problems as there are numbers of ranks, each on its own number: the unknowns of a rank are to stay.
Alone     the strong problem by one process, without a launcher, on one thread and on as many as the most ranks: what
          ranks compete with.

Each rank has one thread and, with --backend cuda, one GPU. Prints a line a run: unknowns, ranks, medians of the whole
command and of the stages (`gwrm run -v`), the memory of rank 0 and the largest of another rank (peaks of the resident
set), iterations, the error against closed form, and the largest difference from the coefficients of the fewest ranks,
which is 0 on the CPU. Speed-up and efficiency are those of the windows' solves and of the whole command. Needs numpy, h5py.
"""
import argparse
import csv
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "cases")]

from device_scaling import settings, true_error  # noqa: E402

# The peak of each rank goes to a file of its own.
WRAPPER = """
import os, resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
open(sys.argv[1] + "." + rank, "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024))
sys.exit(status)
"""


def run(options, problem, n_ranks, threads, folder, path):
    """One command: seconds, stages, peaks of memory by rank, unknowns, iterations."""
    dimension, n = problem
    case, sets = settings(dimension, n)
    peaks = os.path.join(folder, "peak")
    for rank in range(max(n_ranks, 1)):
        if os.path.exists(f"{peaks}.{rank}"):
            os.remove(f"{peaks}.{rank}")
    command = [*shlex.split(options.launcher), "-n", str(n_ranks)] if n_ranks else []
    command += [sys.executable, "-c", WRAPPER, peaks, options.gwrm, "run", case, "-v", "-o", path, "--overwrite",
                "--backend", options.backend, "--threads", str(threads), "--set", "solver.linear=tensor"]
    for setting in sets:
        command += ["--set", setting]
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stdout}")
    stages = {}
    for line in done.stdout.splitlines():
        if found := re.match(r"debug: (.*?): ([0-9.]+) s$", line.strip()):
            stages[found[1]] = stages.get(found[1], 0.0) + float(found[2])
    head = re.search(r"(\d+) unknowns, (\d+ Newton iterations?, \d+ of GMRES)", done.stdout)
    memory = []
    for rank in range(max(n_ranks, 1)):
        with open(f"{peaks}.{rank}", encoding="utf-8") as file:
            memory.append(float(file.read()))
    sent = re.search(r"ranks sent one another.*", done.stdout)
    return seconds, stages, memory, int(head[1]), head[2], sent[0] if sent else ""


def measure(options, problem, n_ranks, threads, folder, name):
    path = os.path.join(folder, name + ".h5")
    results = [run(options, problem, n_ranks, threads, folder, path) for _ in range(options.runs)]
    stages = {stage: statistics.median(result[1].get(stage, 0.0) for result in results) for stage in results[0][1]}
    solve = stages.get("solving the window", 0.0)
    memory = results[-1][2]
    row = {"problem": "{}:{}".format(*problem), "unknowns": results[0][3], "ranks": n_ranks, "threads": threads,
           "seconds": statistics.median(result[0] for result in results), "solve": solve, "iterations": results[0][4],
           "gigabytes_of_rank_0": memory[0] / 1e9, "gigabytes_of_others": max(memory[1:], default=0.0) / 1e9,
           "sent": results[0][5],
           "error": true_error(problem[0], None, path, options.references or folder) if problem[0] == "3D" else None}
    row["stages"] = ", ".join(f"{stage} {took:.2f}" for stage, took in stages.items() if took >= 0.02)
    return row, path


def problem_of(text):
    dimension, n = text.split(":")
    return dimension, int(n)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", help="the program, built with GWRM_MPI")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks, ascending")
    parser.add_argument("--backend", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--strong", default="3D:28", help="problem of device_scaling.py")
    parser.add_argument("--weak", default="", help="as many as --ranks")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--launcher", default="mpirun", help="and its options, but for -n")
    parser.add_argument("--references", metavar="FOLDER", help="where references lie or are kept (default: made anew)")
    parser.add_argument("--csv", default="rank_scaling.csv")
    options = parser.parse_args()
    options.gwrm = os.path.abspath(options.gwrm)
    from compare_backends import difference

    ranks = [int(text) for text in options.ranks.split(",")]
    rows = []

    def tell(kind, row, base):
        row["kind"] = kind
        row["solve_efficiency"] = row["whole_efficiency"] = 0.0
        if base is not None and row["ranks"]:
            parts = 1 if kind == "weak" else row["ranks"] / base["ranks"]
            scale = 1.0 if kind == "strong" else (row["unknowns"] / row["ranks"]) / (base["unknowns"] / base["ranks"])
            row["solve_efficiency"] = scale * base["solve"] / row["solve"] / parts if row["solve"] else 0.0
            row["whole_efficiency"] = scale * base["seconds"] / row["seconds"] / parts
        rows.append(row)
        print("  ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
                        for key, value in row.items() if value not in ("", None)), flush=True)
        with open(options.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=sorted({key for each in rows for key in each}))
            writer.writeheader()
            writer.writerows(rows)

    with tempfile.TemporaryDirectory() as folder:
        if options.strong:
            problem = problem_of(options.strong)
            for threads in sorted({1, ranks[-1]}):
                tell("alone", measure(options, problem, 0, threads, folder, "alone")[0], None)
            base, first = None, None
            for n_ranks in ranks:
                row, path = measure(options, problem, n_ranks, 1, folder, f"strong{n_ranks}")
                first = first or path
                row["difference"] = difference(first, path)[0]
                base = base or row
                tell("strong", row, base)
        base = None
        for n_ranks, text in zip(ranks, options.weak.split(",") if options.weak else []):
            row, _ = measure(options, problem_of(text), n_ranks, 1, folder, "weak")
            base = base or row
            tell("weak", row, base)


if __name__ == "__main__":
    main()
