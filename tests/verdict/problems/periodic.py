"""Periodic axes and parameters whose data need more than a run's first degrees: short waves, products of waves, narrow
peaks."""
import numpy as np

from problem import Problem, automatic, fixed

COLLOCATED = {"parameters.method": "collocation"}


def around(name, equation, initial, answer, runs, origin="closed form", quick=False):
    """In time on [0, 2 pi]."""
    return Problem(name, "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
                   f'equations: ["{equation}"]\ninitial: {{u: "{initial}"}}\noutput: {{grid: {{t: 5, x: 601}}}}\n',
                   {"u": answer}, runs, origin, quick=quick)


def carried(k, runs, quick=False):
    return around(f"carried_wave_{k}", "dt(u) + dx(u) = 0", f"cos({k}*x)", lambda t, x: np.cos(k * (x - t)), runs,
                  "carried along", quick)


def varying_speed(k, amplitude, runs, quick=False):
    """u is constant where x + A sin(kx)/k - t is."""
    return around(f"varying_speed_{k}", f"(1 + {amplitude}*cos({k}*x))*dt(u) + dx(u) = 0",
                  f"cos(x + {amplitude / k}*sin({k}*x))",
                  lambda t, x: np.cos(x + amplitude / k * np.sin(k * x) - t), runs, "characteristics", quick)


def varying_rate(k, amplitude, runs, quick=False):
    return around(f"varying_rate_{k}", f"dt(u) = (cos(x) + {amplitude}*cos({k}*x))*u", "1",
                  lambda t, x: np.exp(t * (np.cos(x) + amplitude * np.cos(k * x))), runs, quick=quick)


def at_rest(k, amplitude, runs):
    return Problem(f"screened_wave_{k}", "domain: {x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
                   f'equations: ["-dx(u,2) + u = cos(x) + {amplitude}*cos({k}*x)"]\noutput: {{grid: {{x: 601}}}}\n',
                   {"u": lambda x: np.cos(x) / 2 + amplitude / (1 + k**2) * np.cos(k * x)}, runs, "closed form")


def torus(k, m, runs):
    return Problem(f"torus_{k}_{m}", "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier},"
                   " y: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u]\n"
                   f'equations: ["dt(u) = cos(x)*sin(y) + 0.09*cos({k}*x)*sin({m}*y)"]\ninitial: {{u: "cos(y)"}}\n'
                   "output: {grid: {t: 3, x: 151, y: 151}}\n",
                   {"u": lambda t, x, y: np.cos(y) + t * (np.cos(x) * np.sin(y) + 0.09 * np.cos(k * x) * np.sin(m * y))},
                   runs, "closed form")


def oscillators(k, runs, quick=False):
    f = lambda x: np.cos(x) + 0.09 * np.cos(k * x)
    return Problem(f"oscillators_{k}", "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}}\nunknowns: [u, v]\n"
                   f'equations: ["dt(u) = v", "dt(v) = -u + cos(x) + 0.09*cos({k}*x)"]\n'
                   'initial: {u: "0", v: "0"}\noutput: {grid: {t: 5, x: 601}}\n',
                   {"u": lambda t, x: (1 - np.cos(t)) * f(x), "v": lambda t, x: np.sin(t) * f(x)}, runs, "closed form",
                   quick=quick)


def strip(k, runs):
    """Laplace's equation with a short wave on one side."""
    def mode(n, x, y):
        return np.cos(n * x) * (np.exp(-n * y) - np.exp(-n * (2 - y))) / (1 - np.exp(-2 * n))

    return Problem(f"strip_{k}", "domain: {x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}\nunknowns: [u]\n"
                   f'equations: ["lap(u) = 0"]\nboundary: ["u(y=0) = cos(x) + 0.09*cos({k}*x)", "u(y=1) = 0"]\n'
                   "output: {grid: {x: 301, y: 41}}\n",
                   {"u": lambda x, y: mode(1, x, y) + 0.09 * mode(k, x, y)}, runs, "closed form")


def spot(runs):
    """A source much narrower than the distance of the points of a coarse run."""
    return around("periodic_spot", "dt(u) = cos(x) + 0.5*exp(-2000*(sin((x - 2.5)/2))^2)", "0",
                  lambda t, x: t * (np.cos(x) + 0.5 * np.exp(-2000 * np.sin((x - 2.5) / 2)**2)), runs)


