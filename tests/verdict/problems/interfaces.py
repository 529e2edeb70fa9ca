"""Layers: coefficients that jump, contact resistances, partition coefficients, sources at a point."""
import numpy as np

from problem import Problem, automatic, fixed, root


def line(name, equations, boundary, answer, runs, origin, unknowns="u", space="[0, 1]", extra="", quick=False,
         points=1000):
    """answer: {field: formula} or the formula of u."""
    case = f"domain: {{x: {space}}}\nunknowns: [{unknowns}]\nequations:\n"
    case += "".join(f'  - "{equation}"\n' for equation in equations) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary) + extra
    case += f"output: {{grid: {{x: {points}}}}}\n"
    return Problem(name, case, answer if isinstance(answer, dict) else {"u": answer}, runs, origin, quick)


def integrated(x, edges, coefficients, c):
    """int_0^x (c - s)/k ds, k constant between edges."""
    value = np.zeros_like(x)
    for lower, upper, k in zip(edges[:-1], edges[1:], coefficients):
        end = np.clip(x, lower, upper)
        value += (c * (end - lower) - (end**2 - lower**2) / 2) / k
    return value


def three_layers(x):
    """(k u')' = -1, k = 1, 5, 0.2, u(0) = 0, u(1) = 1: flux c - x."""
    edges, k, one = [0, 0.3, 0.7, 1], [1, 5, 0.2], np.ones(1)
    at_0 = integrated(one, edges, k, 0.0)[0]
    c = (1 - at_0) / (integrated(one, edges, k, 1.0)[0] - at_0)
    return integrated(x, edges, k, c)


def conductor(x):
    """(k(u) u')' = -2 x; k = 1 + u for x < 0.4, 3 (1 + u^2) beyond; u(0) = 0, u(1) = 1. Flux c - x^2, Kirchhoff's
    transform on each side."""
    def left(s, c):
        return -1 + np.sqrt(1 + 2 * (c * s - s**3 / 3))

    def right(s, c):  # 3 u + u^3 = w
        w = 4 - (c * (1 - s) - (1 - s**3) / 3)
        half = np.sqrt(w**2 / 4 + 1)
        return np.cbrt(w / 2 + half) + np.cbrt(w / 2 - half)

    c = root(lambda c: left(0.4, c) - right(0.4, c), 0.2, 6)
    return np.where(x < 0.4, left(np.minimum(x, 0.4), c), right(x, c))


def partition(x):
    """(D c')' = -1 on [0, 2], D = 1 and 0.3, c(0) = 0, c'(2) = 0, c(1-) = 4 c(1+): flux 2 - x."""
    left = 2 * x - x**2 / 2
    return np.where(x < 1, left, 1.5 / 4 + (2 * x - x**2 / 2 - 1.5) / 0.3)


def contact(x):
    """T'' = 0 on both sides, k = 2 and 1, T(0) = 1, T(1) = 0, [T] = -0.1 q at 0.5: resistances 0.25, 0.1, 0.5."""
    q = 1 / 0.85
    return np.where(x < 0.5, 1 - q * x / 2, q * (1 - x))


def cross(which):
    """(D grad(u, v))' = (-1, 0), D = [[2, 0.5], [0.3, 1]] for x < 0.5, [[1, -0.4], [0.2, 3]] beyond; u, v = 0 at 0, 1
    and -1 at 1. Fluxes (c1 - x, c2)."""
    first, second = np.linalg.inv([[2, 0.5], [0.3, 1]]), np.linalg.inv([[1, -0.4], [0.2, 3]])
    # u(1) = first int_0^.5 q + second int_.5^1 q.
    matrix = 0.5 * (first + second)
    force = first @ np.array([-0.125, 0]) + second @ np.array([-0.375, 0])
    c = np.linalg.solve(matrix, np.array([1, -1]) - force)

    def answer(x):
        s = np.minimum(x, 0.5)
        rest = np.maximum(x - 0.5, 0)
        left = first @ np.array([c[0] * s - s**2 / 2, c[1] * s])
        right = second @ np.array([c[0] * rest - (np.maximum(x, 0.5)**2 - 0.25) / 2, c[1] * rest])
        return (left + right)[which]
    return answer


