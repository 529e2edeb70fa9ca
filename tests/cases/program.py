"""What tests of the whole program have in common: it, a folder of their own, its commands there."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

# The oscillator of van der Pol: windows for half a minute or more, the first ones at once.
LONG = """
domain: {t: [0, 60000]}
unknowns: [u, v]
equations: ["dt(u) = v", "dt(v) = (1 - u^2)*v - u"]
initial: {u: "1", v: "0"}
resolution: {tolerance: 1.0e-9, limits: {windows: 100000}}
output: {grid: {t: 3}}
"""


class ProgramTest(unittest.TestCase):
    program = None  # path of gwrm: set by the script
    seconds = 240   # that one command may take

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)

    @classmethod
    def run_gwrm(cls, *arguments, **environment):
        return subprocess.run([cls.program, *map(str, arguments)], cwd=cls.folder, capture_output=True, text=True,
                              timeout=cls.seconds, env={**os.environ, **environment})

    @classmethod
    def checked(cls, *arguments, status=0):
        """Standard output of a command that has to end with this status."""
        done = cls.run_gwrm(*arguments)
        assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    @classmethod
    def solve(cls, name, text, *more):
        """Writes the case and runs it into a result file of its name."""
        cls.text(name + ".yaml", text)
        cls.checked("run", name + ".yaml", "-q", "-o", name + ".h5", *more)

    @classmethod
    def text(cls, name, text):
        (cls.folder / name).write_text(text, encoding="utf-8")

    def diff(self, *arguments):
        done = self.run_gwrm("diff", *arguments, "--json")
        return done.returncode, json.loads(done.stdout)

    def stopped_and_continued(self, case):
        """A run that is stopped when its journal has some windows, and continued, gives the bits of one that is not."""
        self.checked("run", case, "-q", "--threads", "1", "-o", "whole.h5")
        process = subprocess.Popen([self.program, "run", case, "-q", "--threads", "1", "-o", "part.h5"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = self.folder / "part.journal"
        while process.poll() is None and not (journal.exists() and journal.stat().st_size > 100_000):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.wait()
        self.assertTrue(journal.exists(), "the run ended before it was stopped")
        self.checked("run", "--restart", "part.journal", "-q", "--threads", "1", "--overwrite")
        status, found = self.diff("whole.h5", "part.h5", "--tolerance", "0")
        self.assertEqual((status, found["agree"]), (0, True), found["fields"])
