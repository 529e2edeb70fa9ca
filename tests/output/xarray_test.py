"""Opens result files as a user would, with xarray and no further argument, and checks everything in them.

    python xarray_test.py FILE...                   checks result files
    python xarray_test.py --sample WRITER NAME...   checks the samples that tests/output/write_sample.cpp writes
    GWRM_TEST_FILE=FILE pytest xarray_test.py

Every sampled field whose `expression` is the name of an unknown is recomputed from /coefficients by numpy alone.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
import xarray as xr
from numpy.polynomial import chebyshev

ENGINES = (None, "h5netcdf", "netcdf4")  # None: what a plain open_dataset chooses
ROOT_ATTRIBUTES = (
    "Conventions title source history format_version version git_revision build device status reason warnings "
    "linear_solver n_unknowns n_newton_iterations n_factorisations wall_seconds case"
).split()


def open_group(path, engine, group=None):
    with xr.open_dataset(path, engine=engine, group=group) as dataset:
        return dataset.load()


def reference_coordinate(z, lower, upper, kind):
    """The Chebyshev variable of the physical coordinate z."""
    z, lower, upper = np.asarray(z, np.longdouble), np.longdouble(lower), np.longdouble(upper)
    if kind == "log":
        z, lower, upper = np.log(z), np.log(lower), np.log(upper)
    return ((2 * z - lower - upper) / (upper - lower)).astype(float)


def time_axis(coefficients):
    names = coefficients.attrs["axes"].split()
    return next((name for name in names if coefficients[f"{name}_mode"].attrs["kind"] == "time"), None)


def pieces_of(axis, info, windows, index, time):
    """Degree and edges of an axis in a window, as /windows lists them or else as the whole file has them."""
    degree, edges = info["degree"], np.array([info["lower"], info["upper"]])
    if axis == time:
        edges = np.array([windows["start"].values[index], windows["end"].values[index]])
    if windows is not None and f"{axis}_degree" in windows:
        degree = int(windows[f"{axis}_degree"].values[index])
    if windows is not None and f"{axis}_edges" in windows:
        edges = windows[f"{axis}_edges"].values[index, : int(windows[f"{axis}_pieces"].values[index]) + 1]
    return degree, edges


def evaluate(coefficients, windows, name, points):
    """The unknown `name` on the grid `points` (a dict axis -> coordinates), in the order of the dict."""
    series = coefficients[name]
    modes = [dim for dim in series.dims if dim.endswith("_mode")]
    has_window = "window" in series.dims
    time = time_axis(coefficients)

    def in_window(index, grid):
        values = series.isel(window=index).values if has_window else series.values
        for mode in modes:  # contracts the first remaining axis and puts the points last
            info = coefficients[mode].attrs
            axis = info["dimension"]
            degree, edges = pieces_of(axis, info, windows, index, time)
            if f"{axis}_piece" not in series.dims:
                values = values[np.newaxis]
            piece = np.searchsorted(edges[1:-1], grid[axis], side="left")
            columns = []
            for p, z in zip(piece, grid[axis]):
                xi = reference_coordinate(z, edges[p], edges[p + 1], info["map"])
                columns.append(np.tensordot(chebyshev.chebvander(xi, degree).ravel(), values[p, : degree + 1], 1))
            values = np.moveaxis(np.array(columns), 0, -1)
        if has_window and f"{time}_mode" not in modes:  # an unknown without t: a constant per window
            values = np.broadcast_to(values, (len(grid[time]),) + values.shape)
        return values

    if not has_window or time not in points:
        return in_window(0, points)
    window_of = np.searchsorted(windows["end"].values[:-1], points[time], side="left")
    parts = [in_window(w, {**points, time: points[time][i : i + 1]}) for i, w in enumerate(window_of)]
    return np.concatenate(parts, axis=0)  # time is always the first axis


def check_root(root, coefficients):
    for name in ROOT_ATTRIBUTES:
        assert name in root.attrs, f"the attribute {name} is missing"
    assert root.attrs["Conventions"] == "CF-1.8"
    assert root.attrs["source"].startswith("gwrm ")
    assert int(root.attrs["format_version"]) == 1
    axes = coefficients.attrs["axes"].split()
    for name, coordinate in root.coords.items():
        assert name in axes and coordinate.dims == (name,)
        assert coordinate.dtype == np.float64, f"{name} was decoded as {coordinate.dtype}"
        assert coordinate.attrs["units"] == "1" and coordinate.attrs["long_name"]
        assert coordinate.attrs.get("axis") == ("T" if name == time_axis(coefficients) else None)
    for name, field in root.data_vars.items():
        assert field.attrs["expression"] and field.attrs["long_name"] and field.attrs["units"] == "1"
        assert all(dim in root.coords for dim in field.dims), f"{name} has a dimension without coordinates"
        assert list(field.dims) == [a for a in axes if a in field.dims], f"{name}: order of dimensions {field.dims}"


def check_coefficients(coefficients):
    assert coefficients.attrs["basis"] == "chebyshev_first_kind"
    assert coefficients.attrs["normalisation"] == "u = sum a_k T_k, no halved first term"
    assert coefficients.attrs["fields"].split() == list(coefficients.data_vars)
    for axis in coefficients.attrs["axes"].split():
        info = coefficients[f"{axis}_mode"].attrs
        assert info["dimension"] == axis and info["kind"] in ("time", "space", "parameter")
        assert info["map"] in ("linear", "log") and info["lower"] < info["upper"]
        assert coefficients.sizes[f"{axis}_mode"] == info["degree"] + 1
    for field in coefficients.data_vars.values():
        assert field.attrs["dimensions"].split() == list(field.dims)


def check_values(root, coefficients, windows):
    n_checked = 0
    for name, field in root.data_vars.items():
        unknown = field.attrs["expression"]
        if unknown not in coefficients:
            continue
        expected = evaluate(coefficients, windows, unknown, {dim: root[dim].values for dim in field.dims})
        assert expected.shape == field.shape, f"{name}: shape {field.shape}, expected {expected.shape}"
        # 1e-12, and what the rounding of the coordinate (eps) makes of a slope of up to K^2.
        modes = [dim for dim in coefficients[unknown].dims if dim.endswith("_mode")]
        degree = max([coefficients[mode].attrs["degree"] for mode in modes], default=0)
        tolerance = (1e-12 + np.finfo(float).eps * degree**2) * np.max(np.abs(expected))
        error = np.max(np.abs(field.values - expected))
        assert error <= tolerance, f"{name}: differs from its coefficients by {error:.2e}, allowed {tolerance:.2e}"
        n_checked += 1
    return n_checked


def check_lists(newton, verification):
    assert list(newton.data_vars) == "window parameter_point iteration_in_window residual correction damping".split()
    assert list(verification.data_vars) == "kind subject value tolerance passed judged".split()
    checks = {name: verification[name].values for name in verification.data_vars}
    passed = ~checks["judged"].astype(bool) | (checks["value"] <= checks["tolerance"])
    assert np.array_equal(passed, checks["passed"].astype(bool))
    assert verification.attrs["result"] == ("PASS" if passed.all() else "FAIL")
    assert all(isinstance(text, str) for name in ("kind", "subject") for text in checks[name])


def check_windows(windows, coefficients):
    time = time_axis(coefficients)
    assert ("start" in windows) == (time is not None)
    if time is not None:
        assert np.all(windows["start"].values < windows["end"].values)
        assert np.array_equal(windows["start"].values[1:], windows["end"].values[:-1])
    for axis in coefficients.attrs["axes"].split():
        info = coefficients[f"{axis}_mode"].attrs
        if f"{axis}_degree" in windows:
            assert windows[f"{axis}_degree"].values.max() == info["degree"]
        assert (f"{axis}_edges" in windows) == (f"{axis}_piece" in coefficients.dims)
        if f"{axis}_edges" not in windows:
            continue
        counts = windows[f"{axis}_pieces"].values
        assert windows[f"{axis}_edges"].dims == ("window", f"{axis}_edge")
        assert counts.max() == coefficients.sizes[f"{axis}_piece"] == windows.sizes[f"{axis}_edge"] - 1
        for count, edges in zip(counts, windows[f"{axis}_edges"].values):
            assert edges[0] == info["lower"] and edges[count] == info["upper"]
            assert np.all(np.diff(edges[: count + 1]) > 0) and np.all(np.isnan(edges[count + 1 :]))


def check_file(path):
    for engine in ENGINES:
        root, coefficients, newton, verification = (
            open_group(path, engine, group) for group in (None, "coefficients", "newton", "verification")
        )
        steady_whole = not time_axis(coefficients) and not any(dim.endswith("_piece") for dim in coefficients.dims)
        windows = None if steady_whole else open_group(path, engine, "windows")
        check_root(root, coefficients)
        check_coefficients(coefficients)
        n_checked = check_values(root, coefficients, windows)
        check_lists(newton, verification)
        if windows is not None:
            check_windows(windows, coefficients)
    print(f"{path}: {len(root.data_vars)} fields, {n_checked} recomputed from their coefficients, no difference")


def test_file():
    import pytest

    path = os.environ.get("GWRM_TEST_FILE")
    if not path:
        pytest.skip("GWRM_TEST_FILE names no result file")
    check_file(path)


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "--sample":
        with tempfile.TemporaryDirectory() as directory:
            for name in arguments[2:]:
                path = os.path.join(directory, f"{name}.h5")
                subprocess.run([arguments[1], name, path], check=True)
                check_file(path)
    elif arguments and not arguments[0].startswith("-"):
        for path in arguments:
            check_file(path)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
