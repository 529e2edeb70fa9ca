"""Parameter dimensions, by collocation and coupled."""
import numpy as np

from problem import Problem, fixed

COUPLED = {"parameters.method": "coupled"}
COLLOCATED = {"parameters.method": "collocation"}


def hopf(t, nu, x):
    decay = np.exp(-nu * np.pi**2 * t)
    return 2 * np.pi * nu * decay * np.sin(np.pi * x) / (2 + decay * np.cos(np.pi * x))


PROBLEMS = [
    Problem("initial_value_parameter", """
domain: {t: [0, 2], a: [0.5, 1.5]}
unknowns: [u]
equations: ["dt(u) = u*(2 - u)"]
initial: {u: "a"}
""", {"u": lambda t, a: 2 * a * np.exp(2 * t) / (2 + a * (np.exp(2 * t) - 1))},
            [fixed(1e-6, t=10, a=3, windows=4, settings=COLLOCATED),
             fixed(1e-6, t=10, a=14, windows=4, settings=COLLOCATED),
             fixed(1e-6, t=10, a=14, windows=4, settings=COUPLED)], "closed form", quick=True),
    Problem("heat_conductivity_parameter", """
domain: {t: [0, 0.5], k: [0.1, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = k*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
output: {grid: {t: 21, x: 21, k: 12}}
""", {"u": lambda t, k, x: np.exp(-np.pi**2 * k * t) * np.sin(np.pi * x)},
            [fixed(1e-6, t=12, k=4, x=14, settings=COLLOCATED), fixed(1e-6, t=12, k=14, x=14, settings=COLLOCATED),
             fixed(1e-6, t=12, k=14, x=14, settings=COUPLED)], "sine mode"),
    Problem("burgers_viscosity_parameter", """
domain: {t: [0, 1], nu: {range: [0.02, 0.2], map: log}, x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2) - u*dx(u)"]
initial: {u: "2*pi*nu*sin(pi*x)/(2 + cos(pi*x))"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
output: {grid: {t: 11, x: 31, nu: 12}}
""", {"u": hopf}, [fixed(1e-6, t=8, nu=3, x=24), fixed(1e-6, t=10, nu=14, x=26)], "Cole-Hopf"),
    Problem("screened_parameter", """
domain: {k: {range: [1, 30], map: log}, x: [0, 1]}
unknowns: [u]
equations: ["-dx(u,2) + k^2*u = k^2"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
output: {grid: {x: 41, k: 13}}
""", {"u": lambda k, x: 1 - (np.exp(-k * x) + np.exp(-k * (1 - x))) / (1 + np.exp(-k))},
            [fixed(1e-6, k=6, x=24, settings=COLLOCATED), fixed(1e-6, k=18, x=36, settings=COLLOCATED)],
            "closed form"),
    Problem("two_parameters", """
domain: {t: [0, 1], a: [1, 2], b: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -a*u + b"]
initial: {u: "1"}
output: {grid: {t: 21, a: 7, b: 7}}
""", {"u": lambda t, a, b: b / a + (1 - b / a) * np.exp(-a * t)},
            [fixed(1e-8, t=10, a=3, b=2, settings=COLLOCATED), fixed(1e-8, t=10, a=10, b=2, settings=COLLOCATED),
             fixed(1e-8, t=10, a=10, b=2, settings=COUPLED)], "closed form"),
    Problem("hidden_in_parameter", """
domain: {t: [0, 1], k: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -(1 + 3*exp(-3e5*(k - 0.3137)^2))*u"]
initial: {u: "1"}
output: {grid: {t: 21, k: [0, 0.1, 0.2, 0.3, 0.3137, 0.33, 0.5, 0.8, 1]}}
""", {"u": lambda t, k: np.exp(-(1 + 3 * np.exp(-3e5 * (k - 0.3137)**2)) * t)},
            [fixed(1e-6, t=12, k=8, settings=COLLOCATED), fixed(1e-6, t=12, k=8, settings=COUPLED)],
            "closed form; the coefficient is 1 at all parameter points"),
]
