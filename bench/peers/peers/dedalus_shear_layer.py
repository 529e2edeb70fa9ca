#!/usr/bin/env python3
"""The double shear layer in a periodic square by Dedalus 3 (Burns et al. 2020), in velocity and pressure.

    dedalus_shear_layer.py NU REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL [--scheme SBDF4]

u = tanh(2 cos y), v = 0.1 sin x at the start; the answer is the vorticity dx(v) - dy(u). MODES: N or NX,NY.
"""
import argparse
import logging
import time

import numpy as np

logging.disable(logging.WARNING)
import dedalus.public as d3  # noqa: E402  (after its log is silenced)

from dedalus_2d import trigonometric  # noqa: E402
from dedalus_march import march  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nu", type=float)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--scheme", default="SBDF4")
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    sizes = [int(n) for n in options.n.split(",")] * (1 if "," in options.n else 2)
    coordinates = d3.CartesianCoordinates("x", "y")
    distributor = d3.Distributor(coordinates, dtype=np.float64)
    bases = [d3.RealFourier(coordinates[name], size=size, bounds=(0, 2 * np.pi), dealias=3 / 2)
             for name, size in zip("xy", sizes)]
    u = distributor.VectorField(coordinates, name="u", bases=bases)
    p, mean_of_p = distributor.Field(name="p", bases=bases), distributor.Field(name="mean_of_p")
    x, y = distributor.local_grids(*bases)
    u["g"][0], u["g"][1] = np.tanh(2 * np.cos(y)), 0.1 * np.sin(x)
    problem = d3.IVP([u, p, mean_of_p], namespace={"u": u, "p": p, "mean_of_p": mean_of_p, "nu": options.nu})
    problem.add_equation("dt(u) + grad(p) - nu*lap(u) = - u@grad(u)")
    problem.add_equation("div(u) + mean_of_p = 0")
    problem.add_equation("integ(p) = 0")
    solver = problem.build_solver(getattr(d3, options.scheme))
    vorticity = -d3.div(d3.skew(u))
    to_x, to_y = trigonometric(x.ravel(), reference["x"]), trigonometric(y.ravel(), reference["y"])

    def sample():
        w = vorticity.evaluate()
        w.change_scales(1)
        return [to_y @ w["g"].T @ to_x.T]

    answer = np.array(march(solver, options.scheme, reference["t"], options.steps, sample)).transpose(1, 0, 2, 3)
    np.save(options.answer, answer)
    wanted = reference["values"]
    error = np.abs(answer - wanted).max() / np.abs(wanted).max()
    print(f"error {error:.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
