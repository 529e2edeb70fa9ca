"""Problems that have no solution, or none that depends on the data continuously: PASS is always wrong."""
from problem import NO_ANSWER, Problem, automatic, fixed


def unsolvable(name, case, runs, why, quick=False):
    return Problem(name, case, NO_ANSWER, runs, why, quick)


def evolution(name, equation, initial, boundary, runs, why, end=1, quick=False):
    case = f"domain: {{t: [0, {end}], x: [0, 1]}}\nunknowns: [u]\nequations: [\"{equation}\"]\ninitial:\n"
    case += "".join(f'  "{key}": "{value}"\n' for key, value in initial.items()) + "boundary:\n"
    case += "".join(f'  - "{condition}"\n' for condition in boundary)
    return unsolvable(name, case, runs, why, quick)


# An automatic run may look no further than this: it would find out all the same, later.
LIMITS = {"resolution.limits.windows": 3000, "resolution.limits.domains": 64, "resolution.limits.degree": 96}
AUTOMATIC = automatic(1e-6, settings=LIMITS)

ZERO = ["u(x=0) = 0", "u(x=1) = 0"]
CAUCHY = """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "dy(u)(y=0) = x*(1 - x)"]
"""
NO_WAVE = """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) - dy(u,2) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = sin(pi*x)"]
"""
SOURCE_IN_A_BOX = """
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["-lap(u) = 1"]
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
"""

PROBLEMS = [
    evolution("backward_heat", "dt(u) = -dx(u,2)", {"u": "sin(pi*x) + 0.1*x*(1 - x)"}, ZERO,
              [fixed(1e-6, t=8, x=8), fixed(1e-6, t=10, x=16), fixed(1e-6, t=8, x=20, windows=4), AUTOMATIC],
              "heat backward in time", quick=True),
    evolution("backward_heat_short", "dt(u) = -0.1*dx(u,2)", {"u": "exp(-20*(x - 0.4)^2)"},
              ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"], [fixed(1e-6, t=10, x=20), fixed(1e-6, t=12, x=32)],
              "heat backward in time"),
    evolution("condition_at_outflow", "dt(u) + dx(u) = 0", {"u": "sin(pi*x)"}, ["u(x=1) = 0"],
              [fixed(1e-6, t=8, x=8), fixed(1e-6, t=12, x=16), fixed(1e-6, t=10, x=20, windows=4), AUTOMATIC],
              "what flows out cannot be prescribed", quick=True),
    evolution("condition_at_outflow_diffusion", "dt(u) = -dx(u,3)", {"u": "sin(pi*x)^2"},
              ["u(x=0) = 0", "dx(u)(x=0) = 0", "u(x=1) = 0"], [fixed(1e-6, t=8, x=12), fixed(1e-6, t=10, x=20)],
              "two of three conditions belong to x = 1", end=0.5),
    evolution("two_conditions_at_one_end", "dt(u) = dx(u,2)", {"u": "sin(pi*x)"}, ["u(x=0) = 0", "dx(u)(x=0) = 3"],
              [fixed(1e-6, t=8, x=10), fixed(1e-6, t=10, x=18), AUTOMATIC], "heat sideways", end=0.5),
    evolution("hadamard", "dt(u,2) = -dx(u,2)", {"u": "x^2*(1 - x)^2", "dt(u)": "0"}, ZERO,
              [fixed(1e-6, t=10, x=12), fixed(1e-6, t=12, x=24, windows=2)], "an elliptic equation marched in time",
              end=2),
    unsolvable("cauchy_for_laplace", CAUCHY, [fixed(1e-6, x=n, y=n) for n in (12, 16, 20, 24, 26, 28)],
               "x (1 - x) is not analytic when continued oddly", quick=True),
    unsolvable("dirichlet_for_waves", NO_WAVE, [fixed(1e-6, x=12, y=12), fixed(1e-6, x=17, y=20)],
               "all waves vanish again at y = 1"),
    unsolvable("source_in_a_closed_box", SOURCE_IN_A_BOX, [fixed(1e-6, x=10, y=10), fixed(1e-6, x=15, y=14)],
               "what is produced cannot leave"),
    unsolvable("resonance", """
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) + pi^2*u = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", [fixed(1e-6, x=16), fixed(1e-6, x=24), AUTOMATIC], "1 is not orthogonal to sin(pi x)"),
    unsolvable("slopes_out_of_balance", """
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = 1"]
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"]
""", [fixed(1e-6, x=8), fixed(1e-6, x=17)], "the integral of u'' would be 0 and 1"),
    unsolvable("beyond_the_fold", """
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) + 4*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
""", [fixed(1e-6, x=16), AUTOMATIC], "Bratu's equation has solutions up to 3.5138"),
    unsolvable("through_a_pole", """
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: "1"}
""", [fixed(1e-6, t=12, windows=3), fixed(1e-6, t=8, windows=[0, 0.7, 1.3, 2]), AUTOMATIC],
               "1/(1 - t) ends at t = 1"),
]
