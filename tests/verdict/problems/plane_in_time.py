"""Problems in two dimensions of space and time."""
import numpy as np

from problem import Problem, automatic, fixed
from problems.plane import torsion, walls


def heated_plate(t, x, y):
    """u_t = 0.1 lap u + 1 from 0, walls 0: the steady state less the double sine series of what is missing."""
    n = np.arange(1, 400, 2) * np.pi
    sine_x, sine_y = (np.sin(n[:, None] * np.ravel(s)) * (4 / n[:, None]) for s in (x, y))
    size = n[:, None]**2 + n**2
    values = [np.zeros((np.size(y), np.size(x))) if time == 0
              else 10 * (torsion(x[0], y[0]) - sine_y.T @ (np.exp(-0.1 * size * time) / size) @ sine_x)
              for time in np.ravel(t)]
    return np.array(values)


def cole_hopf(t, x, y):
    """Burgers in the plane: -2 nu grad(log phi), nu = 0.1, phi = 2 + exp(-2 nu pi^2 t) cos(pi x) cos(pi y)."""
    decay = np.exp(-0.2 * np.pi**2 * t)
    phi = 2 + decay * np.cos(np.pi * x) * np.cos(np.pi * y)
    return (0.2 * np.pi * decay * np.sin(np.pi * x) * np.cos(np.pi * y) / phi,
            0.2 * np.pi * decay * np.cos(np.pi * x) * np.sin(np.pi * y) / phi)


def vortex(t, x, y):
    return np.exp(-0.1 * np.pi**2 * t) * np.sin(np.pi * x) * np.sin(np.pi * y)


def variable_density(name, x_axis, conditions, mean_of_p, runs, quick=False):
    """Vortices of Taylor that travel along x with a density of their own stream function: made to hold by sources."""
    return Problem(name, f"""
domain: {{t: [0, 0.4], x: {x_axis}, y: [-1, 1]}}
constants: {{nu: 0.05, D: 0.05, a: 0.4}}
definitions: {{X: "x - t", f: "cos(X)*cos(y)", R: "1 + a*f", U: "1 - cos(X)*sin(y)", V: "sin(X)*cos(y)"}}
unknowns: [rho, u, v, p]
equations:
  - "dt(rho) + u*dx(rho) + v*dy(rho) = D*(lap(rho) + 2*a*f)"
  - "rho*(dt(u) + u*dx(u) + v*dy(u)) = -dx(p) + nu*(lap(u) + 2*(U - 1)) - a*f*sin(2*X)/2"
  - "rho*(dt(v) + u*dx(v) + v*dy(v)) = -dy(p) + nu*(lap(v) + 2*V) - a*f*sin(2*y)/2"
  - "dx(u) + dy(v) = 0"
initial: {{rho: "R(t=0)", u: "U(t=0)", v: "V(t=0)"}}
boundary: [{", ".join(f'"{one}"' for one in conditions)}, "integral(integral(p, x), y) = {mean_of_p}"]
output: {{grid: {{t: 9, x: 21, y: 21}}}}
""", {"rho": lambda t, x, y: 1 + 0.4 * np.cos(x - t) * np.cos(y),
      "u": lambda t, x, y: 1 - np.cos(x - t) * np.sin(y),
      "v": lambda t, x, y: np.sin(x - t) * np.cos(y),
      "p": lambda t, x, y: -(np.cos(2 * (x - t)) + np.cos(2 * y)) / 4}, runs, "manufactured solution", quick=quick)


def at_edges(axis, ends):
    return [f"{unknown}({axis}={end}) = {value}({axis}={end})"
            for unknown, value in (("rho", "R"), ("u", "U"), ("v", "V")) for end in ends]


def plate(name, time, equation, initial, boundary, answer, runs, origin, times="14", quick=False):
    case = f"domain: {{t: {time}, x: [0, 1], y: [0, 1]}}\nunknowns: [u]\nequations: [\"{equation}\"]\ninitial:\n"
    case += "".join(f'  "{key}": "{value}"\n' for key, value in initial.items()) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary)
    case += f"output: {{grid: {{t: {times}, x: 24, y: 24}}}}\n"
    return Problem(name, case, {"u": answer}, runs, origin, quick)


PERIODIC = [f"{d}({axis}=0) = {d}({axis}=1)" for axis in "xy" for d in ("u", f"d{axis}(u)")]
INFLOW = ["u(x=0) = cos(3*(y - 0.5*t) - 3*t)", "u(y=0) = cos(3*(x - t) - 1.5*t)"]

