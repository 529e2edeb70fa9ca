"""Opens result files as a user would, with xarray and no further argument, and checks everything in them.

    python xarray_test.py FILE...                   checks result files
    python xarray_test.py --sample WRITER NAME...   checks the samples that tests/output/write_sample.cpp writes
    GWRM_TEST_FILE=FILE pytest xarray_test.py

Every sampled field whose `expression` is the name of an unknown is recomputed from /coefficients by numpy alone; so are
its statistics over the parameters, by Gauss-Legendre quadrature.
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
    "linear_solver n_unknowns n_newton_iterations n_linear_iterations n_factorisations wall_seconds case"
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
    assert int(root.attrs["format_version"]) == 2
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
    assert coefficients.attrs["fields"].split() == list(coefficients.data_vars)
    for axis in coefficients.attrs["axes"].split():
        info = coefficients[f"{axis}_mode"].attrs
        assert info["basis"] == "chebyshev"
        assert info["normalisation"] == "u = sum a_k T_k, no halved first term"
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
    columns = "window parameter_point iteration_in_window residual correction damping linear_iterations"
    assert list(newton.data_vars) == columns.split()
    assert list(verification.data_vars) == "kind subject value tolerance passed judged margin".split()
    checks = {name: verification[name].values for name in verification.data_vars}
    passed = ~checks["judged"].astype(bool) | (checks["value"] * checks["margin"] <= checks["tolerance"])
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


class Parameter:
    """A parameter with 32 Gauss points: `weights` are those of its distribution and add up to 1."""

    def __init__(self, info):
        self.lower, self.upper, self.is_log = info["lower"], info["upper"], info["map"] == "log"
        xi, weights = np.polynomial.legendre.leggauss(32)
        self.weights = weights / 2
        a, b = (np.log([self.lower, self.upper]) if self.is_log else (self.lower, self.upper))
        self.points = (a + b) / 2 + (b - a) / 2 * xi
        self.std = (b - a) / np.sqrt(12)
        if self.is_log:
            self.points = np.exp(self.points)
            mean = self.weights @ self.points
            self.std = np.sqrt(self.weights @ (self.points - mean) ** 2)

    def nodes(self):
        """The points and behind them the two ends."""
        return np.concatenate([self.points, [self.lower, self.upper]])

    def mean_derivative(self, values):
        """E[du/dp] from the values at nodes() along the last axis alone: by parts where p is log-uniform."""
        inside, ends = values[..., :-2], values[..., -2:]
        if not self.is_log:
            return (ends[..., 1] - ends[..., 0]) / (self.upper - self.lower)
        length = np.log(self.upper / self.lower)
        boundary = (ends[..., 1] / self.upper - ends[..., 0] / self.lower) / length
        return boundary + (inside / self.points) @ self.weights


def statistics_of(coefficients, windows, name, parameters, grid):
    """The statistics of an unknown on a grid of its other axes, as sums over all pairs of quadrature points."""
    own = [dim for dim in coefficients[name].dims if dim.endswith("_mode")]
    axes = [coefficients[mode].attrs["dimension"] for mode in own]
    if time_axis(coefficients) in grid and "window" not in coefficients[name].dims:
        grid = {axis: points for axis, points in grid.items() if axis in axes}
    points = {axis: parameters[axis].nodes() if axis in parameters else grid[axis] for axis in axes}
    values = evaluate(coefficients, windows, name, points)
    mine = [axis for axis in axes if axis in parameters]
    values = np.moveaxis(values, [axes.index(axis) for axis in mine], range(-len(mine), 0))

    def mean(array, over):
        """Over some of `mine`, which are the last axes of the array, each with its ends still there."""
        for axis in reversed(over):
            place = mine.index(axis) - len(mine)
            inside = np.take(array, range(len(parameters[axis].points)), axis=place)
            array = np.expand_dims(np.tensordot(inside, parameters[axis].weights, (place, 0)), place)
        return array

    others = {axis: [other for other in mine if other != axis] for axis in mine}
    flat = tuple(range(-len(mine), 0))
    expectation = mean(values, mine)
    centred = values - expectation
    variance = mean(centred**2, mine)
    result = {"mean": expectation.squeeze(flat), "variance": variance.squeeze(flat)}
    result["std"] = np.sqrt(result["variance"])
    for key in ("sensitivity", "sensitivity_normalised", "sobol_first", "sobol_total"):
        result[key] = np.zeros((len(parameters),) + result["mean"].shape)
    for i, (axis, parameter) in enumerate(parameters.items()):
        if axis not in mine:
            continue
        place = mine.index(axis) - len(mine)
        along = np.moveaxis(mean(values, others[axis]), place, -1).reshape(result["mean"].shape + (-1,))
        result["sensitivity"][i] = parameter.mean_derivative(along)
        result["sensitivity_normalised"][i] = result["sensitivity"][i] * parameter.std / result["std"]
        result["sobol_first"][i] = (mean(mean(centred, others[axis]) ** 2, [axis]) / variance).squeeze(flat)
        rest = values - mean(values, [axis])
        result["sobol_total"][i] = (mean(rest**2, mine) / variance).squeeze(flat)
    return result


def check_statistics(statistics, root, coefficients, windows):
    kinds = {axis: coefficients[f"{axis}_mode"].attrs for axis in coefficients.attrs["axes"].split()}
    parameters = {axis: Parameter(info) for axis, info in kinds.items() if info["kind"] == "parameter"}
    assert list(statistics["parameter"].values) == list(parameters)
    assert list(statistics["lower"].values) == [p.lower for p in parameters.values()]
    assert list(statistics["upper"].values) == [p.upper for p in parameters.values()]
    expected = ["log-uniform" if p.is_log else "uniform" for p in parameters.values()]
    assert list(statistics["distribution"].values) == expected
    fields = statistics.attrs["fields"].split()
    assert fields == [name for name in root.data_vars if any(dim in parameters for dim in root[name].dims)]
    for name, coordinate in statistics.coords.items():
        if name != "parameter":
            assert np.array_equal(coordinate.values, root[name].values)
    n_checked = 0
    for field in fields:
        dims = [dim for dim in root[field].dims if dim not in parameters]
        stored = {}
        for key in "mean variance std sensitivity sensitivity_normalised sobol_first sobol_total".split():
            array = stored[key] = statistics[f"{field}_{key}"]
            per_parameter = key.startswith("s") and key != "std"
            assert list(array.dims) == (["parameter"] if per_parameter else []) + dims, f"{array.name}: {array.dims}"
            assert array.attrs["field"] == field and array.attrs["units"] == "1" and field in array.attrs["long_name"]
            assert array.attrs["expression"] == root[field].attrs["expression"]
        assert np.allclose(stored["std"].values ** 2, stored["variance"].values, rtol=1e-14, atol=0)
        unknown = root[field].attrs["expression"]
        if unknown not in coefficients:
            continue
        wanted = statistics_of(coefficients, windows, unknown, parameters, {dim: root[dim].values for dim in dims})
        varies = ~np.isnan(stored["sobol_first"].values[0])  # elsewhere the quotients are undefined
        for key, array in stored.items():
            values = wanted[key]
            assert array.shape == values.shape, f"{array.name}: shape {array.shape}, expected {values.shape}"
            quotient = key in ("sensitivity_normalised", "sobol_first", "sobol_total")
            # Round-off of the values relative to their largest; quotients where the spread is 1e-4 of it and more.
            mask = varies & (wanted["std"] > 1e-4 * np.max(wanted["std"])) if quotient else np.ones_like(varies)
            error = np.abs(array.values - values)[..., mask]
            size = 1.0 if quotient else np.max(np.abs(values))
            assert np.all(error <= (1e-7 if quotient else 1e-11) * size), f"{array.name}: off by {error.max():.1e}"
        n_checked += 1
    return n_checked


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
        n_statistics = 0
        if any(coefficients[f"{a}_mode"].attrs["kind"] == "parameter" for a in coefficients.attrs["axes"].split()):
            statistics = open_group(path, engine, "statistics")
            n_statistics = check_statistics(statistics, root, coefficients, windows)
    print(f"{path}: {len(root.data_vars)} fields, {n_checked} recomputed from their coefficients, {n_statistics} with "
          "statistics, no difference")


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
