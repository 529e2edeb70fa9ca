"""Data that the points of a run and of its finer solution do not show: aliased waves, narrow sources and coefficients."""
import math

import numpy as np

from problem import Problem, automatic, fixed
from problems.ordinary import initial_value_problem

_erf = np.vectorize(math.erf)


def aliased_source(name, k, amplitude, runs, quick=False):
    """u = sin x + t (cos x + A cos kx)."""
    return Problem(
        name, "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
        f'equations: ["dt(u) = cos(x) + {amplitude}*cos({k}*x)"]\ninitial: {{u: "sin(x)"}}\n'
        "output: {grid: {t: 5, x: 401}}\n",
        {"u": lambda t, x: np.sin(x) + t * (np.cos(x) + amplitude * np.cos(k * x))}, runs, "closed form", quick=quick)


def _spike(a, c, x):
    """v'' = exp(-c (x - a)^2)."""
    s = np.sqrt(c)
    return (x - a) * np.sqrt(np.pi) / (2 * s) * _erf(s * (x - a)) + np.exp(-c * (x - a) ** 2) / (2 * c)


def rod(name, amplitude, a, c, runs, quick=False):
    """-u'' = 1 + A exp(-c (x - a)^2), u = 0 at both ends."""
    v0, v1 = _spike(a, c, 0.0), _spike(a, c, 1.0)
    return Problem(
        name, "domain: {x: [0, 1]}\nunknowns: [u]\n"
        f'equations: ["-dx(u,2) = 1 + {amplitude}*exp(-{c:g}*(x - {a})^2)"]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 0"]\noutput: {grid: {x: 401}}\n',
        {"u": lambda x: x * (1 - x) / 2 - amplitude * (_spike(a, c, x) - v0 - (v1 - v0) * x)}, runs,
        "closed form with error functions", quick=quick)


def pulse(name, amplitude, at, c, runs, quick=False):
    """u' = 1 + A exp(-c (t - a)^2), u(0) = 0."""
    s = np.sqrt(c)
    return initial_value_problem(
        name, 1, ["u"], [f"dt(u) = 1 + {amplitude}*exp(-{c:g}*(t - {at})^2)"], {"u": "0"},
        {"u": lambda t: t + amplitude * np.sqrt(np.pi) / (2 * s) * (_erf(s * (t - at)) + _erf(s * at))}, runs,
        "closed form with error functions", quick=quick)


def heated_pulse(name, amplitude, at, width, runs, quick=False):
    """u_t = 0.1 u_xx + sin(pi x) + A exp(-((t - a)/w)^2) sin(2 pi x) between walls at 0, from 0."""
    slow, fast = 0.1 * np.pi**2, 0.4 * np.pi**2
    def grown(t):
        half = fast * width / 2
        return (amplitude * width * np.sqrt(np.pi) / 2 * np.exp(half**2 - fast * (t - at))
                * (_erf((t - at) / width - half) + _erf(at / width + half)))
    return Problem(
        name, "domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\n"
        f'equations: ["dt(u) = 0.1*dx(u,2) + sin(pi*x) + {amplitude}*exp(-((t - {at})/{width})^2)*sin(2*pi*x)"]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 0"]\ninitial: {u: "0"}\noutput: {grid: {t: 201, x: 65}}\n',
        {"u": lambda t, x: (1 - np.exp(-slow * t)) / slow * np.sin(np.pi * x) + grown(t) * np.sin(2 * np.pi * x)}, runs,
        "closed form with error functions", quick=quick)


