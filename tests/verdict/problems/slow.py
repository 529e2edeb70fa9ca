"""Series that fall slowly, by singular points of the equations, and coefficients that nearly vanish within a layer."""
import numpy as np

from problem import Problem, automatic, fixed
from problems.ordinary import initial_value_problem


def power(name, a, runs, quick=False):
    """x u' = a u, u(1) = 1: levels fall as n^-(2a + 1)."""
    return Problem(
        name, f'domain: {{x: [0, 1]}}\nunknowns: [u]\nequations: ["x*dx(u) = {a}*u"]\nboundary: ["u(x=1) = 1"]\n'
        "output: {grid: {x: 1001}}\n", {"u": lambda x: x ** a}, runs, "closed form", quick=quick)


def logarithm(name, n, runs):
    """x u' = n u + x^n, u(1) = 0: u = x^n log x."""
    return Problem(
        name, f'domain: {{x: [0, 1]}}\nunknowns: [u]\nequations: ["x*dx(u) = {n}*u + x^{n}"]\n'
        'boundary: ["u(x=1) = 0"]\noutput: {grid: {x: 1001}}\n',
        {"u": lambda x: x ** n * np.log(np.maximum(x, 1e-300))}, runs, "closed form")


def start(name, a, runs, quick=False):
    """u' = a t^(a-1), u(0) = 0."""
    return initial_value_problem(name, 1, ["u"], [f"dt(u) = {a}*t^({a} - 1)"], {"u": "0"}, {"u": lambda t: t ** a}, runs,
                                 "closed form", quick=quick)


def layer(name, a, width, runs, quick=False):
    """(w^2 + (x - a)^2) u' = w + (w^2 + (x - a)^2) cos x: u = sin x + atan((x - a)/w) + atan(a/w)."""
    c = f"({width ** 2:g} + (x - {a})^2)"
    return Problem(
        name, f'domain: {{x: [0, 1]}}\nunknowns: [u]\nequations: ["{c}*dx(u) = {width:g} + {c}*cos(x)"]\n'
        'boundary: ["u(x=0) = 0"]\noutput: {grid: {x: 1001}}\n',
        {"u": lambda x: np.sin(x) + np.arctan((x - a) / width) + np.arctan(a / width)}, runs, "closed form", quick=quick)


def diffusivity(name, a, width, share, runs, quick=False):
    """(D u')' = 0 between 0 and 1, 1/D = 1 + s/(1 + ((x - a)/w)^2): a film that insulates."""
    def resistance(x):
        return x + share * width * (np.arctan((x - a) / width) + np.arctan(a / width))
    y = f"((x - {a})/{width:g})^2"
    return Problem(
        name, "domain: {x: [0, 1]}\nunknowns: [u]\n"
        f'equations: ["dx((1 + {y})/(1 + {share:g} + {y})*dx(u)) = 0"]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 1"]\noutput: {grid: {x: 1001}}\n',
        {"u": lambda x: resistance(x) / resistance(1.0)}, runs, "sum of resistances", quick=quick)


def smooth_coefficient(name, c, integral, runs):
    """c u' = 1, u(0) = 0: no alarm."""
    return Problem(
        name, f'domain: {{x: [0, 1]}}\nunknowns: [u]\nequations: ["({c})*dx(u) = 1"]\nboundary: ["u(x=0) = 0"]\n'
        "output: {grid: {x: 401}}\n", {"u": integral}, runs, "closed form")


POWER_RUNS = [automatic(1e-2), automatic(1e-4), fixed(1e-4, x=16), fixed(1e-4, x=200), fixed(1e-2, x=40)]
LOGARITHM_RUNS = [automatic(1e-3), automatic(1e-6), fixed(1e-4, x=100), fixed(1e-4, x=400)]
START_RUNS = [automatic(1e-2), automatic(1e-4), fixed(1e-1, t=12, windows=4), fixed(1.5e-2, t=12, windows=4),
              fixed(1.3e-3, t=12, windows=4), fixed(1e-4, t=12, windows=20)]
LAYER_RUNS = [automatic(1e-3), automatic(1e-6), fixed(1e-4, x=24), fixed(1e-4, x=150)]
SMOOTH_RUNS = [automatic(1e-4), automatic(1e-8), fixed(1e-4, x=24)]

PROBLEMS = [
    power("power_half", 0.5, POWER_RUNS, quick=True),
    power("power_quarter", 0.25, [automatic(1e-2)] + POWER_RUNS[2:]),
    power("power_three_quarters", 0.75, POWER_RUNS),
    power("power_five_halves", 2.5, POWER_RUNS),
    logarithm("logarithm_1", 1, LOGARITHM_RUNS),
    logarithm("logarithm_2", 2, LOGARITHM_RUNS),
    start("start_root", 0.5, START_RUNS, quick=True),
    start("start_quarter", 0.25, START_RUNS),
    start("start_three_quarters", 0.75, START_RUNS),
    start("start_smooth", 4, START_RUNS),
    layer("critical_layer", 0.4137, 1e-9, LAYER_RUNS, quick=True),
    layer("critical_layer_wider", 0.731, 1e-5, LAYER_RUNS),
    layer("layer_seen", 0.4137, 0.2, LAYER_RUNS),
    diffusivity("insulating_film", 0.4137, 1e-5, 3e4, LAYER_RUNS, quick=True),
    diffusivity("insulating_wall", 0.4137, 0.2, 3, LAYER_RUNS),
    smooth_coefficient("coefficient_exponential", "exp(-3*x)", lambda x: (np.exp(3 * x) - 1) / 3, SMOOTH_RUNS),
    smooth_coefficient("coefficient_parabola", "1.1 - x^2",
                       lambda x: np.log((1.1 ** 0.5 + x) / (1.1 ** 0.5 - x)) / (2 * 1.1 ** 0.5), SMOOTH_RUNS),
    smooth_coefficient("coefficient_near_zero", "0.01 + x^2", lambda x: 10 * np.arctan(10 * x), SMOOTH_RUNS),
]
