"""Ordinary differential equations."""
import numpy as np

from problem import Problem, automatic, fixed, stored


def kepler(t, eccentricity):
    """The eccentric anomaly E - e sin E = t by Newton's method."""
    anomaly = t + eccentricity * np.sin(t)
    for _ in range(50):
        anomaly = anomaly - (anomaly - eccentricity * np.sin(anomaly) - t) / (1 - eccentricity * np.cos(anomaly))
    return anomaly


def initial_value_problem(name, end, unknowns, equations, initial, answer, runs, origin,
                          extra="output: {grid: {t: 998}}\n", quick=False):
    case = f"domain: {{t: [0, {end}]}}\nunknowns: [{', '.join(unknowns)}]\nequations:\n"
    case += "".join(f'  - "{equation}"\n' for equation in equations)
    case += "initial:\n" + "".join(f'  {key}: "{value}"\n' for key, value in initial.items()) + extra
    return Problem(name, case, answer, runs, origin, quick)


def with_reference(name, *arguments, reference=None, **options):
    grid, answer = stored(reference or name)
    *head, runs, origin = arguments
    return initial_value_problem(name, *head, answer, runs, origin, extra=grid + "\n", **options)


LORENZ = (["x", "y", "z"], ["dt(x) = 10*(y - x)", "dt(y) = x*(28 - z) - y", "dt(z) = x*y - 8/3*z"],
          {"x": "1", "y": "1", "z": "1"})
TAYLOR = "Taylor series of order 60 with 80 digits"
RADAU = "Radau IIA with 7 stages, two step sizes"


def van_der_pol(mu):
    return ["u", "v"], ["dt(u) = v", f"dt(v) = {mu}*(1 - u^2)*v - u"], {"u": "2", "v": "0"}


