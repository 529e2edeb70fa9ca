#!/usr/bin/env python3
"""Result files of `problem: ball` through the real program: gwrm eval, export, diff, restart, converge.

    ball_files.py GWRM

The oracles are the decaying modes of a magnetic field in closed form, and readers of VTK's and XDMF's files of our own.
"""
import base64
import json
import math
import os
import signal
import struct
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ET

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

from program import ProgramTest

K = 4.493409457909064  # the first zero of j_1
RADIUS = 2.0

# On a sphere of radius 2: j_1(pi r/2) cos(theta) in P, j_1(K r/2) sin(theta) cos(phi) in T.
CASE = """
problem: ball
domain: {t: [0, 0.4]}
constants: {k: 4.493409457909064}
ball:
  radius: 2
  degree: {t: 10, r: DEGREE_R, l: 2, m: 1}
  tolerance: 1.0e-12
  fields: {B: {kind: magnetic}}
initial:
  B:
    poloidal: {"1,0": "sin(pi*r/2)/(pi*r/2)^2 - cos(pi*r/2)/(pi*r/2)"}
    toroidal: {"1,1": "sin(k*r/2)/(k*r/2)^2 - cos(k*r/2)/(k*r/2)"}
verification: {tolerance: 1.0e-8}
output: {grid: {t: 3, r: [0.5, 1, 2], theta: 4, phi: 5}}
"""


def j1(x):
    return math.sin(x) / x**2 - math.cos(x) / x


def field(t, r, theta, phi):
    """B_r, B_theta, B_phi."""
    x, y = math.pi * r / RADIUS, K * r / RADIUS
    poloidal, toroidal = math.exp(-(math.pi / RADIUS)**2 * t), j1(y) * math.exp(-(K / RADIUS)**2 * t)
    spread = (math.cos(x) / x - math.sin(x) / x**2 + math.sin(x)) / r  # (r P)'/r
    return (2 / r * j1(x) * math.cos(theta) * poloidal,
            -spread * math.sin(theta) * poloidal - toroidal * math.sin(phi),
            -toroidal * math.cos(theta) * math.cos(phi))


def cartesian(r, theta, phi):
    return r * math.sin(theta) * math.cos(phi), r * math.sin(theta) * math.sin(phi), r * math.cos(theta)


def cartesian_field(t, r, theta, phi):
    b = field(t, r, theta, phi)
    s, c, x, y = math.sin(theta), math.cos(theta), math.cos(phi), math.sin(phi)
    directions = ((s * x, s * y, c), (c * x, c * y, -s), (-y, x, 0.0))
    return [sum(b[d] * directions[d][k] for d in range(3)) for k in range(3)]


POINTS = [(0.0, 0.7, 0.4, 0.3), (0.1, 1.9, 2.2, 5.1), (0.23, 0.01, 1.0, 2.0), (0.4, 2.0, math.pi / 2, 3.3), (0.1, 1.1, 3.0, 6.2)]


