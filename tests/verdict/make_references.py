#!/usr/bin/env python3
"""Computes references.json: answers for problems without a closed form, by methods the program does not use.

    make_references.py [NAME ...]

Ordinary equations and, after collocation in space, partial ones: Radau IIA collocation in steps with Newton's method
and dense matrices, twice with different steps and numbers of points. Lorenz: Taylor series in decimal arithmetic. What
the two computations differ by is stored beside the values. NAME: these alone are made anew. Needs numpy; some minutes.
"""
import decimal
import json
import pathlib
import sys

import numpy as np

FILE = pathlib.Path(__file__).with_name("references.json")


def radau(stages):
    """Nodes on (0, 1], the last one is 1, and the inverse of the matrix of Radau IIA."""
    legendre = np.polynomial.legendre
    right = np.zeros(stages + 1)
    right[stages], right[stages - 1] = 1, -1
    nodes = np.sort((1 + np.real(legendre.legroots(right))) / 2)
    nodes[-1] = 1
    vander = legendre.legvander(2 * nodes - 1, stages - 1)
    integrals = np.array([legendre.legval(2 * nodes - 1, legendre.legint(row, lbnd=-1)) / 2
                          for row in np.eye(stages)]).T
    return nodes, np.linalg.inv(integrals @ np.linalg.inv(vander))


class Stepper:
    """y' = f(y) with its Jacobian, in steps of Radau IIA."""

    def __init__(self, f, jacobian, stages=7):
        self.f, self.jacobian = f, jacobian
        self.nodes, self.inverse = radau(stages)

    def step(self, y, h):
        s, n = self.nodes.size, y.size
        stages = np.tile(y, (s, 1))
        left = np.kron(self.inverse / h, np.eye(n))
        size = np.abs(y) + np.max(np.abs(y)) * 1e-3
        last = np.inf
        for _ in range(30):
            residual = self.inverse @ (stages - y) / h - np.array([self.f(z) for z in stages])
            matrix = left.copy()
            for k in range(s):
                matrix[k * n:(k + 1) * n, k * n:(k + 1) * n] -= self.jacobian(stages[k])
            change = np.linalg.solve(matrix, residual.ravel()).reshape(s, n)
            stages -= change
            correction = np.max(np.abs(change) / size)
            if not np.isfinite(correction):
                return None
            if correction < 1e-13 or (correction < 1e-9 and correction > 0.3 * last):
                return stages[-1]
            last = correction
        return None

    def fixed(self, y, times, steps=1, longest=np.inf):
        """At the times, with `steps` equal steps between two, or more where they would be longer than `longest`."""
        found = [y]
        for start, end in zip(times[:-1], times[1:]):
            parts = max(steps, int(np.ceil((end - start) / longest)))
            for _ in range(parts):
                y = self.step(y, (end - start) / parts)
            found.append(y)
        return np.array(found)

    def adaptive(self, y, end, tolerance, first=1e-6):
        """Times and values at the ends of its steps: one step against two halves."""
        time, h, times, values, largest = 0.0, first, [0.0], [y], np.abs(y)
        while time < end:
            h = min(h, end - time)
            whole, half = self.step(y, h), self.step(y, h / 2)
            both = None if half is None else self.step(half, h / 2)
            if whole is None or both is None:
                h /= 4
                continue
            error = np.max(np.abs(whole - both) / np.maximum(np.maximum(np.abs(both), largest * 1e-3), 1e-300))
            if error <= tolerance:
                time = end if end - time - h < 1e-14 * end else time + h
                y, largest = both, np.maximum(largest, np.abs(both))
                times.append(time)
                values.append(y)
            h *= min(3, max(0.2, 0.8 * (tolerance / max(error, 1e-300))**(1 / (2 * self.nodes.size))))
        return np.array(times), np.array(values)


def difference(a, b):
    """The largest of all fields (last axis), relative to the field's largest magnitude."""
    axes = tuple(range(a.ndim - 1))
    return float(np.max(np.max(np.abs(a - b), axis=axes) / np.max(np.abs(a), axis=axes)))


def rounded(values):
    """Nested lists, with 14 digits of the largest magnitude."""
    digits = 14 - int(np.ceil(np.log10(np.max(np.abs(values)))))
    return np.round(values, digits).tolist()


def entry(grid, fields, doubt, how):
    return {"how": how, "two_computations_differ_by": float(f"{doubt:.1e}"),
            "grid": {axis: [float(v) for v in points] for axis, points in grid.items()},
            "fields": {name: rounded(values) for name, values in fields.items()}}


