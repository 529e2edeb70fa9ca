"""Flows that start: the initial acceleration slips along the walls, pressure starts like sqrt(t)."""
import math

import numpy as np

from problem import Problem, automatic, fixed, root

# From when on pressure is compared: it is judged from 0.02 of the time on, or before.
_FROM = 0.02 * (1 - 1e-9)


def _gauss(n=200):
    return np.polynomial.legendre.leggauss(n)


def _stokes_modes(n_modes=400):
    """Even modes of the wave exp(i x) between walls: phi = cos(mu y)/cos(mu) - cosh(y)/cosh(1), mu tan(mu) = -tanh(1),
    orthogonal by the energy; the share of each in (1 - y^2)^2."""
    y, weight = _gauss(1000)
    modes = []
    for n in range(1, n_modes + 1):
        mu = root(lambda z: z * math.sin(z) + math.tanh(1) * math.cos(z), (n - 0.5) * math.pi + 1e-12, n * math.pi)
        cosine = np.cos(mu * y) / math.cos(mu)
        phi = cosine - np.cosh(y) / math.cosh(1)
        modes.append((mu, weight @ ((1 - y**2)**2 * cosine) / (weight @ (phi * cosine))))
    return modes


def stokes_wave(nu):
    modes = _stokes_modes()

    def summed(t, y, of_mode):
        y = np.ravel(y)
        return np.array([sum(share * math.exp(-nu * (mu**2 + 1) * time) * of_mode(mu, y) for mu, share in modes)
                         for time in np.ravel(t)])[:, :, None]

    def u_x(t, x, y):
        return np.cos(x) * summed(t, y, lambda mu, z: -mu * np.sin(mu * z) / math.cos(mu) - np.sinh(z) / math.cosh(1))

    def u_y(t, x, y):
        return np.sin(x) * summed(t, y, lambda mu, z: np.cos(mu * z) / math.cos(mu) - np.cosh(z) / math.cosh(1))

    def p(t, x, y):
        value = np.sin(x) * summed(np.maximum(t, _FROM), y,
                                   lambda mu, z: -nu * (mu**2 + 1) * np.sinh(z) / math.cosh(1))
        return np.where(t < _FROM, np.nan, value)

    return {"u_x": u_x, "u_y": u_y, "p": p}


def given_flow_rate():
    """u_t = G(t) + u_yy between walls, from rest, with the flow rate 4/3 (1 - exp(-5 t)): the steady profile, one that
    decays like exp(-5 t), and modes cos(b y)/cos(b) - 1, tan(b) = b, without a flow rate."""
    s = math.sqrt(5)
    amplitude = -(4 / 3) / (2 * math.tan(s) / s - 2)
    y, weight = _gauss(1000)
    rest = -(1 - y**2) - amplitude * (np.cos(s * y) / math.cos(s) - 1)
    modes = []
    for n in range(1, 400):
        b = root(lambda z: math.sin(z) - z * math.cos(z), n * math.pi, (n + 0.5) * math.pi)
        mode = np.cos(b * y) / math.cos(b) - 1
        modes.append((b, weight @ (rest * mode) / (weight @ mode**2)))

    def u(t, y):
        t, y = np.broadcast_arrays(t, y)
        total = 1 - y**2 + amplitude * np.exp(-5 * t) * (np.cos(s * y) / math.cos(s) - 1)
        return total + sum(c * np.exp(-b**2 * t) * (np.cos(b * y) / math.cos(b) - 1) for b, c in modes)

    def gradient(t):
        safe = np.maximum(t, _FROM)
        total = 2 + 5 * amplitude * np.exp(-5 * safe) + sum(c * b**2 * np.exp(-b**2 * safe) for b, c in modes)
        return np.where(t < _FROM, np.nan, total)

    return {"u": u, "G": gradient}


def at_a_point(values):
    """{field: values at the times of the grid}, the grid in space being one point."""
    return lambda fields: {name: np.array(numbers).reshape(fields[name][1].shape) for name, numbers in values.items()}


