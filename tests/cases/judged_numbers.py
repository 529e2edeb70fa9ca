#!/usr/bin/env python3
"""The printed table shows what is compared: a judged row has a number no larger than the allowed one exactly if it is ok.

    judged_numbers.py GWRM
"""
import json
import pathlib
import re
import sys
import unittest

from program import ProgramTest

# An estimate of 8.9e-7, below the tolerance 1e-6, of which 1.5 times as much is above it.
HEAT = """
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 12}}
"""
ROW = re.compile(r"^  (.{22}) .*?  +(\S+)  +(\S+)  (ok|FAIL)$", re.M)


class JudgedNumbers(ProgramTest):
    def rows(self, tolerance, status):
        self.text("heat.yaml", HEAT + f"verification: {{tolerance: {tolerance}}}\n")
        done = self.run_gwrm("run", "heat.yaml", "-o", "heat.h5", "--overwrite")
        self.assertEqual(done.returncode, status, done.stderr)
        return done, ROW.findall(done.stdout)

    def test_a_row_is_ok_exactly_if_its_number_is_not_above_the_allowed_one(self):
        for tolerance, status in (("1e-6", 6), ("1.3e-6", 6), ("1.35e-6", 0), ("1e-5", 0)):
            done, rows = self.rows(tolerance, status)
            self.assertIn("1.5 x estimated error", [kind.strip() for kind, *_ in rows], done.stdout)
            for kind, value, allowed, verdict in rows:
                self.assertEqual(float(value) <= float(allowed), verdict == "ok", done.stdout)

    def test_the_reason_names_the_judged_number(self):
        done, _ = self.rows("1e-6", 6)
        self.assertRegex(done.stderr, r"the estimated error of u is 8\.\de-07 at .*; 1\.5 times that, 1\.3e-06, exceeds the "
                                      r"tolerance 1\.0e-06: ")

    def test_json_has_both_numbers(self):
        self.text("heat.yaml", HEAT)
        done = self.run_gwrm("run", "heat.yaml", "-o", "heat.h5", "--overwrite", "--json")
        check = next(one for one in json.loads(done.stdout)["verification"]["checks"] if one["kind"] == "estimate")
        self.assertEqual(check["judged_value"], 1.5 * check["value"])
        self.assertLess(check["value"], check["tolerance"])
        self.assertGreater(check["judged_value"], check["tolerance"])
        self.assertFalse(check["passed"])


if __name__ == "__main__":
    JudgedNumbers.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
