#!/usr/bin/env python3
"""Statistics over the viscosity of inputs/burgers_viscosity.yaml against quadrature of the closed-form solution.

    statistics_burgers.py GWRM CASE

nu is log-uniform on [0.02, 0.2]. Gauss-Legendre quadrature in log nu with 200 points is exact to round-off for the
solution by the Cole-Hopf transformation. Needs numpy, h5py.
"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

# The polynomial in (t, nu, x) has an error of 1e-10; the sensitivity is its derivative, over nu >= 0.02.
BOUNDS = {"mean": 1e-9, "variance": 1e-9, "std": 1e-8, "sensitivity": 1e-7}


def solution(t, x, nu, a=2.0):
    decay = np.exp(-np.pi**2 * nu * t)
    return 2 * np.pi * nu * decay * np.sin(np.pi * x) / (a + decay * np.cos(np.pi * x))


def expected(t, x):
    """Moments on the grid (t, x); E[du/dnu] by parts in log nu, so that nothing is differentiated."""
    xi, weights = np.polynomial.legendre.leggauss(200)
    length = np.log(0.2 / 0.02)
    nu = np.sqrt(0.02 * 0.2) * np.exp(0.5 * length * xi)
    weights = weights / 2
    u = solution(t[:, None, None], x[None, :, None], nu)
    mean = u @ weights
    variance = (u - mean[..., None]) ** 2 @ weights
    ends = [solution(t[:, None], x, value) / value for value in (0.02, 0.2)]
    return {"mean": mean, "variance": variance, "std": np.sqrt(variance),
            "sensitivity": (ends[1] - ends[0]) / length + (u / nu) @ weights}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    gwrm, case = (os.path.abspath(argument) for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.h5")
        subprocess.run([gwrm, "run", case, "--quiet", "--threads", "1", "-o", path], check=True)
        with h5py.File(path) as file:
            group = file["statistics"]
            stored = {key: group[f"u_{key}"][()] for key in (*BOUNDS, "sobol_first", "sobol_total")}
            wanted = expected(group["t"][()], group["x"][()])
    failed = 0
    for key, bound in BOUNDS.items():
        values = stored[key][0] if key == "sensitivity" else stored[key]
        assert values.shape == wanted[key].shape, f"{key}: shape {values.shape}, expected {wanted[key].shape}"
        error = np.max(np.abs(values - wanted[key]))
        failed += not error <= bound
        print(f"{key}: largest error {error:.1e} (bound {bound:.0e}), largest value {np.max(np.abs(wanted[key])):.3g}")
    # A single parameter explains all of the variance, where there is any: u is 0 at both ends.
    for key in ("sobol_first", "sobol_total"):
        error = np.max(np.abs(stored[key][0][:, 1:-1] - 1))
        failed += not error <= 1e-9
        print(f"{key}: largest distance from 1 inside {error:.1e}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