def van_der_pol(mu, end, count):
    stepper = Stepper(lambda y: np.array([y[1], mu * (1 - y[0]**2) * y[1] - y[0]]),
                      lambda y: np.array([[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0]**2)]]))
    start = np.array([2.0, 0.0])
    mesh, rough = stepper.adaptive(start, end, 1e-12)
    # Each step in eight, so that nothing between is missed; of these points those next to equal parts of the curve.
    times = np.unique(np.concatenate([mesh[:-1] + (mesh[1:] - mesh[:-1]) * part for part in np.arange(8) / 8]
                                     + [mesh[-1:]]))
    values = stepper.fixed(start, times)
    scaled = np.column_stack([times / end, values / np.max(np.abs(values), axis=0)])
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(scaled, axis=0), axis=1))])
    chosen = np.unique(np.searchsorted(length, np.linspace(0, length[-1], count)).clip(0, times.size - 1))
    at_mesh = np.searchsorted(times, mesh)
    return entry({"t": times[chosen]}, {"u": values[chosen, 0], "v": values[chosen, 1]},
                 difference(values[at_mesh], rough),
                 f"Radau IIA, 7 stages, {8 * (mesh.size - 1)} steps; a quarter of them")


def robertson():
    def f(y):
        return np.array([-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1]**2,
                         3e7 * y[1]**2])

    def jacobian(y):
        return np.array([[-0.04, 1e4 * y[2], 1e4 * y[1]], [0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1]],
                         [0, 6e7 * y[1], 0]])
    start, stepper = np.array([1.0, 0, 0]), Stepper(f, jacobian)
    mesh, rough = stepper.adaptive(start, 40.0, 1e-12)
    times = np.unique(np.concatenate([mesh, (mesh[1:] + mesh[:-1]) / 2, (3 * mesh[1:] + mesh[:-1]) / 4]))
    values = stepper.fixed(start, times)
    return entry({"t": times}, dict(zip("abc", values.T)), difference(values[np.searchsorted(times, mesh)], rough),
                 f"Radau IIA, 7 stages, {times.size - 1} steps; two thirds of them")


def pendulum():
    stepper = Stepper(lambda y: np.array([y[1], -np.sin(y[0])]), lambda y: np.array([[0, 1], [-np.cos(y[0]), 0]]))
    times = np.linspace(0, 20, 121)
    values, again = (stepper.fixed(np.array([3.0, 0]), times, steps) for steps in (4, 2))
    return entry({"t": times}, {"u": values[:, 0]}, difference(values, again), "Radau IIA, 7 stages, 480 and 240 steps")


def lorenz(end, count):
    decimal.getcontext().prec = 80
    order = 60
    ten, rho, beta = decimal.Decimal(10), decimal.Decimal(28), decimal.Decimal(8) / 3

    def march(parts):
        """`parts` steps between two of the times."""
        x, y, z = (decimal.Decimal(1),) * 3
        h = decimal.Decimal(end) / (count - 1) / parts
        found = [(1.0, 1.0, 1.0)]
        for step in range((count - 1) * parts):
            a, b, c = [x], [y], [z]
            for k in range(order):
                ac = sum(a[i] * c[k - i] for i in range(k + 1))
                ab = sum(a[i] * b[k - i] for i in range(k + 1))
                new = (ten * (b[k] - a[k]), rho * a[k] - ac - b[k], ab - beta * c[k])
                for series, value in zip((a, b, c), new):
                    series.append(value / (k + 1))
            x, y, z = (sum(coefficient * h**k for k, coefficient in enumerate(series)) for series in (a, b, c))
            if step % parts == parts - 1:
                found.append((float(x), float(y), float(z)))
        return np.array(found)
    parts = int(np.ceil(end / (count - 1) / 0.03))
    values, again = march(parts), march(parts + 1)
    return entry({"t": np.linspace(0, end, count)}, dict(zip("xyz", values.T)), difference(values, again),
                 f"Taylor series of order {order} with 80 digits, {(count - 1) * parts} and "
                 f"{(count - 1) * (parts + 1)} steps")


def chebyshev(n):
    """Points of [-1, 1] in ascending order, first derivative; barycentric weights."""
    k = np.arange(n + 1)
    x = -np.cos(np.pi * k / n)
    c = np.where((k == 0) | (k == n), 2.0, 1.0) * (-1.0)**k
    with np.errstate(divide="ignore"):
        matrix = np.outer(c, 1 / c) / (x[:, None] - x + np.eye(n + 1))
    matrix -= np.diag(matrix.sum(axis=1))
    return x, matrix, 1 / c


def interpolation(x, weights, points):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = weights / (points[:, None] - x)
        table /= table.sum(axis=1, keepdims=True)
    for row, point in enumerate(points):
        exact = np.abs(point - x) < 1e-14
        if exact.any():
            table[row] = exact
    return table


