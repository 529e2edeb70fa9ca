"""ParaView opens a result file, its XDMF and its VTK export: times, axes and values against the CSV export.

    pvpython tests/cases/pvpython_readers.py GWRM INPUTS

Not part of the test suite: ParaView is large (Debian: paraview, python3-paraview). Its findings are in docs/export.md.
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

from paraview import simple
from vtk.util.numpy_support import vtk_to_numpy

# case: its fields over all of space, the dimensions of space in the file's order, what else its run needs
CASES = {
    "burgers": (["u", "slope"], ["x"], ["--set", "output.grid={t: 5, x: [0, 0.1, 0.25, 1]}"]),
    "burgers_2d": (["u", "v", "vorticity"], ["y", "x"], ["--set", "output.grid={t: 3, x: 5, y: 4}"]),
    "poisson_2d": (["u"], ["y", "x"], ["--set", "output.grid={x: 6, y: 4}"]),
    "sbp_annulus": (["u"], None, ["--set", "sbp_sat.intervals=12", "--set", "verification.tolerance=1"]),
}


def run(gwrm, folder, *arguments):
    done = subprocess.run([gwrm, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 6):  # 6: these coarse grids are not judged
        sys.exit(f"{arguments}: exit status {done.returncode}\n{done.stderr}")


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def points_of(data):
    """All points as (x, y, z), in VTK's order."""
    return [tuple(data.GetPoint(i)) for i in range(data.GetNumberOfPoints())]


def same_places(found, expected):
    """Equidistant coordinates become origin and spacing, which costs a rounding."""
    return len(found) == len(expected) and all(
        abs(x - y) <= 4e-16 * (1.0 + abs(y)) for a, b in zip(found, expected) for x, y in zip(a, b))


def first_block(data):
    while data.IsA("vtkCompositeDataSet"):
        iterator = data.NewIterator()
        data = iterator.GetCurrentDataObject()
    return data


def compare(label, reader, fields, columns):
    """Times, places and values of a reader; prints what was compared, returns the number of differences."""
    reader.UpdatePipelineInformation()
    times = sorted(set(columns["t"])) if "t" in columns else [0.0]
    found = list(reader.TimestepValues) if hasattr(reader, "TimestepValues") and reader.TimestepValues else [0.0]
    wrong = 0 if found == times or "t" not in columns else 1
    if wrong:
        print(f"{label}: times {found} instead of {times}")
    n_values = 0
    for time in times:
        simple.UpdatePipeline(time, reader)
        data = first_block(reader.GetClientSideObject().GetOutputDataObject(0))
        chosen = [i for i in range(len(columns[fields[0]])) if "t" not in columns or columns["t"][i] == time]
        names = [name if name in columns else None for name in "xyz"]
        places = [tuple(columns[name][i] if name else 0.0 for name in names) for i in chosen]
        if not same_places(points_of(data), places):
            wrong += 1
            print(f"{label}: at t = {time} other points, {points_of(data)[:4]}... instead of {places[:4]}...")
        for field in fields:
            array = data.GetPointData().GetArray(field)
            values = None if array is None else vtk_to_numpy(array).tolist()
            if values != [columns[field][i] for i in chosen]:
                wrong += 1
                print(f"{label}: at t = {time} {field} has other values: {values and values[:4]}")
            n_values += len(chosen)
    print(f"{label}: {len(times)} times, {len(places)} points, {n_values} values: "
          f"{'times and values equal to the bit' if wrong == 0 else f'{wrong} differences'}")
    return wrong


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    gwrm, inputs = map(os.path.abspath, sys.argv[1:])
    print("ParaView", simple.GetParaViewVersion())
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for case, (fields, space, more) in CASES.items():
            run(gwrm, folder, "run", os.path.join(inputs, case + ".yaml"), "-q", "-o", case + ".h5", *more)
            for form in ("csv", "vtk", "xdmf"):
                run(gwrm, folder, "export", case + ".h5", "--format", form, "-q")
            stem = pathlib.Path(folder, case)
            columns = table(stem.with_suffix(".csv"))
            if space is not None:  # a mapped grid has no axes x and y in netCDF
                netcdf = simple.NetCDFReader(FileName=[str(stem.with_suffix(".h5"))])
                netcdf.Dimensions = "(" + ", ".join(space) + ")"
                netcdf.SphericalCoordinates = 0
                wrong += compare(case + ".h5 (netCDF)", netcdf, fields, columns)
            wrong += compare(case + ".pvd", simple.PVDReader(FileName=str(stem.with_suffix(".pvd"))), fields, columns)
            # Not Xdmf3ReaderS: it does not know the HyperSlabs of XDMF 2.
            wrong += compare(case + ".xdmf", simple.XDMFReader(FileNames=[str(stem.with_suffix(".xdmf"))]), fields, columns)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
