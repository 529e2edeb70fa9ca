#!/usr/bin/env python3
"""Method of lines in one dimension: Chebyshev collocation on subdomains, scipy's stiff integrators, exact Jacobian.

    lines_1d.py CASE REFERENCE.npz ANSWER.npy --n DEGREE --tolerance RTOL [--method Radau] [--edges -1,0,1]

Writes u on the check points and prints the error. Unknowns are the values at the collocation points of all
subdomains; boundary conditions and the continuity of u, u_x (u_xx) at the edges are eliminated once, so that
derivatives at the points are A_d v + B_d g(t): an explicit system of ordinary differential equations, no algebraic
equation, no projection.
"""
import argparse
import time

import numpy as np
from scipy.integrate import solve_ivp


def chebyshev_rows(x, n, order):
    """T_k^(d)(x), k = 0..n, for d = 0..order, by differentiating the three-term recurrence; rows are points."""
    rows = np.zeros((order + 1, len(x), n + 1))
    rows[0, :, 0] = 1
    for d in range(order + 1):
        rows[d, :, 1] = x if d == 0 else (1 if d == 1 else 0)
        for k in range(2, n + 1):
            rows[d, :, k] = 2 * x * rows[d, :, k - 1] - rows[d, :, k - 2]
            if d:
                rows[d, :, k] += 2 * d * rows[d - 1, :, k - 1]
    return rows


class Lines:
    """Piecewise polynomials of degree n on the subdomains between edges; order = highest derivative of the equation.

    conditions: (side, derivative) with side -1 or +1 for the ends of the whole interval.
    """

    def __init__(self, edges, n, order, conditions):
        edges = np.asarray(edges, float)
        per = n + 1 - order  # collocation points of a subdomain: the rest of the coefficients go to the conditions
        points = np.cos(np.pi * np.arange(per, 0, -1) / (per + 1))
        pieces = len(edges) - 1
        half = np.diff(edges) / 2
        self.x = np.concatenate([(a + b) / 2 + h * points for a, b, h in zip(edges[:-1], edges[1:], half)])
        inner = chebyshev_rows(points, n, order)
        ends = chebyshev_rows(np.array([-1.0, 1.0]), n, order)
        size, count = pieces * (n + 1), pieces * per
        block = [slice(p * (n + 1), (p + 1) * (n + 1)) for p in range(pieces)]
        system, derivatives = np.zeros((size, size)), np.zeros((order, count, size))
        for p in range(pieces):
            at = slice(p * per, (p + 1) * per)
            system[at, block[p]] = inner[0]
            for d in range(1, order + 1):
                derivatives[d - 1, at, block[p]] = inner[d] / half[p] ** d
        # All rows of conditions are scaled to the size of the values' rows.
        row, self.scale = count, []
        for side, d in conditions:
            p, e = (0, 0) if side < 0 else (pieces - 1, 1)
            self.scale.append(half[p] ** d / n ** (2 * d))
            system[row, block[p]] = ends[d, e] / n ** (2 * d)
            row += 1
        for p in range(pieces - 1):
            unit = min(half[p], half[p + 1])
            for d in range(order):
                system[row, block[p]] = ends[d, 1] * (unit / half[p]) ** d / n ** (2 * d)
                system[row, block[p + 1]] = -ends[d, 0] * (unit / half[p + 1]) ** d / n ** (2 * d)
                row += 1
        coefficients = np.linalg.inv(system)[:, : count + len(conditions)]
        self.from_values = coefficients[:, :count]
        self.from_data = coefficients[:, count:] * np.array(self.scale)
        self.a = [m @ self.from_values for m in derivatives]
        self.b = [m @ self.from_data for m in derivatives]
        self.edges, self.half, self.n = edges, half, n

    def interpolation(self, x):
        """Matrix from coefficients to values at x."""
        piece = np.clip(np.searchsorted(self.edges, x) - 1, 0, len(self.half) - 1)
        xi = (2 * x - self.edges[piece] - self.edges[piece + 1]) / (2 * self.half[piece])
        rows = chebyshev_rows(xi, self.n, 0)[0]
        matrix = np.zeros((len(x), len(self.half) * (self.n + 1)))
        for i, p in enumerate(piece):
            matrix[i, p * (self.n + 1) : (p + 1) * (self.n + 1)] = rows[i]
        return matrix


def burgers(lines, nu, start):
    a1, a2 = lines.a[0], nu * lines.a[1]

    def slope(_, v):
        return a2 @ v - v * (a1 @ v)

    def jacobian(_, v):
        matrix = a2 - v[:, None] * a1
        matrix.flat[:: len(v) + 1] -= a1 @ v
        return matrix

    return slope, jacobian, start(lines.x), lambda t: np.zeros(2)


def kdv(lines):
    a1, a3 = lines.a[0], lines.a[2]

    def soliton(x, t):
        return 2 / np.cosh(x + 2 - 4 * t) ** 2

    def data(t):
        right = soliton(6, t)
        return np.array([soliton(-6, t), right, -2 * right * np.tanh(8 - 4 * t)])

    def slope(t, v):
        g = data(t)
        return -6 * v * (a1 @ v + lines.b[0] @ g) - a3 @ v - lines.b[2] @ g

    def jacobian(t, v):
        matrix = -6 * v[:, None] * a1 - a3
        matrix.flat[:: len(v) + 1] -= 6 * (a1 @ v + lines.b[0] @ data(t))
        return matrix

    return slope, jacobian, soliton(lines.x, 0), data


DIRICHLET = ((-1, 0), (1, 0))
CASES = {  # ends, order, conditions, equations
    "burgers_1d": ((0, 1), 2, DIRICHLET, lambda lines: burgers(lines, 0.01, lambda x: 0.25 * np.sin(np.pi * x))),
    "basdevant": ((-1, 1), 2, DIRICHLET, lambda lines: burgers(lines, 0.01 / np.pi, lambda x: -np.sin(np.pi * x))),
    "kdv": ((-6, 6), 3, ((-1, 0), (1, 0), (1, 1)), kdv),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--tolerance", type=float, required=True)
    parser.add_argument("--method", default="Radau")
    parser.add_argument("--edges", help="edges of the subdomains; default: one domain")
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t = reference["t"]
    ends, order, conditions, equations = CASES[options.case]
    edges = [float(e) for e in options.edges.split(",")] if options.edges else ends
    lines = Lines(edges, options.n, order, conditions)
    slope, jacobian, start, data = equations(lines)
    run = solve_ivp(slope, (t[0], t[-1]), start, method=options.method, t_eval=t, rtol=options.tolerance,
                    atol=options.tolerance * np.abs(start).max(), jac=jacobian)
    if not run.success:
        raise SystemExit(run.message)
    coefficients = lines.from_values @ run.y + lines.from_data @ np.array([data(point) for point in t]).T
    answer = (lines.interpolation(reference["x"]) @ coefficients).T[None]
    np.save(options.answer, answer)
    wanted = reference["values"]
    print(f"error {np.abs(answer - wanted).max() / np.abs(wanted).max():.3e}  seconds {time.perf_counter() - begin:.3f}"
          f"  evaluations {run.nfev}  LU {run.nlu}")


if __name__ == "__main__":
    main()
