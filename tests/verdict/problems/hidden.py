"""Data so narrow that the points of a solver may miss them. Every centre is away from round numbers."""
import numpy as np

from problem import NO_ANSWER, Problem, automatic, erf, fixed
from problems.plane import walls

W = 3e5
RANDOM_CENTRES = (0.2718, 0.4137, 0.6931, 0.8542)


def integral(s, w=W):
    """Of exp(-w s^2), odd."""
    return np.sqrt(np.pi / w) / 2 * erf(np.sqrt(w) * s)


def second_integral(s, w=W):
    return s * integral(s, w) + np.exp(-w * s**2) / (2 * w)


def narrow_source(x, c, amplitude=100.0, w=W):
    """-u'' = 1 + amplitude exp(-w (x - c)^2), u = 0 at the ends."""
    narrow = -second_integral(x - c, w) + (1 - x) * second_integral(-c, w) + x * second_integral(1 - c, w)
    return x * (1 - x) / 2 + amplitude * narrow


def narrow_step(x):
    """-u'' = 1000 between 0.4 and 0.4001."""
    return 500 * ((0.6**2 - 0.5999**2) * x - np.maximum(x - 0.4, 0)**2 + np.maximum(x - 0.4001, 0)**2)


def narrow_resistance(x, c=0.4137, amplitude=1000.0):
    """(u'/(1 + A g))' = -1, u = 0 at the ends, g = exp(-W (x - c)^2): u' = (q - x)(1 + A g)."""
    def parts(x):
        g0 = integral(x - c) - integral(-c)
        g1 = c * g0 - (np.exp(-W * (x - c)**2) - np.exp(-W * c**2)) / (2 * W)
        return x + amplitude * g0, x**2 / 2 + amplitude * g1
    one, moment = parts(1.0)
    zeroth, first = parts(x)
    return moment / one * zeroth - first


def pulse_in_time(t, c, w=W):
    """u' = -u + 1 + exp(-w (t - c)^2), u(0) = 1."""
    shift = 1 / (2 * w)
    return 1 + np.exp(c - t + shift / 2) * (integral(t - c - shift, w) + integral(c + shift, w))


def narrow_start(t, x, c=0.4137):
    """Heat from sin(pi x) + exp(-W (x - c)^2), walls 0: images of the spreading pulse."""
    spread = 1 + 4 * W * t
    images = sum(np.exp(-W * (x - c - 2 * k)**2 / spread) - np.exp(-W * (x + c - 2 * k)**2 / spread)
                 for k in range(-2, 3))
    return np.exp(-np.pi**2 * t) * np.sin(np.pi * x) + images / np.sqrt(spread)


def hidden_spot(x, y, w=3e4, cx=0.3137, cy=0.6271, amplitude=100.0):
    """-lap u = 1 + amplitude exp(-w r^2): sine series in x and y of the spot (its tails at the walls are 0)."""
    from problems.plane import torsion
    n = np.arange(1, 901) * np.pi
    coefficient = [2 * np.sqrt(np.pi / w) * np.exp(-n**2 / (4 * w)) * np.sin(n * c) for c in (cx, cy)]
    modes = np.outer(coefficient[1], coefficient[0]) / (n[:, None]**2 + n**2)
    sine_x, sine_y = (np.sin(np.outer(n, np.ravel(s))) for s in (x, y))
    return torsion(x, y) + amplitude * (sine_y.T @ modes @ sine_x)


def around(c, *widths):
    """Edges that close in on c."""
    return [0, *(round(c - w, 6) for w in sorted(widths, reverse=True)), c,
            *(round(c + w, 6) for w in sorted(widths)), 1]


ODE = """
domain: {{t: [0, 1]}}
unknowns: [u]
equations: ["{equation}"]
initial: {{u: "1"}}
"""
ROD = """
domain: {{x: [0, 1]}}
unknowns: [u]
equations: ["{equation}"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
"""