class BallFiles(ProgramTest):
    seconds = 300

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.solve("decay", CASE.replace("DEGREE_R", "12"))

    def refused(self, *arguments):
        done = self.run_gwrm(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    EXPRESSIONS = ("--expr", "B_r", "--expr", "B_theta", "--expr", "B_phi", "--expr", "B_r^2 + B_theta^2 + B_phi^2 + x*t")

    def test_eval_has_the_field_anywhere_in_the_sphere(self):
        for t, r, theta, phi in POINTS:
            b, (x, y, z) = field(t, r, theta, phi), cartesian(r, theta, phi)
            expected = [*b, sum(part**2 for part in b) + x * t]
            spherical = self.checked("eval", "decay.h5", "--at", f"t={t},r={r},theta={theta},phi={phi}", *self.EXPRESSIONS, "-q")
            self.assertEqual([float(word) for word in spherical.split()[:4]], [t, r, theta, phi])
            straight = json.loads(self.checked("eval", "decay.h5", "--json", "--at", f"t={t},x={x!r},y={y!r},z={z!r}",
                                               *self.EXPRESSIONS))["points"][0]
            self.assertEqual(straight["x"], x)
            for own in ([float(word) for word in spherical.split()[4:]], straight["values"]):
                for a, b in zip(own, expected, strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-11)

    def test_eval_takes_grids(self):
        head, *rows = self.checked("eval", "decay.h5", "--at", "t=0.1:0.2:2,r=1,theta=0.5:1.5:3,phi=-1", "--expr",
                                   "B_theta").splitlines()
        self.assertEqual(head, "# t r theta phi B_theta")
        rows = [[float(word) for word in row.split()] for row in rows]
        self.assertEqual([row[2] for row in rows], [0.5, 1.0, 1.5] * 2)
        for row in rows:
            self.assertAlmostEqual(row[4], field(*row[:4])[1], delta=1e-11)

    def test_eval_at_scattered_points(self):
        (self.folder / "probes.csv").write_text("x,y,z,t\n" + "".join(
            ",".join(map(repr, (*cartesian(*point[1:]), point[0]))) + "\n" for point in POINTS) + "1.9,1.9,0,0.1\n0,0,0,0.1\n",
            encoding="utf-8")
        done = self.run_gwrm("eval", "decay.h5", "--points", "probes.csv", "--expr", "B_phi")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 of 7 points lie outside", done.stderr)
        self.assertIn("x^2 + y^2 + z^2 <= 4", done.stderr)
        values = [float(row.split(",")[-1]) for row in done.stdout.splitlines()[1:]]
        for value, point in zip(values, POINTS):
            self.assertAlmostEqual(value, field(*point)[2], delta=1e-11)
        self.assertTrue(math.isnan(values[-2]) and math.isfinite(values[-1]))

    def test_eval_says_what_is_wrong(self):
        self.assertIn("lies outside the sphere of radius 2", self.refused("eval", "decay.h5", "--at", "t=0,x=1.9,y=1.9,z=0",
                                                                          "--expr", "B_r"))
        self.assertIn("r = 2.5 lies outside", self.refused("eval", "decay.h5", "--at", "t=0,r=2.5,theta=1,phi=0", "--expr",
                                                           "B_r"))
        self.assertIn("t, r, theta, phi or t, x, y, z", self.refused("eval", "decay.h5", "--at", "t=0,r=1,x=0", "--expr", "B_r"))
        self.assertIn("give phi with --at phi=", self.refused("eval", "decay.h5", "--at", "t=0,r=1,theta=0", "--expr", "B_r"))
        self.assertIn("B_x", self.refused("eval", "decay.h5", "--at", "t=0,r=1,theta=0,phi=0", "--expr", "B_x"))
        self.assertIn("no fields of errors", self.refused("eval", "decay.h5", "--error", "--at", "t=0,r=1,theta=0,phi=0",
                                                          "--expr", "B_r"))

    GRID = [(t, r, math.pi * j / 3, 2 * math.pi * k / 4) for t in (0.0, 0.2, 0.4) for r in (0.5, 1, 2) for j in range(4)
            for k in range(5)]

    def check_points(self, time, places, vectors, scalars):
        """Places and vectors as lists of triples, in any order, and B_r at the same points."""
        wanted = {tuple(round(c, 9) + 0.0 for c in cartesian(*point[1:])): point for point in self.GRID if point[0] == time}
        self.assertEqual(len(places), 60)
        self.assertEqual({tuple(round(c, 9) + 0.0 for c in place) for place in places}, set(wanted))
        for place, vector, radial in zip(places, vectors, scalars, strict=True):
            point = wanted[tuple(round(c, 9) + 0.0 for c in place)]
            for a, b in zip(place, cartesian(*point[1:])):
                self.assertAlmostEqual(a, b, delta=1e-15)
            for a, b in zip(vector, cartesian_field(*point)):
                self.assertAlmostEqual(a, b, delta=1e-11)
            self.assertAlmostEqual(radial, field(*point)[0], delta=1e-11)

    def test_vtk_is_a_sphere_of_vectors(self):
        self.checked("export", "decay.h5", "--format", "vtk", "-q", "--overwrite")
        files = [(float(one.get("timestep")), one.get("file"))
                 for one in ET.parse(self.folder / "decay.pvd").getroot().iter("DataSet")]
        self.assertEqual([at for at, _ in files], [0.0, 0.2, 0.4])
        for at, name in files:
            self.assertTrue(name.endswith(".vts"))
            root = ET.parse(self.folder / name).getroot()
            self.assertEqual((root.get("type"), root.get("byte_order"), root.get("header_type")),
                             ("StructuredGrid", "LittleEndian", "UInt64"))
            piece = root.find(".//Piece")
            self.assertEqual(piece.get("Extent"), "0 2 0 3 0 4")  # r, theta, phi
            arrays = {}
            for array in piece.iter("DataArray"):
                raw = base64.b64decode(array.text)
                numbers = struct.unpack(f"<{(len(raw) - 8) // 8}d", raw[8:])
                n = int(array.get("NumberOfComponents"))
                arrays[array.get("Name")] = [numbers[i:i + n] for i in range(0, len(numbers), n)]
            places = arrays["points"]
            self.check_points(at, places, arrays["B"], [value for (value,) in arrays["B_r"]])
            # Right-handed cells: (r, theta, phi) of the first one that is not on the axis.
            first = places[3 + 12], places[4 + 12], places[6 + 12], places[3 + 24]
            edges = [[b - a for a, b in zip(first[0], corner)] for corner in first[1:]]
            self.assertGreater(np.linalg.det(np.array(edges)) if h5py else 1.0, 0.0)

    @unittest.skipIf(h5py is None, "needs h5py to follow XDMF into the HDF5 files")
    def test_xdmf_is_a_sphere_of_vectors(self):
        self.checked("export", "decay.h5", "-q", "--overwrite")
        grids = ET.parse(self.folder / "decay.xdmf").getroot().findall(".//Grid/Grid")
        self.assertEqual([float(grid.find("Time").get("Value")) for grid in grids], [0.0, 0.2, 0.4])

        def item(node):
            if node.get("ItemType") != "HyperSlab":
                file, name = node.text.strip().split(":")
                with h5py.File(self.folder / file) as h5:
                    values = h5[name][...]
                self.assertEqual(list(values.shape), [int(n) for n in node.get("Dimensions").split()])
                return values
            start, stride, count = np.array([int(n) for n in node[0].text.split()]).reshape(3, -1)
            part = item(node[1])[tuple(slice(s, s + d * c, d) for s, d, c in zip(start, stride, count))]
            return part.reshape([int(n) for n in node.get("Dimensions").split()])

        for grid in grids:
            self.assertEqual(grid.find("Topology").get("TopologyType"), "3DSMesh")
            self.assertEqual(grid.find("Topology").get("Dimensions"), "3 4 5")
            places = np.stack([item(node).ravel() for node in grid.find("Geometry")], axis=-1)
            values = {one.get("Name"): item(one[0]) for one in grid.findall("Attribute")}
            self.check_points(float(grid.find("Time").get("Value")), places.tolist(), values["B"].reshape(-1, 3).tolist(),
                              values["B_r"].ravel().tolist())

    def test_diff_compares_fields_of_other_degrees(self):
        self.checked("run", "decay.yaml", "-q", "-o", "again.h5", "--overwrite")
        same = self.checked("diff", "decay.h5", "again.h5", "--tolerance", "0")
        self.assertIn("polynomials", same)
        self.checked("run", "decay.yaml", "-q", "-o", "other.h5", "--overwrite", "--set", "ball.degree.r=9", "--set",
                     "ball.degree.l=3", "--set", "output.grid.r=[0.3,0.4]", "--set", "verification.tolerance=1e-3")
        self.checked("diff", "decay.h5", "other.h5", "--tolerance", "1e-7")
        rough = self.checked("diff", "decay.h5", "other.h5", "--tolerance", "1e-15", status=6)
        line = next(line for line in rough.splitlines() if "polynomials" in line).split()
        self.assertEqual(line[0], "B")
        self.assertTrue(1e-15 < float(line[3]) < 1e-7, line)

    STUDY = """
problem: ball
domain: {t: [0, 0.4]}
ball:
  radius: 2
  degree: {t: 10, r: 12, l: 1}
  windows: [0, 0.001, 0.01, 0.1, 0.4]
  fields: {B: {kind: magnetic}}
initial: {B: {poloidal: {"1,0": "r*(5/3 - r^2/4)"}}}
output: {grid: {t: 3, r: [0.5, 1, 2], theta: 4, phi: 5}}
"""

    def test_a_study_over_the_radial_degree_converges(self):
        (self.folder / "study.yaml").write_text(self.STUDY, encoding="utf-8")
        study = json.loads(self.checked("converge", "study.yaml", "-q", "--overwrite", "--json", "--vary", "r=3,5,7,14"))
        errors = [level["error"] for level in study["levels"][:3]]
        self.assertTrue(1e-2 > errors[0] > 50 * errors[1] > 1000 * errors[2] > 1e-8, errors)
        # Fields at the points of the file, all components.
        table = (self.folder / "study_convergence.csv").read_text(encoding="utf-8")
        for component in ("B_r", "B_theta", "B_phi"):
            self.assertIn(component, table)

    LONG = """
problem: ball
domain: {t: [0, 0.2]}
ball:
  degree: {t: 8, r: 20, l: 4, m: 2}
  windows: 1500
  fields: {u: {kind: scalar, source: "z*cos(30*t)"}}
initial: {u: "(1 - r^2)*(1 + x)"}
verification: {estimate: off, tolerance: 1, tail: 1, residual: 1}
output: {grid: {t: 3, r: 3, theta: 3, phi: 3}}
"""

    @unittest.skipIf(h5py is None, "needs h5py")
    def test_a_killed_run_goes_on(self):
        (self.folder / "long.yaml").write_text(self.LONG, encoding="utf-8")
        self.checked("run", "long.yaml", "-q", "-o", "whole.h5")
        for sent, left in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            run = subprocess.Popen([self.program, "run", "long.yaml", "-q", "-o", "parts.h5", "--overwrite"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
            journal, until = self.folder / "parts.journal", time.time() + 120
            while time.time() < until and run.poll() is None and not (journal.exists() and journal.stat().st_size > 200000):
                time.sleep(0.01)
            run.send_signal(sent)
            said = run.communicate(timeout=60)[1]
            if run.returncode == 0:
                self.skipTest("the run was over before the signal")
            self.assertEqual(run.returncode, left, said)
            if sent == signal.SIGINT:
                self.assertIn("gwrm run --restart", said)
                with h5py.File(self.folder / "parts.partial.h5") as partial, h5py.File(self.folder / "whole.h5") as whole:
                    n = len(partial["ball/window_end"])
                    self.assertTrue(0 < n < 1500)
                    np.testing.assert_allclose(partial["ball/u"][...], whole["ball/u"][:n], rtol=0, atol=1e-14)
            self.checked("run", "--restart", "parts.journal", "-q")
            with h5py.File(self.folder / "parts.h5") as parts, h5py.File(self.folder / "whole.h5") as whole:
                np.testing.assert_array_equal(parts["ball/window_end"][...], whole["ball/window_end"][...])
                np.testing.assert_allclose(parts["ball/u"][...], whole["ball/u"][...], rtol=0, atol=1e-14)
            self.assertFalse(journal.exists())
            (self.folder / "parts.h5").unlink()


if __name__ == "__main__":
    ProgramTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
