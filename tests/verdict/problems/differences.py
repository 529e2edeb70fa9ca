"""Finite differences: sbp_sat_poisson and recurrence_bvp."""
import functools

import numpy as np

from problem import NO_ANSWER, Problem, differences, recurrence
from problems.hidden import hidden_spot, narrow_resistance, narrow_source, narrow_step
from problems.plane import torsion


def chebyshev(n):
    """Points of [0, 1], ascending, first derivative and barycentric weights."""
    k = np.arange(n + 1)
    x = (1 - np.cos(np.pi * k / n)) / 2
    c = np.where((k == 0) | (k == n), 2.0, 1.0) * (-1.0)**k
    matrix = np.outer(c, 1 / c) / (x[:, None] - x + np.eye(n + 1))
    return x, matrix - np.diag(matrix.sum(axis=1)), 1 / c


@functools.cache
def robin_operator(n):
    """-u'' at the inner points with outward slope + u = 0 at both ends, and the map from inner to all points."""
    x, first, weights = chebyshev(n)
    conditions = np.array([-first[0], first[-1]])
    conditions[0, 0] += 1
    conditions[1, -1] += 1
    ends = -np.linalg.solve(conditions[:, [0, -1]], conditions[:, 1:-1])
    whole = np.vstack([ends[:1], np.eye(n - 1), ends[1:]])
    return x, (-(first @ first) @ whole)[1:-1], whole, weights


def interpolated(x, weights, values, points):
    table = np.zeros((points.size, x.size))
    for row, point in zip(table, points):
        near = np.abs(point - x) < 1e-13
        row[:] = near if near.any() else weights / (point - x) / np.sum(weights / (point - x))
    return table @ values


def robin_box(x, y, n=160):
    """-lap u = 1e4 sin(32 pi x) cos(7 y), outward slope + u = 0 on all sides: Chebyshev collocation, diagonalised."""
    nodes, operator, whole, weights = robin_operator(n)
    inner = nodes[1:-1]
    source = 1e4 * np.outer(np.cos(7 * inner), np.sin(32 * np.pi * inner))
    values, vectors = np.linalg.eig(operator)
    inverse = np.linalg.inv(vectors)
    modes = inverse @ source @ inverse.T / (values[:, None] + values)
    solution = whole @ np.real(vectors @ modes @ vectors.T) @ whole.T
    along_y = interpolated(nodes, weights, solution, np.ravel(y))
    return interpolated(nodes, weights, along_y.T, np.ravel(x)).T


def two_conductors(x, edge, right):
    """-(c u')' = 1, c = 1 before the edge and `right` behind it, u = 0 at the ends: c u' = q - x."""
    q = (edge**2 / 2 + (1 - edge**2) / (2 * right)) / (edge + (1 - edge) / right)
    return np.where(x < edge, q * x - x**2 / 2, -(q * (1 - x) - (1 - x**2) / 2) / right)


def jump_in_source(x, c=0.3137):
    """-u'' = step(x - c), u = 0 at the ends."""
    return (1 - c)**2 / 2 * x - np.maximum(x - c, 0)**2 / 2


def hidden_value(x, y, c=0.3137, w=3e6, amplitude=100.0):
    """lap u = 0, u(y=0) = sin(pi x) + amplitude exp(-w (x - c)^2), other walls 0: sine series; not compared at y = 0."""
    x, y = np.ravel(x), np.ravel(y)
    n = np.arange(1, 7000) * np.pi
    modes = 2 * amplitude * np.sqrt(np.pi / w) * np.exp(-n**2 / (4 * w)) * np.sin(n * c)
    modes[0] += 1
    inside = np.where(y > 0, y, 1.0)
    decay = (np.exp(-np.outer(inside, n)) - np.exp(-np.outer(2 - inside, n))) / (1 - np.exp(-2 * n))
    result = (decay * modes) @ np.sin(np.outer(n, x))
    result[y == 0] = np.nan
    return result


def hidden_ring(r, c=1.4137, w=3e5, amplitude=100.0):
    """-(r u')'/r = 1 + amplitude exp(-w (r - c)^2), u(1) = u(2) = 0: trapezoidal sums over 2^20 intervals."""
    fine = np.linspace(1, 2, 2**20 + 1)
    h = fine[1] - fine[0]

    def sums(f):
        return np.concatenate([[0], np.cumsum((f[1:] + f[:-1]) * h / 2)])
    moment = sums(fine * (1 + amplitude * np.exp(-w * (fine - c)**2)))
    particular, homogeneous = -sums(moment / fine), np.log(fine)
    return np.interp(r, fine, particular - particular[-1] / homogeneous[-1] * homogeneous)


