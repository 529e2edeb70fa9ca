#!/usr/bin/env python3
"""Complex unknowns through the real program: the same bits as the pair written by hand, known solutions, and check, eval,
restart, convergence, manufactured solutions.

    complex.py GWRM INPUTS

Oracles: the pair of real equations, plane waves, the coherent state of inputs/schroedinger.yaml, a complex ODE in closed form.
"""
import cmath
import json
import math
import os
import pathlib
import sys
import unittest

from program import ProgramTest

INPUTS = None

# A plane wave sqrt(1 - q^2) exp(i (q x - w t)), w = b q^2 + c (1 - q^2).
GINZBURG_LANDAU = """
domain: {t: [0, 4], x: {range: [0, 2*pi], basis: fourier}}
constants: {b: 2, c: -0.5, D: 0.25}
definitions: {wave: "sqrt(1 - D)*exp(i*(x - (b*D + c*(1 - D))*t))"}
unknowns: [{name: A, complex: true}]
equations: ["dt(A) = A + D*(1 + i*b)*dx(A,2) - (1 + i*c)*abs(A)^2*A"]
initial: {A: "wave(t=0)"}
exact: {A: wave}
resolution: {degree: {t: 12, x: 4}, domains: {t: 4}}
verification: {tolerance: 1.0e-10}
output: {fields: {A: A, modulus: "abs(A)"}}
convergence: {vary: {t: [6, 9, 12]}}
"""
# Its parts, written by hand.
GINZBURG_LANDAU_PAIR = """
domain: {t: [0, 4], x: {range: [0, 2*pi], basis: fourier}}
constants: {b: 2, c: -0.5, D: 0.25}
definitions: {square: "p^2 + q^2", phase: "x - (b*D + c*(1 - D))*t"}
unknowns: [p, q]
equations:
  - "dt(p) = p + (D*dx(p,2) - D*b*dx(q,2)) - (square*p - c*square*q)"
  - "dt(q) = q + (D*dx(q,2) + D*b*dx(p,2)) - (square*q + c*square*p)"
initial: {p: "sqrt(1 - D)*cos(phase)(t=0)", q: "sqrt(1 - D)*sin(phase)(t=0)"}
resolution: {degree: {t: 12, x: 4}, domains: {t: 4}}
verification: {tolerance: 1.0e-10}
"""

# inputs/schroedinger.yaml with one complex unknown.
SCHROEDINGER = """
domain: {t: [0, 2*pi], x: [-10, 10]}
constants: {q: 2}
unknowns: [{name: psi, complex: true}]
equations: ["i*dt(psi) = -dx(psi,2)/2 + x^2*psi/2"]
initial: {psi: "pi^(-1/4)*exp(-(x - q)^2/2)"}
boundary: ["psi(x=-10) = 0", "psi(x=10) = 0"]
exact: {psi: "pi^(-1/4)*exp(-(x - q*cos(t))^2/2 - i*(t/2 + q*x*sin(t) - q^2*sin(2*t)/4))"}
resolution: {degree: {t: 16, x: 96}, domains: {t: 12}}
verification: {tolerance: 1.0e-10, tail: 1.0e-9, residual: 1.0e-8}
output: {grid: {t: 61, x: 161}, fields: {a: "re(psi)", b: "im(psi)"}}
"""

# Its parts, written by hand.
SCHROEDINGER_PAIR = """
domain: {t: [0, 2*pi], x: [-10, 10]}
constants: {q: 2}
definitions: {phase: "t/2 + q*x*sin(t) - q^2*sin(2*t)/4", size: "pi^(-1/4)*exp(-(x - q*cos(t))^2/2)"}
unknowns: [a, b]
equations: ["-dt(b) = -dx(a,2)/2 + x^2*a/2", "dt(a) = -dx(b,2)/2 + x^2*b/2"]
initial: {a: "pi^(-1/4)*exp(-(x - q)^2/2)", b: 0}
boundary: ["a(x=-10) = 0", "b(x=-10) = 0", "a(x=10) = 0", "b(x=10) = 0"]
exact: {a: "size*cos(phase)", b: "-size*sin(phase)"}
resolution: {degree: {t: 16, x: 96}, domains: {t: 12}}
verification: {tolerance: 1.0e-10, tail: 1.0e-9, residual: 1.0e-8}
output: {grid: {t: 61, x: 161}, fields: {a: "a", b: "b"}}
"""

# A real unknown and a complex one, conj and abs: z' = i z + v conj(z), v' = -abs(z)^2 v.
ODE = """
domain: {t: [0, 2]}
unknowns: [{name: z, complex: true}, v]
equations: ["dt(z) = i*z + v*conj(z)", "dt(v) = -abs(z)^2*v"]
initial: {z: "1 + i/2", v: 0.5}
resolution: {degree: {t: 14}, domains: {t: 4}}
verification: {tolerance: 1.0e-10}
"""


def classical(t_end, n):
    """z, v of ODE by Runge and Kutta's method in complex numbers."""
    def slope(z, v):
        return 1j * z + v * z.conjugate(), -abs(z) ** 2 * v
    z, v, h = 1 + 0.5j, 0.5, t_end / n
    for _ in range(n):
        k = [slope(z, v)]
        for part in (0.5, 0.5, 1.0):
            k.append(slope(z + part * h * k[-1][0], v + part * h * k[-1][1]))
        z, v = (y + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]) for j, y in enumerate((z, v)))
    return z, v


