import numpy as np
import pytest

from gwrm_post import open_run, plot_field
from gwrm_post.heading import above


def curves(figure):
    return figure.axes[0].get_lines()


def test_profiles_are_the_samples(viscosity_file):
    run = open_run(viscosity_file)
    figure = plot_field(run, "u", times=[0.0, 0.52, 0.5], select={"nu": 0.19})
    assert [curve.get_label() for curve in curves(figure)] == ["$t$ = 0", "$t$ = 0.5"]  # nearest samples, each once
    for curve, t in zip(curves(figure), (0.0, 0.5)):
        np.testing.assert_array_equal(curve.get_ydata(), run.u.sel(t=t, method="nearest").isel(nu=-1))
        np.testing.assert_array_equal(curve.get_xdata(), run.x)
    assert above(figure) == "A sample\n" + r"$\nu$ = 0.2"
    assert figure.axes[0].get_xlabel() == "$x$"


def test_a_parameter_not_selected_is_taken_in_the_middle(viscosity_file):
    figure = plot_field(open_run(viscosity_file))
    assert len(curves(figure)) == 5
    assert above(figure) == "A sample\n" + r"$\nu$ = 0.06325"


def test_map(viscosity_file):
    run = open_run(viscosity_file)
    figure = plot_field(run, "slope", kind="map", select={"nu": 0.02})
    image = figure.axes[0].collections[0]
    np.testing.assert_array_equal(np.ravel(image.get_array()), run.slope.isel(nu=0).transpose("t", "x").values.ravel())
    low, high = image.get_clim()
    assert -low == high == pytest.approx(np.abs(run.slope.isel(nu=0)).max())  # both signs: zero in the middle
    assert figure.axes[1].get_ylabel() == "slope = dx(u)"


def test_snapshots_share_one_scale(plane_file):
    run = open_run(plane_file)
    figure = plot_field(run, times=[0.0, 1.0])
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [axes.get_title() for axes in panels] == ["$t$ = 0", "$t$ = 1"]
    images = [axes.collections[0] for axes in panels]
    assert images[0].get_clim() == images[1].get_clim()
    np.testing.assert_array_equal(np.ravel(images[1].get_array()), run.psi.isel(t=-1).values.ravel())


def test_trajectories_draw_all_fields_of_time(ode_file):
    figure = plot_field(open_run(ode_file))
    assert [curve.get_label() for curve in curves(figure)] == ["$a$", "$b$"]
    assert len(curves(plot_field(open_run(ode_file), "b"))) == 1


def test_trajectories_of_several_named_fields_at_a_parameter(viscosity_file):
    run = open_run(viscosity_file)
    figure = plot_field(run, ["energy", "u"], kind="trajectories", select={"nu": 0.2, "x": 0.5})
    np.testing.assert_array_equal(curves(figure)[0].get_ydata(), run.energy.isel(nu=-1))
    np.testing.assert_array_equal(curves(figure)[1].get_ydata(), run.u.isel(nu=-1).sel(x=0.5))


def test_steady_parameters_serve_as_curves_or_abscissa(steady_file):
    run = open_run(steady_file)
    figure = plot_field(run, "u")
    assert [curve.get_label() for curve in curves(figure)][:2] == ["$k$ = 1", "$k$ = 1.333"]
    np.testing.assert_array_equal(curves(plot_field(run, "total"))[0].get_xdata(), run.k)


@pytest.mark.parametrize("arguments, message", [
    ({"name": "w"}, "no field 'w'; there are: u, slope, energy"),
    ({"select": {"k": 1}}, "no dimension 'k'"),
    ({"kind": "snapshots"}, "needs 2 space dimensions"),
    ({"name": "energy", "kind": "map"}, "needs 1 space dimension and time"),
    ({"kind": "pie"}, "no kind of plot 'pie'"),
])
def test_what_cannot_be_drawn_is_said(viscosity_file, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot_field(open_run(viscosity_file), **arguments)


def test_a_number_cannot_be_drawn(ode_file):
    with pytest.raises(ValueError, match="'c' depends on nothing"):
        plot_field(open_run(ode_file), "c")
