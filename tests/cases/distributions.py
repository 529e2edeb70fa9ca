#!/usr/bin/env python3
"""Parameters with distributions through the real program: every command that reads or makes a result file.

    distributions.py GWRM POSTPROCESS [PYTHON]

The oracle is a decay u = a exp(-nu t) with moments in closed form. POSTPROCESS is the folder of gwrm_post, PYTHON has its
packages; without it nothing is opened with xarray.
"""
import json
import math
import os
import subprocess
import sys
import unittest

from program import ProgramTest

POSTPROCESS = PYTHON = None

DECAY = """
domain:
  t: [0, 2]
  nu: {distribution: normal, mean: 1, deviation: 0.1}
  a: {distribution: beta, range: [0.5, 1.5], a: 2, b: 5}
  k: {distribution: lognormal, mu: -1, sigma: 0.25}
unknowns: [u, v]
equations: ["dt(u) = -nu*u", "dt(v) = k^2*t"]
initial: {u: "a", v: "a"}
resolution: {degree: {t: 14, nu: 9, a: 1, k: 12}, domains: {t: 2}}
verification: {tolerance: 1.0e-7}
output: {grid: {t: 3, nu: 5, a: 3, k: 3}, fields: {u: u, v: v, slope: "dnu(u)"}}
"""

LONG = """
domain: {t: [0, 2], nu: {distribution: lognormal, mu: 0, sigma: 0.1}}
unknowns: [u]
equations: ["dt(u) = -nu*u"]
initial: {u: "1"}
resolution: {degree: {t: 6, nu: 5}, domains: {t: 6000}}
output: {grid: {t: 3, nu: 5}}
"""

READ = """
import sys
sys.path.insert(0, {postprocess!r})
import numpy, xarray
from gwrm_post import open_answer
run, statistics = xarray.open_dataset("decay.h5"), xarray.open_dataset("decay.h5", group="statistics")
modes = xarray.open_dataset("decay.h5", group="coefficients")
for item in (run.nu, modes.nu_mode):
    assert item.attrs["distribution"] == "normal(1, 0.1)", item.attrs
assert run.a.attrs["distribution"] == "beta(2, 5, 0.5, 1.5)" and "distribution" not in run.t.attrs
assert [str(basis) for basis in (modes[f"{{name}}_mode"].attrs["basis"] for name in ("nu", "a", "k"))] == [
    "hermite(1,0.1)", "jacobi(2,5)", "hermite(-1,0.25)"]
assert list(statistics.distribution.values) == ["normal(1, 0.1)", "beta(2, 5, 0.5, 1.5)", "lognormal(-1, 0.25)"]
assert statistics.u_quantile.dims == ("quantile", "t") and len(statistics["quantile"]) == 7
mean, square = 0.5 + 2 / 7, (0.5 + 2 / 7) ** 2 + 10 / (49 * 8)  # of a
for t, m, v in zip(statistics.t.values, statistics.u_mean.values, statistics.u_variance.values):
    first, second = mean * numpy.exp(-t + 0.005 * t**2), square * numpy.exp(-2 * t + 0.02 * t**2)
    assert abs(m - first) < 1e-10 and abs(v - (second - first**2)) < 1e-10, (t, m - first, v - second + first**2)
# The coefficients themselves: a_0 is the mean of the orthonormal series, the sum of the others' squares the variance.
answer = open_answer("decay.h5")
nu, a, k = numpy.array([0.7, 1.0, 1.3]), numpy.array([0.5, 1.1, 1.5]), numpy.array([0.2, 0.4, 0.7])
found = answer("u", t=1.3, nu=nu, a=a, k=0.4).values
assert abs(found - numpy.exp(-1.3 * nu)[:, None] * a).max() < 1e-8
slope = answer("u", orders={{"nu": 1}}, t=1.3, nu=nu, a=1.0, k=0.4).values
assert abs(slope + 1.3 * numpy.exp(-1.3 * nu)).max() < 1e-6
v = answer("v", t=2.0, nu=1.0, a=1.0, k=k).values
assert abs(v - (1 + 2 * k**2)).max() < 1e-8, v - (1 + 2 * k**2)
vk = answer("v", orders={{"k": 1}}, t=2.0, nu=1.0, a=1.0, k=k).values
assert abs(vk - 4 * k).max() < 1e-6
"""