def cantilever(x):
    """(E w'')'' = 1, E = 1 and 4, clamped at 0, free at 1: E w'' = (1 - x)^2/2."""
    def twice(s):  # of (1 - s)^2/2, from 0
        return (1 - s)**4 / 24 + s / 6 - 1 / 24

    def once(s):
        return (1 - (1 - s)**3) / 6
    beyond = twice(x) - twice(0.5) - once(0.5) * (x - 0.5)
    return np.where(x < 0.5, twice(x), twice(0.5) + once(0.5) * (x - 0.5) + beyond / 4)


def point_source(x):
    """u'' = u + 2 delta(x - 0.3), u = 0 at the ends."""
    low, high = np.minimum(x, 0.3), np.maximum(x, 0.3)
    return -2 * np.sinh(low) * np.sinh(1 - high) / np.sinh(1)


# rho T_t = (k T_x)_x, k = 1, 5 and rho = 2, 1 on [0, 0.4, 1], T = 0 at the ends: exp(-l t) phi(x).
def mode_mismatch(rate):
    a, b = np.sqrt(2 * rate), np.sqrt(rate / 5)
    return a * np.cos(0.4 * a) * np.sin(0.6 * b) + 5 * b * np.cos(0.6 * b) * np.sin(0.4 * a)


RATE = root(mode_mismatch, 12, 19)
A, B = float(np.sqrt(2 * RATE)), float(np.sqrt(RATE / 5))
LEFT, RIGHT = float(1 / np.sin(0.4 * A)), float(1 / np.sin(0.6 * B))


def mode(t, x):
    phi = np.where(x < 0.4, LEFT * np.sin(A * np.minimum(x, 0.4)), RIGHT * np.sin(B * (1 - x)))
    return np.exp(-RATE * t) * phi


def profile(x):
    """(k X')' = -1, k = 1 for x < 0.4, 10 beyond, X = 0 at the ends of [0, 1]."""
    c = (0.08 + (1 - 0.16) / 20) / (0.4 + 0.06)
    return np.where(x < 0.4, c * x - x**2 / 2, (c * (x - 1) - (x**2 - 1) / 2) / 10)


C = (0.08 + (1 - 0.16) / 20) / (0.4 + 0.06)
PROFILE = "(step(0.4 - {0})*({1}*{0} - {0}^2/2) + step({0} - 0.4)*({1}*({0} - 1) - ({0}^2 - 1)/2)/10)"
X, Y = PROFILE.format("x", repr(C)), PROFILE.format("y", repr(C))
KX, KY = "(1 + 9*step(x - 0.4))", "(1 + 9*step(y - 0.4))"
SQUARE = "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"

