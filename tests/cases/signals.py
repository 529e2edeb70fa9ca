#!/usr/bin/env python3
"""Signals in stages that ask nobody whether to go on: one factorisation, writing of a file, a pipe that nobody reads.

    signals.py GWRM [NAME ...]

Every command ends soon, with the status of docs/failures.md; no temporary file is left, an earlier result stays, and a run
that is continued has the bits of an undisturbed one. tests/long/random_signals.py does the same at random moments.
"""
import argparse
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

GWRM = None
# The program promises two seconds; the machine of a test may have other things to do.
LONGEST_ANSWER = 10.0
ENDED = {signal.SIGTERM: -signal.SIGTERM, signal.SIGINT: -signal.SIGINT, signal.SIGHUP: -signal.SIGHUP}

EQUATIONS = """\
domain: {t: [0, END], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.02*dx(u,2) - u*dx(u) + sin(pi*x)*cos(3*t)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
verification: {tolerance: 1, tail: 1, residual: 1}
"""
# One window, one dense matrix of some 6000 unknowns: a factorisation takes many seconds.
DENSE = EQUATIONS.replace("END", "1") + """\
resolution: {degree: {t: 40, x: 150}, domains: {t: 1}}
solver: {linear: dense}
output: {file: run.h5, grid: {t: 21, x: 11}}
"""
# Many windows and some hundred thousand samples: sampling and writing take a while.
WINDOWS = EQUATIONS + """\
resolution: {degree: {t: 8, x: 30}, domains: {t: WINDOWS}}
output: {file: run.h5, grid: {t: SAMPLES, x: 1001}, fields: {u: u, a: "sin(u)*x + dx(u)", b: "exp(u) + t"}}
"""


def windows_case(windows, samples):
    text = WINDOWS.replace("END", str(0.02 * windows)).replace("WINDOWS", str(windows))
    return text.replace("SAMPLES", str(samples))


def start(folder, *arguments, stdout=subprocess.PIPE, **options):
    environment = {**os.environ, "NO_COLOR": "1", "TMPDIR": str(folder)}
    return subprocess.Popen([GWRM, *map(str, arguments)], cwd=folder, env=environment, text=True, stdout=stdout,
                            stderr=subprocess.PIPE, **options)


