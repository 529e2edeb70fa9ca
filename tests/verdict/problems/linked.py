"""Conditions that link unknowns, walls through which nothing enters, unknown numbers, and starts far from the answer."""
import numpy as np
from numpy.polynomial import Polynomial

from problem import Problem, automatic, fixed, root


def three_in_a_row():
    """u' = cos 2x, v' = u - v, w' = v, each beginning where the one before it ends."""
    u = lambda x: np.sin(2 * x) / 2
    c = u(1) + 0.2
    v = lambda x: c * np.exp(-x) + (np.sin(2 * x) - 2 * np.cos(2 * x)) / 10
    w = lambda x: v(1) + c * (1 - np.exp(-x)) + ((1 - np.cos(2 * x)) / 2 - np.sin(2 * x)) / 10
    return {"u": u, "v": v, "w": w}


def delayed(rate, n):
    """y'(t) = -rate y(t - 1), y = 1 before 0, in pieces of length 1: polynomials."""
    pieces, before = {}, Polynomial([1.0])
    start = 1.0
    for k in range(1, n + 1):
        piece = (-rate * before).integ()
        piece = piece - piece(0.0) + start
        pieces[f"y{k}"], before, start = lambda x, piece=piece: piece(x), piece, piece(1.0)
    return pieces


def stopped(t, x):
    """c = cos 3x carried by sin(pi x): tan(pi x/2) grows by exp(pi t) along a path."""
    return np.cos(3 * 2 / np.pi * np.arctan(np.tan(np.pi * x / 2) * np.exp(-np.pi * t)))


# No slip for cos(2x) exp(-D t) waves: a tan a = -2 tanh 2 between pi/2 and pi.
A = root(lambda a: a * np.sin(a) + 2 * np.tanh(2) * np.cos(a), np.pi / 2, np.pi)
D = A**2 + 4


def stokes(y):
    return np.cos(A * y) / np.cos(A) - np.cosh(2 * y) / np.cosh(2)


# Period for mu = 3: scipy, DOP853 at 1e-13, between two downward crossings of v = 0 on the limit cycle.
VAN_DER_POL_3 = 8.8590954997
K = root(lambda k: np.cosh(2 * k) + 0.2 / k * np.sinh(2 * k) - 5, 0.5, 2)


def duffing(fields):
    """The solution near the answer: Newton's method on 128 points of a Fourier series, since there may be several."""
    (coordinates, values), n, omega = fields["u"], 128, 1.3
    x = 2 * np.pi / omega * np.arange(n) / n
    k = omega * np.fft.fftfreq(n, 1 / n)
    slope = np.real(np.fft.ifft(1j * k[:, None] * (np.abs(k) < omega * n / 2)[:, None] * np.fft.fft(np.eye(n), axis=0),
                                axis=0))
    u = np.interp(x, coordinates["x"], values)
    for _ in range(30):
        residual = slope @ slope @ u + 0.3 * slope @ u + u + u**3 - 0.6 * np.cos(omega * x)
        u = u - np.linalg.solve(slope @ slope + 0.3 * slope + np.diag(1 + 3 * u**2), residual)
    modes = np.fft.fft(u) / n
    return {"u": np.real(np.exp(1j * np.multiply.outer(coordinates["x"], k)) @ modes)}