PROBLEMS = [
    initial_value_problem("decay", 2, ["u"], ["dt(u) = -3*u"], {"u": "1"}, {"u": lambda t: np.exp(-3 * t)},
                          [fixed(1e-6, t=4), fixed(1e-6, t=12), fixed(1e-12, t=20), automatic(1e-8)],
                          "exp(-3t)", quick=True),
    initial_value_problem("logistic", 4, ["u"], ["dt(u) = u*(2 - u)"], {"u": "0.1"},
                          {"u": lambda t: 0.2 * np.exp(2 * t) / (2 + 0.1 * (np.exp(2 * t) - 1))},
                          [fixed(1e-6, t=6, windows=2), fixed(1e-6, t=10, windows=4), automatic(1e-9)], "closed form"),
    initial_value_problem("driven_oscillator", 20, ["u"], ["dt(u,2) = -4*u + cos(t)"], {"u": "1", '"dt(u)"': "0"},
                          {"u": lambda t: np.cos(t) / 3 + 2 * np.cos(2 * t) / 3},
                          [fixed(1e-6, t=6, windows=8), fixed(1e-6, t=12, windows=10), automatic(1e-8)],
                          "closed form"),
    with_reference("pendulum", 20, ["u"], ["dt(u,2) = -sin(u)"], {"u": "3", '"dt(u)"': "0"},
                   [fixed(1e-6, t=6, windows=10), fixed(1e-6, t=14, windows=12), automatic(1e-8)], RADAU),
    initial_value_problem("kepler", 12, ["x", "y"],
                          ["dt(x,2) = -x/(x^2 + y^2)^1.5", "dt(y,2) = -y/(x^2 + y^2)^1.5"],
                          {"x": "0.4", '"dt(x)"': "0", "y": "0", '"dt(y)"': "2"},
                          {"x": lambda t: np.cos(kepler(t, 0.6)) - 0.6, "y": lambda t: 0.8 * np.sin(kepler(t, 0.6))},
                          [fixed(1e-6, t=8, windows=10), fixed(1e-6, t=16, windows=20), automatic(1e-8)],
                          "Kepler's equation, eccentricity 0.6"),
    with_reference("van_der_pol_1", 20, *van_der_pol(1),
                   [fixed(1e-6, t=6, windows=20), fixed(1e-6, t=14, windows=30), automatic(1e-9)], RADAU),
    with_reference("van_der_pol_100", 200, *van_der_pol(100), [automatic(1e-4), automatic(1e-6)],
                   RADAU),
    with_reference("van_der_pol_1000", 2000, *van_der_pol(1000), [automatic(1e-4), automatic(1e-6)], RADAU),
    with_reference("van_der_pol_1000_second_order", 2000, ["u"], ["dt(u,2) = 1000*(1 - u^2)*dt(u) - u"],
                   {"u": "2", '"dt(u)"': "0"}, [automatic(1e-4), automatic(1e-6)], RADAU, reference="van_der_pol_1000"),
    with_reference("lorenz_5", 5, *LORENZ, [fixed(1e-6, t=8, windows=10), fixed(1e-6, t=16, windows=25),
                                            automatic(1e-6), automatic(1e-10)], TAYLOR, quick=True),
    with_reference("lorenz_10", 10, *LORENZ, [fixed(1e-6, t=12, windows=30), automatic(1e-6), automatic(1e-9)], TAYLOR),
    with_reference("lorenz_20", 20, *LORENZ, [automatic(1e-4), automatic(1e-9)], TAYLOR),
    with_reference("lorenz_50", 50, *LORENZ, [automatic(1e-10), automatic(1e-12), automatic(1e-13)], TAYLOR),
    initial_value_problem("unstable_3", 3, ["u"], ["dt(u) = 20*(u - cos(t)) - sin(t)"], {"u": "1"},
                          {"u": lambda t: np.cos(t)}, [automatic(1e-6), automatic(1e-8), fixed(1e-6, t=16, windows=6)],
                          "cos(t); the equation amplifies rounding by e^60", quick=True),
    initial_value_problem("unstable_half", 0.5, ["u"], ["dt(u) = 20*(u - cos(t)) - sin(t)"], {"u": "1"},
                          {"u": lambda t: np.cos(t)}, [automatic(1e-6), automatic(1e-8), fixed(1e-6, t=12, windows=2)],
                          "cos(t); amplification e^10: within reach"),
    initial_value_problem("prothero_robinson", 10, ["u"], ["dt(u) = -1e6*(u - cos(t)) - sin(t)"], {"u": "1"},
                          {"u": lambda t: np.cos(t)}, [fixed(1e-6, t=4, windows=4), fixed(1e-6, t=10, windows=5),
                                                       automatic(1e-8)], "cos(t), stiff"),
    with_reference("robertson", 40, ["a", "b", "c"],
                   ["dt(a) = -0.04*a + 1e4*b*c", "dt(b) = 0.04*a - 1e4*b*c - 3e7*b^2", "dt(c) = 3e7*b^2"],
                   {"a": "1", "b": "0", "c": "0"}, [automatic(1e-4), automatic(1e-7)], RADAU),
    initial_value_problem("near_a_pole", 0.95, ["u"], ["dt(u) = u^2"], {"u": "1"}, {"u": lambda t: 1 / (1 - t)},
                          [fixed(1e-6, t=10), fixed(1e-6, t=16, windows=[0, 0.5, 0.8, 0.95]), automatic(1e-8)],
                          "1/(1 - t)"),
    initial_value_problem("kinks_in_time", 10, ["u"], ["dt(u) = abs(sin(t))"], {"u": "0"},
                          {"u": lambda t: 2 * np.floor(t / np.pi) + 1 - np.cos(t - np.pi * np.floor(t / np.pi))},
                          [fixed(1e-6, t=12, windows=7), automatic(1e-8)], "closed form", quick=True),
    initial_value_problem("switched_on", 3, ["u"], ["dt(u) = step(t - 1) - u"], {"u": "0"},
                          {"u": lambda t: np.where(t > 1, 1 - np.exp(-(np.maximum(t, 1) - 1)), 0)},
                          [fixed(1e-6, t=10, windows=4), fixed(1e-6, t=12, windows=[0, 1, 3]), automatic(1e-8)],
                          "closed form"),
    initial_value_problem("integral_over_time", 2, ["u"], ["dt(u) = -integral(u, t)"], {"u": "1"},
                          {"u": lambda t: 1 - 2 / 3 * t}, [fixed(1e-8, t=4), fixed(1e-8, t=9)],
                          "1 - 2t/3, since the integral I = 2 - 2I is 2/3"),
    Problem("unknown_rate", """
domain: {t: [0, 1]}
unknowns: [u, {name: c, dims: []}]
equations: ["dt(u) = -c*u", "u(t=1) = 0.5"]
initial: {u: "1"}
guess: {c: "1"}
output: {fields: {u: u, c: c}}
""", {"u": lambda t: 0.5**t, "c": lambda: np.log(2)}, [fixed(1e-8, t=3), fixed(1e-8, t=10)], "2^-t, log 2"),
    Problem("logarithmic_time", """
domain: {t: {range: [0.001, 100], map: log}}
unknowns: [u]
equations: ["dt(u) = -u/(1 + t)"]
initial: {u: "1/1.001"}
""", {"u": lambda t: 1 / (1 + t)}, [fixed(1e-6, t=8, windows=2), fixed(1e-6, t=12, windows=8), automatic(1e-8)],
            "1/(1 + t)"),
]
