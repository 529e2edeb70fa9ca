#!/usr/bin/env python3
"""gwrm with a problem module that only the tests have, through its commands and files.

    tiny_module.py GWRM_WITH_DECAY GWRM DECAY_YAML
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = GWRM = CASE = None


class TinyModule(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, status=0, program=None):
        done = subprocess.run([program or PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=240)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_check(self):
        found = json.loads(self.run_program("check", CASE, "--json", "--time").stdout)
        self.assertEqual(found["n_unknowns"], 65)
        self.assertGreater(found["time"]["seconds"], 0)

    def test_run_rerun_diff_export(self):
        """The result file holds the case; run again it gives the same."""
        found = json.loads(self.run_program("run", CASE, "--json").stdout)
        self.assertEqual(found["status"], "converged")
        self.run_program("rerun", "decay.h5", "-q")
        self.run_program("diff", "decay.h5", "decay_rerun.h5", "--tolerance", "0")
        self.run_program("export", "decay.h5", "--format", "csv")
        rows = [line for line in next(self.folder.glob("*.csv")).read_text().splitlines() if not line.startswith("#")]
        last = [float(number) for number in rows[-1].split(",")]
        self.assertAlmostEqual(last[-1], 2.0 ** (-2 / 0.7), delta=1e-4)

    def test_converge_and_manufactured(self):
        study = json.loads(self.run_program("converge", CASE, "--json").stdout)
        self.assertEqual(study["law"], "algebraic")
        self.assertTrue(math.isclose(study["algebraic_order"], 2.0, abs_tol=0.1), study["statement"])
        self.run_program("converge", CASE, "--overwrite", "--manufactured", "--set", "exact.u=sin(2*t)")

    def test_schema_and_mistakes(self):
        schema = json.loads(self.run_program("schema").stdout)
        self.assertIn("decay", schema["properties"])
        done = self.run_program("check", CASE, "--set", "decay.rats=1", status=2)
        self.assertIn("did you mean `rate`?", done.stderr)

    def test_gwrm_itself_does_not_know_it(self):
        done = self.run_program("check", CASE, status=2, program=GWRM)
        self.assertIn("decay", done.stderr)


if __name__ == "__main__":
    PROGRAM, GWRM, CASE = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
