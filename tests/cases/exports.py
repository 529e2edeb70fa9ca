#!/usr/bin/env python3
"""gwrm export: every file is read back and its times, axes and values are compared.

    exports.py GWRM INPUTS

The readers are our own, from the formats' definitions: VTK XML with inline binary data, XDMF 2 with HyperSlabs (with h5py),
CSV. Where the Python has the module vtk, VTK's own readers - those of ParaView - open the files as well.
"""
import base64
import csv
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

try:
    import h5py
except ImportError:
    h5py = None
try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

GWRM = INPUTS = None
FOLDER = None

# case: its fields over all of space, what else its run needs
CASES = {
    "burgers": (["u", "slope"], ["--set", "output.grid={t: 5, x: [0, 0.1, 0.25, 1]}"]),
    "burgers_2d": (["u", "v", "vorticity"], ["--set", "output.grid={t: 3, x: 5, y: 4}"]),
    "poisson_2d": (["u"], ["--set", "output.grid={x: 6, y: 4}"]),
    "sbp_annulus": (["u", "u_r", "x", "y"], ["--set", "sbp_sat.intervals=12", "--set", "verification.tolerance=1"]),
    "burgers_viscosity": (["u"], ["--set", "output.grid={t: 3, x: 6, nu: 4}"]),
}


def run(*arguments, folder=None):
    return subprocess.run([GWRM, *map(str, arguments)], cwd=folder or FOLDER, capture_output=True, text=True, timeout=240)


