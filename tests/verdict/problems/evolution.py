"""Partial differential equations in one dimension of space and time."""
import functools

import numpy as np

from problem import Problem, automatic, erf, fixed, root, stored


ROBIN = root(lambda m: m * np.tan(m) - 1, 0.1, 1.5)

# Two materials, u_t = (k u_x)_x, k = 1 and 4: sin(2bx) meets c sin(b(1 - x)) at 1/2 with the same flux.
TWO = root(lambda b: 2 * b * np.cos(b) * np.sin(b / 2) + 4 * b * np.cos(b / 2) * np.sin(b), 1.8, 2.8)
TWO_FACTOR = float(np.sin(TWO) / np.sin(TWO / 2))


def two_materials(t, x):
    return np.exp(-4 * TWO**2 * t) * np.where(x < 0.5, np.sin(2 * TWO * x), TWO_FACTOR * np.sin(TWO * (1 - x)))


def two_materials_flux(t, x):
    return np.exp(-4 * TWO**2 * t) * np.where(x < 0.5, 2 * TWO * np.cos(2 * TWO * x),
                                              -4 * TWO * TWO_FACTOR * np.cos(TWO * (1 - x)))


def heated_rod(t, x):
    """u_t = u_xx + 1, u = 0 at first and at the walls: the steady state less the sine series of what is missing."""
    n = np.arange(1, 4001, 2) * np.pi
    series = np.exp(-n**2 * t.reshape(-1, 1)) @ (4 / n[:, None]**3 * np.sin(n[:, None] * x.reshape(1, -1)))
    return np.where(t == 0, 0, x * (1 - x) / 2 - series)


def shock_by_quadrature(t, x, nu):
    """Burgers from -sin(pi x) by the Cole-Hopf integral, Gauss-Hermite quadrature with 200 points."""
    z, weights = np.polynomial.hermite.hermgauss(200)
    t, x = np.broadcast_arrays(t, x)
    eta = x[..., None] - np.sqrt(4 * nu * t[..., None]) * z
    exponent = -np.cos(np.pi * eta) / (2 * np.pi * nu)
    weight = weights * np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    return -(weight * np.sin(np.pi * eta)).sum(axis=-1) / weight.sum(axis=-1)


def two_solitons(t, x):
    """KdV u_t + 6 u u_x + u_xxx = 0: 2 (log F)_xx with F of Hirota, wave numbers 1 and 1.5."""
    a, b = 1.0, 1.5
    f, g = np.exp(a * (x + 6) - a**3 * t), np.exp(b * (x + 11) - b**3 * t)
    c = ((a - b) / (a + b))**2
    F = 1 + f + g + c * f * g
    F1 = a * f + b * g + c * (a + b) * f * g
    F2 = a**2 * f + b**2 * g + c * (a + b)**2 * f * g
    return 2 * (F2 / F - (F1 / F)**2)


def pulse(s):
    return np.exp(-200 * s**2)


def reflected_pulse(t, x):
    """Wave equation on [0, 1], walls u = 0, by d'Alembert with the odd periodic continuation."""
    def continued(s):
        return sum(pulse(s - 0.4 - 2 * k) - pulse(s + 0.4 - 2 * k) for k in range(-3, 4))
    return (continued(x - t) + continued(x + t)) / 2


def damped_mode(t):
    """w'' + w' + pi^2 w = 0, w(0) = 1, w'(0) = 0."""
    omega = np.sqrt(np.pi**2 - 0.25)
    return np.exp(-t / 2) * (np.cos(omega * t) + np.sin(omega * t) / (2 * omega))


STOKES = (1 + 1j) * np.sqrt(5.0)  # s^2 = i omega, omega = 10


def oscillating_wall(t, x):
    return np.real(np.sinh(STOKES * (1 - x)) / np.sinh(STOKES) * np.exp(10j * t))


STOKES_START = "(sinh(a*(1-x))*cos(a*(1-x))*sinh(a)*cos(a) + cosh(a*(1-x))*sin(a*(1-x))*cosh(a)*sin(a))" \
    "/(sinh(a)^2*cos(a)^2 + cosh(a)^2*sin(a)^2)"


