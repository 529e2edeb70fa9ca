#!/usr/bin/env python3
"""What a run tells while it goes on: its steps as JSON, and its finished windows from its journal.

    so_far.py GWRM
"""
import json
import signal
import subprocess
import sys
import time
import unittest

from program import LONG, ProgramTest

DECAY = """
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -u"]
initial: {u: "1"}
resolution: {degree: {t: 8}, domains: {t: 4}}
output: {file: decay.h5, grid: {t: 3}}
"""
EXPRESSION = ("--expr", "u", "--expr", "dt(v)")


class SoFar(ProgramTest):
    def test_steps_as_json(self):
        self.text("decay.yaml", DECAY)
        done = self.run_gwrm("run", "decay.yaml", "-q", "--progress", "json", "--overwrite")
        steps = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual([step["done"] for step in steps], [0.25, 0.5, 0.75, 1])
        self.assertEqual([step["note"].split(",")[0] for step in steps], [f"t = {end:g}" for end in (0.25, 0.5, 0.75, 1)])
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.run_gwrm("run", "decay.yaml", "-q", "--overwrite").stderr, "")
        self.assertEqual(self.run_gwrm("run", "decay.yaml", "--progress", "xml").returncode, 2)

    def test_finished_windows_of_a_run_that_goes_on(self):
        self.text("long.yaml", LONG)
        process = subprocess.Popen([self.program, "run", "long.yaml", "-q", "--threads", "1", "-o", "long.h5"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            journal = self.folder / "long.journal"
            while not (journal.exists() and journal.stat().st_size > 100_000):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            before = journal.read_bytes()
            said = json.loads(self.checked("run", "--restart", "long.journal", "--so-far", "-o", "so_far.h5", "--json"))
            self.assertIsNone(process.poll(), "the run goes on")
            self.assertEqual(said["status"], "interrupted")
            self.assertIn("exists", self.run_gwrm("run", "--restart", "long.journal", "--so-far", "-o", "so_far.h5").stderr)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()
        self.assertEqual(process.returncode, 130)
        self.assertTrue(journal.read_bytes().startswith(before[:100_000]))
        self.assertEqual(sorted(path.name for path in self.folder.glob("*")),
                         sorted({path.name for path in self.folder.glob("decay.*")}
                                | {"long.yaml", "long.journal", "long.partial.h5", "so_far.h5"}))
        # Its windows are those of the run, to the bit.
        self.assertGreater(said["n_windows"], 100)
        at = ("--at", "t=0:50:101", *EXPRESSION)
        self.assertEqual(self.checked("eval", "so_far.h5", *at), self.checked("eval", "long.partial.h5", *at))

    def test_what_it_needs(self):
        for words, fragment in ((("--restart", "x.journal", "--so-far"), "-o"), (("x.yaml", "--so-far", "-o", "y.h5"), "--restart")):
            done = self.run_gwrm("run", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(fragment, done.stderr)
        done = self.run_gwrm("run", "--restart", "nothing.journal", "--so-far", "-o", "y.h5")
        self.assertEqual(done.returncode, 8)
        self.assertIn("nothing.journal", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ProgramTest.program = sys.argv.pop(1)
    unittest.main()
