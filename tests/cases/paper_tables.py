#!/usr/bin/env python3
"""A sample of the tables of the papers, as a user makes them: by `gwrm run`.

    paper_tables.py GWRM INPUTS
"""
import json
import pathlib
import sys
import unittest

from program import ProgramTest

INPUTS = pathlib.Path(sys.argv.pop()).resolve()
# SBP-SAT, Table 1: the error in the norm of H by intervals, of order 2 as printed there and of exact solutions.
ERRORS = {16: (1.735038e-3, 1.735014887e-3), 64: (1.078903e-4, 1.078700281e-4)}
# Table 3: conjugate gradients, by intervals, to 1e-10 of b; 64 intervals by tolerance (docs/sbp-sat.md).
ITERATIONS = {8: 29, 16: 58, 32: 112, 64: 221}
ITERATIONS_OF_64 = {"1e-6": 163, "1e-8": 189, "1e-10": 221}
# Recurrences, Table I: the relative error of A1D and A2D with 2^20 intervals, all digits printed there.
RECURRENCES = {"a1d": 1.930917e-13, "a2d": 1.877603e-13}


class PaperTables(ProgramTest):
    def report(self, case, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        return json.loads(self.checked("run", INPUTS / case, *options, "--set", "verification.tolerance=1", "--json",
                                       "-o", "out.h5", "--overwrite"))

    def value(self, report, kind):
        return next(check["value"] for check in report["verification"]["checks"] if check["kind"] == kind)

    def test_sbp_sat_table_1(self):
        for n, (printed, exact) in ERRORS.items():
            error = self.value(self.report("sbp_poisson.yaml", f"sbp_sat.intervals={n}"), "error_h")
            self.assertAlmostEqual(error / exact, 1, delta=1e-6)
            self.assertAlmostEqual(error / printed, 1, delta=3e-4)  # the paper ended its iteration earlier

    def test_sbp_sat_table_3(self):
        def iterations(n, tolerance):
            return self.report("sbp_poisson.yaml", f"sbp_sat.intervals={n}", "sbp_sat.solver=cg",
                               f"sbp_sat.tolerance={tolerance}")["n_linear_iterations"]
        for n, expected in ITERATIONS.items():
            self.assertAlmostEqual(iterations(n, "1e-10"), expected, delta=2)
        for tolerance, expected in ITERATIONS_OF_64.items():
            self.assertAlmostEqual(iterations(64, tolerance), expected, delta=2)

    def test_recurrences_table_1(self):
        for algorithm, expected in RECURRENCES.items():
            error = self.value(self.report("bvp_paper.yaml", f"recurrence.algorithm={algorithm}"), "error_l2")
            self.assertAlmostEqual(error / expected, 1, delta=1e-6)


if __name__ == "__main__":
    PaperTables.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
