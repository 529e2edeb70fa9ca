#!/usr/bin/env python3
"""Fourier collocation with exponential time stepping (ETDRK4): Burgers' equation from a sine, Kuramoto-Sivashinsky.

    fourier_1d.py CASE REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL

u_t + u u_x = L u with periodic u. For the two cases of Burgers' equation it works only because a sine stays odd and 2-periodic under Burgers' equation: the conditions u = 0 at
the ends are then symmetries. No such trick is open to general starts or boundary data.
"""
import argparse
import time

import numpy as np

from etdrk4 import Etdrk4

# case: (start, from the beginning of the period on; length of the period; L of the wavenumber; where the period begins)
CASES = {
    "burgers_1d": (lambda x: 0.25 * np.sin(np.pi * x), 2, lambda k: -0.01 * k**2, 0),
    "basdevant": (lambda x: np.sin(np.pi * x), 2, lambda k: -0.01 / np.pi * k**2, -1),
    "kuramoto_sivashinsky": (lambda x: np.cos(x / 16) * (1 + np.sin(x / 16)), 32 * np.pi, lambda k: k**2 - k**4, 0),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True, help="points of the period")
    parser.add_argument("--steps", type=int, required=True)
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t, x = reference["t"], reference["x"]
    start, length, linear, begins = CASES[options.case]
    n = options.n
    k = 2 * np.pi / length * np.arange(n // 2 + 1)
    minus_half_ik = -0.5j * k
    minus_half_ik[-1] = 0  # the derivative of the highest mode has no value on the grid

    def nonlinear(u):
        values = np.fft.irfft(u, n)
        return minus_half_ik * np.fft.rfft(values * values)

    stepper = Etdrk4(linear(k), (t[1] - t[0]) / options.steps)
    u = np.fft.rfft(start(length * np.arange(n) / n))
    history = [u]
    for _ in t[1:]:
        for _ in range(options.steps):
            u = stepper.step(u, nonlinear)
        history.append(u)
    twice = np.where((k == 0) | (k == k[-1]), 1, 2)
    answer = (np.array(history) @ (twice[:, None] / n * np.exp(1j * k[:, None] * (x - begins)))).real[None]
    np.save(options.answer, answer)
    wanted = reference["values"]
    error = np.abs(answer - wanted).max() / np.abs(wanted).max()
    print(f"error {error:.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
