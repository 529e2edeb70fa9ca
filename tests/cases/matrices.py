#!/usr/bin/env python3
"""gwrm export --matrix and gwrm run --solution: the files are read from their formats' definitions, the systems compared with
the formulas of docs/sbp-sat.md, solved by numpy, and the solutions read back.

    matrices.py GWRM INPUTS
"""
import json
import math
import pathlib
import struct
import sys
import unittest

import numpy

from program import ProgramTest

INPUTS = None
POISSON = ["--set", "sbp_sat.intervals=12", "--set", "verification.tolerance=1"]


def petsc_matrix(path):
    data = pathlib.Path(path).read_bytes()
    kind, rows, columns, entries = struct.unpack_from(">4i", data)
    assert kind == 1211216 and rows == columns
    counts = numpy.frombuffer(data, ">i4", rows, 16)
    places = numpy.frombuffer(data, ">i4", entries, 16 + 4 * rows)
    values = numpy.frombuffer(data, ">f8", entries, 16 + 4 * (rows + entries))
    assert counts.sum() == entries and len(data) == 16 + 4 * rows + 12 * entries
    matrix = numpy.zeros((rows, rows))
    matrix[numpy.repeat(numpy.arange(rows), counts), places] = values
    return matrix


def petsc_vector(path):
    data = pathlib.Path(path).read_bytes()
    kind, rows = struct.unpack_from(">2i", data)
    assert kind == 1211214 and len(data) == 8 + 8 * rows
    return numpy.frombuffer(data, ">f8", rows, 8).astype(float)


def write_petsc_vector(path, values, integer="i"):
    pathlib.Path(path).write_bytes(struct.pack(f">2{integer}{len(values)}d", 1211214, len(values), *values))


