#!/usr/bin/env python3
"""An answer whose error could not be estimated ends with status 9 in every command; one without a wish for an estimate with 0.

    not_estimated.py GWRM
"""
import json
import pathlib
import sys
import unittest

try:
    import h5py
except ImportError:
    h5py = None

from program import ProgramTest

LINE = """
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 2^20, source: "1"}
output: {grid: {x: 3}}
"""
ENOUGH, TOO_LITTLE = "19.5e-3", "9e-3"  # GB: with and without memory for a finer grid, as FiniteDifferenceEstimate measures
HEAT = """
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*(1 + x)*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 60}, domains: {t: 30}}
output: {fields: {}}
"""


@unittest.skipIf(h5py is None, "needs h5py")
class NotEstimated(ProgramTest):
    def written(self, text, memory, more=""):
        self.text("case.yaml", f"{text}solver: {{memory: {memory}}}\n{more}")
        return "case.yaml"

    def heat_memory(self):
        self.text("heat.yaml", HEAT)
        done = self.run_gwrm("check", "heat.yaml", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return 1.001e-9 * json.loads(done.stdout)["memory_bytes"]

    def expect_status_9(self, case):
        done = self.run_gwrm("run", case, "-o", "a.h5", "--overwrite")
        self.assertEqual(done.returncode, 9, done.stdout + done.stderr)
        self.assertIn("  NOT ESTIMATED\n", done.stdout)
        self.assertNotIn("verified", done.stdout + done.stderr)
        self.assertRegex(done.stderr, "error not estimated: .*memory")
        with h5py.File(self.folder / "a.h5") as file:
            attributes = {**file.attrs, **file["verification"].attrs}
            self.assertEqual(attributes["status"], b"error not estimated")
            self.assertIn(b"memory", attributes["reason"])
            self.assertEqual(attributes["result"], b"NOT ESTIMATED")
        done = self.run_gwrm("run", case, "-o", "b.h5", "--overwrite", "--json")
        self.assertEqual(done.returncode, 9, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual([found["exit_status"], found["status"], found["verification"]["result"]],
                         [9, "error not estimated", "NOT ESTIMATED"])
        self.assertIn("memory", found["reason"])
        self.assertEqual(self.run_gwrm("rerun", "a.h5", "-o", "c.h5", "--overwrite").returncode, 9)

    def test_finite_differences(self):
        self.expect_status_9(self.written(LINE, TOO_LITTLE))

    def test_series(self):
        self.expect_status_9(self.written(HEAT, repr(self.heat_memory())))

    def test_without_a_wish_for_an_estimate_the_status_is_0_and_nothing_is_called_verified(self):
        done = self.run_gwrm("run", self.written(LINE, ENOUGH, "verification: {estimate: off}\n"), "-o", "off.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the error was not estimated: verification.estimate is off\n  PASS\n", done.stdout)
        self.assertNotIn("verified", done.stdout)

    def sweep(self, *values):
        done = self.run_gwrm("sweep", self.written(LINE, ENOUGH), "--vary", *values, "-o", "s.h5", "--overwrite", "--json",
                             "--backend", "cpu", "--threads", "1")
        found = json.loads(done.stdout)
        self.assertEqual(found["exit_status"], done.returncode)
        return done.returncode, sorted(one["exit_status"] for one in found["counts"])

    def test_a_sweep_ends_with_9_only_if_no_run_has_failed(self):
        memory = f"solver.memory={TOO_LITTLE},{ENOUGH}"
        self.assertEqual(self.sweep(memory), (9, [0, 9]))
        self.assertEqual(self.sweep(memory, "--vary", "verification.tolerance=1e-3,1e-30"), (6, [0, 6, 9]))

    def test_the_manual_page_has_the_status(self):
        page = self.run_gwrm("--manual-page").stdout
        self.assertRegex(page, r"\\fB9\\fR\n.*could not be estimated")
        self.assertNotIn("converged and verified", page)


if __name__ == "__main__":
    NotEstimated.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
