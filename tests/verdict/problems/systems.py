"""Differential-algebraic systems: unknowns without a derivative in time, in ordinary and in partial equations."""
import numpy as np

from problem import Problem, automatic, fixed


def cubic_circuit(t):
    """v of v + v^3 = u, u' = -v, u(0) = 2: log v + 3/2 v^2 = 3/2 - t by Newton's method in log v."""
    w = np.zeros(np.shape(t))
    for _ in range(60):
        w = w - (w + 1.5 * np.exp(2 * w) - 1.5 + t) / (1 + 3 * np.exp(2 * w))
    return np.exp(w)


RATE = np.pi**2 - 1 / np.pi**2

PROBLEMS = [
    Problem("algebraic_square", """
domain: {t: [0, 3]}
unknowns: [u, v]
equations: ["dt(u) = -v", "v = u^2"]
initial: {u: "1"}
guess: {v: "1"}
""", {"u": lambda t: 1 / (1 + t), "v": lambda t: 1 / (1 + t)**2},
            [fixed(1e-6, t=5), fixed(1e-6, t=14, windows=3), automatic(1e-8)], "1/(1 + t)", quick=True),
    Problem("algebraic_cubic", """
domain: {t: [0, 3]}
unknowns: [u, v]
equations: ["dt(u) = -v", "v + v^3 = u"]
initial: {u: "2"}
guess: {v: "1"}
""", {"u": lambda t: cubic_circuit(t) + cubic_circuit(t)**3, "v": cubic_circuit},
            [fixed(1e-6, t=5), fixed(1e-6, t=16, windows=3), automatic(1e-8)], "implicit closed form"),
    Problem("index_two", """
domain: {t: [0, 3]}
unknowns: [u, v]
equations: ["dt(u) = v", "u = sin(3*t)"]
initial: {u: "0"}
""", {"u": lambda t: np.sin(3 * t), "v": lambda t: 3 * np.cos(3 * t)},
            [fixed(1e-6, t=6), fixed(1e-6, t=14, windows=3)], "v = dt(sin 3t)"),
    Problem("heat_with_potential", """
domain: {t: [0, 0.3], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(u,2) + v", "dx(v,2) = -u"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
""", {"u": lambda t, x: np.exp(-RATE * t) * np.sin(np.pi * x),
      "v": lambda t, x: np.exp(-RATE * t) * np.sin(np.pi * x) / np.pi**2},
            [fixed(1e-6, t=5, x=8), fixed(1e-6, t=10, x=16), automatic(1e-8)], "sine mode"),
    Problem("heat_in_first_order", """
domain: {t: [0, 0.3], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u) = dx(q)", "q = dx(u)"]
initial: {u: "sin(pi*x) + 0.5*sin(3*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", {"u": lambda t, x: np.exp(-np.pi**2 * t) * np.sin(np.pi * x)
      + 0.5 * np.exp(-9 * np.pi**2 * t) * np.sin(3 * np.pi * x),
      "q": lambda t, x: np.pi * (np.exp(-np.pi**2 * t) * np.cos(np.pi * x)
                                 + 1.5 * np.exp(-9 * np.pi**2 * t) * np.cos(3 * np.pi * x))},
            [fixed(1e-6, t=6, x=12, windows=2), fixed(1e-6, t=14, x=22, windows=2), automatic(1e-7)], "sine modes"),
    Problem("wave_as_system", """
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(v)", "dt(v) = dx(u)"]
initial: {u: "sin(2*pi*x)", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", {"u": lambda t, x: np.sin(2 * np.pi * x) * np.cos(2 * np.pi * t),
      "v": lambda t, x: np.cos(2 * np.pi * x) * np.sin(2 * np.pi * t)},
            [fixed(1e-6, t=8, x=12, windows=4), fixed(1e-6, t=12, x=22, windows=4), automatic(1e-8)],
            "standing wave"),
]
