"""Steady problems in two dimensions."""
import functools

import numpy as np

from problem import Problem, automatic, fixed
from problems.steady import outflow_layer


def torsion_along_y(x, y, last=600):
    """-lap u = 1 on the unit square, u = 0 at the walls, closed in y: n y > 40 or so at the last term, for y = 0.03 .. 0.97."""
    n = np.arange(1, last, 2).reshape(-1, *[1] * max(np.ndim(x), np.ndim(y))) * np.pi
    profile = (np.exp(-n * y) + np.exp(-n * (1 - y))) / (1 + np.exp(-n))  # cosh(n (y - 1/2))/cosh(n/2)
    return x * (1 - x) / 2 - np.sum(4 / n**3 * np.sin(n * x) * profile, axis=0)


def torsion(x, y):
    """The same by the series in x or in y, whichever converges faster; with more terms in the corner at the origin."""
    u = np.where(np.abs(x - 0.5) > np.abs(y - 0.5), torsion_along_y(x, y), torsion_along_y(y, x))
    x, y = np.broadcast_arrays(x, y)
    corner = np.maximum(x, y) < 0.03
    u[corner] = torsion_along_y(np.minimum(x, y)[corner], np.maximum(x, y)[corner], 40000)
    return u


@functools.cache
def _plate_space(n):
    """Legendre-Galerkin for the biharmonic operator: (1 - s^2)^2 P_k, k < n; exact matrices by Gauss quadrature."""
    points, weights = np.polynomial.legendre.leggauss(n + 8)
    # (1 - s^2)^2 = 8/15 P_0 - 16/21 P_2 + 8/35 P_4
    series = [np.polynomial.legendre.legmul([8 / 15, 0, -16 / 21, 0, 8 / 35], np.eye(n)[k]) for k in range(n)]
    tables = [np.array([np.polynomial.legendre.legval(points, np.polynomial.legendre.legder(s, m)) for s in series])
              for m in range(3)]
    scale = 1 / np.sqrt((tables[2]**2) @ weights)
    tables = [table * scale[:, None] for table in tables]
    mass, mixed, stiff = ((table * weights) @ table.T for table in tables)
    return points, weights, tables, mass, mixed, stiff, series, scale


def _plate_values(x, n):
    """The basis at points x of [0, 1]."""
    *_, series, scale = _plate_space(n)
    return np.array([np.polynomial.legendre.legval(2 * np.ravel(x) - 1, c) for c in series]) * scale[:, None]


def clamped_plate(x, y, n=36):
    """lap lap u = 1 on the unit square, u = 0 and no slope at the walls. In s = 2x - 1: lap lap u = 1/16."""
    _, weights, tables, mass, mixed, stiff, _, _ = _plate_space(n)
    operator = np.kron(stiff, mass) + 2 * np.kron(mixed, mixed) + np.kron(mass, stiff)
    load = tables[0] @ weights
    coefficients = np.linalg.solve(operator, np.kron(load, load) / 16).reshape(n, n)
    return _plate_values(y, n).T @ coefficients @ _plate_values(x, n)


def lid_cavity(x, y, n=40):
    """lap lap p = 0, p = 0, slopes 0 but at y = 1: dy p = 16 x^2 (1 - x)^2. In s, r = 2x - 1, 2y - 1 p is the lift
    (1 - s^2)^2 (r^2 - 1)(r + 1)/8, whose slope dy = 2 dr is the lid's, and a clamped part."""
    points, weights, tables, mass, mixed, stiff, _, _ = _plate_space(n)
    one, fourth = np.polynomial.Polynomial([1, 0, -2, 0, 1]), np.polynomial.Polynomial([-1, -1, 1, 1]) / 8
    a = [one.deriv(m)(points) if m else one(points) for m in range(3)]
    b = [fourth.deriv(m)(points) if m else fourth(points) for m in range(3)]

    def product(table, values):
        return table @ (weights * values)

    # The form is int u_ss v_ss + 2 u_sr v_sr + u_rr v_rr; axis 0 is r (y), axis 1 is s (x).
    load = (np.outer(product(tables[0], b[0]), product(tables[2], a[2]))
            + 2 * np.outer(product(tables[1], b[1]), product(tables[1], a[1]))
            + np.outer(product(tables[2], b[2]), product(tables[0], a[0])))
    operator = np.kron(stiff, mass) + 2 * np.kron(mixed, mixed) + np.kron(mass, stiff)
    coefficients = np.linalg.solve(operator, -load.ravel()).reshape(n, n)
    return _plate_values(y, n).T @ coefficients @ _plate_values(x, n) \
        + np.outer(fourth(2 * np.ravel(y) - 1), one(2 * np.ravel(x) - 1))


def plate(name, equation, boundary, answer, runs, origin, space="[0, 1]", extra="", quick=False):
    case = f"domain: {{x: {space}, y: {space}}}\nunknowns: [u]\nequations: [\"{equation}\"]\nboundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary) + extra
    return Problem(name, case, {"u": answer} if answer else None, runs, origin, quick)


def walls(data="0", low="0", high="1"):
    return [f"u({axis}={end}) = {data}" for axis in "xy" for end in (low, high)]


def walls_of(expression, low="0", high="1"):
    """Dirichlet data that are the values of an expression of x and y."""
    conditions = []
    for axis in "xy":
        for end in (low, high):
            here = "".join(end if character == axis else character for character in expression.replace("exp", "E"))
            conditions.append(f"u({axis}={end}) = {here.replace('E', 'exp')}")
    return conditions


CLAMPED = walls() + ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dy(u)(y=0) = 0"]
PLATE_ORIGIN = "Legendre-Galerkin in the energy norm, weak form (at 12 more degrees it differs by 1e-9)"