def checked(*arguments):
    done = run(*arguments)
    if done.returncode not in (0, 6):  # 6: these coarse grids are not judged
        raise SystemExit(f"{arguments}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def numbers(array):
    """The numbers of a DataArray of VTK: a length in bytes, then the values."""
    raw = base64.b64decode(array.text)
    (length,) = struct.unpack_from("<Q", raw)
    assert length == len(raw) - 8, "the length says otherwise"
    return list(struct.unpack_from(f"<{length // 8}d", raw, 8))


def read_vtk(path):
    """(extents, coordinates or points, {field: values}) of a .vtr or .vts file."""
    root = ET.parse(path).getroot()
    assert root.get("byte_order") == "LittleEndian" and root.get("header_type") == "UInt64"
    piece = root.find(".//Piece")
    extent = [int(n) for n in piece.get("Extent").split()]
    assert root[0].get("WholeExtent") == piece.get("Extent")
    counts = [extent[2 * d + 1] - extent[2 * d] + 1 for d in range(3)]
    places = [numbers(a) for a in (piece.find("Coordinates") or piece.find("Points"))]
    fields = {a.get("Name"): numbers(a) for a in piece.find("PointData")}
    time = float(root.find(".//FieldData/DataArray").text)
    return counts, places, fields, time


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(text) for text in row] for row in rows[1:]]


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for case, (_, more) in CASES.items():
            checked("run", os.path.join(INPUTS, case + ".yaml"), "-q", "-o", case + ".h5", "--overwrite", *more)
            for form in ("csv", "vtk", "xdmf"):
                checked("export", case + ".h5", "--format", form, "-q", "--overwrite")

    def rows(self, case):
        """The CSV table of the fields over all axes as {name: column}, and what the axes are."""
        names, values = table(FOLDER / (case + ".csv"))
        return names, {name: [row[i] for row in values] for i, name in enumerate(names)}

    def test_csv_holds_what_eval_says(self):
        names, columns = self.rows("burgers")
        self.assertEqual(names, ["t", "x", "u", "slope"])
        self.assertEqual(len(columns["u"]), 5 * 4)
        self.assertEqual(columns["x"][:4], [0.0, 0.1, 0.25, 1.0])
        for i in (0, 6, 19):
            at = f"t={columns['t'][i]!r},x={columns['x'][i]!r}"
            value = float(checked("eval", "burgers.h5", "--at", at, "--expr", "u").split()[-1])
            self.assertAlmostEqual(columns["u"][i], value, delta=1e-15)
        self.assertEqual(table(FOLDER / "burgers_t.csv")[0], ["t", "mass"])

    def vtk_files(self, case):
        root = ET.parse(FOLDER / (case + ".pvd")).getroot()
        return [(float(entry.get("timestep")), FOLDER / entry.get("file")) for entry in root.iter("DataSet")]

    def test_vtk_holds_what_csv_says(self):
        for case, (fields, _) in CASES.items():
            with self.subTest(case=case):
                names, columns = self.rows(case)
                files = self.vtk_files(case)
                times = sorted(set(columns["t"])) if "t" in columns else [0.0]
                self.assertEqual([time for time, _ in files], times)
                for time, path in files:
                    counts, places, values, own_time = read_vtk(path)
                    self.assertEqual(own_time, time)
                    chosen = self.chosen(case, columns, time)
                    self.assertEqual(counts[0] * counts[1] * counts[2], len(chosen))
                    for field in fields:
                        self.assertEqual(values[field], [columns[field][i] for i in chosen], (field, time))
                    self.check_places(path, columns, chosen, places)

    def chosen(self, case, columns, time):
        """Numbers of the CSV's lines that make a picture: its time, and the middle parameter."""
        nu = sorted(set(columns["nu"]))[len(set(columns["nu"])) // 2] if "nu" in columns else None
        return [i for i in range(len(columns[next(iter(columns))]))
                if ("t" not in columns or columns["t"][i] == time) and (nu is None or columns["nu"][i] == nu)]

    def check_places(self, path, columns, chosen, places):
        if path.suffix == ".vts":  # points of the map
            expected = [z for i in chosen for z in (columns["x"][i], columns["y"][i], 0.0)]
            self.assertEqual(places[0], expected)
            return
        for axis, place in zip("xyz", places):
            expected = sorted({columns[axis][i] for i in chosen}) if axis in columns else [0.0]
            self.assertEqual(place, expected)

    @unittest.skipIf(h5py is None, "needs h5py to follow XDMF into the HDF5 file")
    def test_xdmf_selects_what_csv_says(self):
        for case, (fields, _) in CASES.items():
            with self.subTest(case=case):
                _, columns = self.rows(case)
                grids = ET.parse(FOLDER / (case + ".xdmf")).getroot().findall(".//Grid/Grid")
                times = sorted(set(columns["t"])) if "t" in columns else [0.0]
                self.assertEqual([float(grid.find("Time").get("Value")) for grid in grids], times)
                for grid, time in zip(grids, times):
                    chosen = self.chosen(case, columns, time)
                    values = {a.get("Name"): self.item(a[0]) for a in grid.findall("Attribute")}
                    for field in fields:
                        self.assertEqual(values[field], [columns[field][i] for i in chosen])
                    mesh = [int(n) for n in grid.find("Topology").get("Dimensions").split()]
                    places = [self.item(place) for place in grid.find("Geometry")]
                    if grid.find("Geometry").get("GeometryType") == "X_Y":
                        self.assertEqual(places, [[columns[axis][i] for i in chosen] for axis in "xy"])
                    else:
                        self.assertEqual([len(place) for place in places], mesh[::-1])
                        self.check_places(pathlib.Path("x.vtr"), columns, chosen, places)

    def item(self, node):
        """The numbers of a DataItem: in the XML, a dataset, or a HyperSlab of one."""
        size = 1
        for extent in node.get("Dimensions").split():
            size *= int(extent)
        if node.get("ItemType") == "HyperSlab":
            rank = int(node[0].get("Dimensions").split()[1])
            selection = [int(n) for n in node[0].text.split()]
            start, stride, count = (selection[k * rank:(k + 1) * rank] for k in range(3))
            data = self.dataset(node[1])
            slices = tuple(slice(s, s + d * c, d) for s, d, c in zip(start, stride, count))
            values = data[slices].ravel().tolist()
        else:
            values = (self.dataset(node).ravel().tolist() if node.get("Format") == "HDF"
                      else [float(text) for text in node.text.split()])
        self.assertEqual(len(values), size)
        return values

    def dataset(self, node):
        file, name = node.text.strip().split(":")
        with h5py.File(FOLDER / file) as h5:
            data = h5[name][...]
        self.assertEqual(list(data.shape), [int(n) for n in node.get("Dimensions").split()])
        return data

    @unittest.skipIf(vtk is None, "needs the module vtk")
    def test_the_readers_of_paraview(self):
        for case, (fields, _) in CASES.items():
            with self.subTest(case=case):
                _, columns = self.rows(case)
                times = sorted(set(columns["t"])) if "t" in columns else [0.0]
                reader = vtk.vtkXdmfReader()
                reader.SetFileName(str(FOLDER / (case + ".xdmf")))
                reader.UpdateInformation()
                information, key = reader.GetOutputInformation(0), vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
                self.assertEqual([information.Get(key, i) for i in range(information.Length(key))], times)
                for time, path in self.vtk_files(case):
                    reader.UpdateTimeStep(time)
                    reader.Update()
                    own = vtk.vtkXMLRectilinearGridReader() if path.suffix == ".vtr" else vtk.vtkXMLStructuredGridReader()
                    own.SetFileName(str(path))
                    own.Update()
                    chosen = self.chosen(case, columns, time)
                    for output in (reader.GetOutputDataObject(0), own.GetOutput()):
                        while output.IsA("vtkMultiBlockDataSet"):
                            output = output.GetBlock(0)
                        for field in fields:
                            values = vtk_to_numpy(output.GetPointData().GetArray(field)).tolist()
                            self.assertEqual(values, [columns[field][i] for i in chosen])

    def test_a_parameter_is_taken_at_its_nearest_sample(self):
        done = run("export", "burgers_viscosity.h5", "--format", "vtk", "--at", "nu=0.1", "-o", "chosen", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        _, columns = self.rows("burgers_viscosity")
        nearest = min(set(columns["nu"]), key=lambda nu: abs(nu - 0.1))
        self.assertIn(f"nu = {nearest:.10g}", result["notes"])
        _, _, values, _ = read_vtk(FOLDER / result["files"][-1])
        last = [i for i, nu in enumerate(columns["nu"]) if nu == nearest and columns["t"][i] == max(columns["t"])]
        self.assertEqual(values["u"], [columns["u"][i] for i in last])

    def test_refusals(self):
        self.assertEqual(run("export", "burgers.h5", "--format", "csv").returncode, 8, "the file is there")
        self.assertEqual(run("export", "nothing.h5").returncode, 8)
        self.assertEqual(run("export", "burgers.h5", "--format", "stl").returncode, 2)
        done = run("export", "burgers_viscosity.h5", "--at", "mu=1", "--overwrite")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mu", done.stderr)
        checked("run", os.path.join(INPUTS, "lorenz84.yaml"), "-q", "-o", "ode.h5")
        done = run("export", "ode.h5", "--format", "vtk")
        self.assertEqual(done.returncode, 2)
        self.assertIn("csv", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    GWRM, INPUTS = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = pathlib.Path(folder)
        unittest.main(argv=sys.argv[:1])