def market(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    head, lines = lines[0].split(), [line for line in lines[1:] if not line.startswith("%")]
    assert head[:2] == ["%%MatrixMarket", "matrix"] and head[3] == "real"
    sizes = [int(text) for text in lines[0].split()]
    if head[2] == "array":
        assert sizes[1:] == [1] and len(lines) == 1 + sizes[0]
        return numpy.array([float(line) for line in lines[1:]])
    assert len(lines) == 1 + sizes[2]
    matrix = numpy.zeros(sizes[:2])
    for line in lines[1:]:
        i, j, value = line.split()
        matrix[int(i) - 1, int(j) - 1] = float(value)
        if head[4] == "symmetric":
            assert int(j) <= int(i)
            matrix[int(j) - 1, int(i) - 1] = float(value)
    return matrix


def poisson_by_formulas(n):
    """A and b of inputs/sbp_poisson.yaml, order 2: the Kronecker sums of docs/sbp-sat.md."""
    h, tau, x = 1 / n, 13.0, numpy.linspace(0, 1, n + 1)
    stiffness = (2 * numpy.eye(n + 1) - numpy.eye(n + 1, k=1) - numpy.eye(n + 1, k=-1)) / h
    stiffness[0, 0] = stiffness[n, n] = 1 / h
    weights = numpy.full(n + 1, h)
    weights[[0, n]] = h / 2
    e, d = numpy.zeros((2, n + 1)), numpy.zeros((2, n + 1))  # of the two ends: values, outward derivatives
    e[0, 0] = e[1, n] = 1
    d[0, :3] = d[1, n:n - 3:-1] = numpy.array([1.5, -2, 0.5]) / h
    dirichlet, right = stiffness.copy(), []
    for value, slope in zip(e, d):
        dirichlet += tau / h * numpy.outer(value, value) - numpy.outer(value, slope) - numpy.outer(slope, value)
        right.append(tau / h * value - slope)
    matrix = numpy.kron(stiffness, numpy.diag(weights)) + numpy.kron(numpy.diag(weights), dirichlet)  # y slow, x fast
    source = 2 * numpy.pi**2 * numpy.sin(numpy.pi * (x[:, None] + x[None, :]))
    b = numpy.kron(weights, weights) * source.ravel()
    b += numpy.kron(weights * numpy.sin(numpy.pi * x), right[0] - right[1])
    slopes = numpy.pi * numpy.cos(numpy.pi * x)  # dy(u) is +, - of it at the lower and upper end: outward - at both
    b -= numpy.kron(e[0] + e[1], weights * slopes)
    return matrix, b


class Matrices(ProgramTest):
    def export(self, case, *more, form="petsc"):
        """(A, b, map)"""
        self.checked("export", case, "--matrix", form, "-o", "system", "--overwrite", "-q", *more)
        ending, matrix, vector = (".petsc", petsc_matrix, petsc_vector) if form == "petsc" else (".mtx", market, market)
        found = json.loads((self.folder / "system_map.json").read_text(encoding="utf-8"))
        self.assertEqual([found["matrix"], found["right_hand_side"]], ["system_A" + ending, "system_b" + ending])
        return matrix(self.folder / found["matrix"]), vector(self.folder / found["right_hand_side"]), found

    def both_ways(self, case, *more, status=0, agreement=1e-10):
        """The system solved by numpy and read back, beside gwrm's own run."""
        matrix, b, found = self.export(case, *more)
        self.assertEqual(found["n_unknowns"], len(b))
        self.assertEqual(found["n_entries"], numpy.count_nonzero(matrix), case)
        if found["kernel"] == "constants":
            self.assertLess(abs(matrix.sum(axis=1)).max(), 1e-11 * abs(matrix).max())
            x = numpy.linalg.lstsq(matrix, b, rcond=1e-12)[0] + 7.0  # any constant: it is taken away
        else:
            x = numpy.linalg.solve(matrix, b)
        if found["symmetric"]:
            self.assertLess(abs(matrix - matrix.T).max(), 1e-14 * abs(matrix).max())
            least = numpy.linalg.eigvalsh(matrix)[0]
            self.assertEqual(least > 1e-9, found["positive_definite"], f"least eigenvalue {least}")
        write_petsc_vector(self.folder / "x.petsc", x)
        reports = []
        for name, given in (("own", []), ("given", ["--solution", "x.petsc"])):
            text = self.checked("run", case, *more, *given, "-o", name + ".h5", "--overwrite", "--json", status=status)
            reports.append({(check["kind"], check["subject"]): check["value"]
                            for check in json.loads(text)["verification"]["checks"]})
        for key, value in reports[0].items():
            if key[0].startswith("error"):
                self.assertLess(abs(value - reports[1][key]), 1e-8, f"{case}: {key}")
        self.assertIn("system", [kind for kind, _ in reports[1]])
        done, text = self.diff("own.h5", "given.h5", "--tolerance", agreement)
        self.assertEqual(done, 0, f"{case}: {text}")
        return matrix, b, x, found

    def test_poisson_is_that_of_the_formulas(self):
        matrix, b, x, found = self.both_ways(INPUTS / "sbp_poisson.yaml", *POISSON)
        expected, right = poisson_by_formulas(12)
        self.assertLess(abs(matrix - expected).max(), 1e-13 * abs(expected).max())
        self.assertLess(abs(b - right).max(), 1e-13 * abs(right).max())
        self.assertTrue(found["symmetric"] and found["positive_definite"])
        (block,) = found["unknowns"]
        self.assertEqual([block["field"], block["first"], [axis["name"] for axis in block["axes"]]], ["u", 0, ["y", "x"]])
        places = [numpy.array(axis["coordinates"]) for axis in block["axes"]]
        exact = numpy.sin(numpy.pi * (places[0][:, None] + places[1][None, :]))
        self.assertLess(abs(x.reshape(exact.shape) - exact).max(), 0.02)  # the scheme's own error is 0.01

    def test_blocks_maps_and_fluxes(self):
        jump = self.both_ways(INPUTS / "sbp_jump.yaml", "--set", "sbp_sat.intervals={x: [12, 9], y: 11}", "--set",
                              "verification.tolerance=1", agreement=1e-8)[-1]
        self.assertEqual([block["first"] for block in jump["unknowns"]], [0, 13 * 12])
        ring = self.both_ways(INPUTS / "sbp_annulus.yaml", *POISSON)[-1]
        self.assertIn("r*cos(s)", ring["unknowns"][0]["meaning"])
        fluxes = ["--set", 'boundary=["flux(x=0) = 0", "flux(x=1) = 0", "flux(y=0) = 0", "flux(y=1) = 0"]',
                  "--set", "sbp_sat.source=cos(pi*x)", "--set", "exact={u: cos(pi*x)/pi^2}"]
        found = self.both_ways(INPUTS / "sbp_poisson.yaml", *POISSON, *fluxes)[-1]
        self.assertEqual([found["kernel"], found["positive_definite"]], ["constants", False])

    def test_windows(self):
        for name, more in {"heat": ["--set", "resolution.degree={t: 7, x: 9}"],
                           "poisson_2d": ["--set", "resolution.degree={x: 8, y: 7}"],
                           "telegraph": ["--set", "resolution={degree: {t: 20, x: 16}}", "--set", "domain.t=[0, 3]"]}.items():
            with self.subTest(name):
                found = self.both_ways(INPUTS / f"{name}.yaml", "--set",
                                       "verification={tolerance: 1, tail: 1, residual: 1}", *more)[-1]
                self.assertFalse(found["symmetric"])

    def test_pressure_integrals_and_coupled_parameters(self):
        loose = "verification: {tolerance: 1, tail: 1, residual: 1}"
        self.text("stokes.yaml", f"""
schema: 1
domain: {{t: [0, 0.5], x: {{range: [0, 2*pi], basis: fourier}}, y: [-1, 1]}}
unknowns: [u, v, p]
equations: ["dt(u) = -dx(p) + lap(u) + sin(x)*y", "dt(v) = -dy(p) + lap(v)", "dx(u) + dy(v) = 0"]
initial: {{u: 0, v: 0}}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {{degree: {{t: 3, x: 1, y: 8}}}}
{loose}
""")
        self.both_ways("stokes.yaml")
        self.text("integral.yaml", f"""
schema: 1
domain: {{t: [0, 1], x: [0, 1], k: [1, 2]}}
unknowns: [u]
equations: ["dt(u) = k*dx(u,2) + integral(u, x) + t"]
initial: {{u: "sin(pi*x)"}}
boundary: ["u(x=0) = 0", "dx(u)(x=1) = -u(x=1)"]
resolution: {{degree: {{t: 4, x: 6, k: 2}}}}
parameters: {{method: coupled}}
{loose}
""")
        for weighting, entries in (("radau", "nodes"), ("chebyshev", "coefficients")):
            with self.subTest(weighting):
                axes = self.both_ways("integral.yaml", "--set", f"time.weighting={weighting}")[-1]["unknowns"][0]["axes"]
                self.assertEqual([(axis["name"], axis["entries"]) for axis in axes],
                                 [("t", entries), ("k", "coefficients"), ("x", "coefficients")])
        self.refused(2, "it is 3 systems", "export", "integral.yaml", "--matrix", "petsc", "-o", "none", "--set",
                     "parameters.method=collocation")

    def test_entries_by_rounding_are_left_out(self):
        more = ["--set", "resolution.degree={x: 8, y: 8}", "--set", "verification={tolerance: 1, tail: 1, residual: 1}"]
        matrix, *_ = self.both_ways(INPUTS / "helmholtz_2d.yaml", *more)
        self.assertEqual(numpy.count_nonzero(matrix), len(matrix))  # a Laplacian in Fourier series is diagonal
        plane = self.both_ways(INPUTS / "poisson_2d.yaml", *more)[-1]
        # Along each of the axes one derivative by another axis's identity: at most so many columns, 81 of them in a row.
        self.assertLess(plane["n_entries"], 81 * 18)

    def test_small_coefficients_are_kept(self):
        self.text("weak.yaml", """
schema: 1
domain: {x: [0, 1]}
unknowns: [u, w]
equations: ["dx(u,2) + 1e-10*w = 0", "dx(w,2) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "w(x=0) = 0", "w(x=1) = 0"]
resolution: {degree: {x: 6}}
verification: {tolerance: 1, tail: 1, residual: 1}
""")
        matrix = self.both_ways("weak.yaml")[0]
        self.assertEqual(numpy.count_nonzero(matrix[:5, 7:]), 5)  # 1e-10 of w in the equation of u

    def test_the_answer_is_the_given_one(self):
        for case, more in ((INPUTS / "sbp_poisson.yaml", POISSON),
                           (INPUTS / "heat.yaml", ["--set", "resolution.degree={t: 7, x: 9}", "--set",
                                                   "verification={tolerance: 1, tail: 1, residual: 1}"])):
            with self.subTest(str(case)):
                x = self.both_ways(case, *more)[2]
                write_petsc_vector(self.folder / "x.petsc", x * (1 + 1e-6))
                self.checked("run", case, *more, "--solution", "x.petsc", "-q", "-o", "other.h5", "--overwrite")
                self.assertEqual(self.diff("given.h5", "other.h5", "--tolerance", "1e-7")[0], 6)
                self.assertEqual(self.diff("given.h5", "other.h5", "--tolerance", "2e-6")[0], 0)

    def test_unknowns_of_a_window(self):
        self.text("two.yaml", """
schema: 1
domain: {t: [0, 1], x: {range: [0, 3], }}
unknowns: [u, w]
equations: ["dt(u) = dx(w) - u", "w = dx(u)"]
initial: {u: "x*(3 - x)"}
boundary: ["u(x=0) = 0", "u(x=3) = sin(t)"]
resolution: {degree: {t: 4, x: 5}, domains: {x: [0, 1, 3]}}
verification: {tolerance: 1, tail: 10, residual: 10}
""")
        *_, x, found = self.both_ways("two.yaml")
        u, w = found["unknowns"]
        self.assertEqual([u["first"], w["first"], len(x)], [0, 4 * 12, 2 * 4 * 12])
        self.assertIn("derivative of order 1", u["meaning"])
        time, space = u["axes"]
        self.assertEqual([time["name"], time["entries"], time["count"], space["count"]], ["t", "nodes", 4, 12])
        self.assertEqual(space["subdomains"], [0, 1, 3])
        self.assertEqual(time["coordinates"][-1], 1.0)  # Radau's last node is the end
        # w is the field itself: its coefficients on the second subdomain at the last node, beside the result's values.
        last = x[w["first"]:].reshape(4, 2, 6)[-1, 1]
        value = float(self.checked("eval", "given.h5", "--at", "t=1,x=2.2", "--expr", "w", "-q").split()[-1])
        z = 2.2 - 2  # of [1, 3]
        self.assertAlmostEqual(value, sum(a * math.cos(k * math.acos(z)) for k, a in enumerate(last)), delta=1e-10)

    def test_ordinary_differential_equations(self):
        self.text("ode.yaml", """
schema: 1
domain: {t: [0, 1]}
unknowns: [a, b, c]
equations: ["dt(a) = -a + b", "dt(b, 2) = -b", "dt(c) = t*a"]
initial: {a: 1, b: 0, "dt(b)": 1, c: 2}
resolution: {degree: {t: 12}}
verification: {tolerance: 1.0e-6}
solver: {linear: sparse}
""")
        matrix, *_, found = self.both_ways("ode.yaml")
        self.assertEqual(numpy.count_nonzero(matrix[:12, 24:]), 0)
        self.assertLess(found["n_entries"], 6 * 144)

    def test_matrix_market_holds_the_same_numbers(self):
        for case, more in ((INPUTS / "sbp_poisson.yaml", POISSON), (INPUTS / "sbp_annulus.yaml", POISSON),
                           (INPUTS / "heat.yaml", ["--set", "resolution.degree={t: 4, x: 6}"])):
            with self.subTest(str(case)):
                matrix, b, found = self.export(case, *more)
                other, right, other_map = self.export(case, *more, form="matrixmarket")
                lower = numpy.tril(matrix) if found["symmetric"] else matrix
                self.assertTrue((lower == (numpy.tril(other) if found["symmetric"] else other)).all())
                self.assertTrue((b == right).all())
                self.assertEqual([found["unknowns"], found["n_entries"]], [other_map["unknowns"], other_map["n_entries"]])

    def test_vectors_of_other_writers(self):
        case = INPUTS / "sbp_poisson.yaml"
        matrix, b, _ = self.export(case, *POISSON)
        x = numpy.linalg.solve(matrix, b)
        write_petsc_vector(self.folder / "plain.petsc", x)
        write_petsc_vector(self.folder / "long.petsc", x, integer="q")  # PETSc with 64-bit indices
        self.text("x.mtx", f"%%MatrixMarket matrix array real general\r\n% a comment\r\n\r\n{len(x)}  1\r\n"
                  + "".join(f" {value!r} \r\n" for value in x.tolist()))
        for name in ("plain.petsc", "long.petsc", "x.mtx"):
            self.checked("run", case, *POISSON, "--solution", name, "-q", "-o", name + ".h5")
        for name in ("long.petsc", "x.mtx"):
            self.assertEqual(self.diff("plain.petsc.h5", name + ".h5", "--tolerance", "0")[0], 0)

    def test_a_wrong_solution_fails(self):
        for case, more in ((INPUTS / "sbp_poisson.yaml", ["--set", "sbp_sat.intervals=20", "--set", "verification.tolerance=1.0e-2"]),
                           (INPUTS / "heat.yaml", ["--set", "resolution.degree={t: 9, x: 11}", "--set",
                                                   "verification={tolerance: 1.0e-4, tail: 1, residual: 1}"])):
            for estimate in ("on", "off"):
                with self.subTest(case=str(case), estimate=estimate):
                    settings = [*more, "--set", f"verification.estimate={estimate}", "--set", "exact={}"]
                    matrix, b, _ = self.export(case, *settings)
                    x = numpy.linalg.solve(matrix, b)
                    write_petsc_vector(self.folder / "x.petsc", x)
                    self.checked("run", case, *settings, "--solution", "x.petsc", "-q", "-o", "x.h5", "--overwrite")
                    x[len(x) // 2] += 2 * abs(x).max()
                    write_petsc_vector(self.folder / "x.petsc", x)
                    self.refused(6, "x.petsc does not solve the system", "run", case, *settings, "--solution", "x.petsc",
                                 "-o", "x.h5", "--overwrite")

    def refused(self, status, words, *arguments):
        done = self.run_gwrm(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr}")
        self.assertIn(words, done.stderr)
        self.assertNotIn("internal error", done.stderr)

    def test_what_is_refused(self):
        poisson = INPUTS / "sbp_poisson.yaml"
        for name, words in {"burgers_degrees": "nonlinear", "burgers": "nonlinear", "black_scholes": "no linear system",
                            "bvp_paper": "no linear system", "ball_heat": "no linear system", "drum": "no linear system",
                            "bratu_branch": "no linear system"}.items():
            self.refused(2, words, "export", INPUTS / f"{name}.yaml", "--matrix", "petsc", "-o", "none")
        self.refused(2, "4 time windows", "export", INPUTS / "heat.yaml", "--matrix", "petsc", "-o", "none", "--set",
                     "resolution.domains={t: 4}")
        self.refused(2, "resolution.degree", "export", INPUTS / "heat.yaml", "--matrix", "petsc", "-o", "none", "--set",
                     "resolution={tolerance: 1.0e-6}")
        self.refused(2, "nonlinear", "run", INPUTS / "burgers.yaml", "--solution", "none.petsc", "-o", "none.h5")
        self.refused(7, "not enough memory", "export", poisson, "--matrix", "petsc", "-o", "none", "--set",
                     "sbp_sat.intervals=900", "--set", "solver={memory: 0.05}")
        self.refused(7, "not enough memory", "export", INPUTS / "heat.yaml", "--matrix", "petsc", "-o", "none", "--set",
                     "resolution.degree={t: 50, x: 100}", "--set", "solver={memory: 0.05}")
        self.refused(2, "--matrix", "export", "result.h5", "--set", "a=1")
        self.refused(2, "--format", "export", poisson, "--matrix", "petsc", "--format", "csv")
        self.assertEqual(list(self.folder.glob("none*")), [])
        self.export(poisson, *POISSON)
        self.refused(8, "exists", "export", poisson, "--matrix", "petsc", "-o", "system.petsc")

    def test_vectors_that_are_refused(self):
        case = INPUTS / "sbp_poisson.yaml"
        zeros = [0.0] * 169

        def refuse(status, words, name):
            self.refused(status, words, "run", case, *POISSON, "--solution", name, "-o", "none.h5")
            self.assertFalse((self.folder / "none.h5").exists())

        write_petsc_vector(self.folder / "short.petsc", zeros[1:])
        refuse(2, "168 numbers, and the system of this case has 169 unknowns", "short.petsc")
        write_petsc_vector(self.folder / "bad.petsc", zeros[:7] + [math.nan] + zeros[8:])
        refuse(8, "number 7 (from 0) is nan", "bad.petsc")
        whole = struct.pack(">2i169d", 1211214, 169, *zeros)
        for name, data in {"cut.petsc": whole[:-3], "two.petsc": whole + whole, "matrix.petsc": struct.pack(">4i", 1211216, 1, 1, 0),
                           "empty.petsc": b"", "negative.petsc": struct.pack(">2i", 1211214, -1)}.items():
            (self.folder / name).write_bytes(data)
            refuse(8, name, name)
        head = "%%MatrixMarket matrix array real general\n"
        for name, text, words in (("cut.mtx", head + "169 1\n" + "0\n" * 168, "168 numbers, and 169 were announced"),
                                  ("words.mtx", head + "169 1\n" + "0\n" * 168 + "zero\n", "words.mtx:171: error: 'zero'"),
                                  ("wide.mtx", head + "169 2\n" + "0\n" * 338, "the size of a vector"),
                                  ("sparse.mtx", "%%MatrixMarket matrix coordinate real general\n169 1 0\n", "dense vector")):
            self.text(name, text)
            refuse(8, words, name)
        refuse(8, "No such file", "missing.petsc")
        refuse(8, "ordinary file", ".")
        write_petsc_vector(self.folder / "x.petsc", zeros)
        self.refused(8, "x.petsc", "run", case, *POISSON, "--solution", "x.petsc", "-o", "x.petsc", "--overwrite")


if __name__ == "__main__":
    Matrices.program, INPUTS = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
