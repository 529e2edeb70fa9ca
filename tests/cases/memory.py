#!/usr/bin/env python3
"""The estimate of memory against what a run takes, for high degrees in time and space; what does not fit is refused.

    memory.py GWRM [--table]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GWRM = None

EQUATIONS = {
    "decay": 'domain: {t: [0, 1]}\nunknowns: [u]\nequations: ["dt(u) = -u"]\ninitial: {u: "1"}\n',
    "burgers": 'domain: {t: [0, 0.1], x: [0, 1]}\nunknowns: [u]\nequations: ["dt(u) = 0.05*dx(u,2) - u*dx(u)"]\n'
               'initial: {u: "sin(pi*x)"}\nboundary: ["u(x=0) = 0", "u(x=1) = 0"]\n',
    "heat": 'domain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\nequations: ["dt(u) = dx(u,2)"]\n'
            'initial: {u: "sin(pi*x)"}\nboundary: ["u(x=0) = 0", "u(x=1) = 0"]\n',
    "layer": 'domain: {x: [0, 1]}\nunknowns: [u]\nequations: ["0.1*dx(u,2) = u^3 - sin(x)"]\n'
             'boundary: ["u(x=0) = 0", "u(x=1) = 0"]\n',
}
BOX = """domain: {t: [0, 1], x: [0, 1], y: [0, 1], z: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "sin(pi*x)*sin(pi*y)*sin(pi*z)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0", "u(z=0) = 0", "u(z=1) = 0"]
resolution: {degree: {t: 8, x: 55, y: 55, z: 55}}
solver: {linear: tensor}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
output: {grid: {t: 3, x: 3, y: 3, z: 3}}
"""
TOLERANT = "verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}\n"
MEASURED = [("decay", "{t: 400}", ""), ("decay", "{t: 400}", "time: {weighting: chebyshev}\n"),
            ("heat", "{t: 300, x: 6}", ""), ("heat", "{t: 6, x: 2400}", ""),
            ("heat", "{t: 6, x: 1000}", "solver: {linear: averaged}\n"), ("burgers", "{t: 6, x: 500}", ""),
            ("burgers", "{t: 6, x: 400}, domains: {t: 3}", ""),
            ("layer", "{x: 1000}", ""), ("heat", "{t: 6, x: 200}", "solver: {linear: dense}\n")]
HUGE = [("decay", "{t: 100000}"), ("heat", "{t: 100000, x: 8}"), ("burgers", "{t: 50000, x: 8}"),
        ("burgers", "{t: 8, x: 100000}"), ("layer", "{x: 100000}")]

HUGE_PAGES, PAGE = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled"), os.sysconf("SC_PAGE_SIZE")


def given_up():
    """How often the system has given small pages where huge ones were asked for."""
    return [line for line in pathlib.Path("/proc/vmstat").read_text().splitlines() if line.startswith("thp_fault_fallback")]


def case_text(name, degree, more=""):
    axes = ["t", "x"] if "t: [" in EQUATIONS[name] and "x: [" in EQUATIONS[name] else [degree[1]]
    grid = ", ".join(f"{axis}: 3" for axis in axes)
    return f"{EQUATIONS[name]}resolution: {{degree: {degree}}}\noutput: {{grid: {{{grid}}}}}\n{TOLERANT}{more}"


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, command, text, *arguments):
        (self.folder / "case.yaml").write_text(text)
        process = subprocess.Popen([GWRM, command, "case.yaml", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True,
                                   env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
        output = process.stdout.read()
        process.stdout.close()
        _, status, self.usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, output, self.usage.ru_maxrss * 1024

    def peak(self, text):
        status, output, peak = self.start("run", text, "-q", "--overwrite", "-o", "run.h5")
        self.assertEqual(status, 0, output)
        return peak

    def estimate(self, text):
        status, output, _ = self.start("check", text, "--json")
        self.assertEqual(status, 0, output)
        return json.loads(output)["memory_bytes"]

    def test_the_estimate_is_right_within_a_factor_of_two(self):
        program = self.peak(case_text("decay", "{t: 4}"))
        for name, degree, more in MEASURED:
            with self.subTest(f"{name} {degree} {more}"):
                text = case_text(name, degree, more)
                estimated, taken = self.estimate(text), self.peak(text) - program
                if "--table" in sys.argv:
                    print(f"{name:8} {degree:32} {more.strip():34} estimated {estimated / 1e6:7.1f} MB, "
                          f"taken {taken / 1e6:7.1f} MB, {estimated / taken:5.2f}", file=sys.stderr)
                self.assertGreater(estimated, 0.5 * taken)
                self.assertLess(estimated, 2.0 * taken)

    @unittest.skipUnless(HUGE_PAGES.exists() and "[never]" not in HUGE_PAGES.read_text(), "the system has no huge pages")
    def test_large_arrays_lie_in_huge_pages(self):
        program = self.peak(case_text("decay", "{t: 4}"))
        small = self.usage.ru_minflt
        fallbacks = given_up()
        taken = self.peak(BOX) - program  # vectors of 10 MB, most of it
        if given_up() != fallbacks:
            self.skipTest("the system had no huge pages left")
        self.assertLess(PAGE * (self.usage.ru_minflt - small), 0.75 * taken)

    def test_what_does_not_fit_is_refused_before_anything_is_allocated(self):
        program = self.peak(case_text("decay", "{t: 4}"))
        for name, degree in HUGE:
            with self.subTest(f"{name} {degree}"):
                status, output, peak = self.start("run", case_text(name, degree, "solver: {memory: 20}\n"), "-q")
                self.assertEqual(status, 7, output)
                self.assertIn("not enough memory: a window of", output)
                self.assertIn("are allowed by solver.memory", output)
                self.assertLess(peak, program + 100e6)

    def test_the_limit_of_the_case_decides(self):
        text = case_text("decay", "{t: 300}")
        needed = self.estimate(text) / 1e9
        for limit, expected in ((0.9 * needed, 7), (1.1 * needed, 0)):
            status, output, _ = self.start("run", f"{text}solver: {{memory: {limit}}}\n", "-q", "--overwrite", "-o",
                                           "run.h5")
            self.assertEqual(status, expected, output)


if __name__ == "__main__":
    GWRM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
