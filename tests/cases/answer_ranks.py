#!/usr/bin/env python3
"""What follows the solve on ranks that have the windows together: verification and samples are the same to the byte on any number of
them, and those of one process to rounding.

    answer_ranks.py GWRM MPIRUN [NAME ...]
"""
import json
import os
import sys
import unittest

import run_ranks
from run_ranks import h5py
from window_ranks import BOX

# More windows than are kept at once; pieces for each rank, and one time of the grid in most windows.
PARTS = """schema: 1
domain: {t: [0, 1], x: [0, 1], y: [0, 2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*lap(u)"]
initial: {u: "sin(pi*x)*sin(pi*y/2)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0"]
resolution: {degree: {t: 5, x: 20, y: 18}, domains: {t: 34}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 30, x: 9, y: 9}, file: case.h5, coefficients: none}
"""
# One window, whose sums the ranks share; judged by a solution that it does not have.
ALONE = BOX.replace("domains: {t: 2}", "domains: {t: 1}").replace("verification: {tolerance: 1,", "verification: {tolerance: 1e-9,") \
    .replace("initial:", "exact: {u: \"exp(-t)*sin(pi*x)*sin(pi*y/2)*(1 - z^2)\"}\ninitial:")


@unittest.skipIf(h5py is None, "needs h5py")
class AnswerRanks(run_ranks.RanksTest):
    def answer(self, n_ranks, status):
        done = self.run_on(n_ranks, "run", "case.yaml", "--threads", "1", "--json", "-vv", "-o", f"on{n_ranks}.h5", status=status)
        self.assertEqual("giving the answer to the other ranks" in done.stderr, n_ranks > 1, done.stderr)
        return json.loads(done.stdout)["verification"]

    def same_on_two_and_three(self, text, status=0):
        self.write(text)
        alone, on_two, on_three = (self.answer(n_ranks, status) for n_ranks in (0, 2, 3))
        self.assertEqual(on_two, on_three)
        self.same("on2.h5", "on3.h5")
        self.assertEqual(alone["result"], on_two["result"])
        self.assertEqual(len(alone["checks"]), len(on_two["checks"]))
        for one, other in zip(alone["checks"], on_two["checks"]):
            self.assertEqual((one["kind"], one["subject"], one["passed"]), (other["kind"], other["subject"], other["passed"]))
            self.assertLessEqual(abs(one["value"] - other["value"]), 1e-6 * abs(one["value"]) + 1e-10, one)
        with h5py.File(self.folder / "on0.h5") as one, h5py.File(self.folder / "on2.h5") as other:
            self.assertLess(abs(one["u"][()] - other["u"][()]).max(), 1e-7)
            self.assertEqual(one["u"].shape, other["u"].shape)

    def test_windows_in_parts(self):
        self.same_on_two_and_three(PARTS)

    def test_one_window_that_fails(self):
        self.same_on_two_and_three(ALONE, status=6)


if __name__ == "__main__":
    run_ranks.GWRM, run_ranks.MPIRUN = (os.path.realpath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