def sbp(name, source, boundary, answer, runs, origin, section="", domain="x: [0, 1], y: [0, 1]", quick=False):
    case = f"problem: sbp_sat_poisson\ndomain: {{{domain}}}\nunknowns: [u]\nsbp_sat:\n  intervals: 16\n"
    case += f'  source: "{source}"\n' + "".join(f"  {line}\n" for line in section.splitlines()) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary)
    return Problem(name, case, {"u": answer} if answer else NO_ANSWER, runs, origin, quick)


def bvp(name, source, boundary, answer, runs, origin, section="", domain="[0, 1]", quick=False):
    case = f"problem: recurrence_bvp\ndomain: {{x: {domain}}}\nunknowns: [u]\nrecurrence:\n  intervals: 16\n"
    case += f'  source: "{source}"\n' + "".join(f"  {line}\n" for line in section.splitlines()) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary)
    return Problem(name, case, {"u": answer}, runs, origin, quick)


WALLS = [f"u({axis}={end}) = 0" for axis in "xy" for end in (0, 1)]
CHANNEL = ["u(x=0) = 0", "u(x=1) = 0", "flux(y=0) = 0", "flux(y=1) = 0"]  # u depends on x alone
ROBIN = [f"flux({axis}={end}) + u({axis}={end}) = 0" for axis in "xy" for end in (0, 1)]
ENDS = ["u(x=0) = 0", "u(x=1) = 0"]
HALVES = "blocks: {x: [0, 0.5, 1]}\n"


def contrast(factor):
    return lambda x, y: np.sin(2 * np.pi * x) * np.sin(np.pi * y) * np.where(x < 0.5, 1, 1 / factor)


def inclusion(factor):
    """cos(2 pi x) cos(2 pi y)/c without its mean, c = factor inside of a square on whose sides it vanishes."""
    def answer(x, y):
        inside = (np.abs(x - 0.5) < 0.25) & (np.abs(y - 0.5) < 0.25)
        mode = np.cos(2 * np.pi * x) * np.cos(2 * np.pi * y)
        return mode * np.where(inside, 1 / factor, 1) - (1 / factor - 1) / np.pi**2
    return answer


