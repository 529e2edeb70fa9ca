"""Modes that grow while time is taken in long windows, which damp them, and growth that is followed."""
import numpy as np

from problem import Problem, automatic, fixed
from problems.ordinary import initial_value_problem

PERIODIC = "domain: {t: [0, %g], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"


def oscillator(name, end, growth, frequency, seed, runs, quick=False):
    """u = cos t + seed e^(gt) (cos wt - g/w sin wt), w^2 = frequency^2 - g^2."""
    w = np.sqrt(frequency**2 - growth**2)
    return initial_value_problem(
        name, end, ["u"], [f"dt(u,2) = {2*growth}*(dt(u) + sin(t)) - {frequency**2}*(u - cos(t)) - cos(t)"],
        {"u": f"1 + {seed}", '"dt(u)"': "0"},
        {"u": lambda t: np.cos(t) + seed * np.exp(growth * t) * (np.cos(w * t) - growth / w * np.sin(w * t))},
        runs, f"cos t and an oscillation of frequency {frequency} that grows as exp({growth}t)", quick=quick)


def wave(name, end, growth, speed, seed, runs, quick=False, k=2):
    """u = cos x + seed e^((g - d k^2) t) cos(k x - k c t), d = 0.01."""
    return Problem(
        name, PERIODIC % end + f'equations: ["dt(u) + {speed}*dx(u - cos(x)) = {growth}*(u - cos(x)) '
        f'+ 0.01*dx(u - cos(x), 2)"]\ninitial: {{u: "cos(x) + {seed}*cos({k}*x)"}}\noutput: {{grid: {{t: 401, x: 65}}}}\n',
        {"u": lambda t, x: np.cos(x) + seed * np.exp((growth - 0.01 * k**2) * t) * np.cos(k * (x - speed * t))},
        runs, f"cos x and a travelling wave that grows as exp({growth}t)", quick=quick)


def along(name, end, rate, integral, runs, quick=False):
    """u' = r(t) u, u(0) = 1."""
    return initial_value_problem(name, end, ["u"], [f"dt(u) = {rate}*u"], {"u": "1"},
                                 {"u": lambda t: np.exp(integral(t))}, runs,
                                 "the exponential of the integral of the rate", quick=quick)


def threshold(name, end, rate, start, runs, quick=False):
    """u' = r u (1 - u), u(0) = 1 + start, of which the program sees 1."""
    return initial_value_problem(
        name, end, ["u"], [f"dt(u) = -{rate}*(1 - u)*(2 - u)"], {"u": f"1 + {start}"},
        {"u": lambda t: 1 + start * np.exp(rate * t) / (1 - start + start * np.exp(rate * t))},
        runs, "closed form: it leaves 1 for 2", quick=quick)


ODE_RUNS = [automatic(1e-3), automatic(1e-6), automatic(1e-8), fixed(1e-6, t=12, windows=4), fixed(1e-6, t=12, windows=12),
            fixed(1e-6, t=16, windows=64)]
WAVE_RUNS = [automatic(1e-3), automatic(1e-6), fixed(1e-6, t=12, x=8, windows=6), fixed(1e-6, t=12, x=8, windows=40)]

PROBLEMS = [
    oscillator("flutter", 4.2, 5, 100, 1e-9, ODE_RUNS, quick=True),
    oscillator("flutter_slow_growth", 9, 2, 400, 1e-8, [*ODE_RUNS[:2], *ODE_RUNS[3:]]),
    oscillator("flutter_damped", 3, -2, 80, 1e-2, ODE_RUNS),
    oscillator("flutter_seen", 2, 3, 10, 1e-2, ODE_RUNS),
    along("dip", 20, "(t - 10)", lambda t: t**2 / 2 - 10 * t, ODE_RUNS, quick=True),
    along("dip_periodic", 24, "(20*cos(2*pi*t/12 + pi))", lambda t: -20 * 12 / (2 * np.pi) * np.sin(2 * np.pi * t / 12),
          ODE_RUNS),
    along("dip_shallow", 4, "(t - 2)", lambda t: t**2 / 2 - 2 * t, ODE_RUNS),
    along("growth", 8, "2", lambda t: 2 * t, ODE_RUNS),
    along("growth_fast", 3, "(30*cos(10*t))", lambda t: 3 * np.sin(10 * t), ODE_RUNS),
    threshold("threshold_unseen", 50, 5, 1e-90, ODE_RUNS, quick=True),
    threshold("threshold_seen", 6, 5, 1e-6, ODE_RUNS),
    initial_value_problem("zero_stays", 20, ["u", "v"], ["dt(u) = 5*u", "dt(v) = -v + u + 1"], {"u": "0", "v": "2"},
                          {"v": lambda t: 1 + np.exp(-t)}, [*ODE_RUNS[:3], ODE_RUNS[-1]], "u = 0, v = 1 + exp(-t)"),
    wave("growing_wave", 4, 4, 100, 1e-7, WAVE_RUNS, quick=True),
    wave("growing_wave_slow", 6, 2.5, 60, 1e-6, WAVE_RUNS),
    wave("decaying_wave", 2, -1, 50, 1e-2, WAVE_RUNS),
    wave("neutral_wave", 2, 0.04, 10, 1e-1, WAVE_RUNS),
    Problem("growing_bands", PERIODIC % 3 + 'equations: ["dt(u) = dx(u,2) + 3*u"]\ninitial: {u: "cos(x) + cos(2*x)/2"}\n',
            {"u": lambda t, x: np.exp(2 * t) * np.cos(x) + np.exp(-t) * np.cos(2 * x) / 2}, WAVE_RUNS, "closed form"),
]
