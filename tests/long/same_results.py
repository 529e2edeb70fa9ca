#!/usr/bin/env python3
"""Two programs on the same cases: do they give the same numbers, to the bit?

    same_results.py BEFORE AFTER [--allow 1e-14] [CASES ...]

Runs every case (default: all of inputs/) with both programs on one thread of the CPU and compares the exit status and every
dataset of the result files. Wall-clock times, names and texts are left out. --allow: the largest difference relative to the
largest number of a dataset that passes. A line a case; exit status 1 if one differs. Needs h5py.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
TIMES = ("seconds",)  # datasets that no two runs have in common


def run(program, case, folder):
    """The exit status and the datasets of a run."""
    file = pathlib.Path(folder, "result.h5")
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    status = subprocess.run([program, "run", str(case), "--backend", "cpu", "--set", f"output.file={file}"],
                            env=environment, capture_output=True).returncode
    return status, datasets(file) if file.exists() else {}


def datasets(path):
    found = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub" and not name.endswith(TIMES):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(keep)
    return found


def difference(a, b):
    """Of two datasets, relative to the largest number of the first; None where they cannot be compared."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return None
    if np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f"):
        return 0.0
    scale = np.nanmax(np.abs(a.astype(float)))
    apart = np.nanmax(np.abs(a.astype(float) - b.astype(float)))
    return float(apart / scale) if scale > 0 else float(apart)


def compare(before, after, case, allowed):
    """What differs, in words."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        (status, first), (status_after, second) = run(before, case, one), run(after, case, other)
    if status != status_after:
        yield f"exit status {status} and {status_after}"
    for name in sorted(first.keys() ^ second.keys()):
        yield f"{name} is in one file only"
    for name in sorted(first.keys() & second.keys()):
        found = difference(first[name], second[name])
        if found is None:
            yield f"{name}: another shape"
        elif not found <= allowed:
            yield f"{name}: {found:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("cases", nargs="*", type=pathlib.Path)
    parser.add_argument("--allow", type=float, default=0.0)
    options = parser.parse_args()
    cases = options.cases or sorted(INPUTS.glob("*.yaml"))
    n_different = 0
    for case in cases:
        words = list(compare(options.before, options.after, case, options.allow))
        n_different += bool(words)
        print(f"{case.stem:28s} {'; '.join(words) or 'the same'}", flush=True)
    print(f"{len(cases)} cases, {n_different} differ")
    sys.exit(1 if n_different else 0)


if __name__ == "__main__":
    main()
