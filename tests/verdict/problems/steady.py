"""Boundary value problems in one dimension."""
import numpy as np

from problem import NO_ANSWER, Problem, automatic, fixed, root


def outflow_layer(x, eps):
    """-eps u'' + u' = 1, u = 0 at the ends."""
    return x - (np.exp(-(1 - x) / eps) - np.exp(-1 / eps)) / (1 - np.exp(-1 / eps))


def two_layers(x, eps):
    """-eps^2 u'' + u = 1, u = 0 at the ends."""
    return 1 - (np.exp(-x / eps) + np.exp(-(1 - x) / eps)) / (1 + np.exp(-1 / eps))


def shock(x, eps):
    """eps u'' = u u', u = 1 and -1 at the ends."""
    a = root(lambda a: a * np.tanh(a / (4 * eps)) - 1, 0.5, 2)
    return -a * np.tanh(a * (x - 0.5) / (2 * eps))


BRATU = {lam: root(lambda z, lam=lam: 8 * z**2 / np.cosh(z)**2 - lam, 0.01, 1.19) for lam in (1, 3.5)}
BRATU_UPPER = root(lambda z: 8 * z**2 / np.cosh(z)**2 - 1, 1.3, 6)
NEAR_RESONANCE = np.pi + 1e-6


def bratu(x, z):
    return 2 * np.log(np.cosh(z) / np.cosh(z * (1 - 2 * x)))


def periodic(x):
    """-u'' + u = exp(sin x) by Fourier series."""
    n = 64
    source = np.fft.rfft(np.exp(np.sin(2 * np.pi * np.arange(n) / n))) / n
    k = np.arange(source.size)
    mode = source / (1 + k**2) * np.where(k == 0, 1, 2)
    return np.real(np.exp(1j * np.multiply.outer(x, k)) @ mode)


def two_conductors(x):
    """((1 + 4 step(x - 0.4)) u')' = -1, u = 0 at the ends: flux q = c - x."""
    c = (0.08 + (1 - 0.16) / 10) / (0.4 + 0.12)
    return np.where(x < 0.4, c * x - x**2 / 2, -(c * (1 - x) - (1 - x**2) / 2) / 5)


def rod(name, equation, boundary, answer, runs, origin, space="[0, 1]", extra="", quick=False, points=999):
    case = f"domain: {{x: {space}}}\nunknowns: [u]\nequations: [\"{equation}\"]\nboundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary) + extra
    case += f"output: {{grid: {{x: {points}}}}}\n"
    return Problem(name, case, {"u": answer} if answer else NO_ANSWER, runs, origin, quick)


ZERO = ["u(x=0) = 0", "u(x=1) = 0"]