def black_scholes(t, x, strike=1.0, s=0.4, r=0.05):
    t, x = np.broadcast_arrays(t, x)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = (np.log(x / strike) + (r + s**2 / 2) * t) / (s * np.sqrt(t))
        value = x * (1 + erf(d / np.sqrt(2))) / 2 \
            - strike * np.exp(-r * t) * (1 + erf((d - s * np.sqrt(t)) / np.sqrt(2))) / 2
    return np.where(t == 0, np.maximum(x - strike, 0), value)


GRID = "output: {grid: {t: 54, x: 203}}\n"


def line(name, time, space, equation, initial, boundary, answer, runs, origin, extra="", grid=GRID, quick=False):
    """One unknown u. initial: an expression, or {"u": .., "dt(u)": ..}."""
    initial = initial if isinstance(initial, dict) else {"u": initial}
    case = f"domain: {{t: {time}, x: {space}}}\nunknowns: [u]\nequations:\n  - \"{equation}\"\ninitial:\n"
    case += "".join(f'  "{key}": "{value}"\n' for key, value in initial.items()) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary) + extra + grid
    return Problem(name, case, {"u": answer}, runs, origin, quick)


def line_with_reference(name, time, space, equation, initial, boundary, runs, origin):
    grid, answer = stored(name)
    problem = line(name, time, space, equation, initial, boundary, None, runs, origin, grid=grid + "\n")
    problem.answer = answer
    return problem


ZERO = ["u(x=0) = 0", "u(x=1) = 0"]
NO_FLUX = [f"dx(u{order})(x={end}) = 0" for order in ("", ",3") for end in (0, 1)]
# Where it begins with a kink in time, or changes fast in the middle of space.
EARLY = "[0, 1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 4e-3, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1]"
EARLY_GRID = f"output: {{grid: {{t: {EARLY}, x: 203}}}}\n"
MIDDLE = sorted(sign * x for sign in (-1, 1) for x in (1e-4, 5e-4, 1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.015, 0.03, 0.05, 0.1,
                                                       0.2, 0.33, 0.5, 0.66, 0.8, 0.9, 1))
MIDDLE_GRID = f"output: {{grid: {{t: 54, x: {MIDDLE}}}}}\n"
PERIODIC = ["u(x=0) = u(x=1)", "dx(u)(x=0) = dx(u)(x=1)"]
PERIODIC_4 = [f"{d}(x=0) = {d}(x=2*pi)" for d in ("u", "dx(u)", "dx(u,2)", "dx(u,3)")]
_F, _G = "exp(x + 6)", "exp(1.5*(x + 11))"
_SUM = f"(1 + {_F} + {_G} + {_F}*{_G}/25)"
SOLITONS_START = (f"2*(({_F} + 2.25*{_G} + 0.25*{_F}*{_G})/{_SUM}"
                  f" - (({_F} + 1.5*{_G} + 0.1*{_F}*{_G})/{_SUM})^2)")

