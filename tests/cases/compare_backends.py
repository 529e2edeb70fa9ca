#!/usr/bin/env python3
"""Runs every input on the CPU and on the GPU, with the dense solver and, in two and three dimensions, the tensor solver,
and compares the coefficients: they must agree to 1e-12 of the field's largest one.

    compare_backends.py GWRM INPUTS [--solvers dense,tensor] [--only NAME,..] [--limit SECONDS]
                                                                                 (needs a CUDA device and h5py)

--solvers own leaves each input the solver that it takes by itself. Where the difference is larger, the CPU runs again with
other kernels of its BLAS, which add in another order: what two CPUs differ by, the problem makes of round-off, and the
GPU may differ by ten times that (of samples, where the case asks for a tolerance and windows follow it).
Prints one line per input: the difference and its field, both wall times as the program reports them, the solver's device.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

import h5py
import numpy

TOLERANCE = 1e-12
SHARE = 10.0  # of the difference between two CPUs
KERNELS = ("Haswell", "Sandybridge")  # of OpenBLAS: the first that is not its own choice


def run(gwrm, case, backend, path, solver, limit=None, kernels=None):
    """The result; None where the equations do not admit the solver; a text where there is no result."""
    command = [gwrm, "run", str(case), "--quiet", "--json", "-o", path, "--overwrite", "--backend", backend]
    if solver != "own":
        command += ["--set", f"solver.linear={solver}"]
    if not re.search(r"^(problem|continue):|newton", pathlib.Path(case).read_text(), re.MULTILINE):
        # Given, so that iterations go to the end on both: left open, they end far below the last coefficients.
        command += ["--set", "solver.newton.tolerance=1e-12"]
    environment = dict(os.environ, OPENBLAS_CORETYPE=kernels) if kernels else None
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=limit,
                              env=environment)
    except subprocess.TimeoutExpired:
        return f"{backend}: not done within {limit:g} s"
    if done.returncode == 2 and solver != "own":
        return None
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return f"{' '.join(command)}: exit status {done.returncode}: {reason}"
    return json.loads(done.stdout)


def other_kernels(gwrm):
    """Kernels of the BLAS that are not the program's own choice."""
    info = subprocess.run([gwrm, "info"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next(name for name in KERNELS if name not in info)


def case_of(path):
    """The resolved case in a result file."""
    with h5py.File(path) as file:
        text = file.attrs["case"]
        return text.decode() if isinstance(text, bytes) else text


def tolerance_of(path):
    """resolution.tolerance of the case in a result file; None if it has none."""
    found = re.search(r"^resolution:\n  tolerance: (\S+)", case_of(path), re.MULTILINE)
    return float(found.group(1)) if found else None


def fields_of(group, only=None):
    return {name: data[()] for name, data in group.items()
            if isinstance(data, h5py.Dataset) and not data.is_scale and (only is None or name in only)}


def difference(first, second, sampled=False):
    """Largest difference of any field's coefficients (or samples, where asked for), relative to the field's largest, and
    the field; infinite if the windows differ. Without coefficients, the samples of the unknowns: what is derived of them
    by differences multiplies their last digit (bvp_paper: by 16384)."""
    with h5py.File(first) as a, h5py.File(second) as b:
        x, y = ({}, {}) if sampled else (fields_of(a["coefficients"]), fields_of(b["coefficients"]))
        if not x:
            unknowns = None if sampled else re.findall(r"^  - {name: (\w+), dims", case_of(first), re.MULTILINE)
            x, y = fields_of(a, unknowns), fields_of(b, unknowns)
        if not x or x.keys() != y.keys():
            raise SystemExit(f"{first} and {second} hold no fields to compare")
        differing = [name for name in x if x[name].shape != y[name].shape]
        if differing:
            return math.inf, differing[0]
        return max((numpy.abs(x[name] - y[name]).max() / (numpy.abs(x[name]).max() or 1.0), name) for name in x)


def compare(gwrm, case, solver, paths, kernels, limit):
    """Prints the line of one input; False if the backends disagree."""
    results = {backend: run(gwrm, case, backend, paths[backend], solver, limit) for backend in ("cpu", "cuda")}
    if None in results.values():
        return True
    for result in results.values():
        if isinstance(result, str):
            print(f"FAIL {case.stem}, {solver}: {result}", flush=True)
            return False
    tolerance = tolerance_of(paths["cpu"])
    sampled = tolerance is not None
    worst, field = difference(paths["cpu"], paths["cuda"], sampled)
    good, noise = worst <= TOLERANCE, ""
    if not good:
        again = run(gwrm, case, "cpu", paths["other"], solver, limit, kernels)
        if isinstance(again, dict):
            between, of = difference(paths["cpu"], paths["other"], sampled)
            good = worst <= SHARE * between
            noise = f" (two CPUs: {between:.1e} in {of}" + (f"; tolerance {tolerance:g})" if sampled else ")")
    if sampled and worst <= SHARE * tolerance:
        good = True
    windows = {backend: result["n_windows"] for backend, result in results.items() if "n_windows" in result}
    if len(set(windows.values())) > 1:
        print(f"     {case.stem}: windows {windows}, warnings {results['cuda'].get('warnings')}")
    used = "solved there" if "profile" in results["cuda"] else results["cuda"].get("linear_solver", "")
    print(f"{'ok  ' if good else 'FAIL'} {case.stem}, {solver}: {worst:.1e} in {field}{noise}, "
          f"cpu {results['cpu']['wall_seconds']:.2f} s, {results['cuda']['device']} "
          f"{results['cuda']['wall_seconds']:.2f} s, {used}, {results['cuda']['verification']['result']}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", help="the program, built with CUDA")
    parser.add_argument("inputs", help="a folder of case files")
    parser.add_argument("--solvers", default="dense,tensor", help="dense and tensor have device versions; own")
    parser.add_argument("--only", default="", help="names of case files, without .yaml")
    parser.add_argument("--limit", type=float, help="seconds for each run")
    options = parser.parse_args()
    gwrm = os.path.abspath(options.gwrm)
    cases = sorted(pathlib.Path(options.inputs).glob("*.yaml"))
    if options.only:
        only = options.only.split(",")
        cases = [case for case in cases if case.stem in only]
    kernels = other_kernels(gwrm)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name + ".h5") for name in ("cpu", "cuda", "other")}
        for case in cases:
            for solver in options.solvers.split(","):
                failed += not compare(gwrm, case, solver, paths, kernels, options.limit)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