_TIMES = "[0, 1.0e-4, 1.0e-3, 0.01, 0.02, 0.05, 0.1, 0.3, 1]"
_BY_NUMPY = "numpy, velocity by P_N and pressure by P_(N-2), N and windows varied"

PROBLEMS = [
    Problem("stokes_wave", f"""
domain: {{t: [0, 1], x: {{range: [0, 2*pi], basis: fourier}}, y: [-1, 1]}}
constants: {{nu: 0.1}}
unknowns: [{{name: u, vector: [x, y]}}, p]
equations: ["dt(u) = -grad(p) + nu*lap(u)", "div(u) = 0"]
initial: {{u: ["-4*y*(1 - y^2)*cos(x)", "(1 - y^2)^2*sin(x)"]}}
boundary: ["u(y=-1) = 0", "u(y=1) = 0"]
output: {{grid: {{t: {_TIMES}, x: 9, y: 41}}}}
""", stokes_wave(0.1), [automatic(1e-3), automatic(1e-4), automatic(1e-6),
                        fixed(1e-4, t=6, x=4, y=10, domains={"t": [0, 0.1, 1]}),
                        fixed(1e-4, t=8, x=4, y=24, domains={"t": [0, 0.002, 0.008, 0.026, 0.08, 0.24, 0.6, 1]})],
            "series of modes", quick=True),
    Problem("given_flow_rate", f"""
domain: {{t: [0, 1], y: [-1, 1]}}
unknowns: [u, {{name: G, dims: [t]}}]
equations: ["dt(u) = G + dy(u,2)", "integral(u, y) = 4/3*(1 - exp(-5*t))"]
initial: {{u: "0"}}
boundary: ["u(y=-1) = 0", "u(y=1) = 0"]
output: {{grid: {{t: {_TIMES}, y: 41}}}}
""", given_flow_rate(), [automatic(1e-4), automatic(1e-6)], "series of modes", quick=True),
    Problem("wave_on_poiseuille_flow", """
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: [-1, 1]}
constants: {nu: 0.1, G: 0.2}
unknowns: [{name: u, vector: [x, y]}, p]
equations: ["dt(u) + dot(u, grad(u)) = -grad(p) + nu*lap(u) + [G, 0]", "div(u) = 0"]
initial: {u: ["1 - y^2 - 0.4*y*(1 - y^2)*cos(x)", "0.1*(1 - y^2)^2*sin(x)"]}
boundary: ["u(y=-1) = 0", "u(y=1) = 0"]
output: {grid: {t: [0.1, 0.5, 1], x: [1], y: [0.5]}}
""", at_a_point({"u_x": [0.669248235334, 0.678360180591, 0.69593564965],
                 "u_y": [0.0409179127981, 0.0226475450523, 0.00955389243781],
                 "p": [0.00862121033824, 5.75131694446e-05, -0.00312023740444]}),
            [automatic(1e-4), automatic(1e-5)], _BY_NUMPY),
    Problem("convection_from_rest", """
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}, y: [0, 1]}
constants: {Ra: 5000, Pr: 1}
unknowns: [{name: u, vector: [x, y]}, p, T]
equations:
  - "dt(u) + dot(u, grad(u)) = -grad(p) + Pr*lap(u) + [0, Ra*Pr*T]"
  - "div(u) = 0"
  - "dt(T) + dot(u, grad(T)) = lap(T)"
initial: {u: [0, 0], T: "1 - y + 0.1*sin(pi*y)*cos(pi*x)"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "T(y=0) = 1", "T(y=1) = 0"]
output: {grid: {t: [0.1, 0.2, 0.5, 1], x: [0.3], y: [0.3]}}
""", at_a_point({"u_x": [-9.60705929, -12.2275866, -12.1326423, -12.1319351],
                 "u_y": [6.08061986, 7.30526538, 7.30131315, 7.30093417],
                 "T": [0.736339414, 0.642695973, 0.651425852, 0.651442812],
                 "p": [-543.545545, -573.164281, -574.040587, -574.030565]}),
            [automatic(1e-3), automatic(1e-4)], _BY_NUMPY),
]
