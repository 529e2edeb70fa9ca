#!/usr/bin/env python3
"""Transient Rayleigh-Benard convection with Dedalus 3: Fourier x Chebyshev, tau terms, constant steps.

    dedalus_convection.py ANSWER --scheme SBDF4 --steps 2000 --m 18 --n 28

Writes u, v, T at the end at 17 x 17 points as raw doubles; prints the times of the steps alone, without imports and
what Dedalus makes in its first steps (six steps of a second solver that is thrown away).
"""
import argparse
import time

import dedalus.public as d3
import numpy as np

from dedalus_march import starting_steps

RA, PR, WAVE, HEAT, END = 5000.0, 1.0, 3.117, 2.0, 0.2


def make(scheme, n_x, n_y):
    coords = d3.CartesianCoordinates("x", "y")
    dist = d3.Distributor(coords, dtype=np.float64)
    xbasis = d3.RealFourier(coords["x"], size=n_x, bounds=(0, 2 * np.pi / WAVE), dealias=3 / 2)
    ybasis = d3.ChebyshevT(coords["y"], size=n_y, bounds=(0, 1), dealias=3 / 2)
    p, b = (dist.Field(name=name, bases=(xbasis, ybasis)) for name in "pb")
    u = dist.VectorField(coords, name="u", bases=(xbasis, ybasis))
    tau_p, t = dist.Field(name="tau_p"), dist.Field(name="t")
    tau_b1, tau_b2 = (dist.Field(name=f"tau_b{i}", bases=xbasis) for i in (1, 2))
    tau_u1, tau_u2 = (dist.VectorField(coords, name=f"tau_u{i}", bases=xbasis) for i in (1, 2))
    x, y = dist.local_grids(xbasis, ybasis)
    shape = dist.Field(name="shape", bases=(xbasis, ybasis))
    shape["g"] = HEAT * np.sin(np.pi * y) * np.cos(WAVE * x)
    _, ey = coords.unit_vector_fields(dist)
    lift_basis = ybasis.derivative_basis(1)
    lift = lambda one: d3.Lift(one, lift_basis, -1)
    grad_u, grad_b = d3.grad(u) + ey * lift(tau_u1), d3.grad(b) + ey * lift(tau_b1)
    PrRa, Pr = PR * RA, PR
    names = {**locals(), "dt": d3.TimeDerivative, "exp": np.exp}
    problem = d3.IVP([p, b, u, tau_p, tau_b1, tau_b2, tau_u1, tau_u2], time=t, namespace=names)
    problem.add_equation("trace(grad_u) + tau_p = 0")
    problem.add_equation("dt(b) - div(grad_b) + lift(tau_b2) - u@ey = - u@grad(b) + shape*(20*t)**4*exp(-(20*t)**2)")
    problem.add_equation("dt(u) - Pr*div(grad_u) + grad(p) + lift(tau_u2) - PrRa*b*ey = - u@grad(u)")
    for wall in ("0", "1"):
        problem.add_equation(f"b(y={wall}) = 0")
        problem.add_equation(f"u(y={wall}) = 0")
    problem.add_equation("integ(p) = 0")
    return problem.build_solver(getattr(d3, scheme)), u, b


def sample(u, b, m):
    """At the points, from the coefficients of Dedalus' fields: values on its grid, then both series by matrices."""
    y = np.arange(17) / 16
    u.change_scales(1)
    b.change_scales(1)
    answer = []
    for values in (u["g"][0], u["g"][1], b["g"]):
        n_x, n_y = values.shape
        nodes = (np.arange(n_y) + 0.5) / n_y * np.pi
        # Gauss points of Dedalus ascend
        modes = np.cos(np.outer(np.arange(n_y), np.pi - nodes))
        to_modes = 2 / n_y * modes
        to_modes[0] /= 2
        along_y = values @ to_modes.T @ np.cos(np.outer(np.arange(n_y), np.arccos(2 * y - 1)))
        spectrum = np.fft.rfft(along_y, axis=0) / n_x
        waves = np.exp(2j * np.pi * np.outer(np.arange(17) / 16, np.arange(len(spectrum))))
        weights = np.where(np.arange(len(spectrum)) == 0, 1, 2)
        answer.append((waves @ (weights[:, None] * spectrum)).real)
    answer[2] += 1 - y
    return np.stack(answer)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("answer")
    parser.add_argument("--scheme", default="SBDF4")
    for name in ("steps", "m", "n"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    n_x, n_y, step = 2 * options.m + 2, options.n + 1, END / options.steps
    warm, _, _ = make(options.scheme, n_x, n_y)
    for _ in range(6):
        warm.step(step)
    solver, u, b = make(options.scheme, n_x, n_y)
    multistep = options.scheme.startswith("SBDF")
    steps = starting_steps(step) if multistep else []
    rest = options.steps - (4 if multistep else 0)
    # The start divides four steps, as with the other Dedalus peers; it is part of the march but not of what is timed.
    for short in steps:
        solver.step(short)
    for _ in range(5 if multistep else 1):
        solver.step(step)
        rest -= 1
    done = options.steps - rest
    begin, used = time.perf_counter(), time.process_time()
    for _ in range(rest):
        solver.step(step)
    scale = options.steps / rest  # of all steps
    print(f"untimed steps {done}; seconds {(time.perf_counter() - begin) * scale:.6f} "
          f"processor {(time.process_time() - used) * scale:.6f}")
    sample(u, b, options.m).tofile(options.answer)


if __name__ == "__main__":
    main()
