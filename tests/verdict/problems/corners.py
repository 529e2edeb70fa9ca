"""Steady problems in a box whose data do not fit together at a corner, or on a side."""
import numpy as np
from numpy.polynomial import chebyshev

from problem import Problem, automatic


def _grid(x, y, near):
    """Both as arrays of one shape, and where a corner is so near that nothing is judged."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    away = np.ones(x.shape, bool)
    for a, b in near:
        away &= np.maximum(abs(x - a), abs(y - b)) > 0.011
    return x, y, away


def cold_lid(x, y):
    """Laplace's equation, -1 at y = 1, 0 on the other sides: sine series, its slowly falling part summed."""
    x, y, away = _grid(x, y, [(0, 1), (1, 1)])
    depth = 1 - y
    total = 2 / np.pi * np.arctan2(np.sin(np.pi * x), np.sinh(np.pi * depth))
    for k in range(1, 60, 2):
        q = np.exp(-2 * k * np.pi)
        total += 4 / (k * np.pi) * np.exp(-k * np.pi * depth) * (
            (1 - np.exp(-2 * k * np.pi * y)) / (1 - q) - 1) * np.sin(k * np.pi * x)
    return np.where(away, -total, np.nan)


def root_of_distance(x, y):
    """The real part of sqrt(x - 1/2 + i y)."""
    x, y, away = _grid(x, y, [(0.5, 0)])
    return np.where(away, np.sqrt(x - 0.5 + 1j * y).real, np.nan)


def _scraper(x, y):
    """Taylor's flow in a corner at (0, 1) whose side y = 1 moves with velocity 1: psi, psi_x, psi_y."""
    s = 1 - y
    theta = np.arctan2(s, x)
    r2 = np.maximum(x**2 + s**2, 1e-300)
    b = 1 / (4 / np.pi**2 - 1)
    d = -2 * b / np.pi
    c = 2 * d / np.pi
    psi_s = b + d * theta + (c * x + d * s) * x / r2
    return b * s + (c * x + d * s) * theta, c * theta - (c * x + d * s) * s / r2, -psi_s


def _scrapers(x, y):
    left, right = _scraper(x, y), _scraper(1 - x, y)
    return left[0] + right[0], left[1] - right[1], left[2] + right[2]


class StokesLid:
    """Stokes flow under a lid that moves with velocity 1: the flows of the two corners, and a Chebyshev series of the
    stream function of what is left, by least squares. Two series, of degrees 22 and 28, differ by 1e-9."""

    def __init__(self, degree=22, points=32):
        self.kx, self.ky = np.arange(0, degree + 1, 2), np.arange(degree + 1)
        t = np.cos(np.pi * (np.arange(points) + 0.5) / points)
        x, y = self.series(t[:points // 2], self.kx), self.series(t, self.ky)
        biharmonic = np.kron(x[4], y[0]) + 2 * np.kron(x[2], y[2]) + np.kron(x[0], y[4])
        weights = np.kron(1 - t[:points // 2]**2, 1 - t**2)**2 / degree**4
        rows, right = [biharmonic * weights[:, None]], [np.zeros(len(biharmonic))]
        g = (np.cos(np.pi * (np.arange(2 * points) + 0.5) / (2 * points)) + 1) / 2
        zero, one = 0 * g, 0 * g + 1
        for at_x, at_y, psi_y in ((g, one, one), (g, zero, zero), (one, g, zero)):
            a, b = self.series(2 * at_x - 1, self.kx), self.series(2 * at_y - 1, self.ky)
            corners = _scrapers(at_x, at_y)
            for (i, j), wanted, known in (((0, 0), zero, corners[0]), ((1, 0), zero, corners[1]),
                                          ((0, 1), psi_y, corners[2])):
                rows.append(np.einsum("pk,pl->pkl", a[i], b[j]).reshape(len(g), -1))
                right.append(wanted - known)
        found = np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)[0]
        self.coefficients = found.reshape(len(self.kx), len(self.ky))

    @staticmethod
    def series(z, degrees):
        """Of derivatives 0 to 4 in a coordinate of which z goes over twice the range."""
        def values(k, d):
            unit = np.eye(k + 1)[k]
            return chebyshev.chebval(z, chebyshev.chebder(unit, d) if d else unit) * 2.0**d
        return [np.array([values(k, d) for k in degrees]).T for d in range(5)]

    def velocity(self, x, y):
        x, y, away = _grid(x, y, [(0, 1), (1, 1)])
        a, b = self.series(2 * x.ravel() - 1, self.kx), self.series(2 * y.ravel() - 1, self.ky)
        _, psi_x, psi_y = _scrapers(x, y)
        of = lambda i, j: np.einsum("pk,kl,pl->p", a[i], self.coefficients, b[j]).reshape(x.shape)
        return np.where(away, psi_y + of(0, 1), np.nan), np.where(away, -psi_x - of(1, 0), np.nan)


_LID = []


def lid(component, x, y):
    if not _LID:
        _LID.append(StokesLid())
    return _LID[0].velocity(x, y)[component]


PROBLEMS = [
    Problem("cold_lid", """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [f]
equations: ["lap(f) = 0"]
boundary: ["f(x=0) = 0", "f(x=1) = 0", "f(y=0) = 0", "f(y=1) = -1"]
output: {grid: {x: 41, y: 41}}
""", {"f": cold_lid}, [automatic(1e-3), automatic(1e-6)], "sine series", quick=True),
    Problem("half_a_side_insulated", """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = 0"]
boundary:
  - "u(x=0) = y/sqrt(2*(sqrt(0.25 + y^2) + 0.5))"
  - "u(x=1) = sqrt(0.5*(sqrt(0.25 + y^2) + 0.5))"
  - "u(y=1) = sqrt(0.5*(sqrt((x - 0.5)^2 + 1) + x - 0.5))"
  - "step(0.5 - x)*u(y=0) + step(x - 0.5)*dy(u)(y=0) = 0"
output: {grid: {x: 41, y: 41}}
""", {"u": root_of_distance}, [automatic(1e-3), automatic(1e-6)], "closed form"),
    Problem("stokes_under_a_lid", """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, v, p]
equations:
  - "-lap(u) + dx(p) = 0"
  - "-lap(v) + dy(p) = 0"
  - "dx(u) + dy(v) = 0"
boundary:
  ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 1", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
output: {grid: {x: 31, y: 31}}
""", {"u": lambda x, y: lid(0, x, y), "v": lambda x, y: lid(1, x, y)}, [automatic(1e-3), automatic(1e-4)],
            "Taylor's flow in both corners and a Chebyshev series of what is left, by least squares"),
]
