#!/usr/bin/env python3
"""README.md as a newcomer reads it: its first commands work as they are written, and the run prints what stands there.

    readme.py GWRM SOURCE
"""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import unittest

from program import ProgramTest

SOURCE = README = None
# As an option of CMake or Python packages decides: what is tried elsewhere.
ELSEWHERE = ("gwrm plot", "gwrm run --restart")
NUMBER = re.compile(r"(?<![\w.])\d[\d.]*(e[+-]\d+)?")


def blocks(language):
    return [text for name, text in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S) if name == language]


class Readme(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "inputs").symlink_to(SOURCE / "inputs")
        cls.text("probes.csv", "t,x\n0.5,0.25\n0.25,1\n")
        cls.printed = cls.checked("run", "inputs/burgers.yaml", "--threads", "1")

    def test_the_first_run_prints_what_stands_there(self):
        def shape(text):
            return [NUMBER.sub("#", " ".join(line.split())) for line in text.strip().splitlines()]

        written = next(block for block in blocks("") if "verified" in block)
        self.assertEqual(shape(self.printed), shape(written))

    def test_the_first_case_is_the_file(self):
        def meaning(text):
            lines = [re.sub(r" +# .*| +#$", "", line).rstrip() for line in text.splitlines()]
            return [line for line in lines if line and not line.startswith("#")]

        written = next(block for block in blocks("yaml") if "Viscous Burgers" in block)
        file = meaning((SOURCE / "inputs/burgers.yaml").read_text(encoding="utf-8"))
        self.assertEqual(meaning(written), file[:file.index("convergence:")])

    def test_commands_work_as_they_are_written(self):
        path = f"{pathlib.Path(self.program).parent}:{os.environ['PATH']}"
        commands = [line.split("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()
                    if line.startswith("gwrm ") and not line.startswith(ELSEWHERE)]
        self.assertGreaterEqual(len(commands), 5)
        for command in commands:
            with self.subTest(command=command):
                done = subprocess.run(["sh", "-c", command], cwd=self.folder, env={**os.environ, "PATH": path},
                                      capture_output=True, text=True, timeout=self.seconds)
                # gwrm diff of two viscosities: the fields differ
                self.assertEqual(done.returncode, 6 if command.startswith("gwrm diff") else 0, done.stderr)

    def test_the_first_thing_that_is_changed_passes(self):
        for nu in (0.02, 0.05, 0.2, 0.5, 1):
            printed = self.checked("run", "inputs/burgers.yaml", "--set", f"constants.nu={nu}", "-o", f"nu_{nu}.h5")
            self.assertIn("\n  PASS\n", printed, nu)
        for change in ("constants.a=1.1", "resolution.tolerance=1e-10", "domain.t=[0, 3]"):
            self.assertIn("\n  PASS\n", self.checked("run", "inputs/burgers.yaml", "--set", change, "-o", "a.h5", "--overwrite"))

    def tree_with(self, ninja):
        """A copy of the script beside a program that is built already, with tools that do nothing but the given ninja."""
        tree = self.folder / "tree"
        tools, build = tree / "tools", tree / "build/release"
        for folder in (tools, build / "bin", *(tree / name for name in ("cmake", "src", "kernels", "problems", "bench", "tests"))):
            folder.mkdir(parents=True)
        (tree / "bootstrap").write_bytes((SOURCE / "bootstrap").read_bytes())
        for name in ("CMakeLists.txt", "build/release/build.ninja", "build/release/bootstrap.gwrm"):
            (tree / name).touch()
        for name, text in (("dpkg-query", "echo install ok installed"), ("apt-get", ""), ("cmake", ""), ("ninja", ninja)):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        (build / "bin/gwrm").symlink_to(self.program)
        return tree, tools, build

    def test_bootstrap_says_how_far_the_build_is(self):
        for last, status, words in (("exit 0", 0, "PASS"), ("echo broken; exit 1", 1, "broken")):
            with self.subTest(last=last):
                tree, tools, build = self.tree_with(f"echo '[2/8] a'; sleep 2.5; echo '[8/8] b'; {last}")
                (build / "bootstrap.gwrm").unlink()
                ours, its = pty.openpty()
                done = subprocess.run(["sh", str(tree / "bootstrap"), "run", "inputs/heat.yaml", "-o", "heat.h5", "--overwrite"],
                                      cwd=self.folder, stdout=subprocess.PIPE, stderr=its, text=True, timeout=self.seconds,
                                      env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "GWRM_PRESET": "release"})
                os.close(its)
                told = os.read(ours, 100000).decode()
                os.close(ours)
                self.assertEqual(done.returncode, status, told)
                self.assertRegex(told, r"25 % built \(2 of 8 steps\), about \d+ s left")
                self.assertIn(words, told + done.stdout)
                shutil.rmtree(tree)

    def test_bootstrap_says_how_it_gets_onto_the_path(self):
        tree, tools, build = self.tree_with("")

        def run(path):
            return subprocess.run(["sh", str(tree / "bootstrap"), "run", "inputs/heat.yaml", "-o", "heat.h5", "--overwrite"],
                                  cwd=self.folder, env={**os.environ, "PATH": path, "GWRM_PRESET": "release"},
                                  capture_output=True, text=True, timeout=self.seconds)

        done = run(f"{tools}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = re.search(r"as gwrm: (export PATH=.*)", done.stderr)
        self.assertTrue(line, done.stderr)
        found = subprocess.run(["sh", "-c", line.group(1) + "; command -v gwrm"], capture_output=True, text=True).stdout
        self.assertEqual(found.strip(), str(build / "bin/gwrm"))
        self.assertNotIn("as gwrm", run(f"{build}/bin:{tools}:{os.environ['PATH']}").stderr)


if __name__ == "__main__":
    Readme.program = pathlib.Path(sys.argv.pop(1)).resolve()
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    README = (SOURCE / "README.md").read_text(encoding="utf-8")
    unittest.main()
