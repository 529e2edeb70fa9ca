"""Problems in three dimensions."""
import numpy as np

from problem import Problem, fixed


def cube_along_first(a, b, c):
    """-lap u = 1 on the unit cube, walls 0: closed in a, for points not near a = 0 and 1; axes (a, b, c)."""
    n = np.arange(1, 120, 2) * np.pi
    sine_b, sine_c = (np.sin(n[:, None] * s) * (4 / n[:, None]) for s in (b, c))
    k = np.sqrt(n[:, None]**2 + n**2)
    return np.array([sine_b.T @ ((1 - (np.exp(-k * s) + np.exp(-k * (1 - s))) / (1 + np.exp(-k))) / k**2) @ sine_c
                     for s in a])


def cube_under_load(x, y, z):
    """Of the three series at every point the one that converges fastest; axes (z, y, x)."""
    inner = [0.5 - np.abs(s - 0.5) + 0 * (x + y + z) for s in (z, y, x)]
    x, y, z = (np.ravel(s) for s in (x, y, z))
    series = [cube_along_first(z, y, x), cube_along_first(y, z, x).transpose(1, 0, 2),
              cube_along_first(x, y, z).transpose(2, 1, 0)]
    return np.choose(np.argmax(inner, axis=0), series)


WALLS = [f"u({axis}={end}) = 0" for axis in "xyz" for end in (0, 1)]


def box(name, equation, answer, runs, origin, boundary=WALLS, time=None, initial=None, quick=False):
    case = "domain: {" + (f"t: {time}, " if time else "") + "x: [0, 1], y: [0, 1], z: [0, 1]}\nunknowns: [u]\n"
    case += f'equations: ["{equation}"]\n' + (f'initial: {{u: "{initial}"}}\n' if initial else "") + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary)
    case += "output: {grid: {" + ("t: 7, " if time else "") + "x: 13, y: 13, z: 13}}\n"
    return Problem(name, case, {"u": answer}, runs, origin, quick)


def sines(x, y, z):
    return np.sin(np.pi * x) * np.sin(np.pi * y) * np.sin(np.pi * z)


PROBLEMS = [
    box("poisson_3d", "-lap(u) = 3*pi^2*sin(pi*x)*sin(pi*y)*sin(pi*z)", sines,
        [fixed(1e-4, x=5, y=5, z=5), fixed(1e-4, x=10, y=10, z=10), fixed(1e-6, x=12, y=12, z=12)], "sine mode",
        quick=True),
    box("cube_under_load", "-lap(u) = 1", cube_under_load,
        [fixed(1e-2, x=10, y=10, z=10), fixed(1e-5, x=8, y=8, z=8), fixed(1e-3, x=14, y=14, z=14)],
        "double sine series"),
    box("harmonic_3d", "lap(u) = 0", lambda x, y, z: np.exp(x) * np.sin(0.6 * y) * np.cos(0.8 * z),
        [fixed(1e-6, x=4, y=4, z=4), fixed(1e-6, x=8, y=8, z=8)], "harmonic function",
        boundary=["u(x=0) = sin(0.6*y)*cos(0.8*z)", "u(x=1) = exp(1)*sin(0.6*y)*cos(0.8*z)", "u(y=0) = 0",
                  "u(y=1) = exp(x)*sin(0.6)*cos(0.8*z)", "u(z=0) = exp(x)*sin(0.6*y)",
                  "u(z=1) = exp(x)*sin(0.6*y)*cos(0.8)"]),
    box("heat_3d", "dt(u) = lap(u)", lambda t, x, y, z: np.exp(-3 * np.pi**2 * t) * sines(x, y, z),
        [fixed(1e-4, t=3, x=8, y=8, z=8), fixed(1e-4, t=6, x=10, y=10, z=10)], "sine mode", time="[0, 0.05]",
        initial="sin(pi*x)*sin(pi*y)*sin(pi*z)"),
]
