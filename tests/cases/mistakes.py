#!/usr/bin/env python3
"""The commonest mistakes, made through the real program.

    mistakes.py GWRM        runs every entry of the table below
    mistakes.py GWRM NAME   runs one

Each entry: the case file, the expected exit status, and fragments that stderr must hold (upper or lower case). No file
may be left.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GWRM = None

HEAT = """\
domain:
  t: [0, 1]
  x: [0, 1]
unknowns: [u]
equations:
  - "dt(u) = dx(u,2)"
initial: {u: "sin(pi*x)"}
boundary:
  - "u(x=0) = 0"
  - "u(x=1) = 0"
resolution:
  degree: {t: 4, x: 8}
verification: {tolerance: 1.0e-1, tail: 1, residual: 1}
output: {file: heat.h5}
"""

BRATU = """\
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) + 2*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 12}}
output: {file: bratu.h5}
"""

NEUMANN = """\
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = cos(pi*x)"]
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {x: 8, y: 8}}
output: {file: neumann.h5}
"""

POISSON = """\
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
sbp_sat: {intervals: 16, source: "1"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
"""

BVP = """\
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
recurrence: {intervals: 16, source: "1"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
"""

BRANCH = """\
constants: {lam: 1}
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) + lam*exp(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 12}}
continue: {parameter: lam, to: 2}
"""


def replaced(text, old, new):
    assert text.count(old) == 1, f"{old!r} must occur once"
    return text.replace(old, new)


# name: (case text, exit status, fragments of stderr)
MISTAKES = {
    "misspelt_key": (
        replaced(HEAT, "boundary:", "bondary:"), 2, ["case.yaml:8:1", "bondary", "boundary", "^"]),
    "misspelt_inner_key": (
        replaced(HEAT, "degree:", "degrees:"), 2, ["case.yaml:12:3", "degrees", "degree"]),
    "duplicate_key": (
        HEAT + "unknowns: [u]\n", 2, ["case.yaml:15:1", "unknowns", "line 4"]),
    "missing_key": (
        replaced(HEAT, 'equations:\n  - "dt(u) = dx(u,2)"\n', ""), 2, ["`equations` is missing"]),
    "unknown_name": (
        replaced(HEAT, "dt(u) = dx(u,2)", "dt(u) = nu*dx(u,2)"), 2, ["case.yaml:6:14", "nu", "^"]),
    "unclosed_parenthesis": (
        replaced(HEAT, "dx(u,2)", "dx(u,2"), 2, ["case.yaml:6", "')'", "^"]),
    "two_equals_signs": (
        replaced(HEAT, "dt(u) = dx(u,2)", "dt(u) = dx(u,2) = 0"), 2, ["case.yaml:6:22", "'='"]),
    "implicit_multiplication": (
        replaced(HEAT, "dx(u,2)", "2 dx(u,2)"), 2, ["case.yaml:6:16", "'*'"]),
    "missing_boundary_condition": (
        replaced(HEAT, '  - "u(x=1) = 0"\n', ""), 2, ["missing boundary condition", "2 along x, 1 given"]),
    "surplus_boundary_condition": (
        replaced(HEAT, "u(x=1) = 0\"\n", "u(x=1) = 0\"\n  - \"dx(u)(x=0) = 0\"\n"), 2,
        ["surplus boundary condition", "2 along x, 3 given"]),
    "contradicting_conditions": (
        replaced(HEAT, "u(x=1) = 0", "u(x=0) = 1"), 4, ["u(x=0) = 0", "u(x=0) = 1", "depend"]),
    "missing_initial_value": (
        replaced(HEAT, 'initial: {u: "sin(pi*x)"}\n', ""), 2, ["missing initial value", "`u`"]),
    "wrong_number_of_equations": (
        replaced(HEAT, "unknowns: [u]", "unknowns: [u, v]"), 2, ["1 equation for 2 unknowns"]),
    "products_of_coefficients_in_finite_differences": (
        POISSON + "solver: {product: direct}\n", 2, ["case.yaml:6:19", "finite differences", "leave the key out"]),
    "products_of_coefficients_of_an_exponential": (
        replaced(HEAT, "dx(u,2)\"", "dx(u,2) + exp(u)\"").replace("output:", "solver: {product: direct}\noutput:"), 2, ["case.yaml:14:19", "use auto"]),
    "name_clash_with_function": (
        replaced(HEAT, "unknowns:", "constants: {sin: 2}\nunknowns:"), 2, ["case.yaml:4:13", "sin", "clashes"]),
    "name_clash_with_dimension": (
        replaced(HEAT, "unknowns: [u]", "unknowns: [x]"), 2, ["case.yaml:4:12", "x", "clashes"]),
    "reversed_interval": (
        replaced(HEAT, "x: [0, 1]", "x: [1, 0]"), 2, ["case.yaml:3:6", "reversed"]),
    "log_of_interval_with_zero": (
        replaced(HEAT, "x: [0, 1]", "x: [0, 1]\n  nu: {range: [0, 1], map: log}"), 2, ["case.yaml:4", "log"]),
    "not_a_number": (
        replaced(HEAT, "t: 4", "t: four"), 2, ["case.yaml:12", "four"]),
    "equation_cut_by_comment": (
        replaced(HEAT, '"dt(u) = dx(u,2)"', "dt(u) = dx(u,2) #+ u"), 2, ["case.yaml:6:5", "comment", "quotes"]),
    "broken_yaml": (
        replaced(HEAT, "unknowns: [u]", "unknowns: [u"), 2, ["case.yaml"]),
    "singular": (NEUMANN, 4, ["singular", "gauge"]),
    "not_finite": (
        replaced(HEAT, "dt(u) = dx(u,2)", "dt(u) = dx(u,2) + log(u - 5)"), 5, ["equation 1", "t = ", "x = "]),
    "not_converged": (
        replaced(BRATU, "output:", "solver: {newton: {max_iterations: 1}}\noutput:"), 3,
        ["iteration limit", "max_iterations"]),
    "no_solution": (
        replaced(BRATU, "2*exp(u)", "20*exp(u)"), 3, ["iteration 2", "guess"]),
    "too_much_memory": (
        replaced(HEAT, "{t: 4, x: 8}", "{t: 400, x: 4000}"), 7, ["memory", "GB"]),
    "memory_limit": (
        replaced(HEAT, "output:", "solver: {memory: 1.0e-6}\noutput:"), 7, ["memory"]),
    "no_such_directory": (
        replaced(HEAT, "heat.h5", "missing/heat.h5"), 8, ["missing"]),
    "directory_is_a_file": (
        replaced(HEAT, "heat.h5", "case.yaml/heat.h5"), 8, ["case.yaml"]),
    "unresolved": (
        replaced(HEAT, "tolerance: 1.0e-1", "tolerance: 1.0e-15"), 6, ["FAIL"]),
}


def run(folder, *arguments):
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run([GWRM, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


class Mistakes(unittest.TestCase):
    """One test per entry of the table, made below, and those that need more than a case file."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")

    def files(self):
        return sorted(path.name for path in self.folder.rglob("*"))

    def expect(self, result, status, fragments):
        self.assertEqual(result.returncode, status, result.stderr)
        for fragment in fragments:
            self.assertIn(fragment.lower(), result.stderr.lower())
        self.assertNotIn("terminate called", result.stderr)

    def check_mistake(self, name):
        text, status, fragments = MISTAKES[name]
        self.write(text)
        self.expect(run(self.folder, "run", "case.yaml"), status, fragments)
        left = [file for file in self.files() if file != "case.yaml"]
        self.assertEqual(left, [] if name != "unresolved" else ["heat.h5"], "files left")

    def test_the_unchanged_cases_run(self):
        """Otherwise the mistakes above would prove nothing."""
        for text, file in [(HEAT, "heat.h5"), (BRATU, "bratu.h5")]:
            self.write(text)
            result = run(self.folder, "run", "case.yaml")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(file, self.files())

    def test_no_such_case(self):
        self.expect(run(self.folder, "run", "nothing.yaml"), 2, ["nothing.yaml"])

    def test_json_has_the_place(self):
        self.write(replaced(HEAT, "dx(u,2)", "dx(w,2)"))
        told = json.loads(run(self.folder, "check", "case.yaml", "--json").stdout)
        self.assertEqual([told[name] for name in ("exit_status", "file", "line", "column")], [2, "case.yaml", 6, 17])
        self.assertTrue(told["message"].startswith("unknown name 'w'"), told["message"])
        self.assertIn("case.yaml:6:17: error: unknown name 'w'", told["error"])
        self.assertNotIn("line", json.loads(run(self.folder, "check", "nothing.yaml", "--json").stdout))

    def test_unknown_option_and_command(self):
        self.write(HEAT)
        self.expect(run(self.folder, "run", "case.yaml", "--quite"), 2, ["--quite"])
        self.expect(run(self.folder, "rnu", "case.yaml"), 2, ["--help"])

    def test_bad_override(self):
        self.write(HEAT)
        self.expect(run(self.folder, "run", "case.yaml", "--set", "resolution.degre.x=4"), 2, ["degre", "degree"])
        self.expect(run(self.folder, "run", "case.yaml", "--set", "title"), 2, ["="])

    def test_restart_without_a_journal(self):
        for text in (POISSON, BVP, BRANCH):
            self.write(text)
            self.expect(run(self.folder, "run", "case.yaml", "--restart", "no.journal"), 2, ["--restart", "no journal"])
            self.assertEqual(self.files(), ["case.yaml"])

    def test_fields_that_are_not_finite(self):
        """They are written, with a warning."""
        fields = "output: {file: out.h5, fields: {a: 1/x, b: u/2}}\nverification: {tolerance: 1}\n"
        for text, point in ((POISSON, "y = 0, x = 0 (17 of 289 "), (BVP, "x = 0 (1 of 17 "),
                            (replaced(BRATU, "output: {file: bratu.h5}\n", ""), "x = 0 (1 of 101 ")):
            self.write(text + fields)
            result = run(self.folder, "run", "case.yaml", "--overwrite")
            self.expect(result, 0, ["output.fields.a is inf at " + point])
            self.assertNotIn("output.fields.b", result.stderr)

    def test_existing_output(self):
        self.write(HEAT)
        old = self.folder / "heat.h5"
        old.write_text("precious", encoding="utf-8")
        self.expect(run(self.folder, "run", "case.yaml"), 8, ["heat.h5", "--overwrite"])
        self.assertEqual(old.read_text(encoding="utf-8"), "precious")
        result = run(self.folder, "run", "case.yaml", "--overwrite")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(old.read_bytes()[:4], b"\x89HDF")

    @unittest.skipIf(hasattr(os, "geteuid") and os.geteuid() == 0, "root may write everywhere")
    def test_protected_directory(self):
        self.write(HEAT)
        protected = self.folder / "protected"
        protected.mkdir(mode=0o500)
        self.expect(run(self.folder, "run", "case.yaml", "-o", "protected/heat.h5"), 8, ["protected"])
        self.assertEqual(self.files(), ["case.yaml", "protected"])

    def test_a_place_where_no_file_can_be_made_is_told_before_the_run(self):
        """Root may write in the folder /proc, and there is no file to be made."""
        self.write(HEAT)
        spare = self.folder / "spare"  # where a result would go that is computed and finds no place
        spare.mkdir()
        os.environ["TMPDIR"] = str(spare)  # run() hands the environment on
        try:
            for command in (["run"], ["sweep", "--vary", "resolution.degree.x=8,9"], ["converge", "--vary", "x=8,9"]):
                self.expect(run(self.folder, *command, "case.yaml", "-o", "/proc/heat.h5"), 8, ["/proc/heat.h5"])
        finally:
            del os.environ["TMPDIR"]
        self.assertEqual(list(spare.iterdir()), [])

    def test_failed_run_leaves_the_old_file(self):
        self.write(NEUMANN)
        old = self.folder / "neumann.h5"
        old.write_text("precious", encoding="utf-8")
        self.expect(run(self.folder, "run", "case.yaml", "--overwrite"), 4, [])
        self.assertEqual(old.read_text(encoding="utf-8"), "precious")
        self.assertEqual(self.files(), ["case.yaml", "neumann.h5"])


for mistake in MISTAKES:
    setattr(Mistakes, f"test_{mistake}", lambda self, name=mistake: self.check_mistake(name))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    GWRM = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + [f"Mistakes.test_{name}" for name in sys.argv[2:]])