PROBLEMS = [
    rod("layer_0.1", "-0.1*dx(u,2) + dx(u) = 1", ZERO, lambda x: outflow_layer(x, 0.1),
        [fixed(1e-6, x=8), fixed(1e-6, x=24), automatic(1e-9)], "closed form", quick=True),
    rod("layer_0.03", "-0.03*dx(u,2) + dx(u) = 1", ZERO, lambda x: outflow_layer(x, 0.03),
        [fixed(1e-6, x=16), fixed(1e-6, x=40), fixed(1e-6, x=16, domains={"x": [0, 0.8, 1]}), automatic(1e-8)],
        "closed form"),
    rod("layer_0.01", "-0.01*dx(u,2) + dx(u) = 1", ZERO, lambda x: outflow_layer(x, 0.01),
        [fixed(1e-6, x=32), fixed(1e-6, x=72), automatic(1e-8)], "closed form"),
    rod("layer_0.001", "-0.001*dx(u,2) + dx(u) = 1", ZERO, lambda x: outflow_layer(x, 0.001),
        [fixed(1e-6, x=64), fixed(1e-6, x=256), fixed(1e-6, x=320), automatic(1e-6)], "closed form",
        points=4999),
    rod("two_layers_0.05", "-0.0025*dx(u,2) + u = 1", ZERO, lambda x: two_layers(x, 0.05),
        [fixed(1e-6, x=14), fixed(1e-6, x=36), automatic(1e-8)], "closed form"),
    rod("two_layers_0.001", "-1e-6*dx(u,2) + u = 1", ZERO, lambda x: two_layers(x, 0.001),
        [fixed(1e-6, x=48), fixed(1e-6, x=20, domains={"x": [0, 0.01, 0.1, 0.9, 0.99, 1]}), automatic(1e-6)],
        "closed form", points=4999),
    rod("shock_of_burgers", "0.05*dx(u,2) = u*dx(u)", ["u(x=0) = 1", "u(x=1) = -1"],
        lambda x: shock(x, 0.05), [fixed(1e-6, x=24), fixed(1e-6, x=64), automatic(1e-8)], "closed form",
        extra='guess: {u: "-tanh((x - 0.5)/0.1)"}\n'),
    rod("shock_of_burgers_wrong", "0.01*dx(u,2) = u*dx(u)", ["u(x=0) = 1", "u(x=1) = -1"],
        lambda x: shock(x, 0.01),
        [automatic(1e-8), fixed(1e-6, x=128)], "closed form: the layer is at 1/2, not at 0.3 where the guess has it",
        extra='guess: {u: "-tanh((x - 0.3)/0.02)"}\n', quick=True),
    rod("bratu_lower", "dx(u,2) + exp(u) = 0", ZERO, lambda x: bratu(x, BRATU[1]),
        [fixed(1e-6, x=4), fixed(1e-6, x=14), automatic(1e-9)], "closed form", quick=True),
    rod("bratu_near_fold", "dx(u,2) + 3.5*exp(u) = 0", ZERO, lambda x: bratu(x, BRATU[3.5]),
        [fixed(1e-6, x=6), fixed(1e-6, x=24), automatic(1e-8)], "closed form"),
    rod("bratu_upper", "dx(u,2) + exp(u) = 0", ZERO, lambda x: bratu(x, BRATU_UPPER),
        [fixed(1e-6, x=10), fixed(1e-6, x=40)], "closed form, from a guess near the upper solution",
        extra='guess: {u: "4.1*sin(pi*x)"}\n'),
    rod("inverse_square", "dx(u,2) = 6*u^2", ["u(x=0) = 1", "u(x=1) = 0.25"], lambda x: 1 / (1 + x)**2,
        [fixed(1e-6, x=5), fixed(1e-6, x=16), automatic(1e-9)], "1/(1 + x)^2", extra='guess: {u: "1 - 0.75*x"}\n'),
    rod("oscillations", "dx(u,2) + 2500*u = 0", ["u(x=0) = 0", "u(x=1) = 1"],
        lambda x: np.sin(50 * x) / np.sin(50.0), [fixed(1e-6, x=24), fixed(1e-6, x=32), fixed(1e-6, x=56),
                                                   automatic(1e-8)], "closed form"),
    rod("near_resonance", f"dx(u,2) + {NEAR_RESONANCE!r}^2*u = 1", ZERO,
        lambda x: (1 - np.cos(NEAR_RESONANCE * (x - 0.5)) / np.cos(NEAR_RESONANCE / 2)) / NEAR_RESONANCE**2,
        [fixed(1e-6, x=8), fixed(1e-6, x=20)], "closed form; the distance to resonance has 10 digits"),
    rod("beam_static", "dx(u,4) = 24", ZERO + ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"],
        lambda x: x**2 * (1 - x)**2, [fixed(1e-10, x=8), fixed(1e-10, x=24), automatic(1e-9)], "a polynomial"),
    rod("kink_with_edge", "dx(u,2) = abs(x - 0.3)", ZERO,
        lambda x: np.abs(x - 0.3)**3 / 6 - 0.027 / 6 * (1 - x) - 0.343 / 6 * x,
        [fixed(1e-8, x=6, domains={"x": [0, 0.3, 1]}), automatic(1e-8, domains={"x": [0, 0.3, 1]}), automatic(1e-8)],
        "closed form"),
    rod("kink_without_edge", "dx(u,2) = abs(x - 0.3)", ZERO,
        lambda x: np.abs(x - 0.3)**3 / 6 - 0.027 / 6 * (1 - x) - 0.343 / 6 * x,
        [fixed(1e-6, x=10), fixed(1e-2, x=10), fixed(1e-4, x=100)], "closed form"),
    rod("jump_with_edge", "dx(u,2) = step(x - 0.3)", ZERO,
        lambda x: np.maximum(x - 0.3, 0)**2 / 2 - 0.245 * x,
        [fixed(1e-8, x=6, domains={"x": [0, 0.3, 1]}), fixed(1e-6, x=16), automatic(1e-7)], "closed form"),
    Problem("two_conductors", """
domain: {x: [0, 1]}
unknowns: [u, q]
equations: ["q = (1 + 4*step(x - 0.4))*dx(u)", "dx(q) = -1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", {"u": two_conductors}, [fixed(1e-8, x=5, domains={"x": [0, 0.4, 1]}), fixed(1e-6, x=17),
                             automatic(1e-8, domains={"x": [0, 0.4, 1]})], "closed form"),
    Problem("eigenvalue", """
domain: {x: [0, 1]}
unknowns: [u, {name: lam, dims: []}]
equations: ["dx(u,2) + lam*u = 0", "integral(u^2, x) = 0.5"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
guess: {u: "3*x*(1 - x)", lam: "9"}
output: {fields: {u: u, lam: lam}}
""", {"u": lambda x: np.sin(np.pi * x), "lam": lambda: np.pi**2},
            [fixed(1e-6, x=6), fixed(1e-6, x=14)], "sin(pi x), pi^2"),
    rod("integral_condition", "-dx(u,2) = cos(3*x)", ["dx(u)(x=0) = 0", "integral(u, x) = 0"],
        lambda x: (np.cos(3 * x) - np.sin(3.0) / 3) / 9, [fixed(1e-8, x=5), fixed(1e-8, x=16)], "closed form"),
    rod("lane_emden_1", "x*dx(u,2) + 2*dx(u) + x*u = 0", ["u(x=0) = 1", "dx(u)(x=0) = 0"],
        lambda x: np.sinc(x / np.pi), [fixed(1e-6, x=6), fixed(1e-6, x=14)], "sin(x)/x", space="[0, 3]"),
    rod("lane_emden_5", "x*dx(u,2) + 2*dx(u) + x*u^5 = 0", ["u(x=0) = 1", "dx(u)(x=0) = 0"],
        lambda x: 1 / np.sqrt(1 + x**2 / 3), [fixed(1e-6, x=8), fixed(1e-6, x=32)], "1/sqrt(1 + x^2/3)",
        space="[0, 4]", extra='guess: {u: "1 - x/8"}\n'),
    rod("periodic_sources", "-dx(u,2) + u = exp(sin(x))", ["u(x=0) = u(x=2*pi)", "dx(u)(x=0) = dx(u)(x=2*pi)"],
        periodic, [fixed(1e-6, x=12), fixed(1e-6, x=30), automatic(1e-8)], "Fourier series", space="[0, 2*pi]"),
    rod("logarithmic_space", "x^2*dx(u,2) + x*dx(u) + u = 0", ["u(x=1) = 0", "u(x=100) = 1"],
        lambda x: np.sin(np.log(x)) / np.sin(np.log(100)), [fixed(1e-6, x=4), fixed(1e-6, x=16)],
        "Euler's equation", space="{range: [1, 100], map: log}"),
    rod("steep_by_hand", "dx(u,2) = 1/x^3", ["u(x=0.01) = 50", "u(x=1) = 0.5"], lambda x: 1 / (2 * x),
        [fixed(1e-6, x=32), fixed(1e-6, x=14, domains={"x": [0.01, 0.02, 0.05, 0.15, 0.4, 1]}), automatic(1e-7)],
        "1/(2x)", space="[0.01, 1]"),
]
