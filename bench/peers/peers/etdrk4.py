"""Exponential time differencing of fourth order (Cox and Matthews 2002) for a diagonal linear part.

u' = L u + N(u). The coefficients are means over a circle around h L (Kassam and Trefethen 2005): the closed forms
lose all digits where h L is small.
"""
import numpy as np


class Etdrk4:
    def __init__(self, linear, step):
        """linear: real array of the diagonal of L, of any shape that broadcasts with u."""
        z = step * linear
        circle = np.exp(1j * np.pi * (np.arange(1, 33) - 0.5) / 32)  # upper half: z is real, conjugates are the rest
        total = [np.zeros_like(z) for _ in range(4)]
        for point in circle:
            r = z + point
            e = np.exp(r)
            total[0] += ((np.exp(r / 2) - 1) / r).real
            total[1] += ((-4 - r + e * (4 - 3 * r + r * r)) / r**3).real
            total[2] += ((2 + r + e * (r - 2)) / r**3).real
            total[3] += ((-4 - 3 * r - r * r + e * (4 - r)) / r**3).real
        self.half, self.whole = np.exp(z / 2), np.exp(z)
        self.q, self.f1, self.f2, self.f3 = (step / len(circle) * part for part in total)
        self.f2 *= 2

    def step(self, u, nonlinear):
        n0 = nonlinear(u)
        decayed = self.half * u
        a = decayed + self.q * n0
        n1 = nonlinear(a)
        b = decayed + self.q * n1
        n2 = nonlinear(b)
        c = self.half * a + self.q * (2 * n2 - n0)
        return self.whole * u + self.f1 * n0 + self.f2 * (n1 + n2) + self.f3 * nonlinear(c)
