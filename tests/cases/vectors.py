#!/usr/bin/env python3
"""Vectors and definitions through the real program: check, run, eval, rerun, and what it says of mistakes.

    vectors.py GWRM INPUTS

The oracle is the closed form of the flow in inputs/carried_vortices.yaml.
"""
import json
import math
import os
import pathlib
import sys
import unittest

from program import ProgramTest

INPUTS = None
T, X, Y = 1.25, 2.0, 3.0


def decay(t):
    return math.exp(-0.2 * t)


def u_x(t, x, y):
    return 1 + math.cos(x - t) * math.sin(y - 0.5 * t) * decay(t)


def u_y(t, x, y):
    return 0.5 - math.sin(x - t) * math.cos(y - 0.5 * t) * decay(t)


def vorticity(t, x, y):
    return -2 * math.cos(x - t) * math.cos(y - 0.5 * t) * decay(t)


def slopes_of_vorticity(t, x, y):
    return (2 * math.sin(x - t) * math.cos(y - 0.5 * t) * decay(t), 2 * math.cos(x - t) * math.sin(y - 0.5 * t) * decay(t))


class Vectors(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.case = INPUTS / "carried_vortices.yaml"
        cls.checked("run", cls.case, "-o", "flow.h5")

    def test_check_prints_components_and_definitions(self):
        text = self.checked("check", self.case)
        for part in ("equation 1, component x", "equation 1, component y", "equation 2", "definition w", "definition flow_x",
                     "w = dx(u_y) - dy(u_x)"):
            self.assertIn(part, text)
        latex = self.checked("check", self.case, "--latex")
        self.assertIn("\\tag{definition w}", latex)
        self.assertIn("\\tag{equation 1, component y}", latex)

    def test_eval_knows_definitions_and_vectors(self):
        slope_x, slope_y = slopes_of_vorticity(T, X, Y)
        out = json.loads(self.checked("eval", "flow.h5", "--at", f"t={T},x={X},y={Y}", "--expr", "w", "--expr", "u", "--expr",
                                      "dot(u, grad(w))", "--expr", "dx(w)", "--expr", "w(x=0)", "--json"))
        self.assertEqual(out["expressions"], ["w", "u_x", "u_y", "dot(u, grad(w))", "dx(w)", "w(x=0)"])
        expected = [vorticity(T, X, Y), u_x(T, X, Y), u_y(T, X, Y), u_x(T, X, Y) * slope_x + u_y(T, X, Y) * slope_y, slope_x,
                    vorticity(T, 0.0, Y)]
        for value, oracle in zip(out["points"][0]["values"], expected, strict=True):
            self.assertAlmostEqual(value, oracle, delta=1e-8)

    def test_reruns_to_the_bit(self):
        self.checked("rerun", "flow.h5", "-o", "again.h5")
        at = ("--at", "t=2,x=0:6:7,y=0:6:7", "--expr", "u", "--expr", "p")
        self.assertEqual(self.checked("eval", "flow.h5", *at), self.checked("eval", "again.h5", *at))

    def test_mistakes_are_told(self):
        for change, status_text in (
                ("equations.0=dt(u) = p", "a vector (components x, y) on the left and a number on the right"),
                ("equations.1=divergence(u) = 0", "the divergence is written div(u)"),
                ("definitions.w=curl(v)", "unknown name 'v'"),
                ("definitions.w=2*w", "the definition 'w' uses itself: w -> w")):
            done = self.run_gwrm("check", self.case, "--set", change)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(status_text, done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ProgramTest.program, INPUTS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