GRADED = [0, 0.01, 0.1, 0.5, 0.9, 0.99, 1]
# With small subdomains in the corners the error is there alone.
CORNER = sorted([*np.linspace(0, 1, 33), 0.0001, 0.0004, 0.0008, 0.0016, 0.004])
CORNER_GRID = f"output: {{grid: {{x: {[float(z) for z in CORNER]}, y: {[float(z) for z in CORNER]}}}}}\n"

PROBLEMS = [
    plate("poisson_2d", "-lap(u) = 5*pi^2*sin(pi*x)*sin(2*pi*y)", walls(),
          lambda x, y: np.sin(np.pi * x) * np.sin(2 * np.pi * y),
          [fixed(1e-6, x=8, y=8), fixed(1e-6, x=16, y=20), automatic(1e-8)], "sine mode"),
    plate("poisson_two_sizes", "-lap(u) = 50*sin(5*x)*sin(5*y)", walls_of("sin(5*x)*sin(5*y)"),
          lambda x, y: np.sin(5 * x) * np.sin(5 * y), [fixed(1e-6, x=20, y=7), fixed(1e-6, x=16, y=16)],
          "sin(5x) sin(5y); one direction too coarse"),
    plate("harmonic", "lap(u) = 0", walls_of("exp(3*x)*sin(3*y)"), lambda x, y: np.exp(3 * x) * np.sin(3 * y),
          [fixed(1e-6, x=6, y=6), fixed(1e-6, x=14, y=14), automatic(1e-9)], "harmonic function"),
    plate("helmholtz_plane_wave", "lap(u) + 400*u = 0", walls_of("cos(12*x + 16*y)"),
          lambda x, y: np.cos(12 * x + 16 * y), [fixed(1e-6, x=14, y=14), fixed(1e-6, x=30, y=32), automatic(1e-7)],
          "plane wave"),
    plate("torsion", "-lap(u) = 1", walls(), torsion,
          [fixed(1e-3, x=16, y=16), fixed(1e-4, x=24, y=24), fixed(1e-6, x=12, y=12), fixed(1e-5, x=32, y=32),
           fixed(1e-7, x=48, y=48), fixed(1e-8, x=16, y=16, domains={"x": GRADED, "y": GRADED}),
           automatic(1e-3), automatic(1e-5)], "series; logarithmic corners", extra=CORNER_GRID, quick=True),
    plate("clamped_plate", "lap(lap(u)) = 1", CLAMPED + ["dy(u)(y=1) = 0"], clamped_plate,
          [fixed(1e-3, x=12, y=12), fixed(1e-6, x=20, y=20), fixed(1e-6, x=32, y=32)], PLATE_ORIGIN, quick=True),
    plate("lid_cavity", "lap(lap(u)) = 0", CLAMPED + ["dy(u)(y=1) = 16*x^2*(1 - x)^2"], lid_cavity,
          [fixed(1e-6, x=10, y=10), fixed(1e-4, x=20, y=20), fixed(1e-6, x=32, y=32), automatic(1e-6)], PLATE_ORIGIN),
    plate("variable_conductor", "-dx((1 + x*y)*dx(u)) - dy((1 + x*y)*dy(u)) = -(2 + 2*x*y + x + y)*exp(x + y)",
          walls_of("exp(x + y)"), lambda x, y: np.exp(x + y), [fixed(1e-8, x=5, y=5), fixed(1e-8, x=12, y=12)],
          "exp(x + y)"),
    plate("nonlinear_plane", "lap(u) = 4*u^3", walls_of("1/(1 + x + y)"), lambda x, y: 1 / (1 + x + y),
          [fixed(1e-6, x=6, y=6), fixed(1e-6, x=16, y=16)], "1/(1 + x + y)", extra='guess: {u: "0.5"}\n', quick=True),
    plate("layer_2d", "-0.02*lap(u) + dx(u) + 0.01*u = sin(pi*y)*(1 + (0.02*pi^2 + 0.01)"
          "*(x - (exp(-(1 - x)/0.02) - exp(-50))/(1 - exp(-50))))", walls(),
          lambda x, y: outflow_layer(x, 0.02) * np.sin(np.pi * y), [fixed(1e-6, x=20, y=14), fixed(1e-6, x=56, y=14)],
          "layer times sine"),
    plate("mixed_conditions", "-lap(u) = 2*sin(x + y)",
          ["u(x=0) = sin(y)", "dx(u)(x=1) = cos(1 + y)", "u(y=0) - dy(u)(y=0) = sin(x) - cos(x)",
           "u(y=1) = sin(x + 1)"], lambda x, y: np.sin(x + y), [fixed(1e-8, x=4, y=4), fixed(1e-8, x=12, y=12)],
          "sin(x + y)"),
    plate("plane_by_subdomains", "lap(u) = 2*step(x - 0.5)", ["u(x=0) = 0", "u(x=1) = 0.25",
          "u(y=0) = max(x - 0.5, 0)^2", "u(y=1) = max(x - 0.5, 0)^2"], lambda x, y: np.maximum(x - 0.5, 0)**2,
          [fixed(1e-8, x=6, y=8, domains={"x": [0, 0.5, 1]}), fixed(1e-6, x=15, y=8)], "max(x - 1/2, 0)^2"),
    plate("periodic_plane", "-lap(u) + u = 14*sin(2*x)*cos(3*y)",
          ["u(x=0) = u(x=2*pi)", "dx(u)(x=0) = dx(u)(x=2*pi)", "u(y=0) = u(y=2*pi)", "dy(u)(y=0) = dy(u)(y=2*pi)"],
          lambda x, y: np.sin(2 * x) * np.cos(3 * y), [fixed(1e-6, x=10, y=12), fixed(1e-6, x=22, y=26)],
          "sine mode", space="[0, 2*pi]"),
]