PROBLEMS = [
    Problem("pieces_in_a_row", """
domain: {x: [0, 1]}
unknowns: [u, v, w]
equations: ["dx(u) = cos(2*x)", "dx(v) = u - v", "dx(w) = v"]
boundary: ["u(x=0) = 0", "v(x=0) = u(x=1)", "w(x=0) = v(x=1)"]
""", three_in_a_row(), [fixed(1e-6, x=4), fixed(1e-6, x=12), fixed(1e-6, x=13), fixed(1e-6, x=8, domains={"x": 2}),
                        automatic(1e-8)], "closed form", quick=True),
    Problem("delay_by_steps", """
domain: {x: [0, 1]}
unknowns: [y1, y2, y3, y4]
equations: ["dx(y1) = -1.5", "dx(y2) = -1.5*y1", "dx(y3) = -1.5*y2", "dx(y4) = -1.5*y3"]
boundary: ["y1(x=0) = 1", "y2(x=0) = y1(x=1)", "y3(x=0) = y2(x=1)", "y4(x=0) = y3(x=1)"]
""", delayed(1.5, 4), [fixed(1e-6, x=2), fixed(1e-6, x=6), fixed(1e-6, x=7), automatic(1e-8)], "polynomials"),
    Problem("vessels_in_series", """
domain: {t: [0, 2], x: [0, 1]}
unknowns: [a, b]
equations: ["dt(a) + dx(a) = -a", "dt(b) + dx(b) = 0.3*a - b"]
initial: {a: "-exp(-x)*sin(x)", b: "-exp(-x)*(exp(-1)*sin(x + 1) + 0.3*x*sin(x))"}
boundary: ["a(x=0) = sin(t)", "b(x=0) = a(x=1)"]
""", {"a": lambda t, x: np.exp(-x) * np.sin(t - x),
      "b": lambda t, x: np.exp(-x) * (np.exp(-1) * np.sin(t - x - 1) + 0.3 * x * np.sin(t - x))},
            [fixed(1e-6, t=5, x=6, windows=2), fixed(1e-6, t=12, x=14, windows=2), automatic(1e-7)], "closed form",
            quick=True),
    Problem("ring_of_two", """
domain: {t: [0, 3], x: [0, 1]}
unknowns: [a, b]
equations: ["dt(a) + dx(a) = 0", "dt(b) + dx(b) = 0"]
initial: {a: "sin(pi*x) + cos(2*pi*x)", b: "cos(2*pi*x) - sin(pi*x)"}
boundary: ["a(x=0) = b(x=1)", "b(x=0) = a(x=1)"]
""", {"a": lambda t, x: np.sin(np.pi * (x - t)) + np.cos(2 * np.pi * (x - t)),
      "b": lambda t, x: np.sin(np.pi * (x + 1 - t)) + np.cos(2 * np.pi * (x + 1 - t))},
            [fixed(1e-6, t=8, x=10, windows=3), fixed(1e-6, t=16, x=20, windows=3), fixed(1e-6, t=16, x=21, windows=3),
             fixed(1e-6, t=16, x=12, windows=3, domains={"x": 3}), automatic(1e-7)], "waves"),
    Problem("carried_between_walls", """
domain: {t: [0, 0.8], x: [0, 1]}
unknowns: [c]
equations: ["dt(c) + sin(pi*x)*dx(c) = 0"]
initial: {c: "cos(3*x)"}
""", {"c": stopped}, [fixed(1e-6, t=6, x=10, windows=2), fixed(1e-6, t=14, x=40, windows=4), automatic(1e-6)],
            "closed form", quick=True),
    Problem("gas_in_a_closed_tube", """
domain: {t: [0, 1], x: [0, 1]}
unknowns: [rho, u]
definitions: {R: "1 + 0.2*exp(-t)*cos(pi*x)", U: "0.3*sin(pi*x)*sin(2*t)"}
equations:
  - "dt(rho) + dx(rho*u) = dt(R) + dx(R*U)"
  - "rho*(dt(u) + u*dx(u)) + dx(rho) - 0.02*dx(u,2) = R*(dt(U) + U*dx(U)) + dx(R) - 0.02*dx(U,2)"
initial: {rho: "1 + 0.2*cos(pi*x)", u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", {"rho": lambda t, x: 1 + 0.2 * np.exp(-t) * np.cos(np.pi * x),
      "u": lambda t, x: 0.3 * np.sin(np.pi * x) * np.sin(2 * t)},
            [fixed(1e-6, t=5, x=6, windows=2), fixed(1e-6, t=14, x=18, windows=2), automatic(1e-7)],
            "chosen, with the sources that it asks for"),
    Problem("no_slip_by_stream_function", f"""
domain: {{t: [0, 0.2], y: [-1, 1]}}
unknowns: [psi, w]
equations: ["dt(w) = dy(w,2) - 4*w", "dy(psi,2) - 4*psi = -w"]
initial: {{w: "{float(D)!r}*cos({float(A)!r}*y)/cos({float(A)!r})"}}
boundary: ["psi(y=-1) = 0", "psi(y=1) = 0", "dy(psi)(y=-1) = 0", "dy(psi)(y=1) = 0"]
""", {"psi": lambda t, y: np.exp(-D * t) * stokes(y),
      "w": lambda t, y: np.exp(-D * t) * D * np.cos(A * y) / np.cos(A)},
            [fixed(1e-6, t=5, y=8, windows=2), fixed(1e-6, t=14, y=20, windows=2), automatic(1e-6)],
            "slowest Stokes mode of one wavenumber", quick=True),
    Problem("number_with_its_condition", """
domain: {x: [0, 2]}
unknowns: [u, {name: a, dims: []}]
equations: ["dx(u,2) = a*u"]
boundary: ["u(x=0) = 1", "u(x=2) = 5", "dx(u)(x=0) = 0.2"]
guess: {u: "1 + 2*x", a: "1"}
output: {fields: {u: u, a: a}}
""", {"u": lambda x: np.cosh(K * x) + 0.2 / K * np.sinh(K * x), "a": lambda: K**2},
            [fixed(1e-6, x=4), fixed(1e-6, x=16), automatic(1e-8)], "cosh and sinh"),
    Problem("van_der_pol_period", """
domain: {x: {range: [0, 1], basis: fourier}}
unknowns: [u, v, {name: T, dims: []}]
equations: ["dx(u) = T*v", "dx(v) = T*(3*(1 - u^2)*v - u)"]
boundary: ["v(x=0) = 0"]
guess: {u: "2*cos(2*pi*x)", v: "-2*sin(2*pi*x)", T: "8"}
output: {fields: {u: u, v: v, T: T}}
""", {"T": lambda: VAN_DER_POL_3}, [automatic(1e-6)], "scipy, DOP853"),
    Problem("forced_duffing", """
domain: {x: {range: [0, 2*pi/1.3], basis: fourier}}
unknowns: [u]
equations: ["dx(u,2) + 0.3*dx(u) + u + u^3 = 0.6*cos(1.3*x)"]
guess: {u: "0.4*sin(1.3*x)"}
""", duffing, [automatic(1e-7)], "Newton's method on 128 points"),
    Problem("algebraic_without_guess", """
domain: {t: [0, 2]}
unknowns: [u, v]
equations: ["dt(u) = -u", "sinh(9*(v - u)) = 1 + u"]
initial: {u: "3"}
""", {"u": lambda t: 3 * np.exp(-t), "v": lambda t: 3 * np.exp(-t) + np.arcsinh(1 + 3 * np.exp(-t)) / 9},
            [fixed(1e-6, t=5), fixed(1e-6, t=14, windows=2), automatic(1e-7)], "closed form", quick=True),
    Problem("hollow_sphere", """
domain: {t: [0, 0.2], r: [1, 2]}
unknowns: [u]
equations: ["dt(u) = dr(r^2*dr(u))/r^2"]
initial: {u: "sin(pi*(r - 1))/r"}
boundary: ["u(r=1) = 0", "u(r=2) = 0"]
""", {"u": lambda t, r: np.exp(-np.pi**2 * t) * np.sin(np.pi * (r - 1)) / r},
            [fixed(1e-6, t=5, r=6), fixed(1e-6, t=14, r=20), automatic(1e-7)], "sine mode over r", quick=True),
]
