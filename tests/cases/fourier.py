#!/usr/bin/env python3
"""Periodic directions in Fourier series through the real program: every command that reads or makes a result file.

    fourier.py GWRM [PYTHON]

The oracles are closed forms: Burgers' equation by Cole and Hopf, a wave that is carried and decays. PYTHON has the packages
of postprocess/requirements.txt; without it nothing is drawn, without h5py in the Python that runs this no dataset is read.
"""
import json
import math
import os
import random
import sys
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = np = None

from exports import read_vtk, table
from program import ProgramTest

PYTHON = None

BURGERS = """
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*nu*pi*sin(pi*x)/(2 + cos(pi*x))"}
exact: {u: "2*nu*pi*exp(-nu*pi^2*t)*sin(pi*x)/(2 + exp(-nu*pi^2*t)*cos(pi*x))"}
resolution: {degree: {t: 10, x: 18}, domains: {t: 4}}
verification: {tolerance: 1e-7}
output: {grid: {t: 5, x: 9}, fields: {u: u, slope: "dx(u)", mass: "integral(u, x)"}}
"""
# One axis of each kind, and a parameter.
CARRIED = """
domain: {t: [0, 0.5], nu: [0.05, 0.2], x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = nu*lap(u)"]
initial: {u: "(1 + sin(x) + 0.5*cos(2*x))*sin(pi*y)"}
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 10, nu: 9, x: 2, y: 10}, domains: {y: 2}}
verification: {tolerance: 1e-6, tail: 2}
output: {grid: {t: 3, nu: 3, x: 7, y: 5}, fields: {u: u, flux: "integral(u*dx(u) + u, x)"}}
"""


def burgers(t, x, nu=0.1):
    decay = math.exp(-nu * math.pi**2 * t)
    return 2 * nu * math.pi * decay * math.sin(math.pi * x) / (2 + decay * math.cos(math.pi * x))


def carried(t, nu, x, y):
    wave = 1 + math.exp(-nu * t) * math.sin(x - t) + 0.5 * math.exp(-4 * nu * t) * math.cos(2 * (x - t))
    return math.exp(-nu * math.pi**2 * t) * wave * math.sin(math.pi * y)


