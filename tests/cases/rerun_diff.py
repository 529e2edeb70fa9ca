#!/usr/bin/env python3
"""gwrm rerun and gwrm diff through the real program, and damaged files before every command that reads one.

    rerun_diff.py GWRM INPUTS
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

GWRM = INPUTS = None
TRAILER = 16  # the checksum behind the HDF5 data


def run(folder, *arguments):
    return subprocess.run([GWRM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=240)


class RerunDiff(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, case, file, *more):
        done = run(self.folder, "run", os.path.join(INPUTS, case + ".yaml"), "-q", "--threads", "1", "-o", file, *more)
        self.assertIn(done.returncode, (0, 6), done.stderr)

    def diff(self, *arguments):
        done = run(self.folder, "diff", *arguments, "--json")
        return done.returncode, json.loads(done.stdout)

    def test_a_rerun_is_the_run(self):
        for case in ("heat", "sbp_poisson", "bvp_neumann", "bratu_branch"):
            with self.subTest(case=case):
                self.solve(case, case + ".h5")
                done = run(self.folder, "rerun", case + ".h5", "--threads", "1")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(case + "_rerun.h5", done.stdout)
                status, found = self.diff(case + ".h5", case + "_rerun.h5", "--tolerance", "0")
                self.assertEqual((status, found["agree"]), (0, True), found["fields"])
                self.assertEqual(found["settings"], [])
                self.assertEqual(found["builds"], [])

    def test_a_rerun_with_changes(self):
        self.solve("heat", "heat.h5")
        done = run(self.folder, "rerun", "heat.h5", "-q", "--set", "resolution.degree.x=6", "-o", "coarse.h5")
        self.assertIn(done.returncode, (0, 6), done.stderr)
        status, found = self.diff("heat.h5", "coarse.h5")
        self.assertEqual((status, found["agree"]), (6, False))
        self.assertEqual([(d["name"], d["b"]) for d in found["settings"]], [("resolution.degree.x", "6")])
        relative = {f["what"]: f["relative"] for f in found["fields"] if f["field"] == "u"}
        self.assertGreater(relative["polynomials"], 1e-7)
        self.assertEqual(self.diff("heat.h5", "coarse.h5", "--tolerance", "0.1")[0], 0)
        self.assertTrue(any(d["name"].startswith("error_max") for d in found["verification"]))

    def test_other_points_are_no_difference_where_there_are_polynomials(self):
        self.solve("heat", "a.h5")
        self.solve("heat", "b.h5", "--set", "output.grid={t: 4, x: 9}")
        status, found = self.diff("a.h5", "b.h5")
        self.assertEqual(status, 0, found)
        self.assertIn(("u", "polynomials"), [(f["field"], f["what"]) for f in found["fields"]])
        self.assertIn("output.grid.x", [d["name"] for d in found["settings"]])

    def test_fields_that_one_file_lacks(self):
        self.solve("heat", "a.h5")
        self.solve("heat", "b.h5", "--set", "output.fields={u: u, twice: 2*u}")
        status, found = self.diff("a.h5", "b.h5")
        self.assertEqual(status, 6)
        self.assertIn("not in the first file", [f["what"] for f in found["fields"] if f["field"] == "twice"])

    def test_text(self):
        self.solve("heat", "a.h5")
        self.solve("heat", "b.h5", "--set", "resolution.degree.x=6")
        done = run(self.folder, "diff", "a.h5", "b.h5")
        self.assertEqual(done.returncode, 6)
        self.assertIn("resolution.degree.x", done.stdout)
        self.assertIn("do NOT agree", done.stdout)
        self.assertIn("equal to the bit", run(self.folder, "diff", "a.h5", "a.h5").stdout)

    def commands(self, file):
        return [["diff", file, "good.h5"], ["diff", "good.h5", file], ["rerun", file, "-o", "new.h5"],
                ["eval", file, "--at", "t=0.1,x=0.5", "--expr", "u"], ["export", file, "-o", "new"],
                ["export", file, "--format", "vtk", "-o", "new"], ["export", file, "--format", "csv", "-o", "new"]]

    def test_damaged_files_are_refused_by_every_reader(self):
        self.solve("heat", "good.h5", "--set", "output.grid={t: 3, x: 5}")
        good = (self.folder / "good.h5").read_bytes()
        chance = random.Random(1)
        broken = {"empty": b"", "text": b"not HDF5 at all\n" * 40, "header": good[:700], "half": good[:len(good) // 2],
                  "no_end": good[:-TRAILER - 1000]}
        for number in range(12):
            changed = bytearray(good)
            changed[chance.randrange(len(good) - TRAILER)] ^= 1 << chance.randrange(8)
            broken[f"bit_{number}"] = bytes(changed)
        for name, data in broken.items():
            (self.folder / "bad.h5").write_bytes(data)
            for command in self.commands("bad.h5"):
                with self.subTest(damage=name, command=command):
                    done = run(self.folder, *command)
                    self.assertEqual(done.returncode, 8, done.stderr)
                    self.assertIn("bad.h5", done.stderr)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["bad.h5", "good.h5"])

    def test_damage_that_no_checksum_tells(self):
        """Without the trailer the HDF5 library itself meets the damage, and crashes on some of it: the program must not."""
        self.solve("heat", "good.h5", "--set", "output.grid={t: 3, x: 5}")
        good = (self.folder / "good.h5").read_bytes()[:-TRAILER]
        chance = random.Random(2)
        for number in range(40):
            changed = bytearray(good)
            for _ in range(chance.choice([1, 3, 20])):
                changed[chance.randrange(len(good))] = chance.randrange(256)
            (self.folder / "bad.h5").write_bytes(changed)
            for command in (["diff", "bad.h5", "good.h5"], ["export", "bad.h5", "--format", "csv", "-o", "new", "--overwrite"]):
                with self.subTest(number=number, command=command):
                    done = run(self.folder, *command)
                    self.assertIn(done.returncode, (0, 2, 6, 8), done.stderr)

    def test_files_that_are_none_of_ours(self):
        self.solve("heat", "good.h5")
        done = run(self.folder, "converge", os.path.join(INPUTS, "heat.yaml"), "-q", "--vary", "x=6,8", "-o", "study.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in ("study.h5", "missing.h5", "."):
            for command in self.commands(file):
                with self.subTest(file=file, command=command):
                    done = run(self.folder, *command)
                    self.assertEqual(done.returncode, 8, done.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    GWRM, INPUTS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
