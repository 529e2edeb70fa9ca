"""Branches of steady solutions: every point is compared with the closed form for its own parameter."""
import numpy as np

from problem import Problem, as_given


def bratu_of_height(fields):
    """Bratu's equation: from the height u(1/2) follow lam and the profile, on both sides of the fold."""
    coordinates, u = fields["u"]
    middle = np.argmin(np.abs(coordinates["x"].ravel() - 0.5))
    z = np.arccosh(np.exp(u[:, middle] / 2))
    lam = 8 * z**2 / np.cosh(z)**2
    return {"lam": lam, "u": 2 * np.log(np.cosh(z)[:, None] / np.cosh(z[:, None] * (1 - 2 * coordinates["x"])))}


def of_given_slope(fields):
    """u'' + lam u = 0 with the slope given: u = sin(k x)/k, k^2 = lam."""
    coordinates, u = fields["u"]
    lam = fields["lam"][1].reshape(-1, 1)
    return {"u": np.sin(np.sqrt(lam) * coordinates["x"]) / np.sqrt(lam)}


def branch(name, case, answer, degrees, origin, quick=False):
    runs = [as_given(tolerance, f"x{degree}", {"resolution.degree.x": degree}) for degree, tolerance in degrees]
    return Problem(name, case, answer, runs, origin, quick)


PROBLEMS = [
    branch("branch_bratu", """
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
continue: {parameter: lam, to: 4}
""", bratu_of_height, [(8, 1e-6), (24, 1e-6), (40, 1e-9)], "closed form for the height of each point", quick=True),
    branch("branch_bratu_lower", """
domain: {x: [0, 1]}
constants: {lam: 0.5}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
continue: {parameter: lam, to: 3, method: natural}
""", bratu_of_height, [(5, 1e-6), (16, 1e-6)], "closed form for the height of each point"),
    branch("branch_oscillations", """
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["dx(u,2) + lam*u = 0"]
boundary: ["u(x=0) = 0", "dx(u)(x=0) = 1"]
continue: {parameter: lam, to: 100}
""", of_given_slope, [(8, 1e-6), (20, 1e-6)], "sin(kx)/k"),
]
