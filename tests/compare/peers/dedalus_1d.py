#!/usr/bin/env python3
"""The one-dimensional cases by Dedalus 3 (Burns et al. 2020).

    dedalus_1d.py CASE REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL [--basis chebyshev|fourier]
                  [--scheme SBDF4]

Linear terms implicit, products explicit, constant steps; Chebyshev tau with the conditions as rows, or (Burgers from a
sine only, which stays odd and 2-periodic) Fourier.
"""
import argparse
import logging
import time

import numpy as np

logging.disable(logging.WARNING)
import dedalus.public as d3  # noqa: E402  (after its log is silenced)

from dedalus_march import march  # noqa: E402

CASES = {"burgers_1d": (0, 1, 0.25, 0.01), "basdevant": (-1, 1, -1.0, 0.01 / np.pi), "kdv": (-6, 6, 0, 0)}


def burgers(case, basis, n):
    lower, upper, amplitude, nu = CASES[case]
    coordinate = d3.Coordinate("x")
    distributor = d3.Distributor(coordinate, dtype=np.float64)
    if basis == "fourier":
        space = d3.RealFourier(coordinate, size=n, bounds=(-1, 1), dealias=3 / 2)
        u = distributor.Field(name="u", bases=space)
        problem = d3.IVP([u], namespace={"u": u, "nu": nu, "dx": lambda a: d3.Differentiate(a, coordinate)})
        problem.add_equation("dt(u) - nu*dx(dx(u)) = - u*dx(u)")
    else:
        space = d3.ChebyshevT(coordinate, size=n, bounds=(lower, upper), dealias=3 / 2)
        u = distributor.Field(name="u", bases=space)
        tau1, tau2 = distributor.Field(name="tau1"), distributor.Field(name="tau2")
        names = {"u": u, "nu": nu, "tau1": tau1, "tau2": tau2, "dx": lambda a: d3.Differentiate(a, coordinate),
                 "lift": lambda a, m: d3.Lift(a, space.derivative_basis(2), m), "lower": lower, "upper": upper}
        problem = d3.IVP([u, tau1, tau2], namespace=names)
        problem.add_equation("dt(u) - nu*dx(dx(u)) + lift(tau1, -1) + lift(tau2, -2) = - u*dx(u)")
        problem.add_equation("u(x=lower) = 0")
        problem.add_equation("u(x=upper) = 0")
    u["g"] = amplitude * np.sin(np.pi * distributor.local_grid(space))
    return problem, u


def kdv(n):
    coordinate = d3.Coordinate("x")
    distributor = d3.Distributor(coordinate, dtype=np.float64)
    space = d3.ChebyshevT(coordinate, size=n, bounds=(-6, 6), dealias=3 / 2)
    u, t = distributor.Field(name="u", bases=space), distributor.Field(name="t")
    taus = [distributor.Field(name=f"tau{i}") for i in range(3)]
    names = {"u": u, "t": t, "cosh": np.cosh, "tanh": np.tanh, "dx": lambda a: d3.Differentiate(a, coordinate),
             "lift": lambda a, m: d3.Lift(a, space.derivative_basis(3), m), **{tau.name: tau for tau in taus}}
    problem = d3.IVP([u, *taus], time=t, namespace=names)
    problem.add_equation("dt(u) + dx(dx(dx(u))) + lift(tau0, -1) + lift(tau1, -2) + lift(tau2, -3) = - 6*u*dx(u)")
    problem.add_equation("u(x=-6) = 2/cosh(-4 - 4*t)**2")
    problem.add_equation("u(x=6) = 2/cosh(8 - 4*t)**2")
    problem.add_equation("dx(u)(x=6) = -4*tanh(8 - 4*t)/cosh(8 - 4*t)**2")
    u["g"] = 2 / np.cosh(distributor.local_grid(space) + 2) ** 2
    return problem, u


def check_matrix(basis, grid, bounds, x):
    """From values on the grid of the basis to values at x; no normalisation of coefficients enters."""
    n = len(grid)
    if basis == "fourier":
        k = np.pi * np.arange(n // 2)

        def rows(points):
            return np.hstack([np.cos(np.outer(points, k)), np.sin(np.outer(points, k[1:]))])

        return rows(x) @ np.linalg.pinv(rows(grid))
    middle, half = (bounds[0] + bounds[1]) / 2, (bounds[1] - bounds[0]) / 2
    vandermonde = np.polynomial.chebyshev.chebvander
    return vandermonde((x - middle) / half, n - 1) @ np.linalg.inv(vandermonde((grid - middle) / half, n - 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--basis", choices=("chebyshev", "fourier"), default="chebyshev")
    parser.add_argument("--scheme", default="SBDF4")
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t, x = reference["t"], reference["x"]
    problem, u = kdv(options.n) if options.case == "kdv" else burgers(options.case, options.basis, options.n)
    solver = problem.build_solver(getattr(d3, options.scheme))
    bounds = (-1, 1) if options.basis == "fourier" else CASES[options.case][:2]
    u.change_scales(1)
    matrix = check_matrix(options.basis, u.dist.local_grid(u.domain.bases[0]), bounds, x)

    def sample():
        u.change_scales(1)
        return matrix @ u["g"]

    answer = np.array(march(solver, options.scheme, t, options.steps, sample))[None]
    np.save(options.answer, answer)
    wanted = reference["values"]
    print(f"error {np.abs(answer - wanted).max() / np.abs(wanted).max():.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