def allen_cahn(n, times, points, steps):
    x, first, weights = chebyshev(n)
    second = 0.01 * (first @ first)
    inner = second[1:-1, 1:-1]
    walls = second[1:-1, -1] - second[1:-1, 0]
    stepper = Stepper(lambda u: inner @ u + walls + u - u**3, lambda u: inner + np.diag(1 - 3 * u**2), stages=5)
    found = stepper.fixed((0.53 * x + 0.47 * np.sin(-1.5 * np.pi * x))[1:-1], times, steps)
    whole = np.column_stack([-np.ones(times.size), found, np.ones(times.size)])
    return whole @ interpolation(x, weights, points).T


def allen_cahn_walls():
    times, points = np.linspace(0, 20, 41), np.linspace(-1, 1, 41)
    values, again = allen_cahn(144, times, points, 5), allen_cahn(128, times, points, 3)
    return entry({"t": times, "x": points}, {"u": values}, difference(values[..., None], again[..., None]),
                 "Chebyshev collocation of degree 144 (128), Radau IIA with 5 stages, 200 (120) steps")


def fourier_derivative(n, length, order):
    """Matrix of the derivative at n (even) equidistant points."""
    k = np.fft.fftfreq(n, 1 / n)
    if order % 2:
        k[n // 2] = 0
    return np.real(np.fft.ifft(((2j * np.pi / length * k)**order)[:, None] * np.fft.fft(np.eye(n), axis=0), axis=0))


def fourier_values(values, length, points):
    n = values.shape[-1]
    modes = np.fft.fft(values, axis=-1) / n
    k = np.fft.fftfreq(n, 1 / n)
    return np.real(modes @ np.exp(2j * np.pi / length * np.outer(k, points)))


def cahn_hilliard():
    times, points = np.concatenate([[0], np.geomspace(0.005, 4, 40)]), np.linspace(0, 2 * np.pi, 41)

    def march(n, steps, longest):
        x = 2 * np.pi * np.arange(n) / n
        second, fourth = (fourier_derivative(n, 2 * np.pi, order) for order in (2, 4))
        stepper = Stepper(lambda u: second @ (u**3 - u) - 0.02 * (fourth @ u),
                          lambda u: second * (3 * u**2 - 1) - 0.02 * fourth, stages=5)
        return fourier_values(stepper.fixed(0.3 * np.cos(x) + 0.2 * np.sin(3 * x), times, steps, longest),
                              2 * np.pi, points)
    values, again = march(192, 3, 0.02), march(160, 2, 0.03)
    return entry({"t": times, "x": points}, {"u": values}, difference(values[..., None], again[..., None]),
                 "Fourier collocation, 192 (160) points, Radau IIA with 5 stages, steps of at most 0.02 (0.03)")


def kuramoto_sivashinsky():
    length = 32 * np.pi
    times, points = np.linspace(0, 10, 41), np.linspace(0, length, 65)

    def march(n, steps):
        x = length * np.arange(n) / n
        first, second, fourth = (fourier_derivative(n, length, order) for order in (1, 2, 4))
        linear = -second - fourth
        stepper = Stepper(lambda u: linear @ u - first @ u**2 / 2, lambda u: linear - first * u, stages=5)
        return fourier_values(stepper.fixed(np.cos(x / 16) * (1 + np.sin(x / 16)), times, steps), length, points)
    values, again = march(256, 3), march(224, 2)
    return entry({"t": times, "x": points}, {"u": values}, difference(values[..., None], again[..., None]),
                 "Fourier collocation, 256 (224) points, Radau IIA with 5 stages, 120 (80) steps")


MAKERS = {
    "pendulum": pendulum,
    "van_der_pol_1": lambda: van_der_pol(1.0, 20.0, 200),
    "van_der_pol_100": lambda: van_der_pol(100.0, 200.0, 300),
    "van_der_pol_1000": lambda: van_der_pol(1000.0, 2000.0, 400),
    "robertson": robertson,
    "lorenz_5": lambda: lorenz(5, 101),
    "lorenz_10": lambda: lorenz(10, 101),
    "lorenz_20": lambda: lorenz(20, 161),
    "lorenz_50": lambda: lorenz(50, 126),
    "allen_cahn_walls": allen_cahn_walls,
    "cahn_hilliard": cahn_hilliard,
    "kuramoto_sivashinsky": kuramoto_sivashinsky,
}


def main():
    made = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in sys.argv[1:] or MAKERS:
        made[name] = MAKERS[name]()
        print(f"{name}: {made[name]['how']}; differ by {made[name]['two_computations_differ_by']}", flush=True)
        lines = [f'"{key}": {json.dumps(made[key])}' for key in MAKERS if key in made]  # one a reference
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
