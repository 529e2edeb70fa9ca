#!/usr/bin/env python3
"""Signals at random moments, two runs on one file, directories that vanish or cannot be written.

    accidents.py GWRM [--runs N] [--cuts N] [--seed N] [NAME ...]

--runs: how many runs are stopped by each kind of signal (default 4). --cuts: at how many windows the journal of each kind of
march is cut (default 4). Whatever happens, under the name of the result there is a complete file or none, and what the
journal holds is continued to the same end, to the bit.
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ARGUMENTS = None
REFERENCE = None  # (folder with reference.h5, number of windows, seconds that the run takes)

CASE = """\
domain: {{t: [0, {end}], x: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = 0.02*dx(u,2) - u*dx(u) + sin(pi*x)*cos(3*t)"]
initial: {{u: "sin(pi*x)"}}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {{degree: {{t: 8, x: 30}}, domains: {{t: {windows}}}}}
verification: {{tolerance: 1, tail: 1, residual: 1}}
output: {{file: run.h5, grid: {{t: 21, x: 11}}}}
"""
# Other ways to march: windows of equal length whose factors serve each other (their edges are rounded), and windows as long
# as the tolerance lets them be, at first growing, then equal.
LINEAR = CASE.replace("0.02*dx(u,2) - u*dx(u)", "0.02*dx(u,2)")
AUTOMATIC = CASE.replace("degree: {{t: 8, x: 30}}, domains: {{t: {windows}}}", "tolerance: 1.0e-6, limits: {{windows: 1000000}}")
AUTOMATIC_LINEAR = AUTOMATIC.replace("0.02*dx(u,2) - u*dx(u)", "0.02*dx(u,2)")
SHORTEST = 0.8  # seconds
# After which a run begins its journal, in place of the usual second. Not 0: windows before are written in one go, without
# what a run is continued from.
JOURNAL_SECONDS = 0.1
NOBODY = 65534


def environment(folder, journal_seconds=JOURNAL_SECONDS):
    return {**os.environ, "NO_COLOR": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            "TMPDIR": str(folder / "spare"), "GWRM_JOURNAL_SECONDS": str(journal_seconds)}


def start(folder, *arguments, user=None, journal_seconds=JOURNAL_SECONDS):
    return subprocess.Popen([ARGUMENTS.gwrm, *map(str, arguments)], cwd=folder, env=environment(folder, journal_seconds),
                            user=user, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(process):
    """(exit status, what was said)"""
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def run(folder, *arguments):
    return finish(start(folder, *arguments))


def wait_or_poll(process, seconds):
    """Waits, but not longer than the process lives."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        time.sleep(0.002)


def make_folder(parent, reference=None):
    folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
    (folder / "spare").mkdir()
    (folder / "case.yaml").write_text(((reference or REFERENCE)[0] / "case.yaml").read_text())
    return folder


def records_of(journal):
    """Where each complete record of a journal ends (src/output/journal.hpp); the first is the header."""
    ends, at = [], 16
    while at + 24 <= len(journal):
        n, complement = struct.unpack_from("<QQ", journal, at + 8)
        if n ^ complement != 2**64 - 1 or at + 24 + n + 16 > len(journal):
            break
        at += 24 + n + 16
        ends.append(at)
    return ends


def make_reference(folder, case=CASE, windows=100, shortest=SHORTEST):
    """A case that takes long enough on this machine to be interrupted, and its undisturbed result."""
    (folder / "spare").mkdir()
    while True:
        (folder / "case.yaml").write_text(case.format(end=0.02 * windows, windows=windows))
        began = time.monotonic()
        status, said = run(folder, "run", "case.yaml", "-q", "-o", "reference.h5", "--overwrite")
        seconds = time.monotonic() - began
        if status != 0:
            sys.exit(f"the undisturbed run: exit status {status}\n{said}")
        if seconds >= shortest:
            return folder, windows, seconds
        windows *= 2


class Accidents(unittest.TestCase):
    def setUp(self):
        self.parent = tempfile.TemporaryDirectory()
        self.addCleanup(self.parent.cleanup)
        os.chmod(self.parent.name, 0o755)
        self.random = random.Random(f"{ARGUMENTS.seed} {self.id()}")
        self.folder = make_folder(self.parent.name)

    def left(self, folder):
        return {path.name for path in folder.iterdir()} - {"spare", "case.yaml"}

    def expect_same(self, path, said="", reference=None):
        """Coefficients and samples equal to the bit."""
        done = subprocess.run([ARGUMENTS.gwrm, "diff", path, (reference or REFERENCE)[0] / "reference.h5", "--tolerance", "0",
                               "--json"], cwd=self.folder, env=environment(self.folder), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{path} is not the undisturbed result\n{said}\n{done.stdout}{done.stderr}")
        fields = json.loads(done.stdout)["fields"]
        self.assertIn("polynomials", [field["what"] for field in fields])
        self.assertTrue(all(field["compared"] and field["absolute"] == 0.0 for field in fields), fields)

    def stop_at_random(self, folder, arguments, number):
        """Starts a run and stops it by signal `number` at any moment; (exit status, what was said, after how long)."""
        process = start(folder, "run", *arguments, "-q")
        moment = self.random.uniform(0.0, 1.05 * REFERENCE[2])
        wait_or_poll(process, moment)
        process.send_signal(number)
        status, said = finish(process)
        return status, said, moment

    def check_end(self, folder, number, status, said, moment):
        left = self.left(folder)
        what = f"signal {number} after {moment:.3f} s: exit status {status}, left {sorted(left)}\n{said}"
        if number == signal.SIGKILL:
            self.assertIn(status, (0, -signal.SIGKILL), what)
            left = {name for name in left if not name.startswith(".gwrm-")}  # nobody was left to take it away
        else:
            # The first moments of a process, before it handles signals, end it as they end any other.
            early = -number if moment < 0.5 else 130
            self.assertIn(status, (0, 130, early), what)
        self.assertLessEqual(left, {"run.h5", "run.partial.h5", "run.journal"}, what)
        if "run.h5" in left:
            self.expect_same(folder / "run.h5", what)
        if status == 0:
            self.assertEqual(left - {"run.partial.h5"}, {"run.h5"}, what)
        if status == 130:
            self.assertNotIn("run.h5", left, what)
        if "run.partial.h5" in left:
            partial = folder / "run.partial.h5"
            self.assertEqual(run(folder, "diff", partial, partial)[0], 0, what)
        return left

    def check_signal(self, number):
        n_continued = 0
        for _ in range(ARGUMENTS.runs):
            folder = make_folder(self.parent.name)
            left = self.check_end(folder, number, *self.stop_at_random(folder, ["case.yaml"], number))
            while "run.journal" in left:  # again and again, until it comes through
                n_continued += 1
                arguments = ["--restart", "run.journal", "--overwrite"]
                left = self.check_end(folder, number, *self.stop_at_random(folder, arguments, number))
            if "run.h5" not in left:  # stopped before there was anything to continue
                self.assertEqual(run(folder, "run", "case.yaml", "-q", "--overwrite")[0], 0)
            self.expect_same(folder / "run.h5")
            shutil.rmtree(folder)
        print(f"signal {int(number)}: {ARGUMENTS.runs} runs, continued {n_continued} times", file=sys.stderr)

    def test_interrupt_at_random_moments(self):
        self.check_signal(signal.SIGINT)

    def test_terminate_at_random_moments(self):
        self.check_signal(signal.SIGTERM)

    def test_kill_at_random_moments(self):
        self.check_signal(signal.SIGKILL)

    def journal_of_most(self, case, windows):
        """A reference, and the last that is seen of the journal of another such run: it may end within a record."""
        while True:
            parent = pathlib.Path(tempfile.mkdtemp(dir=self.parent.name))
            reference = make_reference(parent, case, windows, shortest=0.3)
            folder, journal = make_folder(self.parent.name, reference), b""
            process = start(folder, "run", "case.yaml", "-q")
            while process.poll() is None:
                with contextlib.suppress(FileNotFoundError):
                    journal = (folder / "run.journal").read_bytes()
                time.sleep(0.01)
            status, said = finish(process)
            self.assertEqual(status, 0, said)
            if len(records_of(journal)) > 3:
                return reference, journal
            windows = 2 * reference[1]  # the reference took its time, but this one did not

    def check_cuts(self, case, windows):
        reference, journal = self.journal_of_most(case, windows)
        ends = records_of(journal)
        # One is among those that the journal was begun with.
        n_cuts = min(ARGUMENTS.cuts, len(ends) - 1)
        early = self.random.randrange(1, max(2, len(ends) // 8))
        for cut in {early, *self.random.sample(range(1, len(ends)), n_cuts)}:
            folder = make_folder(self.parent.name, reference)
            torn = self.random.randrange(32)  # some bytes of the next record
            (folder / "run.journal").write_bytes(journal[:ends[cut] + torn])
            status, said = run(folder, "run", "--restart", "run.journal", "-q")
            self.assertEqual(status, 0, f"continued behind {cut} windows\n{said}")
            self.expect_same(folder / "run.h5", f"continued behind {cut} windows", reference)
            shutil.rmtree(folder)
        print(f"{n_cuts + 1} journals cut behind 1 .. {len(ends) - 1} windows", file=sys.stderr)

    def test_the_same_bits_from_any_fixed_window(self):
        self.check_cuts(CASE, 50)

    def test_the_same_bits_from_any_window_of_a_linear_problem(self):
        self.check_cuts(LINEAR, 200)

    def test_the_same_bits_from_any_automatic_window(self):
        self.check_cuts(AUTOMATIC, 200)

    def test_the_same_bits_from_any_automatic_window_of_a_linear_problem(self):
        self.check_cuts(AUTOMATIC_LINEAR, 200)

    def test_the_second_signal_ends_at_once(self):
        process = start(self.folder, "run", "case.yaml", "-q", "--set", "resolution.domains.t=1", "--set",
                        "resolution.degree={t: 40, x: 100}", "--set", "solver.linear=dense")  # one long window
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        status, said = finish(process)
        self.assertLess(time.monotonic() - began, 5.0)
        self.assertIn(status, (-signal.SIGINT, 130), said)
        self.assertNotIn("run.h5", self.left(self.folder))

    def test_commands_that_write_nothing_half_are_ended_by_the_signal(self):
        """eval of a million points takes a while; it has nothing to finish."""
        process = start(self.folder, "eval", REFERENCE[0] / "reference.h5", "--expr", "sin(u)", "--at",
                        "t=0:1:3000,x=0:1:3000")
        time.sleep(0.5)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        status, said = finish(process)
        self.assertIn(status, (-signal.SIGINT, 130), said)
        self.assertLess(time.monotonic() - began, 2.0)

    def several_at_once(self, *more, journal_seconds=JOURNAL_SECONDS):
        """Three runs on one file, begun within the time that one takes: [(status, said)]."""
        processes = []
        for _ in range(3):
            processes.append(start(self.folder, "run", "case.yaml", "-q", *more, journal_seconds=journal_seconds))
            time.sleep(self.random.uniform(0.0, 0.4 * REFERENCE[2]))
        return [finish(process) for process in processes]

    def test_runs_on_one_file(self):
        """One of them writes it, the others refuse, and what they had computed is saved elsewhere: without journals, by
        which they see one another early, all that they can."""
        for journal_seconds in (JOURNAL_SECONDS, 1000):
            with self.subTest(journal_seconds=journal_seconds):
                ends = self.several_at_once(journal_seconds=journal_seconds)
                self.assertEqual(sorted(status for status, _ in ends), [0, 8, 8], ends)
                self.assertEqual(self.left(self.folder), {"run.h5"})
                self.expect_same(self.folder / "run.h5")
                (self.folder / "run.h5").unlink()
                for status, said in ends:
                    if status == 8:
                        self.assertRegex(said, r"run\.(h5|journal)")
                        if "saved as" in said:
                            self.expect_same(pathlib.Path(said.split("saved as ")[1].split(" instead")[0]))

    def test_runs_that_may_overwrite_one_file(self):
        ends = self.several_at_once("--overwrite")
        self.assertLessEqual({status for status, _ in ends}, {0, 8}, ends)
        self.assertIn(0, [status for status, _ in ends], ends)
        self.assertEqual(self.left(self.folder), {"run.h5"})
        self.expect_same(self.folder / "run.h5")

    def begin(self, out, journal, user=None):
        """A run some moments after its start, before it keeps a journal, or after."""
        process = start(self.folder, "run", "case.yaml", "-q", "-o", out / "run.h5", user=user,
                        journal_seconds=0 if journal else 1000)
        if journal:
            while process.poll() is None and not (out / "run.journal").exists():
                time.sleep(0.005)
        wait_or_poll(process, 0.2)
        self.assertIsNone(process.poll(), "the run was over too soon")
        self.assertEqual((out / "run.journal").exists(), journal)
        return process

    def saved_elsewhere(self, said):
        self.assertIn("saved as", said)
        self.expect_same(pathlib.Path(said.split("saved as ")[1].split(" instead")[0]))

    def test_directory_that_vanishes(self):
        for journal in (False, True):  # before and after it is begun
            with self.subTest(journal=journal):
                (self.folder / "out").mkdir()
                process = self.begin(self.folder / "out", journal)
                shutil.rmtree(self.folder / "out")
                status, said = finish(process)
                self.assertEqual(status, 8, said)
                self.assertIn("out", said)
                self.saved_elsewhere(said)
                self.assertEqual(self.left(self.folder), set())

    def as_somebody(self):
        """A user for whom permissions count; root may do everything."""
        if os.geteuid() != 0:
            return None
        try:
            subprocess.run([ARGUMENTS.gwrm, "--version"], user=NOBODY, check=True, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("another user cannot run the program from where it is")
        for path in (self.folder, self.folder / "spare", self.folder / "case.yaml"):
            os.chown(path, NOBODY, NOBODY)
        return NOBODY

    def test_directory_that_cannot_be_written(self):
        user = self.as_somebody()
        (self.folder / "out").mkdir(mode=0o555)
        status, said = finish(start(self.folder, "run", "case.yaml", "-q", "-o", "out/run.h5", user=user))
        self.assertEqual(status, 8, said)
        self.assertIn("cannot write in the directory out", said)
        self.assertEqual(self.left(self.folder / "out"), set())

    def test_directory_that_becomes_read_only(self):
        user = self.as_somebody()
        for journal in (False, True):
            with self.subTest(journal=journal):
                out = self.folder / f"out_{journal}"
                out.mkdir()
                if user is not None:
                    os.chown(out, user, user)
                process = self.begin(out, journal, user)
                out.chmod(0o555)
                status, said = finish(process)
                self.assertEqual(status, 8, said)
                self.saved_elsewhere(said)
                self.assertNotIn("run.h5", self.left(out))
                out.chmod(0o755)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("gwrm", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--cuts", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("names", nargs="*")
    ARGUMENTS = parser.parse_intermixed_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # begun with & it is ignored, by what is started here too
    with tempfile.TemporaryDirectory() as reference:
        os.chmod(reference, 0o755)
        REFERENCE = make_reference(pathlib.Path(reference))
        print(f"{REFERENCE[1]} windows take {REFERENCE[2]:.1f} s; seed {ARGUMENTS.seed}", file=sys.stderr)
        unittest.main(argv=sys.argv[:1] + [f"Accidents.test_{name}" for name in ARGUMENTS.names])