def spot(name, amplitude, a, b, width, runs, quick=False):
    """-u_xx - u_yy = 2 pi^2 sin(pi x) sin(pi y) + A exp(-|r - (a, b)|^2/w^2), u = 0 around the unit square."""
    def answer(x, y):
        m = np.arange(1, int(8 / width) // 2)
        damped = np.exp(-(np.pi * m * width) ** 2 / 4)
        c = 4 * amplitude * np.pi * width**2 * np.outer(damped * np.sin(np.pi * m * a), damped * np.sin(np.pi * m * b))
        c /= np.pi**2 * (m[:, None] ** 2 + m[None, :] ** 2)
        c[0, 0] += 1.0
        xs, ys = np.unique(x), np.unique(y)
        values = np.sin(np.pi * np.outer(xs, m)) @ c @ np.sin(np.pi * np.outer(m, ys))
        return values[np.searchsorted(xs, x), np.searchsorted(ys, y)]
    return Problem(
        name, "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\n"
        f'equations: ["-dx(u,2) - dy(u,2) = 2*pi^2*sin(pi*x)*sin(pi*y) + {amplitude}*exp(-((x - {a})^2 + (y - {b})^2)/{width}^2)"]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]\noutput: {grid: {x: 101, y: 101}}\n',
        {"u": answer}, runs, "sine series", quick=quick)


def conductivity(name, amplitude, a, c, runs, quick=False):
    """((1 + A exp(-c (u - a)^2)) u')' = 0, u(0) = 0, u(1) = 1: K(u) = x K(1), K' the conductivity."""
    s = np.sqrt(c)
    u = np.union1d(np.linspace(0, 1, 4001), np.clip(a + np.linspace(-8, 8, 4001) / s, 0, 1))
    potential = u + amplitude * np.sqrt(np.pi) / (2 * s) * (_erf(s * (u - a)) + _erf(s * a))
    return Problem(
        name, "domain: {x: [0, 1]}\nunknowns: [u]\n"
        f'equations: ["dx((1 + {amplitude}*exp(-{c:g}*(u - {a})^2))*dx(u)) = 0"]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 1"]\nguess: {u: "x"}\noutput: {grid: {x: 401}}\n',
        {"u": lambda x: np.interp(x * potential[-1], potential, u)}, runs,
        "Kirchhoff's transformation, inverted by interpolation to 1e-7", quick=quick)


FOURIER_RUNS = [automatic(1e-3), automatic(1e-6), fixed(1e-6, t=8, x=8), fixed(1e-6, t=8, x=40)]
ROD_RUNS = [automatic(1e-4), automatic(1e-6), automatic(1e-8), fixed(1e-6, x=16)]
PULSE_RUNS = [automatic(1e-3), automatic(1e-6), fixed(1e-6, t=8, windows=4)]
HEATED_RUNS = [automatic(1e-4), automatic(1e-5), fixed(1e-5, t=10, x=16, windows=3)]
SPOT_RUNS = [automatic(1e-4), automatic(1e-6), fixed(1e-6, x=24, y=24)]

PROBLEMS = [
    aliased_source("aliased_source_16", 16, 0.09, FOURIER_RUNS),
    aliased_source("aliased_source_24", 24, 0.09, FOURIER_RUNS, quick=True),
    aliased_source("aliased_source_32", 32, 0.05, FOURIER_RUNS),
    aliased_source("seen_source_3", 3, 0.09, FOURIER_RUNS),
    aliased_source("seen_source_6", 6, 0.3, FOURIER_RUNS),
    rod("rod_small_source", 0.08, 0.4137, 3e5, ROD_RUNS, quick=True),
    rod("rod_smaller_source", 0.03, 0.61, 3e4, ROD_RUNS),
    rod("rod_wide_source", 0.5, 0.4137, 30, ROD_RUNS),
    pulse("pulse_small", 0.09, 0.4137, 1e5, PULSE_RUNS, quick=True),
    pulse("pulse_wide", 0.5, 0.4137, 20, PULSE_RUNS),
    pulse("pulse_smaller", 0.09, 0.4137, 1e9, [automatic(1e-4), automatic(1e-6), fixed(1e-6, t=12, windows=4)], quick=True),
    pulse("pulse_tiny", 0.01, 0.7071, 1e7, [automatic(1e-4), automatic(1e-7), fixed(1e-7, t=12, windows=2)]),
    heated_pulse("heated_pulse_small", 0.09, 0.37, 1e-3, HEATED_RUNS, quick=True),
    heated_pulse("heated_pulse_wide", 0.5, 0.4, 0.1, HEATED_RUNS),
    spot("spot_small", 1.5, 0.4142, 0.5772, 4e-3, SPOT_RUNS),
    spot("spot_wide", 1.5, 0.4142, 0.5772, 0.1, SPOT_RUNS),
    conductivity("conductivity_narrow", 1000, 0.4137, 1e6, [automatic(1e-4), automatic(1e-6), fixed(1e-4, x=16)], quick=True),
    conductivity("conductivity_wide", 2, 0.4137, 20, [automatic(1e-3), automatic(1e-5)]),
]
