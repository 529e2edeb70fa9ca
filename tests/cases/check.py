#!/usr/bin/env python3
"""gwrm check through the real program: the system printed back, conditions counted, corners, Jacobian, time.

    check.py GWRM INPUTS
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

GWRM = INPUTS = None


def run(*arguments):
    return subprocess.run([GWRM, "check", *map(str, arguments)], capture_output=True, text=True, timeout=240)


def found(case, *more):
    done = run(os.path.join(INPUTS, case + ".yaml"), "--json", *more)
    if done.returncode != 0:
        raise AssertionError(f"{case}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


class Check(unittest.TestCase):
    def test_conditions_are_counted(self):
        self.assertEqual(found("burgers_2d")["conditions"],
                         [["conditions", "unknown", "t", "y", "x"], ["equation 1", "u", "1 of 1", "2 of 2", "2 of 2"],
                          ["equation 2", "v", "1 of 1", "2 of 2", "2 of 2"]])
        table = found("wave_forced")["conditions"]
        self.assertEqual(table[1][2:], ["2 of 2", "2 of 2"])
        self.assertEqual(found("kuramoto_sivashinsky")["conditions"][1][3], "4 of 4")

    def test_the_system_is_printed_back_and_means_the_same(self):
        """The printed equations in place of those of the file give the same printed equations."""
        for case in ("burgers_2d", "wave_forced", "lorenz84", "fokker_planck"):
            expressions = found(case)["expressions"]
            again = []
            for expression in expressions:
                kind, number = expression["name"].split()[:2]
                if kind in ("equation", "condition"):
                    section = {"equation": "equations", "condition": "boundary"}[kind]
                    again += ["--set", f"{section}.{int(number) - 1}={json.dumps(expression['text'])}"]
            self.assertEqual(found(case, *again)["expressions"], expressions)

    def test_latex(self):
        done = run(os.path.join(INPUTS, "burgers_viscosity.yaml"), "--latex")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("\\begin{align}\n"))
        self.assertIn(r"\partial_t u + u\,\partial_x u & = \nu\,\partial_x^{2} u \tag{equation 1}", done.stdout)
        self.assertEqual(done.stdout.count("{"), done.stdout.count("}"))
        for case in ("sbp_poisson", "bvp_paper", "ball_decay", "bratu_branch"):
            done = run(os.path.join(INPUTS, case + ".yaml"), "--latex")
            self.assertIn("\\tag{condition 1}", done.stdout)

    def test_corners_with_numbers(self):
        lines = run(os.path.join(INPUTS, "burgers_parabola.yaml")).stdout
        self.assertIn("off by less than 1e-6 of their size over the first window, 0.8 over the whole time", lines)
        one_window = run(os.path.join(INPUTS, "burgers_parabola.yaml"), "--set", "resolution.domains.t=1").stdout
        self.assertIn("off by 0.8 of their size over the first window", one_window)
        self.assertIn("no conflict", run(os.path.join(INPUTS, "burgers_degrees.yaml")).stdout)
        off = run(os.path.join(INPUTS, "burgers_degrees.yaml"), "--set", "boundary.0=u(x=0) = 0.1").stdout
        self.assertIn("the initial values are off by", off)

    def test_the_jacobian_of_every_input(self):
        for path in sorted(pathlib.Path(INPUTS).glob("*.yaml")):
            with self.subTest(case=path.stem):
                checks = found(path.stem, "--jacobian")["jacobian"]
                self.assertTrue(all(check["passed"] and check["difference"] < 1e-6 for check in checks), checks)
                if not path.stem.startswith(("sbp", "bvp", "ball", "shell")):
                    self.assertTrue(checks)

    def test_time(self):
        time = found("burgers_sine", "--time")["time"]
        self.assertGreater(time["seconds"], 0.0)
        self.assertLess(time["seconds"], 60.0)
        self.assertIsNone(found("basdevant", "--time", "--set", "resolution={tolerance: 1e-4}")["time"]["seconds"])

    def test_time_of_every_module_in_words(self):
        for name in ("burgers_sine", "sbp_poisson", "bvp_paper"):
            with self.subTest(case=name):
                said = run(os.path.join(INPUTS, name + ".yaml"), "--time").stdout
                self.assertRegex(said, r"time +(about|of the order of) [0-9.e-]+ s.*; a run took [0-9.e-]+ s")

    def test_manufactured(self):
        expressions = found("burgers_sine", "--manufactured", "--set", "exact.u=x*t")["expressions"]
        self.assertIn("dt(x*t)", expressions[0]["text"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    GWRM, INPUTS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
