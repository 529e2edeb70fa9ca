"""Data that contradict each other at the start, jump inside the domain, or jump later."""
import math

import numpy as np

from problem import NO_ANSWER, Problem, automatic, erf, root


def erfc(z):
    return 1 - erf(z)


def _along(t, x):
    """Both as arrays of one shape, and where t is so small that the corner is left out."""
    t, x = np.broadcast_arrays(np.asarray(t, float), np.asarray(x, float))
    return t, x, t < 1e-5


def wall_step(t, x, length, insulated):
    """u_t = u_xx from 0, u(0) = 1, the other end insulated or kept at 0: images of erfc."""
    t, x, early = _along(t, x)
    root_t = 2 * np.sqrt(np.where(early, 1, t))
    sign = -1 if insulated else 1
    total = sum(sign**n * (erfc((2 * n * length + x) / root_t)
                           - sign * erfc((2 * (n + 1) * length - x) / root_t)) for n in range(60))
    return np.where(early, np.nan, total)


def joined(t, x):
    """u_t = u_xx on [0, 1] from step(x - 1/2), both ends insulated."""
    t, x, early = _along(t, x)
    root_t = 2 * np.sqrt(np.where(early, 1, t))
    total = 0.5 * sum(erf((2 * n + 1.5 - x) / root_t) - erf((2 * n + 0.5 - x) / root_t) for n in range(-20, 21))
    return np.where(early, np.nan, total)


def flux_step(t, x, length):
    """u_t = u_xx from 0, u_x(0) = -1 from t = 0 on, the other end insulated."""
    t, x, early = _along(t, x)
    safe = np.where(early, 1, t)

    def half(z):
        return 2 * np.sqrt(safe / math.pi) * np.exp(-z**2 / (4 * safe)) - z * erfc(z / (2 * np.sqrt(safe)))

    return np.where(early, np.nan, sum(half(2 * n * length + x) + half(2 * (n + 1) * length - x) for n in range(30)))


def cooled_slab(t, x, biot):
    """u_t = u_xx on [0, 1] from 1, u_x(0) = 0, u_x(1) = -biot u: Fourier series of Carslaw and Jaeger."""
    t, x, early = _along(t, x)
    total = np.zeros(x.shape)
    for n in range(600):
        zeta = root(lambda z: z * math.sin(z) - biot * math.cos(z), n * math.pi, (n + 0.5) * math.pi)
        weight = 4 * math.sin(zeta) / (2 * zeta + math.sin(2 * zeta))
        total = total + weight * np.cos(zeta * x) * np.exp(-zeta**2 * np.where(early, 1, t))
    return np.where(early, np.nan, total)


def switched(t, x):
    """u_t = u_xx on [0, 1] from 0, u(0) = 0, u(1) = step(t - 0.03), by its start later."""
    t, x = np.broadcast_arrays(np.asarray(t, float), np.asarray(x, float))
    later = t - 0.03
    found = wall_step(np.where(later > 1e-5, later, 1e-5), 1 - x, 1.0, insulated=False)
    return np.where(later < 0, 0, np.where(later > 1e-5, found, np.nan))


def inlet_step(t, x):
    """c_t + c_x = 0.01 c_xx from 0, c(0) = 1, before anything reaches the outlet (Ogata and Banks)."""
    t, x, early = _along(t, x)
    d, safe = 0.01, np.where(early, 1, t)
    spread = 2 * np.sqrt(d * safe)
    far = (x + safe) / spread
    # exp(x/d) erfc(far) with the exponents together, by the continued fraction where far is large.
    tail = np.zeros(far.shape)
    for k in range(60, 0, -1):
        tail = 0.5 * k / (far + tail)
    scaled = np.exp(x / d - far**2) / (math.sqrt(math.pi) * (far + tail))
    direct = np.exp(np.minimum(x / d, 100)) * erfc(far)
    return np.where(early, np.nan, 0.5 * (erfc((x - safe) / spread) + np.where(far > 2.5, scaled, direct)))


def cold_square(t, x, y):
    """u_t = lap(u) on the unit square from 1, 0 on the walls x = 0 and y = 0, insulated at the others."""
    one = lambda z: 1 - wall_step(t, z, 1.0, insulated=True)
    return one(x) * one(y)


_TIMES = "[0, 1.0e-3, 0.01, 0.03, 0.05, 0.1, 0.2, 0.5]"

PROBLEMS = [
    Problem("bar_wall_step", f"""
domain: {{t: [0, 0.5], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {{u: "0"}}
boundary: ["u(x=0) = 1", "dx(u)(x=1) = 0"]
output: {{grid: {{t: {_TIMES}, x: 41}}}}
""", {"u": lambda t, x: wall_step(t, x, 1.0, True)}, [automatic(1e-3), automatic(1e-6), automatic(1e-9)],
            "images of erfc", quick=True),
    Problem("bars_joined", f"""
domain: {{t: [0, 0.5], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {{u: "step(x - 0.5)"}}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"]
output: {{grid: {{t: {_TIMES}, x: 41}}}}
""", {"u": joined}, [automatic(1e-3), automatic(1e-6)], "images of erf", quick=True),
    Problem("bar_flux_step", f"""
domain: {{t: [0, 0.5], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {{u: "0"}}
boundary: ["dx(u)(x=0) = -1", "dx(u)(x=1) = 0"]
output: {{grid: {{t: {_TIMES}, x: 41}}}}
""", {"u": lambda t, x: flux_step(t, x, 1.0)}, [automatic(1e-4), automatic(1e-6)], "images of ierfc"),
    Problem("slab_cooled_by_convection", f"""
domain: {{t: [0, 0.5], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {{u: "1"}}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = -3*u(x=1)"]
output: {{grid: {{t: {_TIMES}, x: 41}}}}
""", {"u": lambda t, x: cooled_slab(t, x, 3.0)}, [automatic(1e-4), automatic(1e-6)],
            "Fourier series of Carslaw and Jaeger"),
    Problem("wall_switched_later", f"""
domain: {{t: [0, 0.5], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {{u: "0"}}
boundary: ["u(x=0) = 0", "u(x=1) = step(t - 0.03)"]
output: {{grid: {{t: {_TIMES}, x: 41}}}}
""", {"u": switched}, [automatic(1e-4), automatic(1e-6)], "images of erfc"),
    Problem("inlet_step", """
domain: {t: [0, 0.5], x: [0, 2]}
unknowns: [c]
equations: ["dt(c) + dx(c) = 0.01*dx(c,2)"]
initial: {c: "0"}
boundary: ["c(x=0) = 1", "dx(c)(x=2) = 0"]
output: {grid: {t: [0, 0.001, 0.01, 0.1, 0.5], x: 81}}
""", {"c": inlet_step}, [automatic(1e-4), automatic(1e-6)], "Ogata and Banks 1961; the outlet is 10 widths away"),
]
