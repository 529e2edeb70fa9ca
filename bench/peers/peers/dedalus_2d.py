#!/usr/bin/env python3
"""Burgers' equations in a periodic square by Dedalus 3 (Burns et al. 2020): Fourier in both directions.

    dedalus_2d.py NU REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL [--scheme SBDF4]

Start and equations as in fourier_2d.py.
"""
import argparse
import logging
import time

import numpy as np

logging.disable(logging.WARNING)
import dedalus.public as d3  # noqa: E402  (after its log is silenced)

from dedalus_march import march  # noqa: E402


def trigonometric(grid, points):
    """From values on the equidistant grid of [0, 2 pi) to values at the points."""
    k = np.fft.fftfreq(len(grid), 1 / len(grid))
    k = k[np.abs(k) < len(grid) / 2]
    return np.exp(1j * (points[:, None] - grid[None, :])[..., None] * k).sum(axis=2).real / len(grid)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nu", type=float)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--scheme", default="SBDF4")
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t = reference["t"]
    coordinates = d3.CartesianCoordinates("x", "y")
    distributor = d3.Distributor(coordinates, dtype=np.float64)
    bases = [d3.RealFourier(coordinates[name], size=options.n, bounds=(0, 2 * np.pi), dealias=3 / 2) for name in "xy"]
    u, v = (distributor.Field(name=name, bases=bases) for name in "uv")
    x, y = distributor.local_grids(*bases)
    u["g"], v["g"] = np.cos(x) + np.sin(y), np.cos(x) - np.sin(y)
    names = {"u": u, "v": v, "nu": options.nu, "dx": lambda a: d3.Differentiate(a, coordinates["x"]),
             "dy": lambda a: d3.Differentiate(a, coordinates["y"])}
    problem = d3.IVP([u, v], namespace=names)
    problem.add_equation("dt(u) - nu*lap(u) = - u*dx(u) - v*dy(u)")
    problem.add_equation("dt(v) - nu*lap(v) = - u*dx(v) - v*dy(v)")
    solver = problem.build_solver(getattr(d3, options.scheme))
    to_x, to_y = trigonometric(x.ravel(), reference["x"]), trigonometric(y.ravel(), reference["y"])

    def sample():
        for field in (u, v):
            field.change_scales(1)
        return [to_y @ field["g"].T @ to_x.T for field in (u, v)]

    answer = np.array(march(solver, options.scheme, t, options.steps, sample)).transpose(1, 0, 2, 3)
    np.save(options.answer, answer)
    wanted = reference["values"]
    error = np.abs(answer - wanted).max() / np.abs(wanted).max()
    print(f"error {error:.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