class Complex(ProgramTest):
    def report(self, *arguments):
        return json.loads(self.checked("run", *arguments, "--json", "--threads", "1", "--overwrite"))

    def eval(self, file, at, *expressions):
        more = [word for text in expressions for word in ("--expr", text)]
        found = json.loads(self.checked("eval", file, "--at", at, *more, "--json"))
        return found["expressions"], found["points"][0]["values"]

    def test_plane_wave_of_ginzburg_landau(self):
        self.text("wave.yaml", GINZBURG_LANDAU)
        self.checked("run", "wave.yaml", "-q", "-o", "plane_wave.h5")
        exact = math.sqrt(0.75) * cmath.exp(1j * (2 - (0.5 - 0.375) * 3))
        names, values = self.eval("plane_wave.h5", "t=3,x=2", "A", "abs(A)^2", "re(A*conj(A))", "arg(A)", "wave", "1/A")
        self.assertEqual(names[:5], ["A_re", "A_im", "abs(A)^2", "re(A*conj(A))", "arg(A)"])
        expected = [exact.real, exact.imag, 0.75, 0.75, cmath.phase(exact), exact.real, exact.imag, (1 / exact).real,
                    (1 / exact).imag]
        for value, oracle in zip(values, expected, strict=True):
            self.assertAlmostEqual(value, oracle, delta=1e-9)

    def test_check_says_what_it_made_of_it(self):
        self.text("wave.yaml", GINZBURG_LANDAU)
        text = self.checked("check", "wave.yaml")
        for part in ("equation 1, real part", "equation 1, imaginary part", "definition wave_re", "A_re", "A_im"):
            self.assertIn(part, text)

    def same_bits(self, ours, theirs, at, names, others):
        """Two cases with the same work and the same numbers."""
        reports = [self.report(case + ".yaml", "-o", case + ".h5") for case in (ours, theirs)]
        work = [{key: report[key] for key in ("n_unknowns", "n_newton_iterations", "n_linear_iterations", "n_factorisations")}
                for report in reports]
        self.assertEqual(*work)
        values = [self.eval(case + ".h5", at, *of)[1] for case, of in ((ours, names), (theirs, others))]
        self.assertEqual(*values)

    def test_a_pair_written_by_hand_has_the_same_bits(self):
        self.text("wave.yaml", GINZBURG_LANDAU)
        self.text("wave_pair.yaml", GINZBURG_LANDAU_PAIR)
        self.same_bits("wave", "wave_pair", "t=2.2,x=1.7", ["A", "dx(abs(A)^2)"], ["p", "q", "dx(square)"])
        self.text("oscillator.yaml", SCHROEDINGER)
        self.text("oscillator_pair.yaml", SCHROEDINGER_PAIR)
        self.same_bits("oscillator", "oscillator_pair", "t=2.5,x=-1.2", ["psi", "abs(psi)^2"], ["a", "b", "a^2 + b^2"])

    def test_schroedinger_is_the_pair_of_the_inputs(self):
        self.text("oscillator.yaml", SCHROEDINGER)
        self.report("oscillator.yaml", "-o", "ours.h5")
        self.report(INPUTS / "schroedinger.yaml", "-o", "theirs.h5")
        _, values = self.eval("ours.h5", "t=2.5,x=-1.2", "psi")
        _, pair = self.eval("theirs.h5", "t=2.5,x=-1.2", "a", "b")
        for a, b in zip(values, pair, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-14)

    def test_conj_and_abs_beside_a_real_unknown(self):
        self.solve("ode", ODE)
        z, v = classical(2.0, 4000)
        _, values = self.eval("ode.h5", "t=2", "z", "v", "conj(z)*z")
        for value, oracle in zip(values, (z.real, z.imag, v, abs(z) ** 2), strict=True):
            self.assertAlmostEqual(value, oracle, delta=1e-10)

    def test_reruns_to_the_bit(self):
        self.solve("first", ODE)
        self.checked("rerun", "first.h5", "-q", "-o", "again.h5")
        status, found = self.diff("first.h5", "again.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True), found["fields"])

    def test_restarts_to_the_bit(self):
        self.text("long.yaml", ODE.replace("{t: [0, 2]}", "{t: [0, 600]}").replace("domains: {t: 4}", "domains: {t: 12000}"))
        self.stopped_and_continued("long.yaml")

    def test_studies_and_manufactured_solutions(self):
        self.text("wave.yaml", GINZBURG_LANDAU)
        self.checked("converge", "wave.yaml", "-q", "-o", "study.h5")
        self.text("other.yaml", GINZBURG_LANDAU.replace('"sqrt(1 - D)*exp(i*(x - (b*D + c*(1 - D))*t))"',
                                                        '"(1 + t)*exp(i*sin(x) + i*t)/4"')
                  .replace("x: 4}", "x: 16}"))
        self.checked("converge", "other.yaml", "--manufactured", "--vary", "t=8,12", "-q", "-o", "made.h5")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ProgramTest.program, INPUTS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