class Distributions(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.solve("decay", DECAY)

    def test_check_says_distribution_and_quadrature(self):
        told = self.run_gwrm("check", "decay.yaml").stdout
        for text in ("normal(1, 0.1), Hermite polynomials to degree 9", "beta(2, 5, 0.5, 1.5), Jacobi polynomials to degree 1",
                     "lognormal(-1, 0.25), Hermite polynomials of the logarithm to degree 12", "10 Gauss points; its points reach from 0.5141",
                     "judged where all but 0.01 of the probability is"):
            self.assertIn(text, " ".join(told.split()))
        told = self.run_gwrm("check", "decay.yaml", "--set", "parameters.error=mean_square").stdout
        self.assertIn("the estimated error by its root mean square over the density", " ".join(told.split()))

    def test_eval(self):
        for nu, a in ((0.7, 0.6), (1.0, 1.5), (1.32, 0.5)):
            at = self.checked("eval", "decay.h5", "--at", f"t=1.3,nu={nu},a={a},k=0.4", "--expr", "u")
            self.assertAlmostEqual(float(at.split()[-1]), a * math.exp(-1.3 * nu), delta=1e-8)
        (self.folder / "points.csv").write_text("t,nu,a,k\n1.3,0.7,0.6,0.4\n2,1.2,1.4,0.2\n", encoding="utf-8")
        lines = self.checked("eval", "decay.h5", "--points", "points.csv", "--expr", "dnu(u)").splitlines()[1:]
        for line, (t, nu, a) in zip(lines, ((1.3, 0.7, 0.6), (2, 1.2, 1.4))):
            self.assertAlmostEqual(float(line.split(",")[-1]), -t * a * math.exp(-t * nu), delta=1e-6)
        outside = self.run_gwrm("eval", "decay.h5", "--at", "t=1,nu=1.5,a=1,k=0.4", "--expr", "u")
        self.assertEqual(outside.returncode, 2)
        self.assertIn("nu", outside.stderr)

    def test_rerun_diff_and_export(self):
        self.checked("rerun", "decay.h5", "-o", "again.h5")
        status, found = self.diff("decay.h5", "again.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True), found)
        self.checked("run", "decay.yaml", "-o", "coarse.h5", "--set", "resolution.degree.nu=2", status=6)
        status, found = self.diff("decay.h5", "coarse.h5")
        relative = {f["what"]: f["relative"] for f in found["fields"] if f["field"] == "u"}
        self.assertGreater(relative["polynomials"], 1e-6)
        self.assertLess(relative["polynomials"], 1e-1)
        self.checked("export", "decay.h5", "--format", "csv")
        self.assertIn("t,nu,a,k,u", (self.folder / "decay.csv").read_text(encoding="utf-8").splitlines()[0].replace(" ", ""))

    def test_converge_over_the_degree_of_a_parameter(self):
        told = json.loads(self.checked("converge", "decay.yaml", "--json", "-o", "study.h5", "--set",
                                       "convergence={vary: {nu: [1, 2, 3, 4]}}"))
        self.assertGreater(told["exponential_rate"], 1.0)

    def test_sweep_keeps_statistics(self):
        self.checked("sweep", "decay.yaml", "--vary", "domain.nu.deviation=0.05,0.1", "-o", "sweep.h5", "--set",
                     "parameters.quantiles=[0.1, 0.9]")
        if PYTHON:
            found = subprocess.run([PYTHON, "-c", "import xarray; s = xarray.open_dataset('sweep.h5', group='statistics'); "
                                    "print(s['quantile'].values.tolist(), s.u_quantile.dims)"], cwd=self.folder,
                                   capture_output=True, text=True, timeout=240)
            self.assertIn("[0.1, 0.9]", found.stdout, found.stderr)
            self.assertIn("'quantile', 't'", found.stdout)

    def test_restart_from_the_journal(self):
        self.text("long.yaml", LONG)
        self.stopped_and_continued("long.yaml")

    def test_python_reads_the_answer(self):
        if not PYTHON:
            self.skipTest("no Python with xarray")
        done = subprocess.run([PYTHON, "-c", READ.format(postprocess=POSTPROCESS)], cwd=self.folder, capture_output=True,
                              text=True, timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_figures(self):
        if not PYTHON:
            self.skipTest("no Python with matplotlib")
        for kind in ("statistics", "coefficients"):
            done = self.run_gwrm("plot", "decay.h5", "--kind", kind, "-o", f"{kind}.svg", GWRM_PYTHON=PYTHON)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ProgramTest.program, POSTPROCESS = (os.path.abspath(path) for path in sys.argv[1:3])
    PYTHON = sys.argv[3] if len(sys.argv) > 3 else None
    unittest.main(argv=sys.argv[:1], verbosity=1)