def temporary(folder):
    """Sizes of the temporary files by name."""
    sizes = {}
    for path in pathlib.Path(folder).glob(".gwrm-*"):
        try:
            sizes[path.name] = path.stat().st_size
        except FileNotFoundError:  # it has its own name by now
            pass
    return sizes


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def wait_until(condition, process, seconds=120.0):
    """Whether it came about while the process lived."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if condition():
            return True
        time.sleep(0.002)
    return False


def send(process, number):
    """(seconds to the end, exit status, stdout, stderr) after a signal."""
    began = time.monotonic()
    process.send_signal(number)
    try:
        out, said = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return time.monotonic() - began, process.returncode, out, said


class Signals(unittest.TestCase):
    def setUp(self):
        parent = tempfile.TemporaryDirectory()
        self.addCleanup(parent.cleanup)
        self.folder = pathlib.Path(parent.name)

    def write(self, text, name="case.yaml"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def left(self):
        return {path.name for path in self.folder.iterdir()}

    def run_to_end(self, *arguments):
        process = start(self.folder, *arguments)
        out, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, said)
        return out

    def expect_ended(self, process, number, status):
        seconds, ended, out, said = send(process, number)
        self.assertEqual(ended, status, said)
        self.assertLess(seconds, LONGEST_ANSWER)
        self.assertEqual(temporary(self.folder), {})
        return out, said

    def test_in_a_factorisation(self):
        self.write(DENSE)
        for number in ENDED:
            process = start(self.folder, "run", "case.yaml", "-q")
            time.sleep(1.5)
            _, said = self.expect_ended(process, number, 130)
            self.assertIn("error: interrupted", said)
            self.assertEqual(self.left(), {"case.yaml"})

    def test_two_signals_in_a_factorisation(self):
        self.write(DENSE)
        process = start(self.folder, "run", "case.yaml", "-q")
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        self.expect_ended(process, signal.SIGINT, 130)

    def test_json_is_one_object_all_the_same(self):
        self.write(DENSE)
        process = start(self.folder, "run", "case.yaml", "-q", "--json")
        time.sleep(1.5)
        out, _ = self.expect_ended(process, signal.SIGTERM, 130)
        self.assertEqual(json.loads(out), {"exit_status": 130, "error": "interrupted"})

    def long_march(self):
        """A case whose march takes twice the second after which there is a journal, and its result."""
        windows, journal = 200, self.folder / "trial.journal"
        while not journal.exists():
            self.write(windows_case(windows, 101))
            process = start(self.folder, "run", "case.yaml", "-q", "-o", "trial.h5", "--overwrite")
            if wait_until(journal.exists, process):
                process.kill()
            process.communicate()
            windows *= 2
        for path in self.folder.glob("trial.*"):
            path.unlink()
        for name in temporary(self.folder):
            (self.folder / name).unlink()
        self.write(windows_case(windows, 2001))
        self.run_to_end("run", "case.yaml", "-q", "-o", "reference.h5")

    def test_while_the_file_is_written(self):
        """The earlier file stays, the journal is there still, and from it comes the undisturbed result."""
        self.long_march()
        (self.folder / "run.h5").write_bytes((self.folder / "reference.h5").read_bytes()[:100])
        before = digest(self.folder / "run.h5")
        process = start(self.folder, "run", "case.yaml", "-q", "--overwrite")
        caught = wait_until(lambda: any(size > 1 << 20 for size in temporary(self.folder).values()), process)
        self.assertTrue(caught)
        _, said = self.expect_ended(process, signal.SIGTERM, 130)
        self.assertEqual(digest(self.folder / "run.h5"), before)
        self.assertIn("error: continue with: gwrm run --restart run.journal", said)
        self.assertEqual(self.left(), {"case.yaml", "reference.h5", "run.h5", "run.journal"})
        self.run_to_end("run", "--restart", "run.journal", "-q", "--overwrite")
        self.assertEqual(self.left(), {"case.yaml", "reference.h5", "run.h5"})
        self.run_to_end("diff", "run.h5", "reference.h5", "--tolerance", "0")

    def test_in_the_march(self):
        """It asks, and leaves a partial result."""
        self.long_march()
        process = start(self.folder, "run", "case.yaml", "-q")
        self.assertTrue(wait_until((self.folder / "run.journal").exists, process))
        self.expect_ended(process, signal.SIGINT, 130)
        self.assertIn("run.journal", self.left())
        self.assertNotIn("run.h5", self.left())
        self.run_to_end("run", "--restart", "run.journal", "-q", "--overwrite")
        self.run_to_end("diff", "run.h5", "reference.h5", "--tolerance", "0")
        self.assertEqual(self.left(), {"case.yaml", "reference.h5", "run.h5"})

    def test_a_hangup_that_is_ignored(self):
        self.write(windows_case(100, 501))
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = start(self.folder, "run", "case.yaml", "-q", preexec_fn=ignore)
        time.sleep(0.3)
        self.assertEqual(send(process, signal.SIGHUP)[1], 0)
        self.assertEqual(self.left(), {"case.yaml", "run.h5"})

    def test_commands_that_read(self):
        self.write(windows_case(50, 2001))
        self.write(DENSE, "dense.yaml")
        self.run_to_end("run", "case.yaml", "-q")
        before = self.left()
        everywhere = ["--expr", "sin(u)", "--at", "t=0:1:3000,x=0:1:3000"]
        for arguments in (["export", "run.h5", "--format", "csv"], ["eval", "run.h5", *everywhere, "--json"],
                          ["check", "dense.yaml", "--time"]):
            for number, status in ENDED.items():
                with self.subTest(command=arguments[0], number=number):
                    process = start(self.folder, *arguments)
                    time.sleep(0.5)
                    self.assertIsNone(process.poll(), "too short to be interrupted")
                    self.expect_ended(process, number, status)
                    self.assertEqual(self.left(), before)

    def test_export_while_it_writes(self):
        self.write(windows_case(50, 2001))
        self.run_to_end("run", "case.yaml", "-q")
        for _ in range(20):
            process = start(self.folder, "export", "run.h5", "--format", "csv", "--overwrite")
            if wait_until(lambda: temporary(self.folder), process):
                _, status, _, said = send(process, signal.SIGTERM)
                self.assertIn(status, (0, -signal.SIGTERM), said)
                self.assertEqual(temporary(self.folder), {})
                if status != 0:
                    return
        self.fail("never met while it wrote")

    def test_into_a_pipe_that_nobody_reads(self):
        self.write(windows_case(50, 101))
        self.run_to_end("run", "case.yaml", "-q")
        process = start(self.folder, "eval", "run.h5", "--expr", "u", "--at", "t=0:1:300,x=0:1:300")
        time.sleep(2.0)
        self.assertIsNone(process.poll())
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), -signal.SIGTERM)
        self.assertLess(time.monotonic() - began, LONGEST_ANSWER)
        process.communicate()

    def test_converge_and_rerun(self):
        self.write(DENSE)
        self.write(windows_case(50, 2001), "windows.yaml")
        self.run_to_end("run", "windows.yaml", "-q")
        before = self.left()
        process = start(self.folder, "converge", "case.yaml", "-q", "--vary", "x=120,150")
        time.sleep(1.5)
        self.expect_ended(process, signal.SIGTERM, 130)
        self.assertEqual(self.left(), before)
        process = start(self.folder, "rerun", "run.h5", "-q", "--set", "output.grid.t=8001")
        self.assertTrue(wait_until(lambda: temporary(self.folder), process))
        _, said = self.expect_ended(process, signal.SIGTERM, 130)
        # On a slow machine a second has passed by then, from which on there is a journal.
        self.assertEqual(self.left() - {"run_rerun.journal"}, before)
        self.assertEqual("run_rerun.journal" in self.left(), "--restart run_rerun.journal" in said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("gwrm", type=os.path.abspath)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    GWRM = arguments.gwrm
    unittest.main(argv=sys.argv[:1] + [f"Signals.test_{name}" for name in arguments.names])
