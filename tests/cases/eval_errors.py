#!/usr/bin/env python3
"""gwrm eval --error and gwrm export of a run with output: {error: on}, through the real program.

    eval_errors.py GWRM
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

GWRM = None
CASE = """
domain: {t: [0, 0.4], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 7}, domains: {t: 2}}
verification: {tolerance: 1, tail: 1}
output: {error: on, grid: {t: 5, x: [0, 0.25, 0.5, 0.75]}, fields: {slope: "dx(u)"}}
"""


def run(folder, *arguments):
    return subprocess.run([GWRM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=240)


class EvalErrors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        (cls.folder / "heat.yaml").write_text(CASE, encoding="utf-8")
        for name, *more in (("heat",), ("plain", "--set", "output.error=off")):
            done = run(cls.folder, "run", "heat.yaml", "-q", "-o", name + ".h5", *more)
            assert done.returncode == 0, done.stderr
        done = run(cls.folder, "export", "heat.h5", "--format", "csv")
        assert done.returncode == 0, done.stderr
        with open(cls.folder / "heat.csv", encoding="utf-8") as file:
            cls.samples = {(float(row["t"]), float(row["x"])): {key: float(value) for key, value in row.items()}
                           for row in csv.DictReader(file)}

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def errors(self, at, *expressions):
        words = [word for expression in expressions for word in ("--expr", expression)]
        done = run(self.folder, "eval", "heat.h5", "--at", at, *words, "--error", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["points"]

    def failure(self, file, expression):
        done = run(self.folder, "eval", file, "--at", "t=0.1,x=0.5", "--expr", expression, "--error")
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_the_export_has_them(self):
        point = self.samples[0.1, 0.5]
        self.assertEqual(set(point), {"t", "x", "slope", "u", "slope_error", "u_error"})
        self.assertGreater(point["u_error"], 1e-8)

    def test_at_and_between_the_points_of_the_grid(self):
        (point,) = self.errors("t=0.1,x=0.5", "u", "dx(u)")
        a, b = self.samples[0.1, 0.5], self.samples[0.1, 0.75]
        self.assertAlmostEqual(point["errors"][0] / a["u_error"], 1, 9)
        self.assertAlmostEqual(point["errors"][1] / a["slope_error"], 1, 9)
        (between,) = self.errors("t=0.1,x=0.6", "u")
        self.assertAlmostEqual(between["errors"][0] / (0.6 * a["u_error"] + 0.4 * b["u_error"]), 1, 9)

    def test_to_first_order(self):
        (point,) = self.errors("t=0.1,x=0.25", "u^2 - 3*dx(u)", "exp(x)")
        a = self.samples[0.1, 0.25]
        expected = 2 * abs(a["u"]) * a["u_error"] + 3 * a["slope_error"]
        self.assertAlmostEqual(point["errors"][0] / expected, 1, 9)
        self.assertEqual(point["errors"][1], 0)

    def test_off_the_grid_it_is_not_known(self):
        (point,) = self.errors("t=0.1,x=0.9", "u")
        self.assertIsNone(point["errors"][0])

    def test_a_column_behind_the_value(self):
        plain = run(self.folder, "eval", "heat.h5", "--at", "t=0.1,x=0.5", "--expr", "u", "-q").stdout.split()
        words = run(self.folder, "eval", "heat.h5", "--at", "t=0.1,x=0.5", "--expr", "u", "--error", "-q").stdout.split()
        self.assertEqual(words[:3], plain)
        self.assertAlmostEqual(float(words[3]) / self.samples[0.1, 0.5]["u_error"], 1, 2)

    def test_what_is_not_there_is_said_with_the_cure(self):
        self.assertIn("run the case again with output: {error: on}", self.failure("plain.h5", "u"))
        self.assertIn("the error of dx(u, 2) is not in this result", self.failure("heat.h5", "dx(u,2)"))
        self.assertIn('fields: {name: "integral(u, x)"}', self.failure("heat.h5", "integral(u, x)"))


if __name__ == "__main__":
    GWRM = sys.argv.pop(1)
    unittest.main()
