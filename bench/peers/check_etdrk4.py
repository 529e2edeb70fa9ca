#!/usr/bin/env python3
"""Checks the C++ peer (peers/etdrk4) against methods that share nothing with it.

    check_etdrk4.py [--work FOLDER] [CASE ...]

Every case is solved again by scipy's DOP853 in numpy with a relative tolerance of 1e-12 or 1e-13: the equation as it is written in README.md,
products of derivatives (not the forms with fewer transforms of the peer) on 3/2 as many points, so without aliasing. burgers_1d
and basdevant: the integrals of the Cole-Hopf formula. Prints the largest difference at the check points of both, relative to
the largest value, and the allowed one; exit status 1 if one is larger. DOP853 is compared at the last time: errors add up.
"""
import argparse
import os
import subprocess
import sys

import numpy as np
from scipy.integrate import solve_ivp

import etdrk4_cpp
from references import PROBLEMS, relative_error


class Lines:
    """Right-hand sides in modes of numpy's rfftn over (field, y, x) or (field, x), without aliasing of `factors` factors."""

    def __init__(self, dimensions, n, length, factors=2):
        self.shape, self.axes = (n,) * dimensions, tuple(range(1, dimensions + 1))
        self.fine = (n * (factors + 1) // 2,) * dimensions
        wave = 2 * np.pi / length
        x = wave * np.arange(n // 2 + 1.0)
        y = wave * np.fft.fftfreq(n, 1 / n)
        self.k = [x] if dimensions == 1 else [x[None, :], y[:, None]]
        self.square = sum(k * k for k in self.k)
        below = [np.abs(k) < wave * n / 2 for k in self.k]
        self.kept = below[0] if dimensions == 1 else below[0] & below[1]
        self.n = n

    def d(self, modes, axis):
        return 1j * self.k[axis] * modes

    def values(self, modes):
        """On the fine points; modes of the highest wavenumber are zero."""
        shape = (*self.fine[:-1], self.fine[-1] // 2 + 1)
        wide = np.zeros(shape, complex)
        wide[self._rows(shape[0]) if len(shape) == 2 else slice(None, self.n // 2 + 1)] = modes * self.kept
        return np.fft.irfftn(wide, self.fine, axes=tuple(range(len(shape)))) * (np.prod(self.fine) / np.prod(self.shape))

    def modes(self, values):
        wide = np.fft.rfftn(values) * (np.prod(self.shape) / np.prod(self.fine))
        part = wide[self._rows(wide.shape[0])] if wide.ndim == 2 else wide[: self.n // 2 + 1]
        return part * self.kept

    def _rows(self, n_rows):
        rows = np.fft.fftfreq(self.n, 1 / self.n).astype(int) % n_rows
        return np.ix_(rows, np.arange(self.n // 2 + 1))


def line_equation(a, b, c):
    """u_t + u u_x = a u_xx + b u_xxx - c u_xxxx."""

    def rate(s, u):
        ik = 1j * s.k[0]
        linear = ik * ik * (a + b * ik - c * ik * ik)
        return np.stack([linear * u[0] - s.modes(s.values(u[0]) * s.values(ik * u[0]))])

    return rate


def burgers_2d(nu):
    def rate(s, w):
        u, v = s.values(w[0]), s.values(w[1])
        return np.stack([-nu * s.square * f - s.modes(u * s.values(s.d(f, 0)) + v * s.values(s.d(f, 1))) for f in w])

    return rate


def shear_layer(s, w):
    psi = w[0] / np.where(s.square > 0, s.square, 1) * (s.square > 0)
    u, v = s.values(s.d(psi, 1)), -s.values(s.d(psi, 0))
    return np.stack([-0.02 * s.square * w[0] - s.modes(u * s.values(s.d(w[0], 0)) + v * s.values(s.d(w[0], 1)))])


def gray_scott(s, w):
    u, v = s.values(w[0]), s.values(w[1])
    reaction = s.modes(u * v * v)
    rate = np.stack([-1.6e-4 * s.square * w[0] - 0.04 * w[0] - reaction, -8e-5 * s.square * w[1] - 0.1 * w[1] + reaction])
    rate[0, 0, 0] += 0.04 * np.prod(s.shape)
    return rate


def sech2(y):
    return 1 / np.cosh(y) ** 2


def vortex(x, y, strength, a, b):
    return strength * np.exp(4 * (np.cos(x - a) + np.cos(y - b) - 2))


STARTS = {
    "kuramoto_sivashinsky": lambda x: [np.cos(x / 16) * (1 + np.sin(x / 16))],
    "kdv_burgers": lambda x: [np.log(1 + np.cosh(20) ** 2 / np.cosh(20 * (x - 2)) ** 2) / 40],
    "periodic_2d": lambda x, y: [np.cos(x) + np.sin(y), np.cos(x) - np.sin(y)],
    "shear_layer": lambda x, y: [0.1 * np.cos(x) + 2 * np.sin(y) * sech2(2 * np.cos(y)) + 0 * x],
    "vortices": lambda x, y: [vortex(x, y, 4, 1, 1.6) + vortex(x, y, 4, 2.3, 2.2) + vortex(x, y, 4, 4.6, 4.9)
                              + vortex(x, y, -4, 4.4, 1.2) + vortex(x, y, -4, 5.6, 2.3) + vortex(x, y, -4, 1.6, 4.7)],
    "gray_scott_2d": lambda x, y: [1 - np.exp(-80 * ((x + 0.05) ** 2 + (y + 0.02) ** 2)),
                                   np.exp(-80 * ((x + 0.05) ** 2 + (y + 0.02) ** 2))],
}
# case: (right-hand side, factors in products, modes here, arguments of the peer, allowed difference, tolerance of DOP853).
# What is allowed is some times the error of the peer's steps, of Kuramoto-Sivashinsky what growth makes of rounding.
CASES = {
    "kuramoto_sivashinsky": (line_equation(-1, 0, 1), 2, 256, "--n 256 --steps 2000", 1e-8, 1e-13),
    "kdv_burgers": (line_equation(1e-4, 2e-4, 0), 2, 1000, "--n 1000 --steps 4000", 1e-8, 1e-12),
    "periodic_2d": (burgers_2d(0.2), 2, 104, "--n 112 --steps 200", 1e-11, 1e-13),
    "shear_layer": (shear_layer, 2, 64, "--n 72 --steps 200", 1e-10, 1e-12),
    "vortices": (shear_layer, 2, 96, "--n 108 --steps 100", 1e-9, 1e-12),
    "gray_scott_2d": (gray_scott, 3, 160, "--n 176 --steps 80", 1e-8, 1e-12),
}


def by_dop853(case, points):
    """Fields at the check points and the last time."""
    rate, factors, n, _, _, tolerance = CASES[case]
    s = Lines(points["dimensions"], n, points["length"], factors)
    x = points["start"] + points["length"] * np.arange(n) / n
    grids = [x] if points["dimensions"] == 1 else [x[None, :], x[:, None]]
    start = np.stack([np.fft.rfftn(np.broadcast_to(f, s.shape)) * s.kept for f in STARTS[case](*grids)])
    run = solve_ivp(lambda t, w: rate(s, w.view(complex).reshape(start.shape)).ravel().view(float), (0, points["end"]),
                    start.ravel().view(float), method="DOP853", rtol=tolerance, atol=tolerance * np.abs(start).max(),
                    t_eval=[points["end"]])
    last = np.ascontiguousarray(run.y[:, -1]).view(complex).reshape(start.shape)
    at = points["length"] * np.arange(points["points"]) / points["intervals"]  # from the start of the period
    twice = np.where(np.arange(n // 2 + 1) == 0, 1, 2)
    along_x = twice * np.exp(1j * np.outer(at, s.k[0].ravel())) / n
    if points["dimensions"] == 1:
        return (last @ along_x.T).real
    along_y = np.exp(1j * np.outer(at, s.k[1].ravel())) / n
    return np.einsum("pk,fkl,ql->fpq", along_y, last, along_x, optimize=True).real


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--work", default=etdrk4_cpp.FOLDER)
    options = parser.parse_args()
    program = etdrk4_cpp.program(options.work)
    exact = {"burgers_1d": ("--n 256 --steps 400", 1e-12), "basdevant": ("--n 2400 --steps 600", 2e-11)}
    passed = True
    for case in options.cases or [*exact, *CASES]:
        arguments, allowed = exact[case] if case in exact else CASES[case][3:5]
        answer = os.path.join(options.work, f"check_{case}.npy")
        subprocess.run([program, case, answer, *arguments.split()], check=True, stdout=subprocess.DEVNULL)
        values = np.load(answer)
        if case in exact:
            other, difference = "Cole-Hopf", relative_error(values, PROBLEMS[case].make(PROBLEMS[case].axes))
        else:
            other, wanted = f"DOP853, {CASES[case][2]} modes", by_dop853(case, etdrk4_cpp.check_points(program, case))
            difference = relative_error(values[:, -1], wanted)
        passed = passed and difference <= allowed
        print(f"{case:22s} {arguments:24s} {other:20s} difference {difference:.1e}, allowed {allowed:.0e}", flush=True)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