PROBLEMS = [
    plate("heat_2d", "[0, 0.1]", "dt(u) = lap(u)", {"u": "sin(pi*x)*sin(2*pi*y)"}, walls(),
          lambda t, x, y: np.exp(-5 * np.pi**2 * t) * np.sin(np.pi * x) * np.sin(2 * np.pi * y),
          [fixed(1e-6, t=6, x=8, y=10), fixed(1e-6, t=12, x=14, y=18), automatic(1e-6)], "sine mode", quick=True),
    plate("heat_2d_time_coarse", "[0, 0.5]", "dt(u) = lap(u)", {"u": "sin(pi*x)*sin(pi*y)"}, walls(),
          lambda t, x, y: np.exp(-2 * np.pi**2 * t) * np.sin(np.pi * x) * np.sin(np.pi * y),
          [fixed(1e-6, t=4, x=14, y=14), fixed(1e-6, t=12, x=14, y=14, windows=2)], "sine mode; time alone is coarse"),
    plate("heated_plate", "[0, 1]", "dt(u) = 0.1*lap(u) + 1", {"u": "0"}, walls(), heated_plate,
          [fixed(1e-3, t=8, x=12, y=12), fixed(1e-6, t=8, x=14, y=14, windows=2), automatic(1e-3), automatic(1e-4)],
          "sine series", times="[0, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.75, 1]", quick=True),
    plate("advection_2d", "[0, 0.5]", "dt(u) + dx(u) + 0.5*dy(u) = 0", {"u": "cos(3*x + 3*y)"}, INFLOW,
          lambda t, x, y: np.cos(3 * (x - t) + 3 * (y - 0.5 * t)),
          [fixed(1e-6, t=5, x=7, y=7), fixed(1e-6, t=10, x=14, y=14)], "carried along"),
    plate("diffusing_pulse_2d", "[0, 0.2]", "dt(u) + dx(u) = 0.01*lap(u)",
          {"u": "cos(2*pi*x)*cos(2*pi*y)"}, PERIODIC,
          lambda t, x, y: np.exp(-0.08 * np.pi**2 * t) * np.cos(2 * np.pi * (x - t)) * np.cos(2 * np.pi * y),
          [fixed(1e-6, t=6, x=10, y=10), fixed(1e-6, t=8, x=18, y=18)], "a mode carried along"),
    plate("wave_2d", "[0, 1]", "dt(u,2) = lap(u)", {"u": "sin(pi*x)*sin(pi*y)", "dt(u)": "0"}, walls(),
          lambda t, x, y: np.cos(np.sqrt(2) * np.pi * t) * np.sin(np.pi * x) * np.sin(np.pi * y),
          [fixed(1e-6, t=6, x=8, y=8, windows=2), fixed(1e-6, t=12, x=14, y=14, windows=2)], "standing wave"),
    plate("fisher_2d", "[0, 1]", "dt(u) = lap(u) + u*(1 - u)", {"u": "(1 + exp((x + y)/sqrt(12)))^(-2)"},
          [f"u({axis}={end}) = (1 + exp(({other} + {end})/sqrt(12) - 5*t/6))^(-2)"
           for axis, other in (("x", "y"), ("y", "x")) for end in (0, 1)],
          lambda t, x, y: (1 + np.exp((x + y) / np.sqrt(12) - 5 * t / 6))**-2.0,
          [fixed(1e-6, t=3, x=3, y=3), fixed(1e-6, t=8, x=10, y=10)], "travelling wave"),
    Problem("burgers_2d", """
domain: {t: [0, 0.5], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations:
  - "dt(u) = 0.1*lap(u) - u*dx(u) - v*dy(u)"
  - "dt(v) = 0.1*lap(v) - u*dx(v) - v*dy(v)"
initial:
  u: "0.2*pi*sin(pi*x)*cos(pi*y)/(2 + cos(pi*x)*cos(pi*y))"
  v: "0.2*pi*cos(pi*x)*sin(pi*y)/(2 + cos(pi*x)*cos(pi*y))"
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0",
           "dx(v)(x=0) = 0", "dx(v)(x=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
output: {grid: {t: 9, x: 21, y: 21}}
""", {"u": lambda t, x, y: cole_hopf(t, x, y)[0], "v": lambda t, x, y: cole_hopf(t, x, y)[1]},
            [fixed(1e-6, t=4, x=8, y=8), fixed(1e-6, t=8, x=20, y=20)], "Cole-Hopf"),
    Problem("vortex_decay", """
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [w, p]
equations:
  - "dt(w) = 0.05*lap(w) - dy(p)*dx(w) + dx(p)*dy(w)"
  - "lap(p) = -w"
initial: {w: "2*pi^2*sin(pi*x)*sin(pi*y)"}
boundary: ["w(x=0) = 0", "w(x=1) = 0", "w(y=0) = 0", "w(y=1) = 0",
           "p(x=0) = 0", "p(x=1) = 0", "p(y=0) = 0", "p(y=1) = 0"]
output: {grid: {t: 9, x: 21, y: 21}}
""", {"w": lambda t, x, y: 2 * np.pi**2 * vortex(t, x, y), "p": lambda t, x, y: vortex(t, x, y)},
            [fixed(1e-6, t=5, x=8, y=8), fixed(1e-6, t=9, x=14, y=14)], "Taylor's vortex: steady but for its decay"),
    variable_density("variable_density_channel", "{range: [0, 2*pi], basis: fourier}", at_edges("y", (-1, 1)), "-pi*sin(2)/2",
                     [automatic(1e-4), fixed(1e-6, t=3, x=4, y=6), fixed(1e-6, t=6, x=9, y=14, windows=3)], quick=True),
    variable_density("variable_density_box", "[0, 2]", at_edges("x", (0, 2)) + at_edges("y", (-1, 1)),
                     "-(sin(4 - 2*t) + sin(2*t) + 2*sin(2))/4",
                     [automatic(1e-4), fixed(1e-6, t=3, x=6, y=6), fixed(1e-6, t=6, x=14, y=14, windows=3)]),
]
