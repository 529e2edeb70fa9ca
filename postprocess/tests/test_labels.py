"""`units` and `labels` of a case, which a file has as attributes, on axes and in headings."""
import numpy as np
import pytest
import xarray as xr
from conftest import NU, T, X, decay, write

from gwrm_post import make_figure, open_run, plot_field
from gwrm_post.heading import above
from gwrm_post.runs import parameter_dimensions
from gwrm_post.statistics import _Field
from gwrm_post.style import axis_label, field_label


@pytest.fixture
def labelled_file(viscosity_file):
    """u(t, nu, x) in m/s; slope has neither unit nor label, as of a case with units that does not name it."""
    with xr.open_dataset(viscosity_file) as opened:
        run = opened.load()
    run.t.attrs.update(units="s", kind="time")
    run.x.attrs.update(units="m", long_name="distance", kind="space")
    run.nu.attrs.update(units="m^2/s", long_name="viscosity", kind="parameter")
    run.u.attrs.update(units="m/s", long_name="velocity")
    run.energy.attrs.update(units="J", long_name="energy")
    del run.slope.attrs["units"]
    run.to_netcdf(viscosity_file, engine="h5netcdf", mode="a")
    return viscosity_file


def test_axes_have_label_symbol_and_unit(labelled_file):
    run = open_run(labelled_file)
    assert [axis_label(run[dim]) for dim in ("t", "nu", "x")] == ["$t$ [s]", r"viscosity $\nu$ [m^2/s]", "distance $x$ [m]"]
    assert field_label(run.u) == "velocity $u$ [m/s]"
    assert field_label(run.slope) == "slope = dx(u)"
    assert field_label(run.energy) == "energy [J]"  # a word needs no symbol beside its label
    assert parameter_dimensions(run.u) == ["nu"]  # by its kind, whatever it is called


def test_figures_use_them(labelled_file):
    figure = make_figure(labelled_file, "profiles", ["u"], select={"nu": 0.2}, times=[0, 0.5])
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("distance $x$ [m]", "velocity $u$ [m/s]")
    assert [line.get_label() for line in axes.get_lines()] == ["$t$ = 0 s", "$t$ = 0.5 s"]
    assert above(figure) == "A sample\n" + r"$\nu$ = 0.2 m^2/s"
    image = make_figure(labelled_file, "map", ["u"])
    assert [axes.get_ylabel() for axes in image.axes] == ["$t$ [s]", "velocity $u$ [m/s]"]
    parameter = make_figure(labelled_file, "parameter", ["u"]).axes[0]
    assert parameter.get_xlabel() == r"viscosity $\nu$ [m^2/s]"


def test_without_them_nothing_is_added(viscosity_file):
    run = open_run(viscosity_file)
    assert [axis_label(run[dim]) for dim in ("t", "nu", "x")] == ["$t$", r"$\nu$", "$x$"]
    assert field_label(run.u) == "$u$"


def test_other_units_have_another_panel(labelled_file):
    figure = plot_field(open_run(labelled_file), ["energy", "u"], kind="trajectories", select={"nu": 0.2, "x": 0.5})
    assert [axes.get_ylabel() for axes in figure.axes] == ["energy [J]", "velocity $u$ [m/s]"]


def test_statistics_name_the_field():
    mean = xr.DataArray(np.zeros(3), dims="x", attrs={"long_name": "mean of velocity", "units": "m/s", "expression": "u"})
    statistics = xr.Dataset({"u_mean": mean, "parameter": ("parameter", np.array(["nu"], dtype=object))})
    assert _Field(statistics, "u").label == "velocity $u$ [m/s]"
    statistics["u_mean"].attrs.update(long_name="mean of u", units="1")
    assert _Field(statistics, "u").label == "$u$"


def test_units_that_xarray_takes_for_durations(tmp_path):
    file = write(tmp_path / "days.h5", {"t": T, "x": X}, {"u": (("t", "x"), decay(NU[0], T[:, None], X))})
    with xr.open_dataset(file) as opened:
        run = opened.load()
    run.t.attrs["units"] = "days"
    run.to_netcdf(file, engine="h5netcdf", mode="a")
    assert open_run(file).t.dtype == float
    assert make_figure(file, "map").axes[0].get_ylabel() == "$t$ [days]"
