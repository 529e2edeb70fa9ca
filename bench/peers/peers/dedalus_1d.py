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
    return problem, u, lambda _: 0.0


def soliton_data(t):
    """u(-6), u(6), u_x(6) and their derivatives in t; s = x + 2 - 4 t, u = 2 sech(s)^2."""
    left, right = -4 - 4 * t, 8 - 4 * t
    tanh, square = np.tanh(right), 1 / np.cosh(right) ** 2
    value, slope = 2 / np.cosh(left) ** 2, 8 * np.tanh(left)
    data = (value, 2 * square, -4 * square * tanh)
    return data, (value * slope, 16 * square * tanh, 16 * square * (square - 2 * tanh**2))


def kdv(n):
    """u = w + l with a quadratic l that takes the values at the ends and w without. Data on the right-hand side of a
    condition would be treated explicitly and leave first order in time. The taus stand in a basis one derivative
    up: three up, as the equation's order suggests, is unstable for small steps."""
    coordinate = d3.Coordinate("x")
    distributor = d3.Distributor(coordinate, dtype=np.float64)
    space = d3.ChebyshevT(coordinate, size=n, bounds=(-6, 6), dealias=3 / 2)
    w, t = distributor.Field(name="w", bases=space), distributor.Field(name="t")
    shapes = [distributor.Field(name=f"shape{i}", bases=space) for i in range(3)]
    taus = [distributor.Field(name=f"tau{i}") for i in range(3)]
    x = distributor.local_grid(space)
    polynomials = (((x - 6) / 12) ** 2, 1 - ((x - 6) / 12) ** 2, (x * x - 36) / 12)
    for shape, polynomial in zip(shapes, polynomials):
        shape["g"] = polynomial
    data, rates = soliton_data(t)
    known = sum(g * shape for g, shape in zip(data, shapes))
    u = w + known
    source = -6 * u * d3.Differentiate(u, coordinate) - sum(g * shape for g, shape in zip(rates, shapes))
    names = {"w": w, "source": source, "dx": lambda a: d3.Differentiate(a, coordinate),
             "lift": lambda a, m: d3.Lift(a, space.derivative_basis(1), m), **{tau.name: tau for tau in taus}}
    problem = d3.IVP([w, *taus], time=t, namespace=names)
    problem.add_equation("dt(w) + dx(dx(dx(w))) + lift(tau0, -1) + lift(tau1, -2) + lift(tau2, -3) = source")
    problem.add_equation("w(x=-6) = 0")
    problem.add_equation("w(x=6) = 0")
    problem.add_equation("dx(w)(x=6) = 0")

    def quadratic(time_):
        return sum(g * polynomial for g, polynomial in zip(soliton_data(time_)[0], polynomials))

    w["g"] = 2 / np.cosh(x + 2) ** 2 - quadratic(0.0)
    return problem, w, quadratic


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
    problem, u, known = kdv(options.n) if options.case == "kdv" else burgers(options.case, options.basis, options.n)
    solver = problem.build_solver(getattr(d3, options.scheme))
    bounds = (-1, 1) if options.basis == "fourier" else CASES[options.case][:2]
    u.change_scales(1)
    matrix = check_matrix(options.basis, u.dist.local_grid(u.domain.bases[0]), bounds, x)

    def sample():
        u.change_scales(1)
        return matrix @ (u["g"] + known(solver.sim_time))

    answer = np.array(march(solver, options.scheme, t, options.steps, sample))[None]
    np.save(options.answer, answer)
    wanted = reference["values"]
    error = np.abs(answer - wanted).max() / np.abs(wanted).max()
    print(f"error {error:.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
