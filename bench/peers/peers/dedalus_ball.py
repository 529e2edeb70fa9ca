#!/usr/bin/env python3
"""Scalar heat and the kinematic dynamo s2t2 in the full ball with Dedalus 3, constant steps.

    dedalus_ball.py heat|dynamo ANSWER --scheme SBDF4 --steps 400 --r 24 --l 12 --m 2

Heat: u_t = lap(u), u = 0 at r = 1, from polynomials. Dynamo: the vector potential A_t = lap(A) - grad(phi) + Rm u x curl(A)
in Coulomb's gauge, with a potential field outside, s2t2 of Dudley and James, from a poloidal field of l = m = 1; the flow is
on the explicit side, because Dedalus' implicit one takes none that depends on the angle. r radial functions, degrees l < L,
orders m <= M. Writes u, or the components r, theta, phi of curl(A), at the end at the check points as raw doubles; prints the
times of the steps alone, without imports and what is made in the first steps.
"""
import argparse
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import dedalus.public as d3  # noqa: E402
import numpy as np  # noqa: E402

from dedalus_march import starting_steps  # noqa: E402

RM = 53.562588
END = {"heat": 0.03, "dynamo": 0.1}
POINTS = {"r": (0.3, 0.6, 0.9), "theta": (0.7, 1.9), "phi": (0.4, 2.5)}


def space(n_r, n_l, m):
    coords = d3.SphericalCoordinates("phi", "theta", "r")
    dist = d3.Distributor(coords, dtype=np.float64)
    ball = d3.BallBasis(coords, shape=(4 * (m // 2 + 1), n_l, n_r), radius=1, dealias=3 / 2, dtype=np.float64)
    return coords, dist, ball


def heat(scheme, n_r, n_l, m):
    coords, dist, ball = space(n_r, n_l, m)
    u, tau = dist.Field(name="u", bases=ball), dist.Field(name="tau", bases=ball.surface)
    phi, theta, r = dist.local_grids(ball)
    x, y, z = r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)
    u["g"] = (1 - r**2) * (1 + z + x**2 - y**2 + 2 * x * z + (5 * z**3 - 3 * z * r**2) / 2)
    problem = d3.IVP([u, tau], namespace={"u": u, "tau": tau, "lift": lambda one: d3.Lift(one, ball, -1), "dt": d3.dt,
                                         "lap": d3.lap})
    problem.add_equation("dt(u) - lap(u) + lift(tau) = 0")
    problem.add_equation("u(r=1) = 0")
    return problem.build_solver(getattr(d3, scheme)), lambda: u


def dynamo(scheme, n_r, n_l, m):
    coords, dist, ball = space(n_r, n_l, m)
    a, flow = (dist.VectorField(coords, name=name, bases=ball) for name in ("a", "flow"))
    gauge, tau_gauge = dist.Field(name="gauge", bases=ball), dist.Field(name="tau_gauge")
    tau = dist.VectorField(coords, name="tau", bases=ball.surface)
    phi, theta, r = dist.local_grids(ball)
    # curl(P Y r) with P = r (5/3 - r^2), Y = sin(theta) cos(phi).
    p = r * (5 / 3 - r**2)
    a["g"][1], a["g"][0] = -p * np.sin(phi), -p * np.cos(theta) * np.cos(phi)
    # curl(t Y e_r) + 0.14 curl curl(t Y e_r), t = r^2 sin(pi r), Y = P_2(cos(theta)).
    t, slope = r**2 * np.sin(np.pi * r), 2 * r * np.sin(np.pi * r) + np.pi * r**2 * np.cos(np.pi * r)
    y, dy = (3 * np.cos(theta)**2 - 1) / 2, -3 * np.cos(theta) * np.sin(theta)
    flow["g"][2], flow["g"][1], flow["g"][0] = 0.14 * 6 * t / r**2 * y, 0.14 * slope / r * dy, -t / r * dy
    potential = lambda one: d3.radial(d3.grad(one)(r=1)) + d3.SphericalEllProduct(one, coords, lambda l: l + 1)(r=1)
    names = {"a": a, "flow": RM * flow, "gauge": gauge, "tau": tau, "tau_gauge": tau_gauge, "potential": potential,
             "lift": lambda one: d3.Lift(one, ball, -1), "dt": d3.dt, "lap": d3.lap, "grad": d3.grad, "div": d3.div,
             "curl": d3.curl, "cross": d3.cross, "integ": d3.integ}
    problem = d3.IVP([a, gauge, tau, tau_gauge], namespace=names)
    problem.add_equation("dt(a) - lap(a) + grad(gauge) + lift(tau) = cross(flow, curl(a))")
    problem.add_equation("div(a) + tau_gauge = 0")
    problem.add_equation("integ(gauge) = 0")
    problem.add_equation("potential(a) = 0")
    return problem.build_solver(getattr(d3, scheme)), lambda: d3.curl(a).evaluate()


def sample(field):
    """At the check points, the components of a vector in the order r, theta, phi."""
    values = [[[np.array(field(r=r)(theta=theta)(phi=phi).evaluate()["g"]).reshape(-1)[::-1] for phi in POINTS["phi"]]
               for theta in POINTS["theta"]] for r in POINTS["r"]]
    return np.moveaxis(np.array(values), -1, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("problem", choices=END)
    parser.add_argument("answer")
    parser.add_argument("--scheme", default="SBDF4")
    for name in ("steps", "r", "l", "m"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    make = {"heat": heat, "dynamo": dynamo}[options.problem]
    step = END[options.problem] / options.steps
    solver, field = make(options.scheme, options.r, options.l, options.m)
    multistep = options.scheme.startswith("SBDF")
    for short in starting_steps(step) if multistep else []:
        solver.step(short)
    rest = options.steps - (4 if multistep else 0)
    for _ in range(5 if multistep else 1):
        solver.step(step)
        rest -= 1
    begin, used = time.perf_counter(), time.process_time()
    for _ in range(rest):
        solver.step(step)
    scale = options.steps / rest  # of all steps
    print(f"seconds {(time.perf_counter() - begin) * scale:.6f} processor {(time.process_time() - used) * scale:.6f}")
    sample(field()).tofile(options.answer)


if __name__ == "__main__":
    main()
