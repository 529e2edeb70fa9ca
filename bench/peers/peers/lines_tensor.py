#!/usr/bin/env python3
"""Method of lines for Burgers' equations in the unit square or cube: Chebyshev collocation, scipy's integrators.

    lines_tensor.py CASE REFERENCE.npz ANSWER.npy --n DEGREE[,DEGREE,DEGREE] --tolerance RTOL [--method DOP853]

One degree for all axes, or one for each of x, y, z. Dirichlet data from the exact solution. The unknowns are the values at the interior points; those on the boundary are
set from the data in every evaluation. Derivatives are products with one small matrix per direction. Explicit methods
suffer a step of order n^-4 but evaluate cheaply; implicit ones get the exact Jacobian (in the square: it has 1e8
entries in the cube).
"""
import argparse
import time

import numpy as np
from scipy.integrate import solve_ivp


def square(t, x, y):
    part = 1 / (4 * (1 + np.exp((4 * y - 4 * x - t) * 100 / 32)))
    return np.stack([0.75 - part, 0.75 + part])


def cube(t, x, y, z):
    first, second = (5, 3, -2), (-3, 4, 4)
    e1 = np.exp(5 * x + 3 * y - 2 * z + 0.02 * 38 * t - 3)
    e2 = np.exp(-3 * x + 4 * y + 4 * z + 0.02 * 41 * t - 2.5)
    scale = -2 * 0.02 / (1 + e1 + e2)
    return np.stack([scale * (a * e1 + b * e2) for a, b in zip(first, second)])


CASES = {"burgers_2d": (2, 0.01, square), "burgers_3d": (3, 0.02, cube)}


def differentiation_matrix(x):
    """Derivative of the interpolant at the points x (Chebyshev-Lobatto), by differences of the angles."""
    n = len(x) - 1
    c = np.hstack([2, np.ones(n - 1), 2]) * (-1.0) ** np.arange(n + 1)
    difference = x[:, None] - x[None, :] + np.eye(n + 1)
    matrix = np.outer(c, 1 / c) / difference
    return matrix - np.diag(matrix.sum(axis=1))  # rows of a derivative sum to zero


def interpolation_matrix(x, points):
    """Barycentric formula of the Lobatto points x."""
    weights = (-1.0) ** np.arange(len(x))
    weights[[0, -1]] /= 2
    difference = points[:, None] - x[None, :]
    hit = difference == 0
    rows = weights / np.where(hit, 1, difference)
    rows[hit.any(axis=1)] = hit[hit.any(axis=1)]
    return rows / rows.sum(axis=1, keepdims=True)


class Burgers:
    """Arrays are (field, ..., y, x): the axis of direction d is the d-th from the end."""

    def __init__(self, dimensions, nu, exact, degrees):
        """degrees: of x, y, z."""
        self.exact, self.nu, self.dimensions = exact, nu, dimensions
        self.x = [(1 - np.cos(np.pi * np.arange(n + 1) / n)) / 2 for n in degrees]
        first = [differentiation_matrix(x) for x in self.x]
        self.d1, self.d2 = [d[1:-1] for d in first], [(d @ d)[1:-1] for d in first]
        self.both = [np.vstack([d1, nu * d2]) for d1, d2 in zip(self.d1, self.d2)]
        self.inside = (slice(None),) + (slice(1, -1),) * dimensions
        points = tuple(n + 1 for n in reversed(degrees))
        self.shape = (dimensions,) + tuple(n - 2 for n in points)
        self.full = np.zeros((dimensions,) + points)
        edge = np.ones(points, bool)
        edge[self.inside[1:]] = False
        self.boundary = np.nonzero(edge)
        self.coordinates = [x[index] for x, index in zip(self.x, reversed(self.boundary))]
        grids = np.meshgrid(*reversed(self.x), indexing="ij")
        self.start = exact(0.0, *reversed(grids))[self.inside].ravel()

    def fill(self, t, state):
        self.full[self.inside] = state.reshape(self.shape)
        self.full[(slice(None),) + self.boundary] = self.exact(t, *self.coordinates)
        return self.full

    def derivatives(self, full, d):
        """(u_d, nu u_dd) at interior points."""
        axis = full.ndim - 1 - d
        cut = tuple(slice(None) if a in (0, axis) else slice(1, -1) for a in range(full.ndim))
        part, both = full[cut], self.both[d]
        if d == 0:
            result = part @ both.T
        else:
            rows = part.reshape(part.shape[0], -1, part.shape[axis], int(np.prod(part.shape[axis + 1 :])))
            result = (both @ rows).reshape(part.shape[:axis] + (len(both),) + part.shape[axis + 1 :])
        return np.split(result, 2, axis=axis)

    def __call__(self, t, state):
        full = self.fill(t, state)
        inner = full[self.inside]
        total = 0
        for d in range(self.dimensions):
            gradient, diffusion = self.derivatives(full, d)
            total = total + diffusion - inner[d] * gradient
        return total.ravel()

    def jacobian(self, t, state):
        """In the square; blocks of the two fields."""
        full = self.fill(t, state)
        inner = full[self.inside]
        (dx, dy), (dxx, dyy) = ([d[:, 1:-1] for d in matrices] for matrices in (self.d1, self.d2))
        eye_x, eye_y = np.eye(len(dx)), np.eye(len(dy))
        m = len(dx) * len(dy)
        u, v = inner[0].ravel(), inner[1].ravel()
        common = self.nu * (np.kron(eye_y, dxx) + np.kron(dyy, eye_x))
        common -= u[:, None] * np.kron(eye_y, dx) + v[:, None] * np.kron(dy, eye_x)
        matrix = np.zeros((2 * m, 2 * m))
        for d in range(2):
            gradient = self.derivatives(full, d)[0].reshape(2, -1)
            for field in range(2):
                block = matrix[field * m : (field + 1) * m, d * m : (d + 1) * m]
                np.fill_diagonal(block, -gradient[field])
        for field in range(2):
            at = slice(field * m, (field + 1) * m)
            matrix[at, at] += common
        return matrix


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", required=True, help="degree of all axes, or of x,y,z")
    parser.add_argument("--tolerance", type=float, required=True)
    parser.add_argument("--method", default="DOP853")
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t = reference["t"]
    dimensions, nu, exact = CASES[options.case]
    degrees = [int(n) for n in options.n.split(",")]
    degrees = degrees * dimensions if len(degrees) == 1 else degrees
    if len(degrees) != dimensions:
        parser.error(f"--n {options.n}: one degree, or {dimensions}")
    problem = Burgers(dimensions, nu, exact, degrees)
    implicit = {"jac": problem.jacobian} if options.method in ("Radau", "BDF", "LSODA") else {}
    run = solve_ivp(problem, (t[0], t[-1]), problem.start, method=options.method, t_eval=t, rtol=options.tolerance,
                    atol=options.tolerance * np.abs(problem.start).max(), **implicit)
    if not run.success:
        raise SystemExit(run.message)
    answer = np.stack([problem.fill(time_, state).copy() for time_, state in zip(t, run.y.T)], axis=1)
    for axis, name in enumerate("zyx"[-dimensions:], start=2):
        matrix = interpolation_matrix(problem.x["xyz".index(name)], reference[name])
        answer = np.moveaxis(np.tensordot(matrix, answer, axes=(1, axis)), 0, axis)
    np.save(options.answer, answer)
    wanted = reference["values"]
    print(f"error {np.abs(answer - wanted).max() / np.abs(wanted).max():.3e}  seconds {time.perf_counter() - begin:.3f}"
          f"  evaluations {run.nfev}  LU {run.nlu}")


if __name__ == "__main__":
    main()