PROBLEMS = [
    line("heat_two_modes", "[0, 0.2]", "[0, 1]", "dt(u) = dx(u,2)", "sin(pi*x) + sin(4*pi*x)", ZERO,
         lambda t, x: np.exp(-np.pi**2 * t) * np.sin(np.pi * x)
         + np.exp(-16 * np.pi**2 * t) * np.sin(4 * np.pi * x),
         [fixed(1e-6, t=8, x=10), fixed(1e-6, t=6, x=24), fixed(1e-6, t=16, x=26, windows=2), automatic(1e-8)],
         "sine modes"),
    line("heat_chebyshev_weights", "[0, 0.5]", "[0, 1]", "dt(u) = 0.3*dx(u,2)", "sin(2*pi*x)", ZERO,
         lambda t, x: np.exp(-1.2 * np.pi**2 * t) * np.sin(2 * np.pi * x),
         [fixed(1e-6, t=5, x=14), fixed(1e-6, t=12, x=18)], "sine mode", extra="time: {weighting: chebyshev}\n"),
    line("heat_robin", "[0, 1]", "[0, 1]", "dt(u) = dx(u,2)", f"cos({ROBIN!r}*x)",
         ["dx(u)(x=0) = 0", "dx(u)(x=1) + u(x=1) = 0"],
         lambda t, x: np.exp(-ROBIN**2 * t) * np.cos(ROBIN * x),
         [fixed(1e-6, t=3, x=6), fixed(1e-6, t=8, x=10), automatic(1e-9)], "eigenmode, m tan m = 1"),
    line("heated_rod", "[0, 1]", "[0, 1]", "dt(u) = dx(u,2) + 1", "0", ZERO, heated_rod,
         [fixed(1e-6, t=10, x=16), fixed(1e-3, t=8, x=16, windows=[0, 0.001, 0.01, 0.1, 1]), automatic(1e-4),
          automatic(1e-6)], "sine series", grid=EARLY_GRID),
    line("oscillating_wall", "[0, 2]", "[0, 1]", "dt(u) = dx(u,2)", STOKES_START,
         ["u(x=0) = cos(10*t)", "u(x=1) = 0"], oscillating_wall,
         [fixed(1e-6, t=8, x=16, windows=2), fixed(1e-6, t=12, x=16, windows=6), automatic(1e-8)],
         "time-harmonic solution", extra="constants: {a: \"sqrt(5)\"}\n"),
    Problem("two_materials", f"""
domain: {{t: [0, 0.1], x: [0, 1]}}
constants: {{b: {TWO!r}, c: {TWO_FACTOR!r}}}
unknowns: [u, q]
equations: ["dt(u) = dx(q)", "q = (1 + 3*step(x - 0.5))*dx(u)"]
initial: {{u: "sin(2*b*x) + step(x - 0.5)*(c*sin(b*(1 - x)) - sin(2*b*x))"}}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", {"u": two_materials, "q": two_materials_flux},
            [fixed(1e-6, t=8, x=4, domains={"x": [0, 0.5, 1]}), fixed(1e-6, t=10, x=14, domains={"x": [0, 0.5, 1]}),
             automatic(1e-7, domains={"x": [0, 0.5, 1]})], "eigenmode of two materials"),
    line("burgers_front", "[0, 0.5]", "[0, 1]", "dt(u) = 0.01*dx(u,2) - u*dx(u)",
         "1 - tanh((x - 0.3)/0.02)", ["u(x=0) = 1 - tanh((-t - 0.3)/0.02)", "u(x=1) = 1 - tanh((0.7 - t)/0.02)"],
         lambda t, x: 1 - np.tanh((x - t - 0.3) / 0.02),
         [fixed(1e-6, t=8, x=32, windows=10), fixed(1e-6, t=10, x=24, windows=25, domains={"x": 8}),
          automatic(1e-4), automatic(1e-7)], "travelling front, nu = 0.01", quick=True),
    line("burgers_cole_hopf", "[0, 1]", "[0, 1]", "dt(u) = 0.05*dx(u,2) - u*dx(u)",
         "0.1*pi*sin(pi*x)/(1.2 + cos(pi*x))", ZERO,
         lambda t, x: 0.1 * np.pi * np.exp(-0.05 * np.pi**2 * t) * np.sin(np.pi * x)
         / (1.2 + np.exp(-0.05 * np.pi**2 * t) * np.cos(np.pi * x)),
         [fixed(1e-6, t=6, x=12), fixed(1e-6, t=12, x=40, windows=2), automatic(1e-8)], "Cole-Hopf closed form",
         quick=True),
    line("burgers_shock", "[0, 1]", "[-1, 1]", "dt(u) = 0.01/pi*dx(u,2) - u*dx(u)", "-sin(pi*x)",
         ["u(x=-1) = 0", "u(x=1) = 0"], functools.partial(shock_by_quadrature, nu=0.01 / np.pi),
         [fixed(1e-4, t=8, x=48, windows=10), automatic(1e-4), automatic(1e-6)], "Cole-Hopf, quadrature",
         grid=MIDDLE_GRID),
    line("advection_periodic", "[0, 1]", "[0, 1]", "dt(u) = -dx(u)", "exp(sin(2*pi*x))", ["u(x=0) = u(x=1)"],
         lambda t, x: np.exp(np.sin(2 * np.pi * (x - t))),
         [fixed(1e-6, t=10, x=16, windows=4), fixed(1e-6, t=14, x=36, windows=6), automatic(1e-7)], "carried along"),
    line("advection_inflow", "[0, 2]", "[0, 1]", "dt(u) + dx(u) = 0", "sin(-5*x)", ["u(x=0) = sin(5*t)"],
         lambda t, x: np.sin(5 * (t - x)),
         [fixed(1e-6, t=8, x=8), fixed(1e-6, t=12, x=16, windows=3), automatic(1e-8)], "carried along"),
    line("advection_kink", "[0, 0.5]", "[0, 1]", "dt(u) + dx(u) = 0", "abs(x - 0.3)", ["u(x=0) = abs(-t - 0.3)"],
         lambda t, x: np.abs(x - t - 0.3),
         [fixed(1e-6, t=10, x=32, windows=4), fixed(1e-6, t=10, x=20, windows=4, domains={"x": [0, 0.3, 1]})],
         "carried along, a kink that leaves the edge"),
    line("wave_standing", "[0, 3]", "[0, 1]", "dt(u,2) = dx(u,2)", {"u": "sin(3*pi*x)", "dt(u)": "0"}, ZERO,
         lambda t, x: np.cos(3 * np.pi * t) * np.sin(3 * np.pi * x),
         [fixed(1e-6, t=8, x=12, windows=6), fixed(1e-6, t=12, x=24, windows=12), automatic(1e-8)], "standing wave",
         quick=True),
    line("wave_reflected", "[0, 2]", "[0, 1]", "dt(u,2) = dx(u,2)",
         {"u": "exp(-200*(x - 0.4)^2)", "dt(u)": "0"}, ZERO, reflected_pulse,
         [fixed(1e-6, t=8, x=32, windows=10), fixed(1e-6, t=12, x=80, windows=30), automatic(1e-6)],
         "d'Alembert, images"),
    line("telegraph", "[0, 4]", "[0, 1]", "dt(u,2) + dt(u) = dx(u,2)", {"u": "sin(pi*x)", "dt(u)": "0"}, ZERO,
         lambda t, x: damped_mode(t) * np.sin(np.pi * x),
         [fixed(1e-6, t=6, x=10, windows=2), fixed(1e-6, t=12, x=16, windows=4), automatic(1e-8)], "damped mode"),
    line("beam_supported", "[0, 1]", "[0, 1]", "dt(u,2) + dx(u,4) = 0", {"u": "sin(pi*x)", "dt(u)": "0"},
         ZERO + ["dx(u,2)(x=0) = 0", "dx(u,2)(x=1) = 0"],
         lambda t, x: np.cos(np.pi**2 * t) * np.sin(np.pi * x),
         [fixed(1e-6, t=6, x=10, windows=3), fixed(1e-6, t=12, x=16, windows=4), automatic(1e-7)], "mode of the beam"),
    line("kdv_two_solitons", "[0, 4]", "[-32, 32]", "dt(u) + 6*u*dx(u) + dx(u,3) = 0",
         SOLITONS_START,
         ["u(x=-32) = 0", "u(x=32) = 0", "dx(u)(x=32) = 0"], two_solitons,
         [fixed(1e-4, t=8, x=48, windows=10), fixed(1e-4, t=12, x=24, windows=24, domains={"x": 16}), automatic(1e-6)],
         "Hirota's formula"),
    line("fisher_wave", "[0, 2]", "[-10, 10]", "dt(u) = dx(u,2) + u*(1 - u)", "(1 + exp(x/sqrt(6)))^(-2)",
         ["u(x=-10) = (1 + exp(-10/sqrt(6) - 5*t/6))^(-2)", "u(x=10) = (1 + exp(10/sqrt(6) - 5*t/6))^(-2)"],
         lambda t, x: (1 + np.exp(x / np.sqrt(6) - 5 * t / 6))**-2.0,
         [fixed(1e-6, t=5, x=12), fixed(1e-6, t=10, x=32, windows=2), automatic(1e-8)], "Ablowitz and Zeppetella"),
    line("allen_cahn_wave", "[0, 2]", "[-2, 2]", "dt(u) = 0.02*dx(u,2) + u - u^3",
         "(1 - tanh(x/0.4))/2", ["u(x=-2) = (1 - tanh((-2 - 0.3*t)/0.4))/2", "u(x=2) = (1 - tanh((2 - 0.3*t)/0.4))/2"],
         lambda t, x: (1 - np.tanh((x - 0.3 * t) / 0.4)) / 2,
         [fixed(1e-6, t=8, x=20), fixed(1e-6, t=10, x=72, windows=2), automatic(1e-8)], "travelling wave"),
    line_with_reference("allen_cahn_walls", "[0, 20]", "[-1, 1]", "dt(u) = 0.01*dx(u,2) + u - u^3",
                        "0.53*x + 0.47*sin(-1.5*pi*x)", ["u(x=-1) = -1", "u(x=1) = 1"],
                        [fixed(1e-6, t=8, x=24, windows=10), fixed(1e-6, t=10, x=64, windows=20), automatic(1e-7)],
                        "Chebyshev collocation and Radau IIA, two resolutions"),
    line_with_reference("cahn_hilliard", "[0, 4]", "[0, 2*pi]", "dt(u) = dx(u^3 - u - 0.02*dx(u,2), 2)",
                        "0.3*cos(x) + 0.2*sin(3*x)", PERIODIC_4,
                        [fixed(1e-6, t=8, x=32, windows=20), automatic(1e-5), automatic(1e-8)],
                        "Fourier collocation and Radau IIA, two resolutions"),
    line_with_reference("kuramoto_sivashinsky", "[0, 10]", "[0, 32*pi]",
                        "dt(u) + u*dx(u) + dx(u,2) + dx(u,4) = 0", "cos(x/16)*(1 + sin(x/16))",
                        [f"{d}(x=0) = {d}(x=32*pi)" for d in ("u", "dx(u)", "dx(u,2)", "dx(u,3)")],
                        [fixed(1e-5, t=8, x=48, windows=10), automatic(1e-6)],
                        "Fourier collocation and Radau IIA, two resolutions"),
    line("nonlocal_loss", "[0, 0.5]", "[0, 1]", "dt(u) = dx(u,2) - integral(u, x)", "1 + cos(pi*x)",
         ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"],
         lambda t, x: np.exp(-t) + np.exp(-np.pi**2 * t) * np.cos(np.pi * x),
         [fixed(1e-6, t=5, x=6), fixed(1e-6, t=10, x=14, windows=2), automatic(1e-8)], "the mean and a cosine mode"),
    line("euler_logarithmic", "[0, 0.5]", "{range: [1, exp(pi)], map: log}", "dt(u) = x^2*dx(u,2)",
         "sqrt(x)*sin(3*log(x))", ["u(x=1) = 0", "u(x=exp(pi)) = 0"],
         lambda t, x: np.exp(-9.25 * t) * np.sqrt(x) * np.sin(3 * np.log(x)),
         [fixed(1e-6, t=6, x=12), fixed(1e-6, t=12, x=22, windows=2)], "mode of Euler's equation"),
    line("black_scholes", "[0, 1]", "[0, 8]", "dt(u) = 0.08*x^2*dx(u,2) + 0.05*x*dx(u) - 0.05*u", "max(x - 1, 0)",
         ["u(x=0) = 0", "u(x=8) = 8 - exp(-0.05*t)"], black_scholes,
         [fixed(1e-4, t=8, x=24, windows=4), automatic(1e-4, domains={"x": [0, 1, 8]}),
          automatic(1e-6, domains={"x": [0, 1, 8]})], "closed form", grid=EARLY_GRID),
    line("diffusing_step", "[0, 0.5]", "[-1, 1]", "dt(u) = 0.05*dx(u,2)", "(1 + erf(x/sqrt(0.2*0.02)))/2",
         ["u(x=-1) = (1 + erf(-1/sqrt(0.2*(t + 0.02))))/2", "u(x=1) = (1 + erf(1/sqrt(0.2*(t + 0.02))))/2"],
         lambda t, x: (1 + erf(x / np.sqrt(0.2 * (t + 0.02)))) / 2,
         [fixed(1e-6, t=8, x=24), fixed(1e-6, t=12, x=88, windows=4), automatic(1e-7)], "error function"),
    Problem("schroedinger_box", """
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [a, b]
equations: ["dt(a) = -dx(b,2)", "dt(b) = dx(a,2)"]
initial: {a: "sin(pi*x) + sin(2*pi*x)", b: "0"}
boundary: ["a(x=0) = 0", "a(x=1) = 0", "b(x=0) = 0", "b(x=1) = 0"]
""", {"a": lambda t, x: np.cos(np.pi**2 * t) * np.sin(np.pi * x)
      + np.cos(4 * np.pi**2 * t) * np.sin(2 * np.pi * x),
      "b": lambda t, x: -np.sin(np.pi**2 * t) * np.sin(np.pi * x)
      - np.sin(4 * np.pi**2 * t) * np.sin(2 * np.pi * x)},
            [fixed(1e-6, t=8, x=14, windows=3), fixed(1e-6, t=14, x=20, windows=8), automatic(1e-7)],
            "two modes of a box", quick=True),
    Problem("schroedinger_oscillator", """
domain: {t: [0, 3], x: [-8, 8]}
unknowns: [a, b]
equations: ["dt(a) = -dx(b,2)/2 + x^2*b/2", "dt(b) = dx(a,2)/2 - x^2*a/2"]
initial: {a: "pi^(-1/4)*exp(-(x - 1)^2/2)", b: "0"}
boundary: ["a(x=-8) = 0", "a(x=8) = 0", "b(x=-8) = 0", "b(x=8) = 0"]
""", {"a": lambda t, x: np.pi**-0.25 * np.exp(-(x - np.cos(t))**2 / 2)
      * np.cos(t / 2 + x * np.sin(t) - np.sin(2 * t) / 4),
      "b": lambda t, x: -np.pi**-0.25 * np.exp(-(x - np.cos(t))**2 / 2)
      * np.sin(t / 2 + x * np.sin(t) - np.sin(2 * t) / 4)},
            [fixed(1e-6, t=8, x=32, windows=4), fixed(1e-6, t=12, x=64, windows=8)], "coherent state"),
    line("levelling", "[0, 0.02]", "[0, 1]", "dt(u) = -dx(u,4)", "2 + cos(2*pi*x)", NO_FLUX,
         lambda t, x: 2 + np.exp(-16 * np.pi**4 * t) * np.cos(2 * np.pi * x),
         [fixed(1e-6, t=8, x=8, windows=8), fixed(1e-6, t=8, x=20, windows=8), automatic(1e-4), automatic(1e-6), automatic(1e-8)],
         "a cosine mode", quick=True),
    line("film", "[0, 1]", "[0, 1]", "dt(u) = -dx(u^3*dx(u,3)) - 0.3*exp(-t)*cos(pi*x) "
         "+ u^3*0.3*exp(-t)*pi^4*cos(pi*x) - 3*u^2*0.09*exp(-2*t)*pi^4*sin(pi*x)^2", "1 + 0.3*cos(pi*x)", NO_FLUX,
         lambda t, x: 1 + 0.3 * np.exp(-t) * np.cos(np.pi * x),
         [fixed(1e-6, t=8, x=8, windows=2), fixed(1e-6, t=12, x=20, windows=4), automatic(1e-4), automatic(1e-6)],
         "manufactured, source by hand"),
]
