#!/usr/bin/env python3
"""gwrm sweep through the real program: values, the result file, marked failures, kills at random moments, bad input.

    sweep.py GWRM INPUTS [NAME ...]
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = np = None
try:
    import xarray
except ImportError:
    xarray = None

GWRM = INPUTS = None
KILLS = int(os.environ.get("SWEEP_KILLS", "4"))
# Of each run's record, what another sweep of the same points need not have.
OF_THE_MOMENT = {"wall_seconds"}

# A Burgers equation of ten milliseconds and a system of ordinary equations.
BURGERS = """schema: 1
title: Burgers over its viscosity
domain: {t: [0, 0.5], x: [0, 1]}
constants: {nu: 0.05, a: 2}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*pi*nu*sin(pi*x)/(a + cos(pi*x))"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 24}}
verification: {tolerance: 1.0e-5}
output: {grid: {t: 5, x: 11}, fields: {u: u, mass: "integral(u, x)"}}
"""


def run(folder, *arguments, **more):
    return subprocess.run([GWRM, *arguments], cwd=folder, capture_output=True, text=True, timeout=240, **more)


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def contents(path):
    """Every dataset but the moment's, as arrays by their names."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and name.rsplit("/", 1)[-1] not in OF_THE_MOMENT:
            found[name] = item[()]
    with h5py.File(path) as file:
        file.visititems(take)
        found["attributes"] = {key: value for key, value in file.attrs.items() if key != "history"}
    return found


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "case.yaml").write_text(BURGERS)

    def sweep(self, *arguments, status=0):
        done = run(self.folder, "sweep", "case.yaml", "--json", "-q", "--overwrite", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments, status=2):
        done = run(self.folder, "sweep", "case.yaml", "-q", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix in (".h5", ".journal")], [])
        return done.stderr

    def same(self, one, other):
        one, other = contents(self.folder / one), contents(self.folder / other)
        self.assertEqual(list(one), list(other))
        for name in one:
            if name == "attributes":
                self.assertEqual({key: str(value) for key, value in one[name].items()},
                                 {key: str(value) for key, value in other[name].items()})
            else:
                self.assertEqual(one[name].tobytes() if one[name].dtype.kind != "O" else one[name].tolist(),
                                 other[name].tobytes() if other[name].dtype.kind != "O" else other[name].tolist(), name)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_a_grid_and_the_bits_of_single_runs(self):
        told = self.sweep("--vary", "constants.nu=0.05:0.2:4:log", "--vary", "resolution.degree.x=20,24", "--keep", "runs")
        self.assertEqual((told["n_runs"], told["n_ended"]), (8, 8))
        self.assertEqual([one["name"] for one in told["dimensions"]], ["nu", "degree_x"])
        with h5py.File(self.folder / "case_sweep.h5") as file:
            self.assertEqual(file["u"].shape, (4, 2, 5, 11))
            self.assertEqual([file["u"].dims[d][0].name for d in range(4)], ["/nu", "/degree_x", "/t", "/x"])
            self.assertEqual(file["mass"].shape, (4, 2, 5))
            np.testing.assert_allclose(file["nu"], np.geomspace(0.05, 0.2, 4), rtol=1e-14)  # 15 digits
            nu = float(file["nu"][2])
            samples = {name: file[name][2, 1] for name in ("u", "mass")}
            iterations = file["n_newton_iterations"][2, 1]
        alone = run(self.folder, "run", "case.yaml", "--threads", "1", "-q", "--set", f"constants.nu={nu!r}", "--set",
                    "resolution.degree.x=24")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for name in (self.folder / "case.h5", self.folder / "case_sweep_runs/0005.h5"):
            with h5py.File(name) as file:
                for field, values in samples.items():
                    self.assertEqual(file[field][()].tobytes(), values.tobytes(), f"{field} of {name}")
                self.assertEqual(file.attrs["n_newton_iterations"], iterations)
        self.assertEqual(len(list((self.folder / "case_sweep_runs").iterdir())), 8)

    @unittest.skipIf(xarray is None, "needs xarray")
    def test_xarray_opens_it_as_it_is(self):
        self.sweep("--vary", "constants.nu=0.05,0.1", "--vary", "constants.a=normal(2,0.01)", "--samples", "3", "--vary",
                   "solver.linear=auto,dense")
        with xarray.open_dataset(self.folder / "case_sweep.h5") as data:
            self.assertEqual(dict(data.u.sizes), {"nu": 2, "linear": 2, "sample": 3, "t": 5, "x": 11})
            self.assertEqual(list(data.linear.values), ["auto", "dense"])
            self.assertEqual(data.a.dims, ("sample",))
            self.assertIn("a", data.coords)
            self.assertTrue(bool(data.u.sel(linear="dense").notnull().all()))
            self.assertTrue(bool((data.exit_status == 0).all()))
        with xarray.open_dataset(self.folder / "case_sweep.h5", group="checks") as checks:
            self.assertEqual(checks.value.dims, ("nu", "linear", "sample", "check"))

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_failures_are_marked_and_the_others_go_on(self):
        told = self.sweep("--vary", "solver.newton.max_iterations=30,1,20", status=3)
        self.assertEqual([one["run"] for one in told["failures"]], [1])
        with h5py.File(self.folder / "case_sweep.h5") as file:
            statuses = list(file["exit_status"])
            for place, status in enumerate(statuses):
                self.assertEqual(bool(np.isnan(file["u"][place]).all()), status == 3)
                self.assertEqual(bool(file["reason"][place]), status != 0)
        self.assertEqual(statuses, [0, 3, 0])
        self.assertEqual(sum(one["count"] for one in told["counts"]), 3)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_points_of_files(self):
        (self.folder / "points.csv").write_text("# two points\nconstants.nu, initial.u\n0.05,\"sin(pi*x)\"\n0.1,0\n")
        (self.folder / "points.yaml").write_text("- {constants.nu: 0.05, initial.u: sin(pi*x)}\n"
                                                 "- {constants.nu: 0.1, initial.u: '0'}\n")
        self.sweep("--points", "points.csv", "-o", "one.h5")
        self.sweep("--points", "points.yaml", "-o", "two.h5")
        self.same("one.h5", "two.h5")
        with h5py.File(self.folder / "one.h5") as file:
            self.assertEqual(file["u"].dims[0][0].name, "/point")
            self.assertEqual(list(file["nu"]), [0.05, 0.1])
            self.assertEqual(file["initial_u"].asstr()[0], "sin(pi*x)")
            self.assertEqual(abs(file["u"][1]).max(), 0.0)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_samples_depend_on_the_seed_alone(self):
        arguments = ["--vary", "constants.nu=uniform(0.05,0.1)", "--vary", "constants.a=lognormal(1,0.1)", "--samples", "6"]
        for name, more in {"a.h5": [], "b.h5": ["--threads", "1"], "c.h5": ["--seed", "2"], "d.h5": ["--sobol"]}.items():
            self.sweep(*arguments, *more, "-o", name)
        self.same("a.h5", "b.h5")
        values = {name: contents(self.folder / name)["nu"] for name in ("a.h5", "c.h5", "d.h5")}
        self.assertFalse((values["a.h5"] == values["c.h5"]).any())
        self.assertFalse((values["a.h5"] == values["d.h5"])[1:].any())  # the first of both is the shift
        for nu in values.values():
            self.assertTrue(((nu > 0.05) & (nu < 0.1)).all())

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_domains_that_move_have_their_points_per_run(self):
        self.sweep("--vary", "domain.t=[[0,0.5],[0,0.25]]")
        with h5py.File(self.folder / "case_sweep.h5") as file:
            np.testing.assert_allclose(file["t_points"][:, -1], [0.5, 0.25])
            self.assertEqual(list(file["t"]), [0, 1, 2, 3, 4])

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_killed_at_random_moments_it_repeats_only_what_is_missing(self):
        points = ["--vary", "constants.nu=0.05:0.2:20", "--vary", "constants.a=2,2.5,3", "--threads", "2"]
        begun = time.monotonic()
        self.sweep(*points, "-o", "whole.h5")
        usual = time.monotonic() - begun
        chance = random.Random(23)
        for kill in range(KILLS):
            name = f"part{kill}"
            done = None
            for attempt in range(20):
                journal = self.folder / f"{name}.journal"
                command = ["--restart", journal.name] if journal.exists() else ["case.yaml", *points, "-o", name + ".h5"]
                process = subprocess.Popen([GWRM, "sweep", "-q", *command], cwd=self.folder, stdout=subprocess.DEVNULL)
                try:
                    done = process.wait(timeout=chance.uniform(0.0, usual) if attempt < 3 else 100)
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                if not journal.exists() and (self.folder / f"{name}.h5").exists():
                    done = 0  # it was killed when all was done
                    break
            self.assertEqual(done, 0)
            self.assertFalse((self.folder / f"{name}.journal").exists())
            self.same("whole.h5", name + ".h5")

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_a_signal_ends_it_and_what_there_is_can_be_written(self):
        points = ["--vary", "constants.nu=0.05:0.2:4000"]
        process = subprocess.Popen([GWRM, "sweep", "case.yaml", *points], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        journal = self.folder / "case_sweep.journal"
        while not journal.exists() or journal.stat().st_size < 200_000:
            time.sleep(0.02)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - begun, 3.0)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("gwrm sweep --restart case_sweep.journal", errors)
        before = journal.read_bytes()
        done = run(self.folder, "sweep", "--restart", journal.name, "--so-far", "-o", "so_far.h5", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(before, journal.read_bytes())
        told = json.loads(done.stdout)
        self.assertTrue(0 < told["n_ended"] < told["n_runs"])
        with h5py.File(self.folder / "so_far.h5") as file:
            self.assertEqual(np.count_nonzero(file["exit_status"][()] == 0), told["n_ended"])
            self.assertEqual(np.count_nonzero(file["exit_status"][()] == -1), told["n_runs"] - told["n_ended"])
        other = run(self.folder, "sweep", "case.yaml", "--vary", "constants.nu=0.05:0.2:3999", "--restart", journal.name)
        self.assertEqual(other.returncode, 2)
        self.assertIn("belongs to another sweep", other.stderr)
        again = run(self.folder, "sweep", "case.yaml", *points)
        self.assertEqual(again.returncode, 8)
        self.assertIn("--overwrite", again.stderr)

    def test_a_signal_before_a_continued_sweep_runs_tells_the_journal(self):
        """The cases of all runs are read first, some seconds of them."""
        process = subprocess.Popen([GWRM, "sweep", "case.yaml", "-q", "--vary", "constants.nu=0.05:0.2:20000"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        journal = self.folder / "case_sweep.journal"
        while not journal.exists() or journal.stat().st_size < 50_000:
            time.sleep(0.02)
        process.kill()
        process.communicate()
        before = journal.read_bytes()
        process = subprocess.Popen([GWRM, "sweep", "--restart", journal.name, "-q", "--threads", "1"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while processor_seconds(process) < 0.3:  # the head of the journal has been read for long
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)
        self.assertEqual(errors, "error: interrupted\nerror: continue with: gwrm sweep --restart case_sweep.journal\n")
        self.assertEqual(before, journal.read_bytes())

    def test_bad_input_is_told_before_anything_runs(self):
        expected = {
            ("--vary", "constants.nuu=1,2"): "did you mean `nu`?",
            ("--vary", "constnats.nu=1,2"): "did you mean `constants`?",
            ("--vary", "resolution.degree.x=24,-1"): "run 1 of 2 (resolution.degree.x = -1)",
            ("--vary", "verification.tolerance=1e-3,0"): "verification.tolerance",
            ("--vary", "constants.nu=0:1:1000", "--vary", "constants.a=0:1:2000"): "1000 x 2000 = 2000000 runs",
            ("--vary", "constants.nu=1:2"): "first:last:count",
            ("--vary", "constants.nu=-1:2:5:log"): "positive ends",
            ("--vary", "constants.nu"): "expected KEY=VALUES",
            ("--vary", "constants.nu=1,,2"): "empty value",
            ("--vary", "constants.nu=normal(1,0.1)"): "--samples",
            ("--vary", "constants.nu=normal(1,-1)", "--samples", "3"): "sd > 0",
            ("--vary", "constants.nu=1,2", "--samples", "3"): "no key has a distribution",
            ("--vary", "constants.nu=1,2", "--vary", "constants.nu=3,4"): "given twice",
            ("--vary", "output.grid.x=11,21"): "output.grid",
            ("--vary", "convergence.measure=self,value"): "cannot be varied",
            (): "nothing to vary",
            ("--points", "none.csv"): "no such file",
        }
        for arguments, fragment in expected.items():
            with self.subTest(arguments=arguments):
                self.assertIn(fragment, self.refused(*arguments))
        (self.folder / "ragged.csv").write_text("constants.nu,constants.a\n1\n")
        self.assertIn("ragged.csv:2", self.refused("--points", "ragged.csv"))

    def test_a_result_too_large_for_memory_is_refused_with_its_size(self):
        told = self.refused("--vary", "constants.nu=0:1:1000", "--vary", "constants.a=0:1:1000", "--set",
                            "output.grid={t: 1000, x: 1000}", status=7)
        self.assertIn("8.0 TB", told)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_other_commands_say_what_the_file_is(self):
        self.sweep("--vary", "constants.nu=0.05,0.1")
        for arguments in (["eval", "case_sweep.h5", "--at", "t=0", "--expr", "u"], ["rerun", "case_sweep.h5"],
                          ["export", "case_sweep.h5"]):
            done = run(self.folder, *arguments)
            self.assertEqual(done.returncode, 8, done.stderr)
            self.assertIn("the result of gwrm sweep", done.stderr)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_two_sweeps_are_compared(self):
        points = ["--vary", "constants.nu=0.05,0.1"]
        self.sweep(*points, "-o", "one.h5")
        self.sweep(*points, "-o", "two.h5", "--threads", "1")
        self.sweep(*points, "-o", "coarse.h5", "--set", "resolution.degree.x=16")
        done = run(self.folder, "diff", "one.h5", "two.h5")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("equal to the bit", done.stdout)
        done = run(self.folder, "diff", "one.h5", "coarse.h5")
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("resolution.degree.x", done.stdout)
        self.assertEqual(run(self.folder, "diff", "one.h5", "coarse.h5", "--tolerance", "1e-3").returncode, 0)
        self.assertEqual(run(self.folder, "diff", "one.h5", "case.yaml").returncode, 8)

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_tables_for_spreadsheets(self):
        self.sweep("--vary", "constants.nu=0.05,0.1", "--vary", "constants.a=uniform(2,3)", "--samples", "3")
        done = run(self.folder, "export", "case_sweep.h5", "--format", "csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "case_sweep.csv").read_text().splitlines()
        self.assertEqual(len(lines), 7)
        self.assertEqual(lines[0].split(",")[:5], ["nu", "sample", "a", "exit_status", "status"])
        fields = (self.folder / "case_sweep_t_x.csv").read_text().splitlines()
        self.assertEqual(fields[0], "nu,sample,t,x,a,u")
        self.assertEqual(len(fields), 1 + 2 * 3 * 5 * 11)
        with h5py.File(self.folder / "case_sweep.h5") as file:
            self.assertEqual(float(fields[1 + 7].split(",")[-1]), file["u"][0, 0, 0, 7])
            self.assertEqual(float(fields[-1].split(",")[-2]), file["a"][2])


if __name__ == "__main__":
    GWRM, INPUTS = (os.path.abspath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
