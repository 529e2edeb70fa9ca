#!/usr/bin/env python3
"""The GPU over all cores of the same machine, by size: whole processes, the same case file on both.

    device_scaling.py GWRM [--runs 3] [--most-cpu 3e6] [--csv device.csv] [--figure PATH]

2D    two Burgers equations, cases/burgers_2d.yaml with Re = 500 in one window [0, 0.2], K = 12, n x n modes
3D    three Burgers equations, cases/burgers_3d.yaml in one window [0, 0.25], K = 10, n x n x n modes
P2    two Burgers equations in a periodic square, cases/fourier/periodic_2d.yaml in one window [0, 0.5], K = 12, highest
      wavenumber n
P3    three in a periodic box, cases/fourier/burgers_3d_periodic.yaml in one window [0, 1], K = 6, the same
P3x6  as P3 with a = 0.25, in six windows
hard  cases/fourier/periodic_2d_hard.yaml as it is, by its tolerance (hard:0)

P2, P3, P3x6 and hard run where --only names them.

Each size runs in turn on the CPU (with each number of threads of --cpu-threads, of which the fastest counts; up to
--most-cpu unknowns) and on the GPU, and the coefficients of both are compared. Prints a line a size: unknowns, medians of
the whole process, their ratio, the solver's seconds on the GPU and those of its parts (medians; of the transfers also the
largest and smallest share of a run), the largest difference of the coefficients relative to the field's largest, and
the largest error of all runs on the GPU: against `exact` (2D, P3), or of the values in the files against closed form (3D)
and a Fourier method (hard) of references.py. Needs numpy, h5py and, for the figure, matplotlib; hard also FFTW and a
compiler, or its reference in --references.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "tests", "cases")]

EXACT_2D = {"u": "3/4 - 1/(4*(1 + exp((4*y - 4*x - t)*Re/32)))", "v": "3/4 + 1/(4*(1 + exp((4*y - 4*x - t)*Re/32)))"}
SIZES = [("2D", n) for n in (24, 32, 48, 70, 100, 140, 200, 280)] + \
        [("3D", n) for n in (8, 10, 14, 20, 28, 40, 54, 70)]


def settings(dimension, n):
    """The case file and the --set options of one size; small ones do not resolve the front."""
    unchecked = "verification={tolerance: 1, tail: 10, residual: 1.0e+6, estimate: off}"
    if dimension == "hard":
        return os.path.join(HERE, "cases", "fourier", "periodic_2d_hard.yaml"), ["verification.estimate=off"]
    if dimension == "P2":
        return os.path.join(HERE, "cases", "fourier", "periodic_2d.yaml"), [
            unchecked, "domain.t=[0, 0.5]", f"resolution={{degree: {{t: 12, x: {n}, y: {n}}}, domains: {{t: 1}}}}"]
    if dimension.startswith("P3"):
        windows = 6 if dimension.endswith("x6") else 1
        # In six windows the answer is to be right to 1e-6: without the steepest of fronts.
        smoother = ["constants={nu: 0.1, a: 0.25}"] if windows > 1 else []
        return os.path.join(HERE, "cases", "fourier", "burgers_3d_periodic.yaml"), [
            *smoother, unchecked, f"resolution={{degree: {{t: 6, x: {n}, y: {n}, z: {n}}}, domains: {{t: {windows}}}}}"]
    if dimension == "2D":
        return os.path.join(HERE, "cases", "burgers_2d.yaml"), [
            "constants={Re: 500}", "domain.t=[0, 0.2]", f"exact={json.dumps(EXACT_2D)}", unchecked,
            f"resolution={{degree: {{t: 12, x: {n - 1}, y: {n - 1}}}, domains: {{t: 1}}}}"]
    return os.path.join(HERE, "cases", "burgers_3d.yaml"), [
        unchecked, f"resolution={{degree: {{t: 10, x: {n - 1}, y: {n - 1}, z: {n - 1}}}}}"]


def run(gwrm, dimension, n, backend, path, threads=0):
    case, sets = settings(dimension, n)
    command = [gwrm, "run", case, "--quiet", "--json", "-o", path, "--overwrite", "--backend", backend]
    if threads:
        command += ["--threads", str(threads)]
    for option in sets:
        command += ["--set", option]
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return seconds, json.loads(done.stdout)


def true_error(dimension, result, path, references):
    """The largest error of a run, or None where there is nothing to compare with."""
    name = {"3D": "burgers_3d", "hard": "periodic_2d_hard"}.get(dimension)
    if name is None:
        checks = result["verification"]["checks"]
        return max((check["value"] for check in checks if check["kind"] == "error_max"), default=None)
    import h5py
    import numpy as np
    from references import PROBLEMS, reference_file, relative_error

    with np.load(reference_file(name, references)) as stored, h5py.File(path, "r") as file:
        for axis in PROBLEMS[name].axes:
            if not np.allclose(file[axis][:], stored[axis], rtol=0, atol=1e-12):
                raise SystemExit(f"{name}: output.grid.{axis} of the case is not the check points")
        return relative_error(np.stack([file[field][:] for field in PROBLEMS[name].fields]), stored["values"])


def measure(gwrm, dimension, n, options, folder):
    from compare_backends import difference

    paths = {backend: os.path.join(folder, backend + ".h5") for backend in ("cuda", "cpu")}
    unknowns = {"2D": 2 * 12 * n ** 2, "3D": 3 * 10 * n ** 3, "P2": 2 * 12 * (2 * n + 1) ** 2,
                "P3": 3 * 6 * (2 * n + 1) ** 3, "ha": 4e6}[dimension[:2]]
    variants = [("cuda", 0)]
    if unknowns <= options.most_cpu:
        variants += [("cpu", int(threads)) for threads in options.cpu_threads.split(",")]
    seconds = {variant: [] for variant in variants}
    gpu, profiles, errors = None, [], []
    for _ in range(options.runs):
        for variant in variants:
            took, result = run(gwrm, dimension, n, variant[0], paths[variant[0]], variant[1])
            seconds[variant].append(took)
            if variant[0] == "cuda":
                gpu = result
                profiles.append(result["profile"])
                errors.append(true_error(dimension, result, paths["cuda"], options.references or folder))
    medians = {variant: statistics.median(values) for variant, values in seconds.items()}
    row = {"dimension": dimension, "n": n, "unknowns": gpu["n_unknowns"],
           "gpu_seconds": f"{medians[('cuda', 0)]:.3f}", "cpu_seconds": "", "cpu_threads": "", "ratio": "",
           "gpu_newton": gpu["n_newton_iterations"], "gpu_gmres": gpu["n_linear_iterations"], "difference": "",
           "error": f"{max(errors):.1e}" if errors[0] is not None else ""}
    if len(variants) > 1:
        fastest = min(variants[1:], key=medians.get)
        row["cpu_seconds"] = f"{medians[fastest]:.3f}"
        row["cpu_threads"] = fastest[1] or os.cpu_count()
        row["ratio"] = f"{medians[fastest] / medians[('cuda', 0)]:.2f}"
        row["difference"] = f"{difference(paths['cpu'], paths['cuda'])[0]:.1e}"
    for part in ("solve", "transforms", "pointwise", "preconditioner", "krylov", "factorisation", "setup", "transfers"):
        row[part + "_seconds"] = f"{statistics.median(profile[part + '_seconds'] for profile in profiles):.4f}"
    shares = sorted(100 * profile["transfers_seconds"] / profile["solve_seconds"] for profile in profiles)
    row["transfers_percent"] = f"{shares[0]:.2f}..{statistics.median(shares):.2f}..{shares[-1]:.2f}"
    profile = gpu["profile"]
    row["megabytes_sent"] = f"{profile['bytes_sent'] / 1e6:.2f}"
    row["megabytes_received"] = f"{profile['bytes_received'] / 1e6:.2f}"
    row["device_memory_gb"] = f"{profile['device_memory'] / 1e9:.2f}"
    return row


def draw(table, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.6))
    for dimension, colour in (("2D", "tab:blue"), ("3D", "tab:red")):
        own = [row for row in rows if row["dimension"] == dimension]
        both = [row for row in own if row["ratio"]]
        left.loglog([int(row["unknowns"]) for row in own], [float(row["gpu_seconds"]) for row in own], "o-",
                    color=colour, label=f"{dimension}, GPU")
        left.loglog([int(row["unknowns"]) for row in both], [float(row["cpu_seconds"]) for row in both], "s--",
                    color=colour, mfc="none", label=f"{dimension}, CPU")
        right.loglog([int(row["unknowns"]) for row in both], [float(row["ratio"]) for row in both], "o-", color=colour,
                     label=dimension)
    right.axhline(1.0, color="grey", linewidth=0.8)
    left.set_ylabel("seconds, whole process")
    right.set_ylabel("CPU time / GPU time")
    for axes in (left, right):
        axes.set_xlabel("unknowns of the window")
        axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", help="the program, built with CUDA")
    parser.add_argument("--runs", type=int, default=3, help="of each size and backend (default: 3)")
    parser.add_argument("--most-cpu", type=float, default=3e6, help="unknowns up to which the CPU runs too")
    parser.add_argument("--cpu-threads", default="0", help="numbers of threads to try, as 0,4,1; 0: all cores")
    parser.add_argument("--only", default="", help="sizes to run, as 2D:200,3D:70")
    parser.add_argument("--references", metavar="FOLDER", help="where references lie or are kept (default: made anew)")
    parser.add_argument("--csv", default="device_scaling.csv", help="the table")
    parser.add_argument("--figure", metavar="PATH", help="draw the table")
    parser.add_argument("--only-figure", action="store_true", help="draw a table that is there, and measure nothing")
    options = parser.parse_args()
    if not options.only_figure:
        sizes = SIZES
        if options.only:
            sizes = [(part.split(":")[0], int(part.split(":")[1])) for part in options.only.split(",")]
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            for dimension, n in sizes:
                rows.append(measure(os.path.abspath(options.gwrm), dimension, n, options, folder))
                print("  ".join(f"{key} {value}" for key, value in rows[-1].items() if value != ""), flush=True)
                with open(options.csv, "w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, fieldnames=list(rows[0]))
                    writer.writeheader()
                    writer.writerows(rows)
    if options.figure:
        draw(options.csv, options.figure)


if __name__ == "__main__":
    main()
