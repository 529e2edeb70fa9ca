#!/usr/bin/env python3
"""Fourier collocation with exponential time stepping (ETDRK4) for Burgers' equation from a sine.

    fourier_1d.py CASE REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL

Works for these two cases only because a sine stays odd and 2-periodic under Burgers' equation: the conditions u = 0 at
the ends are then symmetries. No such trick is open to general starts or boundary data.
"""
import argparse
import time

import numpy as np

from etdrk4 import Etdrk4

CASES = {"burgers_1d": (0.25, 0.01), "basdevant": (-1.0, 0.01 / np.pi)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True, help="points of the period 2")
    parser.add_argument("--steps", type=int, required=True)
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t, x = reference["t"], reference["x"]
    amplitude, nu = CASES[options.case]
    n = options.n
    k = np.pi * np.arange(n // 2 + 1)
    minus_half_ik = -0.5j * k
    minus_half_ik[-1] = 0  # the derivative of the highest mode has no value on the grid

    def nonlinear(u):
        values = np.fft.irfft(u, n)
        return minus_half_ik * np.fft.rfft(values * values)

    stepper = Etdrk4(-nu * k**2, (t[1] - t[0]) / options.steps)
    u = np.fft.rfft(amplitude * np.sin(np.pi * 2 * np.arange(n) / n))
    history = [u]
    for _ in t[1:]:
        for _ in range(options.steps):
            u = stepper.step(u, nonlinear)
        history.append(u)
    sine = -2 / n * np.array(history).imag  # u = sum b_k sin(k x); the cosines are zero
    answer = (sine @ np.sin(k[:, None] * x))[None]
    np.save(options.answer, answer)
    wanted = reference["values"]
    error = np.abs(answer - wanted).max() / np.abs(wanted).max()
    print(f"error {error:.3e}  seconds {time.perf_counter() - begin:.3f}")


if __name__ == "__main__":
    main()
