#!/usr/bin/env python3
"""What the commands write, where it cannot be written, and where it must not.

    output.py GWRM        runs every test
    output.py GWRM NAME   runs one
"""
import contextlib
import json
import os
import pathlib
import pty
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

GWRM = None

DECAY = """\
title: {title}
domain: {{t: [0, 1]}}
unknowns: [u]
equations: ["dt(u) = -u"]
initial: {{u: "1"}}
resolution: {{degree: {{t: 8}}, domains: {{t: {windows}}}}}
output: {{file: decay.h5}}
"""


class Output(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.case = self.path / "decay.yaml"
        self.case.write_text(DECAY.format(title="decay", windows=1))

    def tearDown(self):
        self.folder.cleanup()

    def run_gwrm(self, *arguments, **options):
        return subprocess.run([GWRM, *map(str, arguments)], cwd=self.path, capture_output="stdout" not in options,
                              timeout=120, **options)

    def solve(self):
        self.assertEqual(self.run_gwrm("run", self.case).returncode, 0)
        return self.path / "decay.h5"

    def commands(self, result):
        return [["check", self.case], ["check", "--json", self.case], ["check", "--latex", self.case],
                ["eval", result, "--expr", "u", "--at", "t=0:1:10000"], ["diff", result, result],
                ["diff", "--json", result, result], ["schema"], ["info"], ["info", "--json"],
                ["run", "--overwrite", self.case], ["--help"], ["--version"]]

    def test_a_full_disk_is_status_8(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for arguments in self.commands(self.solve()):
            with self.subTest(arguments=arguments[0]), open("/dev/full", "wb") as full:
                ended = self.run_gwrm(*arguments, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(ended.returncode, 8, ended.stderr)
                self.assertIn(b"standard output could not be written: No space left", ended.stderr)

    def test_a_full_disk_below_the_log_is_status_8(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            ended = self.run_gwrm("run", self.case, stdout=subprocess.PIPE, stderr=full)
        self.assertEqual(ended.returncode, 8)

    def test_an_error_keeps_its_status_on_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            ended = self.run_gwrm("check", "missing.yaml", "--json", stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(ended.returncode, 2)

    def test_every_line_arrives(self):
        ended = self.run_gwrm("eval", self.solve(), "--expr", "u", "--at", "t=0:1:10000")
        self.assertEqual(ended.returncode, 0)
        self.assertGreaterEqual(ended.stdout.count(b"\n"), 10000)

    def test_a_terminal_shows_how_far_the_run_is(self):
        self.case.write_text(DECAY.format(title="decay", windows=60000))
        here, there = pty.openpty()
        with subprocess.Popen([GWRM, "run", self.case.name], cwd=self.path, stdout=subprocess.DEVNULL, stderr=there) as run:
            os.close(there)
            said = b""
            with contextlib.suppress(OSError):  # the terminal is gone with the process
                while piece := os.read(here, 4096):
                    said += piece
        os.close(here)
        self.assertEqual(run.returncode, 0, said)
        self.assertRegex(said, rb"\r\x1b\[K\d+ %, \d+ (s|min \d\d s|h \d\d min) left; ")
        self.assertRegex(said, rb"100 %, 0 s left")

    def refused(self, name, *fragments, arguments=()):
        before = self.case.read_bytes()
        ended = self.run_gwrm("run", self.case, "-o", name, *arguments)
        self.assertEqual(ended.returncode, 8, ended.stderr)
        for fragment in fragments:
            self.assertIn(fragment, ended.stderr.decode())
        self.assertEqual(self.case.read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.path)), ["decay.yaml"])

    def test_the_case_file_is_not_replaced(self):
        for name in ("decay.yaml", "./decay.yaml", self.case):
            self.refused(name, "is what the command reads", arguments=["--overwrite"])

    def test_a_name_too_long_for_its_journal_is_told_at_once(self):
        self.refused("x" * 252 + ".h5", "too long", "at most 255")

    def test_the_longest_name_that_fits_is_written(self):
        ended = self.run_gwrm("run", self.case, "-o", "x" * 244 + ".h5")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_a_study_and_an_export_replace_nothing_they_read(self):
        before = self.case.read_bytes()
        for name, fragment in (("decay.yaml", b"is what the command reads"), ("-", b"standard output")):
            ended = self.run_gwrm("converge", self.case, "--vary", "t=4,6", "-o", name, "--overwrite")
            self.assertEqual(ended.returncode, 8, ended.stderr)
            self.assertIn(fragment, ended.stderr)
            self.assertEqual(self.case.read_bytes(), before)
        result = self.path / "result.csv"
        self.assertEqual(self.run_gwrm("run", self.case, "-o", result).returncode, 0)
        before = result.read_bytes()
        for name, fragment in ((result, b"is what the command reads"), ("-", b"standard output")):
            ended = self.run_gwrm("export", result, "--format", "csv", "-o", name, "--overwrite")
            self.assertEqual(ended.returncode, 8, ended.stderr)
            self.assertIn(fragment, ended.stderr)
            self.assertEqual(result.read_bytes(), before)

    def test_control_characters_are_not_printed(self):
        self.case.write_text(DECAY.format(title='"red \\e[31m bell \\a del \\x7f C1 \\x9b"', windows=1))
        result = self.solve()
        other = self.path / "other.h5"
        self.assertEqual(self.run_gwrm("run", self.case, "--set", 'title="\\e[32m"', "-o", other).returncode, 0)
        for arguments in (["check", self.case], ["check", self.case, "--json"], ["run", self.case, "--overwrite"],
                          ["diff", result, other], ["diff", "--json", result, other]):
            ended = self.run_gwrm(*arguments)
            for stream in (ended.stdout, ended.stderr):
                bad = [c for c in stream.decode() if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f"]
                self.assertEqual(bad, [], arguments)
            if "--json" in arguments:
                json.loads(ended.stdout)
        self.assertIn(b"\\x1b[31m", self.run_gwrm("check", self.case).stdout)

    def test_a_finished_restart_takes_the_partial_result_away(self):
        self.case.write_text(DECAY.format(title="decay", windows=60000))
        run = subprocess.Popen([GWRM, "run", str(self.case)], cwd=self.path, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        journal, deadline = self.path / "decay.journal", time.time() + 60
        while run.poll() is None and time.time() < deadline:
            if journal.exists() and journal.stat().st_size > 20000:
                break
            time.sleep(0.005)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(60), 130)
        self.assertTrue((self.path / "decay.partial.h5").exists())
        ended = self.run_gwrm("run", "--restart", journal)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((self.path / "decay.h5").exists())
        self.assertFalse((self.path / "decay.partial.h5").exists())

    def test_pipes_devices_and_directories_are_no_case(self):
        pipe = self.path / "pipe.yaml"
        os.mkfifo(pipe)
        for case in (pipe, "/dev/zero", self.path):
            for command in ("check", "run"):
                ended = self.run_gwrm(command, case)
                self.assertEqual(ended.returncode, 2, ended.stderr)
                self.assertIn(b"expected a case file", ended.stderr)

    def test_pipes_devices_and_directories_are_no_result(self):
        result, pipe = self.solve(), self.path / "pipe.h5"
        os.mkfifo(pipe)
        for file in (pipe, "/dev/zero", "/dev/tty", self.path):
            for arguments in (["eval", file, "--expr", "u", "--at", "t=0"], ["export", file], ["rerun", file],
                              ["diff", file, result], ["diff", result, file], ["run", "--restart", file]):
                with self.subTest(arguments=arguments):
                    ended = self.run_gwrm(*arguments)
                    self.assertEqual(ended.returncode, 8, ended.stderr)
                    self.assertIn(str(file), ended.stderr.decode())

    def test_nothing_is_written_to_pipes_devices_and_directories(self):
        result, pipe = self.solve(), self.path / "pipe.h5"
        os.mkfifo(pipe)
        before = sorted(os.listdir(self.path))
        for file in (pipe, "/dev/null", self.path):
            for arguments in (["run", self.case], ["rerun", result], ["converge", self.case, "--vary", "t=4,6,8"],
                              ["export", result, "--format", "csv"]):
                with self.subTest(arguments=arguments, file=file):
                    if arguments[0] == "export" and file != pipe:
                        continue  # the name of a format is added: /dev/null.csv
                    if arguments[0] == "export":
                        os.mkfifo(self.path / "pipe.csv")
                        file = self.path / "pipe.csv"
                    ended = self.run_gwrm(*arguments, "-o", file, "--overwrite")
                    self.assertEqual(ended.returncode, 8, ended.stderr)
                    self.assertRegex(ended.stderr.decode(), "not an ordinary file|is a directory")
        self.assertEqual(sorted(os.listdir(self.path)), sorted([*before, "pipe.csv"]))

    def test_pipes_in_the_place_of_a_journal(self):
        os.mkfifo(self.path / "decay.journal")
        os.mkfifo(self.path / "decay.partial.h5")
        for more in ([], ["--overwrite"]):
            ended = self.run_gwrm("run", self.case, *more)
            self.assertIn(ended.returncode, (0, 8), ended.stderr)
            self.assertTrue(stat.S_ISFIFO(os.stat(self.path / "decay.journal").st_mode))

    def threads(self, *arguments):
        ended = self.run_gwrm("info", "--json", *arguments)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended

    def test_no_more_threads_than_cores_unless_asked_twice(self):
        cores = len(os.sched_getaffinity(0))
        ended = self.threads("--threads", "4096")
        self.assertEqual(json.loads(ended.stdout)["threads"], cores)
        self.assertIn(f"{cores} taken, one for each core", ended.stderr.decode())
        more = str(cores + 1)
        ended = self.threads("--threads", more, "--more-threads-than-cores")
        self.assertEqual(json.loads(ended.stdout)["threads"], cores + 1)


if __name__ == "__main__":
    GWRM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
