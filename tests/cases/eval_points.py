#!/usr/bin/env python3
"""gwrm eval --points: values at scattered points out of HDF5 and CSV files, and files that are no good, through the real
program. The oracle is gwrm eval --at, point by point.

    eval_points.py GWRM
"""
import csv
import io
import json
import math
import os
import pathlib
import random
import sys
import unittest

try:
    import h5py
    import numpy as np
    import xarray as xr
except ImportError:
    h5py = None

from program import ProgramTest

CASE = """
domain: {t: [0, 0.4], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 7}, domains: {t: 2, x: 3}}
verification: {tolerance: 1, tail: 1}
output: {error: on, grid: {t: 5, x: 9}, fields: {slope: "dx(u)"}}
"""


class EvalPoints(ProgramTest):
    @classmethod
    def setUpClass(cls):
        if h5py is None:
            raise unittest.SkipTest("no h5py or xarray")
        super().setUpClass()
        cls.solve("heat", CASE)
        random.seed(1)
        # Edges of windows and subdomains among them.
        cls.points = [(random.uniform(0, 0.4), random.uniform(0, 1)) for _ in range(40)] + [(0.0, 0.0), (0.2, 1.0),
                                                                                            (0.4, 1 / 3)]
        cls.write("points.h5", t=[t for t, _ in cls.points], x=[x for _, x in cls.points])

    @classmethod
    def write(cls, name, **lists):
        with h5py.File(cls.folder / name, "w") as file:
            for key, values in lists.items():
                file[key] = values

    def at(self, t, x, *more):
        done = self.run_gwrm("eval", "heat.h5", "--at", f"t={t!r},x={x!r}", "--json", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["points"][0]

    def evaluated(self, name, *more):
        done = self.run_gwrm("eval", "heat.h5", "--points", name, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def rows(self, name, *more):
        return list(csv.DictReader(io.StringIO(self.evaluated(name, *more).stdout)))

    def refused(self, name, *words, status=2, more=()):
        done = self.run_gwrm("eval", "heat.h5", "--points", name, "--expr", "u", *more)
        self.assertEqual(done.returncode, status, done.stdout[:200] + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_values_are_those_of_at(self):
        expressions = ["u", "dx(u)*u + t", "integral(u, x)", "u(t=0) - x"]
        words = [word for expression in expressions for word in ("--expr", expression)]
        rows = self.rows("points.h5", *words)
        self.assertEqual(list(rows[0]), ["t", "x", "u", "value_2", "value_3", "value_4"])
        for (t, x), row in zip(self.points, rows, strict=True):
            self.assertEqual((float(row["t"]), float(row["x"])), (t, x))
            expected = self.at(t, x, *words)["values"]
            for name, value in zip(list(row)[2:], expected, strict=True):
                self.assertAlmostEqual(float(row[name]), value, delta=1e-13 * 10)  # values up to 10 (dx(u)*u)

    def test_errors_are_those_of_at(self):
        rows = self.rows("points.h5", "--expr", "u", "--expr", "u*dx(u)", "--error")
        for (t, x), row in zip(self.points, rows, strict=True):
            expected = self.at(t, x, "--expr", "u", "--expr", "u*dx(u)", "--error")["errors"]
            for name, value in zip(("u_error", "value_2_error"), expected, strict=True):
                self.assertAlmostEqual(float(row[name]), value, delta=1e-13)

    def test_a_device_or_why_there_is_none(self):
        words = ["--expr", "u", "--expr", "dx(u)*u + t", "--expr", "u(t=0) - x", "--error"]
        if self.run_gwrm("eval", "heat.h5", "--points", "points.h5", "--backend", "cuda", *words).returncode != 0:
            self.refused("points.h5", "backend cuda:", status=7, more=["--backend", "cuda"])
            return
        for on_device, on_cpu in zip(self.rows("points.h5", "--backend", "cuda", *words),
                                     self.rows("points.h5", "--backend", "cpu", *words), strict=True):
            for name, value in on_cpu.items():
                self.assertAlmostEqual(float(on_device[name]), float(value), delta=1e-13 * 10)  # as above

    def test_a_backend_is_for_points(self):
        done = self.run_gwrm("eval", "heat.h5", "--at", "t=0.1,x=0.5", "--expr", "u", "--backend", "cuda")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--points", done.stderr)

    def test_file_opens_in_xarray(self):
        for engine in (None, "h5netcdf", "netcdf4"):
            done = self.evaluated("points.h5", "--expr", "u", "--expr", "dx(u)", "--error", "-o", "values.h5",
                                  "--overwrite")
            self.assertIn("43 points", done.stdout)
            with xr.open_dataset(self.folder / "values.h5", engine=engine) as values:
                self.assertEqual(set(values.data_vars), {"u", "u_error", "value_2", "value_2_error"})
                self.assertEqual(set(values.coords), {"point", "t", "x"})
                self.assertEqual(values.value_2.attrs["expression"], "dx(u)")
                self.assertEqual(values.u_error.attrs["error_of"], "u")
                np.testing.assert_array_equal(values.x, [x for _, x in self.points])
                rows = self.rows("points.h5", "--expr", "u")
                np.testing.assert_array_equal(values.u, [float(row["u"]) for row in rows])
        self.refused("points.h5", "values.h5", status=8, more=["-o", "values.h5"])  # it is there
        self.refused("points.h5", "what the command reads", status=8, more=["-o", "points.h5", "--overwrite"])

    def test_csv_and_one_value_for_all_points(self):
        self.text("points.csv", "\ufeff# from a probe\n x , weight\n\n0.25, 7\r\n +5e-1,8\n")
        rows = self.rows("points.csv", "--expr", "u", "--at", "t=0.1")
        self.assertEqual([float(row["x"]) for row in rows], [0.25, 0.5])
        for row in rows:
            expected = self.at(0.1, float(row["x"]), "--expr", "u")["values"][0]
            self.assertAlmostEqual(float(row["u"]), expected, delta=1e-15)
        done = self.evaluated("points.csv", "--expr", "u", "--at", "t=0.1", "--json")
        self.assertEqual([row["x"] for row in json.loads(done.stdout)["points"]], [0.25, 0.5])
        self.refused("points.csv", "this varies along t", "points.csv has no t")
        self.refused("points.csv", "give it once", more=["--at", "t=0.1,x=0.2"])
        self.refused("points.csv", "one value of t", more=["--at", "t=0:0.1:3"])

    def test_whole_and_single_numbers(self):
        self.write("whole.h5", t=np.zeros(2, np.float32), x=np.array([0, 1], np.int16))
        self.assertEqual([float(row["x"]) for row in self.rows("whole.h5", "--expr", "u")], [0.0, 1.0])

    def test_points_outside_are_told(self):
        self.write("outside.h5", t=[0.1, 0.5, 0.1, 0.1], x=[0.5, 0.5, 0.5, -0.25])
        done = self.evaluated("outside.h5", "--expr", "u")
        self.assertIn("2 of 4 points lie outside", done.stderr)
        self.assertIn("point 1", done.stderr)
        self.assertIn("t = 0.5 lies outside [0, 0.4]", done.stderr)
        values = [float(row["u"]) for row in csv.DictReader(io.StringIO(done.stdout))]
        self.assertEqual([math.isnan(value) for value in values], [False, True, False, True])
        done = self.evaluated("outside.h5", "--expr", "u", "--json", "-q")
        self.assertEqual(json.loads(done.stdout)["n_outside"], 2)

    def test_bad_points(self):
        self.write("short.h5", t=[0.1, 0.2], x=[0.5])
        self.refused("short.h5", "2 values of t and 1 of x")
        self.write("nan.h5", t=[0.1, 0.2], x=[0.5, math.nan])
        self.refused("nan.h5", "x = nan of point 1")
        self.write("table.h5", t=[[0.1, 0.2]], x=[0.5])
        self.refused("table.h5", "has 2 dimensions")
        self.write("empty.h5", t=[], x=[])
        self.refused("empty.h5", "no points")
        self.write("others.h5", y=[0.1])
        self.refused("others.h5", "none of the dimensions", "t, x")
        self.write("time.h5", t=[0.1])
        self.refused("time.h5", "time.h5 has no x")
        self.write("words.h5", t=["a"], x=["b"])
        self.refused("words.h5", "wrong type", status=8)

    def test_bad_csv(self):
        for text, words in (("t,x\n0.1\n", "bad.csv:2: error: 1 values, and 2 names"),
                            ("t,x\n0.1,half\n", "'half' is no value of x"), ("t,x\n0.1,\n", "'' is no value of x"),
                            ("t,x\n0.1,nan\n", "x = nan of point 0"), ("t,x\n", "no points"), ("", "none of the"),
                            ("a,b\n1,2\n", "none of the"), ("t,x,t\n1,2,3\n", "t is there twice")):
            self.text("bad.csv", text)
            self.refused("bad.csv", words)
        self.refused("missing.csv", "missing.csv: error: no points: No such file")

    def test_what_is_no_ordinary_file(self):
        os.mkfifo(self.folder / "pipe")
        self.refused("pipe", "not an ordinary file")
        self.refused(".", "not an ordinary file")
        self.refused("/dev/null", "not an ordinary file")

    def test_hostile_hdf5(self):
        with h5py.File(self.folder / "link.h5", "w") as file:
            file["t"] = h5py.ExternalLink("points.h5", "t")
            file["x"] = [0.5]
        self.refused("link.h5", "another file", status=8)
        with h5py.File(self.folder / "external.h5", "w") as file:
            file.create_dataset("t", (1,), "f8", external=[("raw", 0, 8)])
            file["x"] = [0.5]
        self.refused("external.h5", "stored in another file", status=8)
        with h5py.File(self.folder / "huge.h5", "w") as file:
            file.create_dataset("t", (1 << 50,), "f8", chunks=(1024,))
            file["x"] = [0.5]
        self.refused("huge.h5", "claims more values than the file holds", status=8)
        with open(self.folder / "points.h5", "rb") as file:
            whole = file.read()
        random.seed(3)
        for trial in range(12):  # damage: refused, or values that differ, but never a crash
            damaged = bytearray(whole)
            for _ in range(8):
                damaged[random.randrange(8, len(damaged))] ^= 1 << random.randrange(8)
            (self.folder / "damaged.h5").write_bytes(damaged)
            done = self.run_gwrm("eval", "heat.h5", "--points", "damaged.h5", "--expr", "u")
            self.assertIn(done.returncode, (0, 2, 8), (trial, done.stderr))
        (self.folder / "cut.h5").write_bytes(whole[:1000])
        self.refused("cut.h5", "cut.h5", status=8)

    def test_options(self):
        done = self.run_gwrm("eval", "heat.h5", "--at", "t=0,x=0", "--expr", "u", "-o", "values.h5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--points", done.stderr)


if __name__ == "__main__":
    ProgramTest.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