PROBLEMS = [
    line("three_layers", ["dx((1 + 4*step(x - 0.3) - 4.8*step(x - 0.7))*dx(u)) = -1"],
         ["u(x=0) = 0", "u(x=1) = 1"], three_layers, [fixed(1e-8, x=4), automatic(1e-9)], "closed form", quick=True),
    line("three_layers_divided", ["dx((1 + 4*step(x - 0.3) - 4.8*step(x - 0.7))*dx(u))/(2 - step(x - 0.7)) = "
                                  "-1/(2 - step(x - 0.7))"],
         ["u(x=0) = 0", "u(x=1) = 1"], three_layers, [fixed(1e-8, x=4), automatic(1e-9)],
         "the same, divided by a factor that jumps"),
    line("conductor_of_temperature",
         ["dx((step(0.4 - x)*(1 + u) + step(x - 0.4)*3*(1 + u^2))*dx(u)) = -2*x"],
         ["u(x=0) = 0", "u(x=1) = 1"], conductor, [fixed(1e-8, x=5), fixed(1e-8, x=24), automatic(1e-8)],
         "Kirchhoff's transform on each side", extra='guess: {u: "x"}\n', quick=True),
    line("partition_coefficient", ["dx((1 - 0.7*step(x - 1))*dx(u)) = -1"],
         ["u(x=0) = 0", "dx(u)(x=2) = 0", "u(x=1-) = 4*u(x=1+)"], partition, [fixed(1e-8, x=4), automatic(1e-8)],
         "closed form", space="[0, 2]", quick=True),
    line("partition_by_activity", ["dx((1 - 0.7*step(x - 1))/(1 + 3*step(x - 1))*dx(u*(1 + 3*step(x - 1)))) = -1"],
         ["u(x=0) = 0", "dx(u)(x=2) = 0"], partition, [automatic(1e-8)], "the same, as a jump of the activity",
         space="[0, 2]"),
    line("contact_resistance", ["dx((2 - step(x - 0.5))*dx(u)) = 0"],
         ["u(x=0) = 1", "u(x=1) = 0", "dx(u)(x=0.5+) = 10*(u(x=0.5+) - u(x=0.5-))"], contact,
         [fixed(1e-8, x=4), automatic(1e-8)], "resistances in a row", quick=True),
    line("cross_diffusion_in_layers",
         ["dx((2 - step(x - 0.5))*dx(u) + (0.5 - 0.9*step(x - 0.5))*dx(v)) = -1",
          "dx((0.3 - 0.1*step(x - 0.5))*dx(u) + (1 + 2*step(x - 0.5))*dx(v)) = 0"],
         ["u(x=0) = 0", "v(x=0) = 0", "u(x=1) = 1", "v(x=1) = -1"], {"u": cross(0), "v": cross(1)},
         [fixed(1e-8, x=5), automatic(1e-8)], "closed form", unknowns="u, v"),
    line("cantilever_of_two_beams", ["dx((1 + 3*step(x - 0.5))*dx(u,2), 2) = 1"],
         ["u(x=0) = 0", "dx(u)(x=0) = 0", "dx(u,2)(x=1) = 0", "dx(u,3)(x=1) = 0"], cantilever,
         [fixed(1e-8, x=6), automatic(1e-8)], "closed form"),
    line("source_at_a_point", ["dx(u,2) = u + 2*delta(x - 0.3)"], ["u(x=0) = 0", "u(x=1) = 0"], point_source,
         [fixed(1e-8, x=3), fixed(1e-8, x=14), automatic(1e-9)], "Green's function", quick=True),
    Problem("two_layers_cooling",
            "domain: {t: [0, 0.2], x: [0, 1]}\nunknowns: [T]\n"
            'equations: ["(2 - step(x - 0.4))*dt(T) = dx((1 + 4*step(x - 0.4))*dx(T))"]\n'
            f'initial: {{T: "step(0.4 - x)*{LEFT!r}*sin({A!r}*x) + step(x - 0.4)*{RIGHT!r}*sin({B!r}*(1 - x))"}}\n'
            'boundary: ["T(x=0) = 0", "T(x=1) = 0"]\noutput: {grid: {t: 7, x: 500}}\n',
            {"T": mode}, [fixed(1e-6, t=8, x=4, windows=2), fixed(1e-6, t=10, x=14, windows=4), automatic(1e-7)],
            "an eigenmode, its rate by bisection", quick=True),
    Problem("four_blocks",
            "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\n"
            f'equations: ["div({KX}*{KY}*grad(u)) = -({KY}*{Y} + {KX}*{X})"]\n' + SQUARE +
            "output: {grid: {x: 60, y: 60}}\n",
            {"u": lambda x, y: profile(x) * profile(y)},
            [fixed(1e-6, x=5, y=5), automatic(1e-6)], "a product of two profiles, (k X')' = -1"),
]