class Fourier(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.solve("burgers", BURGERS)
        cls.solve("carried", CARRIED)

    def test_eval_at_and_at_points(self):
        random.seed(3)
        points = [(random.uniform(0, 1), random.uniform(0, 2)) for _ in range(200)] + [(0.25, 0.0), (0.25, 2.0)]
        (self.folder / "points.csv").write_text("x,t\n" + "".join(f"{x!r},{t!r}\n" for t, x in points), encoding="utf-8")
        lines = self.checked("eval", "burgers.h5", "--points", "points.csv", "--expr", "u").splitlines()[1:]
        values = [float(line.split(",")[-1]) for line in lines]
        self.assertEqual(len(values), len(points))
        for (t, x), value in zip(points, values):
            self.assertAlmostEqual(value, burgers(t, x), delta=1e-9)
        self.assertAlmostEqual(values[-2], values[-1], delta=1e-15)  # one place
        for (t, x), value in list(zip(points, values))[:5]:
            at = self.checked("eval", "burgers.h5", "--at", f"t={t!r},x={x!r}", "--expr", "u")
            self.assertAlmostEqual(float(at.split()[-1]), value, delta=1e-14)

    def test_exports_repeat_the_first_place_at_the_end(self):
        for form in ("csv", "vtk", "xdmf"):
            self.checked("export", "burgers.h5", "--format", form)
            self.checked("export", "carried.h5", "--format", form, *([] if form == "csv" else ["--at", "nu=0.05"]))
        names, rows = table(self.folder / "burgers.csv")
        self.assertEqual(names, ["t", "x", "u", "slope"])
        self.assertEqual(len(rows), 5 * 9)
        for t, x, u, _ in rows:
            self.assertAlmostEqual(u, burgers(t, x), delta=1e-9)
        for first, last in ((rows[9 * i], rows[9 * i + 8]) for i in range(5)):
            self.assertEqual((first[1], last[1]), (0.0, 2.0))
            for a, b in zip(first[2:], last[2:]):
                self.assertAlmostEqual(a, b, delta=1e-14)
        for step in range(5):
            counts, places, fields, time_of_file = read_vtk(self.folder / f"burgers_vtk/burgers_{step:04}.vtr")
            self.assertEqual((counts, time_of_file), ([9, 1, 1], 0.25 * step))
            self.assertEqual(fields["u"], [row[2] for row in rows[9 * step:9 * step + 9]])
            self.assertEqual(places[0], [row[1] for row in rows[:9]])
        counts, places, fields, time_of_file = read_vtk(self.folder / "carried_vtk/carried_0002.vtr")
        self.assertEqual((counts, time_of_file), ([7, 5, 1], 0.5))
        for j, y in enumerate(places[1]):
            for i, x in enumerate(places[0]):
                self.assertAlmostEqual(fields["u"][7 * j + i], carried(0.5, 0.05, x, y), delta=1e-7)
            self.assertAlmostEqual(fields["u"][7 * j], fields["u"][7 * j + 6], delta=1e-14)

    def test_a_rerun_is_the_run_and_differences_are_measured(self):
        self.checked("rerun", "burgers.h5", "-o", "again.h5")
        status, found = self.diff("burgers.h5", "again.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True), found)
        self.checked("run", "burgers.yaml", "-o", "coarse.h5", "--set", "resolution.degree.x=8", status=6)
        status, found = self.diff("burgers.h5", "coarse.h5")
        self.assertEqual((status, found["agree"]), (6, False))
        relative = {f["what"]: f["relative"] for f in found["fields"] if f["field"] == "u"}
        self.assertGreater(relative["polynomials"], 1e-6)
        self.assertLess(relative["polynomials"], 1e-3)
        # The same solution in Chebyshev series.
        chebyshev = BURGERS.replace("{range: [0, 2], basis: fourier}", "[0, 2]").replace("x: 18", "x: 48")
        chebyshev += 'boundary: ["u(x=0) = u(x=2)", "dx(u)(x=0) = dx(u)(x=2)"]\n'
        (self.folder / "chebyshev.yaml").write_text(chebyshev, encoding="utf-8")
        self.checked("run", "chebyshev.yaml", "-o", "chebyshev.h5")
        _, found = self.diff("burgers.h5", "chebyshev.h5")
        relative = {f["what"]: f["relative"] for f in found["fields"] if f["field"] == "u"}
        self.assertLess(relative["polynomials"], 1e-7)

    def test_restart_from_the_journal(self):
        long = BURGERS.replace("domains: {t: 4}", "domains: {t: 6000}").replace("grid: {t: 5,", "grid: {t: 40,")
        self.text("long.yaml", long)
        self.stopped_and_continued("long.yaml")

    def test_errors_fall_by_a_factor_for_every_wavenumber(self):
        told = json.loads(self.checked("converge", "burgers.yaml", "--json", "-o", "study.h5", "--set",
                                       "convergence={vary: {x: [6, 9, 12, 15]}}"))
        # Modes fall by 2 - sqrt(3) each: docs/method.md, section 1.
        self.assertAlmostEqual(told["exponential_rate"], math.log(2 + math.sqrt(3)), delta=0.03)

    def test_sweeps_over_a_constant_and_the_highest_wavenumber(self):
        self.checked("sweep", "burgers.yaml", "--vary", "constants.nu=0.1,0.15", "--vary", "resolution.degree.x=16,20", "-o",
                     "sweep.h5", "--keep", "runs")
        kept = sorted((self.folder / "sweep_runs").glob("*.h5"))
        self.assertEqual(len(kept), 4)
        for path, nu in zip(kept, (0.1, 0.1, 0.15, 0.15)):
            value = self.checked("eval", path, "--at", "t=1,x=0.7", "--expr", "u")
            self.assertAlmostEqual(float(value.split()[-1]), burgers(1, 0.7, nu), delta=1e-8)

    @unittest.skipIf(h5py is None, "no h5py")
    def test_statistics_of_a_parameter(self):
        xi, weights = np.polynomial.legendre.leggauss(40)
        nus, weights = 0.125 + 0.075 * xi, weights / 2  # uniform on [0.05, 0.2]
        with h5py.File(self.folder / "carried.h5") as file:
            group = file["statistics"]
            t, x, y = (group[name][()] for name in "txy")
            mean, variance = group["u_mean"][()], group["u_variance"][()]
            dims = [dim[0].name.rsplit("/", 1)[-1] for dim in group["u_mean"].dims]
            modes = file["coefficients/x_mode"].attrs["basis"]
        self.assertEqual(modes, b"fourier_real")
        self.assertEqual(sorted(dims), ["t", "x", "y"])
        order = ["txy".index(name) for name in dims]
        places = np.array([[[[carried(a, nu, b, c) for nu in nus] for c in y] for b in x] for a in t])
        exact = places @ weights
        np.testing.assert_allclose(mean, exact.transpose(order), atol=1e-7)
        np.testing.assert_allclose(variance, ((places - exact[..., None])**2 @ weights).transpose(order), atol=1e-7)

    def test_figures(self):
        if not PYTHON:
            self.skipTest("no Python with matplotlib")
        for file, kinds in (("burgers.h5", ("coefficients", "report")),
                            ("carried.h5", ("coefficients", "statistics"))):
            for kind in kinds:
                with self.subTest(file=file, kind=kind):
                    done = self.run_gwrm("plot", file, "--kind", kind, "-o",
                                         f"{kind}.html" if kind == "report" else f"{kind}.svg", GWRM_PYTHON=PYTHON)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ProgramTest.program = os.path.abspath(sys.argv[1])
    PYTHON = sys.argv[2] if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1], verbosity=1)
