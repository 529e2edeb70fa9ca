#!/usr/bin/env python3
"""Fourier collocation with exponential time stepping (ETDRK4) for Burgers' equations in a periodic square.

    fourier_2d.py NU REFERENCE.npz ANSWER.npy --n MODES --steps STEPS_PER_OUTPUT_INTERVAL

u_t + u u_x + v u_y = nu lap u, v_t + u v_x + v v_y = nu lap v on [0, 2 pi]^2, u = cos x + sin y, v = cos x - sin y at
the start. Without values in REFERENCE.npz only the answer is written.
"""
import argparse
import time

import numpy as np
import scipy.fft

from etdrk4 import Etdrk4


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nu", type=float)
    parser.add_argument("reference")
    parser.add_argument("answer")
    parser.add_argument("--n", type=int, required=True, help="points a side")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    begin = time.perf_counter()
    reference = np.load(options.reference)
    t, y, x = reference["t"], reference["y"], reference["x"]
    n = options.n
    kx, ky = np.arange(n // 2 + 1.0), np.fft.fftfreq(n, 1 / n)
    points = 2 * np.pi * np.arange(n) / n
    # Arrays are (field, y, x). Highest modes have no derivative on the grid.
    ikx, iky = 1j * kx * (kx < n // 2), (1j * ky * (np.abs(ky) < n // 2))[:, None]

    def forward(values):
        return scipy.fft.rfft2(values, workers=options.threads)

    def backward(modes):
        return scipy.fft.irfft2(modes, (n, n), workers=options.threads, overwrite_x=True)

    def nonlinear(w):
        u, v = backward(w.copy())
        return -forward(u * backward(ikx * w) + v * backward(iky * w))

    stepper = Etdrk4(-options.nu * (kx**2 + ky[:, None] ** 2), (t[1] - t[0]) / options.steps)
    cosine, sine = np.cos(points), np.sin(points)[:, None]
    w = forward(np.stack([cosine + sine, cosine - sine]))
    history = [w]
    for _ in t[1:]:
        for _ in range(options.steps):
            w = stepper.step(w, nonlinear)
        history.append(w)
    # Sum of modes at the check points: ky over all its values, kx >= 0 twice but for its ends.
    twice = np.where((kx == 0) | (kx == n // 2), 1, 2)
    along_y = np.exp(1j * np.outer(y, ky)) / n
    along_x = twice * np.exp(1j * np.outer(x, kx)) / n
    answer = np.einsum("pk,tfkl,ql->ftpq", along_y, np.array(history), along_x, optimize=True).real
    np.save(options.answer, answer)
    tail = np.abs(w[:, n // 2 - 2 : n // 2 + 2]).max() / n**2
    text = f"seconds {time.perf_counter() - begin:.3f}  last modes {tail:.1e}"
    if "values" in reference:
        wanted = reference["values"]
        text = f"error {np.abs(answer - wanted).max() / np.abs(wanted).max():.3e}  " + text
    print(text)


if __name__ == "__main__":
    main()