PROBLEMS = [
    sbp("sbp_smooth", "8*exp(x)*sin(3*y)", ["u(x=0) = sin(3*y)", "u(x=1) = exp(1)*sin(3*y)", "u(y=0) = 0",
                                            "u(y=1) = exp(x)*sin(3)"], lambda x, y: np.exp(x) * np.sin(3 * y),
        [differences(1e-3, 8), differences(1e-3, 40), differences(1e-6, 40), differences(1e-6, 32, 4),
         differences(1e-6, 16, 6), differences(1e-7, 48, 6)], "exp(x) sin(3y)", quick=True),
    sbp("sbp_aliased", "1e4*sin(32*pi*x)*cos(7*y)", ROBIN, lambda x, y: robin_box(x, y),
        [differences(1e-3, 16), differences(1e-2, 16, 4), differences(1e-2, 96), differences(1e-2, 256, 4)],
        "Chebyshev collocation of degree 160", quick=True),
    sbp("sbp_jump_inside", "1", CHANNEL, lambda x: two_conductors(x, 0.53, 10.0),
        [differences(1e-3, 16), differences(1e-3, 32, 4), differences(1e-2, 128)], "piecewise parabola",
        'coefficient: "1 + 9*step(x - 0.53)"', quick=True),
    sbp("sbp_jump_at_edge", "1", CHANNEL, lambda x: two_conductors(x, 0.5, 10.0),
        [differences(1e-3, 4), differences(1e-8, 16), differences(1e-8, 16, 4)], "piecewise parabola",
        HALVES + 'coefficient: "1 + 9*step(x - 0.5)"'),
    sbp("sbp_narrow_source", "1 + 100*exp(-3e5*(x - 0.4137)^2)", CHANNEL, lambda x: narrow_source(x, 0.4137),
        [differences(1e-3, 16), differences(1e-3, 64), differences(1e-3, 48, 4)], "error function"),
    sbp("sbp_hidden_spot", "1 + 100*exp(-3e4*((x - 0.3137)^2 + (y - 0.6271)^2))", WALLS, hidden_spot,
        [differences(1e-3, 16), differences(1e-3, 20, 4), differences(1e-3, 60), differences(1e-2, 480, 4)],
        "sine series of the spot"),
    sbp("sbp_hidden_value", "0", ["u(x=0) = 0", "u(x=1) = 0", "u(y=1) = 0",
                                  "u(y=0) = sin(pi*x) + 100*exp(-3e6*(x - 0.3137)^2)"], hidden_value,
        [differences(1e-2, 16), differences(1e-2, 24, 4), differences(1e-2, 100)], "sine series", quick=True),
    sbp("sbp_hidden_coefficient", "1", CHANNEL, narrow_resistance,
        [differences(1e-3, 16), differences(1e-3, 48), differences(1e-3, 48, 4)], "error function",
        'coefficient: "1/(1 + 1000*exp(-3e5*(x - 0.4137)^2))"'),
    sbp("sbp_hidden_ring", "1 + 100*exp(-3e5*(sqrt(x^2 + y^2) - 1.4137)^2)",
        ["u(r=1) = 0", "u(r=2) = 0", "flux(s=0) = 0", "flux(s=pi/2) = 0"], hidden_ring,
        [differences(1e-3, 16), differences(1e-3, 32, 4)], "trapezoidal sums on a mapped ring",
        'mapping: {x: "r*cos(s)", y: "r*sin(s)"}', domain="r: [1, 2], s: [0, pi/2]"),
    sbp("sbp_contrast_1e6", "5*pi^2*sin(2*pi*x)*sin(pi*y)", WALLS, contrast(1e6),
        [differences(1e-3, 8), differences(1e-3, 48), differences(1e-5, 48, 4)], "sine modes over c",
        HALVES + 'coefficient: "1 + (1e6 - 1)*step(x - 0.5)"', quick=True),
    sbp("sbp_contrast_1e9", "5*pi^2*sin(2*pi*x)*sin(pi*y)", WALLS, contrast(1e9),
        [differences(1e-3, 48), differences(1e-5, 48, 4)], "sine modes over c",
        HALVES + 'coefficient: "1 + (1e9 - 1)*step(x - 0.5)"'),
    sbp("sbp_contrast_reversed", "5*pi^2*sin(2*pi*x)*sin(pi*y)", WALLS,
        lambda x, y: np.sin(2 * np.pi * x) * np.sin(np.pi * y) * np.where(x < 0.5, 1e6, 1),
        [differences(1e-3, 48), differences(1e-5, 48, 4)], "sine modes over c",
        HALVES + 'coefficient: "1e-6 + (1 - 1e-6)*step(x - 0.5)"'),
    *(sbp(f"sbp_insulated_inclusion_{name}", "8*pi^2*cos(2*pi*x)*cos(2*pi*y)",
          [f"flux({axis}={end}) = 0" for axis in "xy" for end in (0, 1)], inclusion(factor),
          [differences(1e-3, 12), differences(1e-5, 32, 4), differences(1e-6, 48, 6)], "cosine mode over c",
          'blocks: {x: [0, 0.25, 0.75, 1], y: [0, 0.25, 0.75, 1]}\n'
          f'coefficient: "1 + ({factor} - 1)*step(0.25 - abs(x - 0.5))*step(0.25 - abs(y - 0.5))"')
      for name, factor in (("conducting", 1e9), ("insulating", 1e-9))),
    sbp("sbp_torsion", "1", WALLS, torsion, [differences(1e-3, 8), differences(1e-3, 40), differences(1e-5, 64, 4),
                                             differences(1e-7, 32, 4)], "series"),
    sbp("sbp_neumann", "5*pi^2*cos(pi*x)*cos(2*pi*y)", [f"flux({axis}={end}) = 0" for axis in "xy" for end in (0, 1)],
        lambda x, y: np.cos(np.pi * x) * np.cos(2 * np.pi * y),
        [differences(1e-3, 12), differences(1e-3, 64), differences(1e-5, 48, 4)], "cosine mode"),
    sbp("sbp_robin", "-2*exp(x + y)", ["flux(x=0) + u(x=0) = 0", "flux(x=1) + u(x=1) = 2*exp(1 + y)",
                                       "flux(y=0) + 3*u(y=0) = 2*exp(x)", "u(y=1) = exp(x + 1)"],
        lambda x, y: np.exp(x + y), [differences(1e-3, 8), differences(1e-6, 24), differences(1e-6, 24, 4)],
        "exp(x + y)"),
    sbp("sbp_variable", "-(2 + 2*x*y + x + y)*exp(x + y)",
        ["u(x=0) = exp(y)", "u(x=1) = exp(1 + y)", "u(y=0) = exp(x)", "u(y=1) = exp(1 + x)"],
        lambda x, y: np.exp(x + y), [differences(1e-3, 8), differences(1e-6, 24), differences(1e-6, 32, 4)],
        "exp(x + y)", 'coefficient: "1 + x*y"'),
    sbp("sbp_mixed", "8*sin(x + 2*y)", ["u(x=0) = sin(2*y)", "u(x=1) = sin(1 + 2*y)", "u(y=0) = sin(x)",
                                        "u(y=1) = sin(x + 2)"], lambda x, y: np.sin(x + 2 * y),
        [differences(1e-3, 8), differences(1e-5, 16), differences(1e-5, 32, 4)], "sin(x + 2y)",
        "coefficient: {xx: 2, xy: 0.5, yy: 1}"),
    sbp("sbp_ring", "0", ["u(r=1) = exp(x)*sin(y)", "u(r=2) = exp(x)*sin(y)", "u(s=0) = 0", "u(s=pi/2) = sin(y)"],
        lambda r, s: np.exp(r * np.cos(s)) * np.sin(r * np.sin(s)),
        [differences(1e-3, 8), differences(1e-3, 40), differences(1e-5, 40, 4)], "harmonic function on a mapped ring",
        'mapping: {x: "r*cos(s)", y: "r*sin(s)"}', domain="r: [1, 2], s: [0, pi/2]"),
    bvp("recurrence_smooth", "pi^2/4*cos(pi/2*x)", ["dx(u)(x=0) = 0", "u(x=1) = 0"], lambda x: np.cos(np.pi / 2 * x),
        [recurrence(1e-3, 8), recurrence(1e-3, 64), recurrence(1e-6, 64), recurrence(1e-6, 32, 4),
         recurrence(1e-9, 65536)], "cos(pi x/2)", quick=True),
    bvp("recurrence_oscillating", "1000*cos(50*x)", ENDS,
        lambda x: 0.4 * (np.cos(50 * x) - (1 - x) - x * np.cos(50.0)),
        [recurrence(1e-3, 8), recurrence(1e-3, 16), recurrence(1e-3, 16, 4), recurrence(1e-3, 2048),
         recurrence(1e-3, 256, 4)], "closed form", quick=True),
    bvp("recurrence_aliased", "100*cos(16*pi*x) + 1", ENDS,
        lambda x: x * (1 - x) / 2 + 100 / (16 * np.pi)**2 * (np.cos(16 * np.pi * x) - 1),
        [recurrence(1e-3, 8), recurrence(1e-3, 16), recurrence(1e-2, 1024)], "closed form"),
    bvp("recurrence_reaction", "900", ENDS,
        lambda x: 1 - (np.exp(-30 * x) + np.exp(-30 * (1 - x))) / (1 + np.exp(-30.0)),
        [recurrence(1e-3, 16), recurrence(1e-3, 1000), recurrence(1e-6, 400, 4)], "layers", "reaction: 900"),
    bvp("recurrence_narrow_source", "1 + 100*exp(-3e5*(x - 0.4137)^2)", ENDS, lambda x: narrow_source(x, 0.4137),
        [recurrence(1e-3, 8), recurrence(1e-3, 128), recurrence(1e-3, 64, 4), recurrence(1e-4, 65536)],
        "error function"),
    bvp("recurrence_hidden_pulse", "1 + 1e6*exp(-3e12*(x - 0.4137)^2)", ENDS,
        lambda x: narrow_source(x, 0.4137, 1e6, 3e12),
        [recurrence(1e-3, 16), recurrence(1e-3, 4096), recurrence(1e-3, 2**22)], "error function", quick=True),
    bvp("recurrence_hidden_step", "1000*step(x - 0.4)*step(0.4001 - x)", ENDS, narrow_step,
        [recurrence(1e-3, 16), recurrence(1e-3, 401), recurrence(1e-3, 300, 4)], "piecewise parabola"),
    bvp("recurrence_jump", "step(x - 0.3137)", ENDS, jump_in_source,
        [recurrence(1e-3, 16), recurrence(1e-3, 16, 4), recurrence(1e-3, 4096)], "piecewise parabola"),
    bvp("recurrence_neumann", "sin(x) + 4*cos(2*x)", ["dx(u)(x=0) = 1", "dx(u)(x=2*pi) = 1", "integral(u, x) = 0"],
        lambda x: np.sin(x) + np.cos(2 * x), [recurrence(1e-3, 16), recurrence(1e-3, 512), recurrence(1e-6, 256, 4)],
        "closed form", domain="[0, 2*pi]"),
    bvp("recurrence_robin", "13*sin(3*x)", ["u(x=0) - dx(u)(x=0) = -3", "u(x=1) + dx(u)(x=1) = sin(3) + 3*cos(3)"],
        lambda x: np.sin(3 * x), [recurrence(1e-3, 10), recurrence(1e-3, 200), recurrence(1e-6, 100, 4)],
        "sin(3x)", "reaction: 4"),
]