PROBLEMS = [
    Problem("hidden_step_source", ROD.format(equation="-dx(u,2) = 1000*step(x-0.4)*step(0.4001-x)"),
            {"u": narrow_step}, [fixed(1e-6, x=16), fixed(1e-6, x=41), automatic(1e-8),
                                 fixed(1e-6, x=6, domains={"x": [0, 0.4, 0.4001, 1]})], "closed form", quick=True),
    *(Problem(f"hidden_source_{c}", ROD.format(equation=f"-dx(u,2) = 1 + 100*exp(-3e5*(x - {c})^2)"),
              {"u": lambda x, c=c: narrow_source(x, c)}, [fixed(1e-6, x=20), fixed(1e-6, x=37), automatic(1e-6),
                                                         fixed(1e-6, x=24, domains={"x": around(c, 0.02, 0.006)})],
              "error function", quick=c == 0.4137) for c in RANDOM_CENTRES),
    Problem("hidden_source_3e6", ROD.format(equation="-dx(u,2) = 1 + 300*exp(-3e6*(x - 0.5772)^2)"),
            {"u": lambda x: narrow_source(x, 0.5772, 300.0, 3e6)}, [fixed(1e-6, x=64), automatic(1e-6)],
            "error function"),
    Problem("resolved_source", ROD.format(equation="-dx(u,2) = 1 + 100*exp(-3e3*(x - 0.4137)^2)"),
            {"u": lambda x: narrow_source(x, 0.4137, w=3e3)}, [fixed(1e-6, x=40), fixed(1e-6, x=160), automatic(1e-7)],
            "error function: a source that is found"),
    Problem("hidden_resistance", ROD.format(equation="dx(dx(u)/(1 + 1000*exp(-3e5*(x - 0.4137)^2))) = -1"),
            {"u": narrow_resistance}, [fixed(1e-6, x=24), automatic(1e-6),
                                       fixed(1e-6, x=36, domains={"x": around(0.4137, 0.02, 0.01, 0.006, 0.003)})],
            "error function"),
    *(Problem(f"hidden_pulse_{c}", ODE.format(equation=f"dt(u) = -u + 1 + exp(-3e5*(t - {c})^2)"),
              {"u": lambda t, c=c: pulse_in_time(t, c)}, [fixed(1e-6, t=12), fixed(1e-6, t=8, windows=4),
                                                         automatic(1e-6), fixed(1e-6, t=16, windows=around(c, 0.006))],
              "error function")
      for c in (0.3137, 0.7265)),
    Problem("hidden_pulse_3e6", ODE.format(equation="dt(u) = -u + 1 + exp(-3e6*(t - 0.6180)^2)"),
            {"u": lambda t: pulse_in_time(t, 0.6180, 3e6)}, [fixed(1e-6, t=16, windows=2), automatic(1e-6)],
            "error function"),
    Problem("hidden_coefficient_in_time", ODE.format(equation="dt(u) = -(1 + 100*exp(-3e5*(t - 0.3571)^2))*u"),
            {"u": lambda t: np.exp(-t - 100 * (integral(t - 0.3571) + integral(0.3571)))},
            [fixed(1e-6, t=14), automatic(1e-6), fixed(1e-6, t=20, windows=around(0.3571, 0.006, 0.003))],
            "error function", quick=True),
    Problem("hidden_start", """
domain: {t: [0, 0.01], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x) + exp(-3e5*(x - 0.4137)^2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
output: {grid: {t: 21, x: [0, 0.1, 0.2, 0.3, 0.35, 0.38, 0.4, 0.41, 0.4137, 0.42, 0.44, 0.5, 0.6, 0.7, 0.8, 1]}}
""", {"u": narrow_start}, [fixed(1e-6, t=8, x=16), automatic(1e-5),
                            fixed(1e-6, t=10, x=28, windows=[0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01],
                                  domains={"x": around(0.4137, 0.1, 0.02, 0.006)})], "images"),
    Problem("hidden_inflow", """
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "cos(2*x)"}
boundary: ["u(x=0) = cos(2*t) + exp(-3e5*(t - 0.37)^2)"]
""", {"u": lambda t, x: np.cos(2 * (x - t)) + np.exp(-3e5 * (t - x - 0.37)**2)},
            [fixed(1e-6, t=12, x=14), fixed(1e-6, t=9, x=20, windows=3)], "carried along"),
    Problem("hidden_spot", "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: "
            '["-lap(u) = 1 + 100*exp(-3e4*((x - 0.3137)^2 + (y - 0.6271)^2))"]\nboundary:\n'
            + "".join(f'  - "{condition}"\n' for condition in walls()), {"u": hidden_spot},
            [fixed(1e-3, x=16, y=16), fixed(1e-3, x=24, y=24),
                                   fixed(1e-3, x=20, y=20, domains={"x": around(0.3137, 0.03),
                                                                    "y": around(0.6271, 0.03)})],
            "double sine series", quick=True),
    Problem("zero_times_infinity", ODE.format(equation="dt(u) = -u + 0*(1/0)"), NO_ANSWER, [fixed(1e-6, t=10)],
            "not a number, which simplification must not remove", may_be_refused=True),
    Problem("zero_times_pole", ODE.format(equation="dt(u) = -u + 0*(1/(t - t))"), NO_ANSWER, [fixed(1e-6, t=10)],
            "not a number, which simplification must not remove", may_be_refused=True),
]
