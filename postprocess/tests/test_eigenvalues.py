"""Figures of eigenvalue problems: modes, the complex plane, curves over a parameter."""

import numpy as np
import pytest
import xarray as xr

from gwrm_post import make_figure
from gwrm_post.modes import eigenvalues, parameter

Q = np.linspace(0.0, 1.0, 5)
X = np.linspace(0.0, np.pi, 9)


@pytest.fixture
def curves_file(tmp_path):
    """lam = 1 + 4 q and 4 + q, which cross, with the modes sin(x) and sin(2 x)."""
    lam = xr.DataArray([1 + 4 * Q, 4 + Q], dims=("mode", "q"), attrs={"units": "1"})
    error = xr.DataArray(np.full((2, 5), 1e-9), dims=("mode", "q"), attrs={"error_of": "lam", "units": "1"})
    u = xr.DataArray([[np.sin(k * X)] * 5 for k in (1, 2)], dims=("mode", "q", "x"), attrs={"units": "1"})
    run = xr.Dataset({"u": u, "lam": lam, "lam_error": error, "condition": xr.ones_like(lam)},
                     {"mode": [0, 1], "q": ("q", Q, {"kind": "parameter", "long_name": "parameter q"}),
                      "x": ("x", X, {"kind": "space"})}, {"source": "gwrm 0.12.0", "title": "Crossing"})
    path = tmp_path / "curves.h5"
    run.to_netcdf(path, engine="h5netcdf")
    return str(path)


def test_curves_of_eigenvalues_are_what_is_drawn(curves_file):
    (axes,) = make_figure(curves_file).axes
    first, second = axes.get_lines()
    np.testing.assert_array_equal(first.get_ydata(), 1 + 4 * Q)
    np.testing.assert_array_equal(second.get_ydata(), 4 + Q)
    assert axes.get_xlabel() == "$q$" and axes.get_ylabel() == "lam"


def test_modes_over_a_parameter_are_those_of_its_middle(curves_file):
    (axes,) = make_figure(curves_file, "modes").axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["lam = 3", "lam = 4.5"]


def test_the_parameter_is_found(curves_file):
    run = xr.open_dataset(curves_file)
    assert parameter(run) == "q" and parameter(run.isel(q=0)) is None
    name, values = eigenvalues(run.isel(q=0))
    assert name == "lam" and list(values) == [1, 4]
