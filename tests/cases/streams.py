#!/usr/bin/env python3
"""What goes in and out beside files, through the real program: cases from the standard input, results to the standard output,
-q, and what gwrm eval prints.

    streams.py GWRM
"""
import csv
import io
import os
import pathlib
import pty
import re
import subprocess
import sys
import unittest

from program import ProgramTest

# sin(pi*x) exp(-pi^2 t)
HEAT = """
title: Heat
domain: {t: [0, 0.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 12}}
output: {file: heat.h5, error: on, grid: {t: 3, x: 5}}
"""
COARSE = HEAT.replace("t: 8, x: 12", "t: 2, x: 4")
AUTOMATIC = HEAT.replace("degree: {t: 8, x: 12}", "tolerance: 1.0e-6")


class Streams(ProgramTest):
    def setUp(self):
        for path in self.folder.iterdir():
            path.unlink()

    def run_with(self, *arguments, text="", **how):
        """Bytes in, bytes out; temporary files go to a folder that has to be left empty."""
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        done = subprocess.run([self.program, *arguments], input=text.encode(), cwd=self.folder, timeout=self.seconds,
                              env={**os.environ, "TMPDIR": str(temporary)},
                              **({"capture_output": True} | how))
        left = sorted(temporary.rglob("*"))
        for path in left:
            if path.is_file():
                path.unlink()
        for path in reversed(left):
            if path.is_dir():
                path.rmdir()
        temporary.rmdir()
        return done, [path.name for path in left]

    def test_a_case_from_the_standard_input(self):
        done, _ = self.run_with("run", "-", text=HEAT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"PASS", done.stdout)
        self.text("heat.yaml", HEAT)
        self.checked("run", "heat.yaml", "-o", "other.h5")
        status, found = self.diff("heat.h5", "other.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True))
        self.checked("rerun", "heat.h5", "-q")

    def test_a_mistake_in_it_has_a_place(self):
        done, _ = self.run_with("run", "-", text=HEAT.replace("dx(u,2)", "dx(v,2)"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"<stdin>:5:\d+: error: .*`?v")
        done, _ = self.run_with("check", "-", text="")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"empty", done.stderr)

    def test_all_commands_that_read_cases_take_it(self):
        done, _ = self.run_with("check", "-", text=HEAT)
        self.assertEqual(done.returncode, 0, done.stderr)
        # Read once, asked for at every level and run.
        done, _ = self.run_with("converge", "-", "--vary", "x=6,8,10", text=HEAT)
        self.assertIn(done.returncode, (0, 6), done.stderr)
        self.assertIn(b"x", done.stdout)
        done, _ = self.run_with("sweep", "-", "--vary", "resolution.degree.x=10,12", text=HEAT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "heat_sweep.h5").exists())

    def test_a_result_to_the_standard_output(self):
        done, left = self.run_with("run", "-", "-o", "-", text=HEAT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(left, [])
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(done.stdout[:8], b"\x89HDF\r\n\x1a\n")
        self.assertIn(b"PASS", done.stderr)  # the report is beside it
        self.assertNotIn(b"wrote", done.stderr)
        (self.folder / "sent.h5").write_bytes(done.stdout)
        value = self.checked("eval", "sent.h5", "-q", "--at", "t=0,x=1/2", "--expr", "u")
        self.assertAlmostEqual(float(value.split()[-1]), 1, delta=1e-6)
        again, _ = self.run_with("rerun", "sent.h5", "-o", "-", "-q")
        (self.folder / "again.h5").write_bytes(again.stdout)
        status, found = self.diff("sent.h5", "again.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True))

    def test_an_answer_that_fails_is_sent_with_its_status(self):
        done, _ = self.run_with("run", "-", "-o", "-", "-q", text=COARSE)
        self.assertEqual(done.returncode, 6)
        self.assertEqual(done.stdout[:4], b"\x89HDF")
        self.assertIn(b"verification failed", done.stderr)

    def test_where_nothing_is_to_be_sent_nothing_is(self):
        done, left = self.run_with("run", "-", "-o", "-", text=HEAT.replace("sin(pi*x)", "1/(x - x)"))
        self.assertEqual((done.returncode, done.stdout, left), (5, b"", []), done.stderr)
        done, left = self.run_with("run", "-", "-o", "-", "--json", text=HEAT)
        self.assertEqual((done.returncode, done.stdout, left), (2, b"", []))
        self.assertIn(b"--json", done.stderr)

    def test_a_reader_that_has_gone_leaves_the_answer(self):
        read, write = os.pipe()
        os.close(read)
        done, left = self.run_with("run", "-", "-o", "-", text=HEAT, capture_output=False, stdout=write,
                                   stderr=subprocess.PIPE)
        os.close(write)
        self.assertEqual(done.returncode, 8)
        self.assertRegex(done.stderr.decode(), r"Broken pipe; it is in \S*/heat\.h5")
        self.assertIn("heat.h5", left)

    def test_no_result_goes_to_a_terminal(self):
        here, there = pty.openpty()
        done, left = self.run_with("run", "-", "-o", "-", text=HEAT, capture_output=False, stdout=there,
                                   stderr=subprocess.PIPE)
        os.close(there)
        os.close(here)
        self.assertEqual((done.returncode, left), (8, []))
        self.assertIn(b"not written to a terminal", done.stderr)

    def test_quiet_runs_say_nothing(self):
        self.text("heat.yaml", HEAT)
        self.text("points.csv", "x,t\n0.3,0.1\n")
        for words in (["run", "heat.yaml"], ["rerun", "heat.h5"], ["export", "heat.h5"],
                      ["eval", "heat.h5", "--points", "points.csv", "--expr", "u", "-o", "values.h5"],
                      ["transform", "heat.h5", "modes.h5", "--kind", "chebyshev", "--dataset", "u"],
                      ["converge", "heat.yaml", "--vary", "x=10,12,14"],
                      ["sweep", "heat.yaml", "--vary", "resolution.degree.x=10,12"]):
            done = self.run_gwrm(*words, "-q")
            self.assertEqual((done.stdout, done.stderr), ("", ""), words)
        # What has failed is told.
        self.text("coarse.yaml", COARSE)
        done = self.run_gwrm("run", "coarse.yaml", "-q", "-o", "coarse.h5")
        self.assertEqual((done.returncode, done.stdout), (6, ""))
        self.assertIn("verification failed", done.stderr)
        # What is asked for is printed.
        self.assertIn("unknowns", self.checked("check", "heat.yaml", "-q"))
        self.assertIn('"exit_status": 0', self.checked("run", "heat.yaml", "-q", "--json", "--overwrite"))

    def test_the_first_line_names_the_solver_of_the_result(self):
        self.text("heat.yaml", HEAT)
        done = self.run_gwrm("run", "heat.yaml")
        solver = done.stdout.splitlines()[2].strip()
        self.assertIn(f"unknowns; {solver}", done.stderr.splitlines()[0])
        # Which one that will be is not known before.
        self.text("automatic.yaml", AUTOMATIC)
        done = self.run_gwrm("run", "automatic.yaml", "-o", "automatic.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr.splitlines()[0], r"\d+ unknowns to start with; resolution and linear solver follow")
        self.assertRegex(self.checked("check", "automatic.yaml"), r"linear solver  .*; to start with")

    def test_eval_prints_short_numbers_below_names(self):
        self.text("heat.yaml", HEAT)
        self.checked("run", "heat.yaml", "-q")
        at = ("eval", "heat.h5", "--at", "t=0:0.1:3,x=0.3", "--expr", "x + 0*u", "--expr", "u")
        lines = self.checked(*at).splitlines()
        self.assertEqual(lines[0], "# t x x+0*u u")
        self.assertEqual([line.split()[:3] for line in lines[1:]], [[t, "0.3", "0.3"] for t in ("0", "0.05", "0.1")])
        self.assertEqual(self.checked(*at, "-q").splitlines(), lines[1:])
        rows = list(csv.reader(io.StringIO(self.checked(*at, "--csv"))))
        self.assertEqual(rows[0], ["t", "x", "value_1", "u"])
        self.assertEqual(rows[1:], [line.split() for line in lines[1:]])
        # The bits are those of --json.
        exact = [float(number) for number in re.findall(r"^ +(-?[\d.e+-]+)$", self.checked(*at[:-4], "--expr", "u", "--json"),
                                                         re.M)]
        self.assertEqual([float(line.split()[-1]) for line in lines[1:]], exact)
        with_errors = self.checked(*at[:-4], "--expr", "u", "--error").splitlines()
        self.assertEqual(with_errors[0], "# t x u error(u)")
        self.assertEqual(self.checked(*at[:-4], "--expr", "u", "--error", "--csv").splitlines()[0], "t,x,u,u_error")
        done = self.run_gwrm(*at, "--csv", "--json")
        self.assertEqual(done.returncode, 2)
        self.text("points.csv", "x,t\n0.3,0.1\n")
        self.assertEqual(self.checked("eval", "heat.h5", "--points", "points.csv", "--expr", "x*t").splitlines()[1],
                         "0.3,0.1,0.03")


if __name__ == "__main__":
    Streams.program = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
