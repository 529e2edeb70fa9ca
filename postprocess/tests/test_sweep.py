"""Figures of sweeps, from datasets in closed form."""

import h5py
import numpy as np
import pytest
import xarray as xr

from gwrm_post import plot_sweep
from gwrm_post.figures import make_figure


def sweep(swept, own):
    """u = (1 + the sum of the swept values) (1 + the sum of the own coordinates)."""
    coordinates = {**swept, **own}
    grids = np.meshgrid(*coordinates.values(), indexing="ij", sparse=True)
    values = (1 + sum(grids[:len(swept)])) * (1 + sum(grids[len(swept):]))
    extents = [len(one) for one in coordinates.values()]
    runs = extents[:len(swept)]
    data = xr.Dataset({"exit_status": (list(swept), np.zeros(runs, int)),
                       "u": (list(coordinates), np.broadcast_to(values, extents).copy(), {"expression": "u"}),
                       "wall_seconds": (list(swept), np.broadcast_to(1.0 + sum(grids[:len(swept)]), extents)[
                           tuple([slice(None)] * len(swept) + [0] * len(own))].copy())},
                      coords=coordinates, attrs={"source": "gwrm", "study": "sweep"})
    if "t" in data.coords:
        data.t.attrs["axis"] = "T"
    return data


NU, A = np.array([0.01, 0.1, 1.0]), np.array([1.0, 2.0])
T, X = np.linspace(0, 1, 4), np.linspace(0, 2, 5)


def test_small_multiples_have_a_panel_for_each_pair_of_values():
    figure = plot_sweep(sweep({"a": A, "nu": NU}, {"t": T, "x": X}), "u")
    assert len(figure.axes) == 2 * 3 + 1  # and the colours


def test_runs_without_an_estimate_are_not_called_failed():
    data = sweep({"nu": NU}, {"t": T})
    data["exit_status"].values[:] = [0, 9, 6]
    assert plot_sweep(data).get_suptitle() == "1 of 3 runs FAILED, 1 of 3 runs NOT ESTIMATED"


def test_curves_of_one_own_dimension():
    data = sweep({"nu": NU}, {"t": T})
    (axes,) = plot_sweep(data).axes
    assert len(axes.lines) == 3
    np.testing.assert_allclose(axes.lines[1].get_ydata(), data.u.isel(nu=1))


def test_a_number_of_each_run_is_a_line():
    (axes,) = plot_sweep(sweep({"nu": NU}, {"t": T}), "wall_seconds").axes
    np.testing.assert_allclose(axes.lines[0].get_ydata(), 1.0 + NU)
    assert axes.get_xscale() == "log"


def test_a_coordinate_that_is_chosen():
    (axes,) = plot_sweep(sweep({"nu": NU}, {"t": T}), "u", select={"t": 1.0}).axes
    np.testing.assert_allclose(axes.lines[0].get_ydata(), 2.0 * (1.0 + NU))


def test_samples_have_a_mean_and_a_band():
    data = sweep({"sample": np.arange(4)}, {"t": T})
    (axes,) = plot_sweep(data).axes
    np.testing.assert_allclose(axes.lines[0].get_ydata(), data.u.mean("sample"))
    assert len(axes.collections) == 1
    assert len(plot_sweep(sweep({"sample": np.arange(4)}, {"t": T, "x": X})).axes) == 4


def test_words_stand_in_their_order():
    data = sweep({"nu": NU}, {"t": T}).assign_coords(nu=["dense", "banded", "tensor"])
    (axes,) = plot_sweep(data, "wall_seconds").axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["dense", "banded", "tensor"]


def test_failed_runs_are_missing():
    data = sweep({"nu": NU}, {"t": T})
    data.u[1] = np.nan
    plot_sweep(data)


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(ValueError, match="no dimension z"):
        plot_sweep(sweep({"nu": NU}, {"t": T}), select={"z": 1})
    path = tmp_path / "sweep.h5"
    with h5py.File(path, "w") as file:
        file.attrs["study"] = "sweep"
        file.attrs["source"] = "gwrm"
    with pytest.raises(ValueError, match="gwrm sweep"):
        make_figure(str(path), "newton")