def resonance(sharpness, runs, quick=False):
    """A peak in a parameter."""
    return Problem(f"parameter_peak_{sharpness}", "domain: {a: [0, 1]}\nunknowns: [u]\n"
                   f'equations: ["(1 + {sharpness}*(a - 0.23)^2)*u = 1"]\noutput: {{grid: {{a: 20001}}}}\n',
                   {"u": lambda a: 1 / (1 + sharpness * (a - 0.23)**2)}, runs, "closed form", quick=quick)


def resonance_2(sharpness, runs, quick=False):
    return Problem(f"parameter_peak_2_{sharpness}", "domain: {a: [0, 1], b: [0, 1]}\nunknowns: [u]\n"
                   f'equations: ["(1 + {sharpness}*((a - 0.25)^2 + (b - 0.75)^2))*u = 1"]\n'
                   "output: {grid: {a: 201, b: 201}}\n",
                   {"u": lambda a, b: 1 / (1 + sharpness * ((a - 0.25)**2 + (b - 0.75)**2))}, runs, "closed form",
                   quick=quick)


def parameter_wave(k, runs):
    return Problem(f"parameter_wave_{k}", "domain: {t: [0, 1], a: [0, 1]}\nunknowns: [u]\n"
                   f'equations: ["dt(u) = -u + sin({k}*a)"]\ninitial: {{u: "1"}}\noutput: {{grid: {{t: 5, a: 301}}}}\n',
                   {"u": lambda t, a: np.sin(k * a) + (1 - np.sin(k * a)) * np.exp(-t)}, runs, "closed form")


PROBLEMS = [
    carried(6, [fixed(1e-6, t=14, x=8), automatic(1e-6)], quick=True),
    carried(16, [fixed(1e-6, t=16, x=8), fixed(1e-6, t=16, x=16, windows=4), automatic(1e-3)]),
    carried(40, [fixed(1e-6, t=16, x=8), fixed(1e-6, t=20, x=48, windows=8), automatic(1e-3), automatic(1e-6)],
            quick=True),
    carried(96, [fixed(1e-4, t=16, x=40), automatic(1e-3)]),
    varying_speed(16, 0.5, [fixed(1e-6, t=12, x=8), fixed(1e-6, t=12, x=96), automatic(1e-3), automatic(1e-6)]),
    varying_speed(48, 0.5, [fixed(1e-6, t=12, x=8), automatic(1e-6)]),
    varying_rate(24, 0.3, [fixed(1e-6, t=12, x=8), fixed(1e-6, t=12, x=128), automatic(1e-3), automatic(1e-6)],
                 quick=True),
    varying_rate(64, 0.1, [fixed(1e-6, t=12, x=16), automatic(1e-6)]),
    at_rest(24, 0.3, [fixed(1e-6, x=8), fixed(1e-6, x=24), automatic(1e-6)]),
    at_rest(96, 5, [fixed(1e-6, x=40), automatic(1e-6)]),
    torus(16, 24, [fixed(1e-6, t=4, x=8, y=8), fixed(1e-6, t=4, x=16, y=24), automatic(1e-3), automatic(1e-6)]),
    oscillators(24, [fixed(1e-6, t=10, x=8), fixed(1e-6, t=10, x=24), automatic(1e-6)], quick=True),
    strip(16, [fixed(1e-6, x=8, y=40), fixed(1e-6, x=16, y=40), automatic(1e-4)]),
    spot([fixed(1e-6, t=4, x=8), fixed(1e-6, t=4, x=24), automatic(1e-6)]),
    resonance(40000, [fixed(1e-2, a=700), fixed(1e-2, a=200), fixed(1e-2, a=1000)], quick=True),
    resonance(1000, [fixed(1e-3, a=60), fixed(1e-3, a=150), fixed(1e-6, a=240)]),
    resonance_2(100, [fixed(1e-3, a=28, b=28), fixed(1e-3, a=40, b=40), fixed(1e-3, a=64, b=64)], quick=True),
    parameter_wave(40, [fixed(1e-6, t=8, a=12), fixed(1e-6, t=8, a=44), automatic(1e-6)]),
]
