#!/usr/bin/env python3
"""Runs every input on the CPU and on the GPU, with the dense solver and, in two and three dimensions, the tensor solver,
and compares the coefficients: they must agree to 1e-12 of the largest one (where the case asks for a tolerance, the sampled
fields to that).

    compare_backends.py GWRM INPUTS [--solvers dense,tensor] [--only NAME,..]        (needs a CUDA device and h5py)

--solvers own leaves each input the solver that it takes by itself, for those on which a dense one takes too long.
Prints one line per input: the difference, both wall times as the program reports them, and the solver's device.
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
# Windows that follow a tolerance react to round-off: there the sampled fields must agree, to this many times the tolerance.
SHARE = 10.0


def run(gwrm, case, backend, path, solver):
    """The result, or None where the equations do not admit the solver."""
    command = [gwrm, "run", str(case), "--quiet", "--json", "-o", path, "--overwrite", "--backend", backend]
    if solver != "own":
        command += ["--set", f"solver.linear={solver}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 2 and solver != "own":
        return None
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return json.loads(done.stdout)


def tolerance_of(path):
    """resolution.tolerance of the case in a result file; None if it has none."""
    with h5py.File(path) as file:
        text = file.attrs["case"]
        found = re.search(rb"^resolution:\n  tolerance: (\S+)", text if isinstance(text, bytes) else text.encode(),
                          re.MULTILINE)
    return float(found.group(1)) if found else None


def fields_of(group):
    return {name: data[()] for name, data in group.items() if isinstance(data, h5py.Dataset) and not data.is_scale}


def difference(first, second, sampled):
    """Largest difference of any field's coefficients (or samples, where asked for or where there are no coefficients),
    relative to the field's largest; infinite if the windows differ."""
    with h5py.File(first) as a, h5py.File(second) as b:
        x, y = ({}, {}) if sampled else (fields_of(a["coefficients"]), fields_of(b["coefficients"]))
        if not x:
            x, y = fields_of(a), fields_of(b)
        if not x or x.keys() != y.keys():
            raise SystemExit(f"{first} and {second} hold no fields to compare")
        if any(x[name].shape != y[name].shape for name in x):
            return math.inf
        return max(numpy.abs(x[name] - y[name]).max() / (numpy.abs(x[name]).max() or 1.0) for name in x)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gwrm", help="the program, built with CUDA")
    parser.add_argument("inputs", help="a folder of case files")
    parser.add_argument("--solvers", default="dense,tensor", help="dense and tensor have twins on the device; own")
    parser.add_argument("--only", default="", help="names of case files, without .yaml")
    options = parser.parse_args()
    gwrm = os.path.abspath(options.gwrm)
    only = options.only.split(",") if options.only else None
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = {backend: os.path.join(folder, backend + ".h5") for backend in ("cpu", "cuda")}
        for case in sorted(pathlib.Path(options.inputs).glob("*.yaml")):
            if only is not None and case.stem not in only:
                continue
            for solver in options.solvers.split(","):
                results = {backend: run(gwrm, case, backend, path, solver) for backend, path in paths.items()}
                if None in results.values():
                    continue
                tolerance = tolerance_of(paths["cpu"])
                worst = difference(paths["cpu"], paths["cuda"], sampled=tolerance is not None)
                good = worst <= (TOLERANCE if tolerance is None else SHARE * tolerance)
                failed += not good
                windows = {backend: result["n_windows"] for backend, result in results.items() if "n_windows" in result}
                if len(set(windows.values())) > 1:
                    print(f"     {case.stem}: windows {windows}, warnings {results['cuda'].get('warnings')}")
                print(f"{'ok  ' if good else 'FAIL'} {case.stem}, {solver}: {worst:.1e}, "
                      f"cpu {results['cpu']['wall_seconds']:.2f} s, {results['cuda']['device']} "
                      f"{results['cuda']['wall_seconds']:.2f} s, {results['cuda']['verification']['result']}", flush=True)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
