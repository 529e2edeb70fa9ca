#!/usr/bin/env python3
"""gwrm converge through the real program: laws, files, exit statuses, manufactured solutions of five equations.

    converge.py GWRM INPUTS [NAME ...]
"""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
except ImportError:
    h5py = None

GWRM = INPUTS = None


def run(folder, *arguments):
    return subprocess.run([GWRM, *arguments], cwd=folder, capture_output=True, text=True, timeout=240)


class Converge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def study(self, case, *more, status=0):
        done = run(self.folder, "converge", os.path.join(INPUTS, case + ".yaml"), "--json", "-q", "--overwrite", *more)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def manufactured(self, case, *more, rate):
        study = self.study(case, "--manufactured", *more)
        errors = [level["error"] for level in study["levels"]]
        self.assertEqual(study["law"], "exponential", study["statement"])
        self.assertGreater(study["exponential_rate"], rate)
        self.assertLess(errors[-1], 1e-3 * errors[0])
        return study

    def test_smooth_burgers_is_exponential(self):
        study = self.study("burgers_sine")
        self.assertEqual((study["law"], study["measure"]), ("exponential", "self_max"), study["statement"])
        rates = [level["rate"] for level in study["levels"][2:-1]]
        self.assertLess(max(rates) / min(rates), 1.15, "a straight line")
        self.assertIn("agree in the corners", study["reason"])

    def test_smooth_burgers_against_its_exact_solution_down_to_rounding(self):
        study = self.study("burgers_degrees")
        self.assertEqual((study["law"], study["measure"]), ("exponential", "error_max"), study["statement"])
        self.assertTrue(study["floor_is_rounding"])
        self.assertLess(study["floor"], 1e-13)

    def test_the_parabola_is_algebraic_and_it_says_why(self):
        study = self.study("burgers_parabola")
        self.assertEqual(study["law"], "algebraic", study["statement"])
        self.assertIn("incompatible in a corner", study["reason"])
        self.assertIn('"u(x=0) = 0"', study["reason"])

    def test_tables_of_the_recurrence_paper(self):
        """All digits that Tables I (P1) and II (P2) print for A1D."""
        second = ["--set", "recurrence.source=20000*exp(-100*x*x)*(1-200*x*x)",
                  "--set", "exact.u=100*exp(-100*x*x)-100*exp(-100)"]
        for problem, printed in ([], ["1.930917e-13", "2.545430e-14", "5.558266e-14", "1.703449e-13"]), \
                                (second, ["1.314334e-11", "9.951346e-13", "5.650246e-13", "1.884351e-12"]):
            study = self.study("bvp_paper", "--vary", "recurrence.intervals=2^20,2^22,2^24,2^26",
                               "--vary", "recurrence.algorithm=a1d", *problem)
            self.assertEqual([f"{level['error']:.6e}" for level in study["levels"]], printed)

    def test_manufactured_nonlinear_equation(self):
        self.manufactured("burgers_sine", "--set", "exact.u=exp(-t)*sin(pi*x)*(1+x^2)", "--vary", "x=6,8,10,12,14,16",
                          "--vary", "t=3,4,5,6,7,8", rate=1.0)

    def test_manufactured_nonlinear_system(self):
        self.manufactured("lorenz84", "--set", "exact.X=cos(t)", "--set", "exact.Y=sin(2*t)", "--set", "exact.Z=exp(-t)",
                          "--vary", "t=3,4,5,6,7,8", rate=2.0)

    def test_manufactured_two_dimensional_system(self):
        self.manufactured("burgers_2d", "--set", "exact.u=sin(x+2*y)*exp(-t)", "--set", "exact.v=cos(x-y)/(1+t)",
                          "--vary", "x=4,6,8,10,12", "--vary", "y=4,6,8,10,12", "--vary", "t=4,5,6,7,8", rate=0.7)

    def test_manufactured_fourth_order(self):
        self.manufactured("kuramoto_sivashinsky", "--set", "exact.u=sin(x/4)*exp(-t)", "--set", "resolution.domains={}",
                          "--vary", "x=8,10,12,14,16,18", "--vary", "t=5,6,7,8,9,10", rate=1.0)

    def test_manufactured_second_order_in_time(self):
        self.manufactured("wave_forced", "--set", "exact.u=sin(x)*cos(2*t)", "--vary", "x=4,6,8,10,12",
                          "--vary", "t=4,6,8,10,12", rate=2.0)

    def test_manufactured_poisson(self):
        study = self.study("sbp_annulus", "--manufactured", "--set", "exact.u=sin(x+y)",
                           "--vary", "sbp_sat.intervals=16,32,64", "--set", "convergence.least_order=3.9")
        self.assertTrue(study["passed"])

    def test_table_1_of_the_sbp_sat_paper(self):
        """Errors of an exact solution, computed with 34 digits elsewhere, and rates by eq. (16), log2 of their ratio."""
        study = self.study("sbp_poisson")
        self.assertTrue(study["passed"])
        exact = [3.109914322e-02, 7.086547124e-03, 1.735014887e-03, 4.318775702e-04, 1.078700281e-04, 2.696196037e-05,
                 6.740166176e-06]
        printed = [3.109916e-02, 7.086568e-03, 1.735038e-03, 4.318985e-04, 1.078903e-04, 2.698288e-05, 6.748052e-06]
        errors = [level["error"] for level in study["levels"]]
        self.assertEqual(len(errors), len(exact))
        for found, digits, of_the_paper in zip(errors, exact, printed):
            self.assertLess(abs(found - digits), 1e-9 * digits)
            self.assertLess(abs(found - of_the_paper), 3e-8)  # the paper stopped its iteration earlier
        for level, rate in zip(study["levels"][1:], (2.134, 2.030, 2.006, 2.001, 2.000, 2.000)):
            self.assertLess(abs(level["order"] - rate), 6e-4)

    def test_orders_4_and_6_of_the_sbp_sat_operators(self):
        for order, exact, rates in (
                (4, (4.226703098e-05, 2.116644117e-06, 1.094838302e-07, 5.956014117e-09, 3.404252199e-10),
                 (4.32, 4.27, 4.20, 4.13)),
                (6, (1.139404399e-05, 2.604646112e-07, 5.846949197e-09, 1.301024394e-10, 2.884054189e-12),
                 (5.45, 5.48, 5.49, 5.50))):
            study = self.study("sbp_poisson", "--set", f"sbp_sat.order={order}", "--vary",
                               "sbp_sat.intervals=16,32,64,128,256", "--set", f"convergence.least_order={order - 1}")
            for level, error in zip(study["levels"], exact):
                self.assertLess(abs(level["error"] - error), 1e-6 * error)
            for level, rate in zip(study["levels"][1:], rates):
                self.assertLess(abs(level["order"] - rate), 6e-3)

    def test_dimensions_of_a_case_with_one_number_of_intervals(self):
        study = self.study("sbp_poisson", "--vary", "x=16,32", "--vary", "y=32,64")
        self.assertEqual([level["size"] for level in study["levels"]], [16, 32])
        self.assertEqual([level["n_unknowns"] for level in study["levels"]], [17 * 33, 33 * 65])

    def test_rates_that_are_missed(self):
        study = self.study("sbp_poisson", "--set", "convergence.least_order=2.5", status=6)
        self.assertFalse(study["passed"])
        self.assertIn("FAIL", study["verdict"])
        self.assertEqual(len(study["files"]), 2, "the study is kept all the same")

    def test_the_files_say_what_was_printed(self):
        study = self.study("sbp_poisson", "-o", "table.h5")
        self.assertEqual(study["files"], ["table.h5", "table.csv"])
        with open(self.folder / "table.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual([float(row["error"]) for row in rows], [level["error"] for level in study["levels"]])
        self.assertEqual([row["sbp_sat.intervals"] for row in rows], ["4", "8", "16", "32", "64", "128", "256"])
        again = run(self.folder, "converge", os.path.join(INPUTS, "sbp_poisson.yaml"), "-q", "-o", "table.h5")
        self.assertEqual(again.returncode, 8)
        self.assertIn("--overwrite", again.stderr)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_the_hdf5_file(self):
        study = self.study("burgers_degrees", "-o", "study.h5")
        with h5py.File(self.folder / "study.h5") as file:
            self.assertEqual(file.attrs["study"].decode(), "convergence")
            self.assertEqual(file.attrs["statement"].decode(), study["statement"])
            self.assertEqual(file.attrs["exponential_rate"], study["exponential_rate"])
            self.assertEqual(list(file["error"]), [level["error"] for level in study["levels"]])
            self.assertEqual(list(file["size"]), [8, 12, 16, 20, 24, 28, 32, 36, 40])
            self.assertEqual([int(v) for v in file["varied/t"].asstr()], [5, 8, 10, 12, 14, 16, 18, 20, 22])
            kinds = list(file["checks/kind"].asstr())
            self.assertEqual(list(file["checks/value"][:, kinds.index("error_max")]), list(file["error"]))

    def test_interruption(self):
        """A study that is stopped writes nothing and says so by its exit status."""
        running = subprocess.Popen(
            [GWRM, "converge", os.path.join(INPUTS, "burgers_2d.yaml"), "-q", "--vary", "x=24,26,28,30", "--vary",
             "y=24,26,28,30", "--vary", "resolution.domains.t=200"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.0)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=120)
        self.assertEqual(running.returncode, 130)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_text(self):
        done = run(self.folder, "converge", os.path.join(INPUTS, "sbp_poisson.yaml"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n +256 +6\.74016617\de-06 +2\.000 ")
        self.assertTrue(re.search(r"law: algebraic of order 2\b", done.stdout))

    def test_mistakes(self):
        for case, more, fragments in [
            ("heat", [], ["nothing to vary", "--vary"]),
            ("heat", ["--vary", "x=8"], ["two runs"]),
            ("heat", ["--vary", "x="], ["KEY=VALUE"]),
            ("heat", ["--vary", "y=8,16"], ["`y`", "dimension"]),
            ("heat", ["--vary", "resolution.degrees.x=8,16"], ["resolution.degrees.x", "no key"]),
            ("heat", ["--vary", "x=8,many"], ["many"]),
            ("heat", ["--vary", "x=8,16", "--vary", "t=4,8,12"], ["same length"]),
            ("lorenz84", ["--manufactured", "--vary", "t=4,8"], ["exact"]),
            ("bvp_neumann", ["--manufactured", "--set", "exact.u=sin(u)"], ["no unknown", "sin(u)"]),
            ("heat", ["--manufactured", "--set", "exact.u=u*x", "--vary", "x=4,8"], ["no unknown", "u*x"]),
            ("bratu_branch", ["--vary", "x=8,16", "--set", "verification.values=[]"], ["no points in common"]),
        ]:
            with self.subTest(case=case, more=more):
                done = run(self.folder, "converge", os.path.join(INPUTS, case + ".yaml"), "-q", *more)
                self.assertEqual(done.returncode, 2, done.stderr)
                for fragment in fragments:
                    self.assertIn(fragment, done.stderr)
                self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    GWRM, INPUTS = (os.path.abspath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + [f"Converge.test_{name}" for name in sys.argv[3:]])
