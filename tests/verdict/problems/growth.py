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


def rotating(name, end, growth, frequency, seed, runs, quick=False):
    """Between walls, u = sin(pi x) + s e^(at) sin(2 pi x) cos(wt), v the same with sin(wt), a = g - 0.01 (2 pi)^2."""
    def terms(own, other, sign):
        return (f'"dt({own}) = 0.01*dx({own} - sin(pi*x), 2) + {growth}*({own} - sin(pi*x)) '
                f'{sign} {frequency}*({other} - sin(pi*x))"')
    rate = growth - 0.01 * (2 * np.pi) ** 2
    def grown(t, x):
        return seed * np.exp(rate * t) * np.sin(2 * np.pi * x)
    return Problem(
        name, f"domain: {{t: [0, {end}], x: [0, 1]}}\nunknowns: [u, v]\n"
        f'equations: [{terms("u", "v", "-")}, {terms("v", "u", "+")}]\n'
        'boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]\n'
        f'initial: {{u: "sin(pi*x) + {seed}*sin(2*pi*x)", v: "sin(pi*x)"}}\noutput: {{grid: {{t: 201, x: 65}}}}\n',
        {"u": lambda t, x: np.sin(np.pi * x) + grown(t, x) * np.cos(frequency * t),
         "v": lambda t, x: np.sin(np.pi * x) + grown(t, x) * np.sin(frequency * t)},
        runs, f"between walls, an oscillation of frequency {frequency} that grows as exp({growth}t)", quick=quick)


def cycle(name, end, growth, frequency, seed, runs, is_periodic, quick=False):
    """A cycle of the same phase everywhere: u = s(x) + r cos(wt), v = r sin(wt), r' = (g - r^2) r; s = cos x or cos(pi x)."""
    s, domain, boundary = (("cos(x)", "{range: [0, 2*pi], basis: fourier}", "") if is_periodic else
                           ("cos(pi*x)", "[0, 1]",
                            'boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dx(v)(x=0) = 0", "dx(v)(x=1) = 0"]\n'))
    rate = f"({growth} - (u - {s})^2 - v^2)"
    def radius(t):
        return np.sqrt(growth / (1 + (growth / seed**2 - 1) * np.exp(-2 * growth * t)))
    def shape(x):
        return np.cos(x if is_periodic else np.pi * x)
    return Problem(
        name, f"domain: {{t: [0, {end}], x: {domain}}}\nunknowns: [u, v]\n"
        f'equations: ["dt(u) = 0.01*dx(u - {s}, 2) + {rate}*(u - {s}) - {frequency}*v", '
        f'"dt(v) = 0.01*dx(v, 2) + {rate}*v + {frequency}*(u - {s})"]\n{boundary}'
        f'initial: {{u: "{s} + {seed}", v: "0"}}\noutput: {{grid: {{t: 201, x: 65}}}}\n',
        {"u": lambda t, x: shape(x) + radius(t) * np.cos(frequency * t), "v": lambda t, x: radius(t) * np.sin(frequency * t) + 0 * x},
        runs, "closed form: the amplitude of a cycle", quick=quick)


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
WALL_RUNS = [automatic(1e-4), automatic(1e-6), fixed(1e-6, t=12, x=16, windows=3), fixed(1e-6, t=12, x=16, windows=12)]

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
    rotating("growing_rotation", 2, 8, 200, 1e-8, WALL_RUNS, quick=True),
    rotating("growing_rotation_slow", 4, 3, 60, 1e-6, WALL_RUNS),
    rotating("decaying_rotation", 2, -2, 100, 1e-2, WALL_RUNS),
    cycle("cycle_unseen", 2, 12, 200, 1e-8, WALL_RUNS, True, quick=True),
    cycle("cycle_unseen_walls", 3, 7, 150, 1e-8, WALL_RUNS, False),
    cycle("cycle_seen", 2, 4, 20, 1e-2, WALL_RUNS, True),
    cycle("cycle_seen_walls", 2, 4, 20, 1e-2, WALL_RUNS, False),
    Problem("growing_bands", PERIODIC % 3 + 'equations: ["dt(u) = dx(u,2) + 3*u"]\ninitial: {u: "cos(x) + cos(2*x)/2"}\n',
            {"u": lambda t, x: np.exp(2 * t) * np.cos(x) + np.exp(-t) * np.cos(2 * x) / 2}, WAVE_RUNS, "closed form"),
]
