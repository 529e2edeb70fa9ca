"""The estimated error that `output: {error: on}` stores beside a field."""
import numpy as np
import pytest
from conftest import T, X, Y, decay, field, write

from gwrm_post import open_run, plot_field


def error(of, dims, values):
    array = field(f"estimated error of {of}", dims, values)
    array.attrs["error_of"] = of
    return array


@pytest.fixture
def heat_file(tmp_path):
    """u(t, x) and its error, not known at the last time; a slope without an error."""
    u = decay(0.1, T[:, None], X[None, :])
    e = 1e-3 * np.exp(-T)[:, None] * (X * (1 - X))[None, :]
    e[-1] = np.nan
    return write(tmp_path / "heat.h5", {"t": T, "x": X},
                 {"u": field("u", ("t", "x"), u), "slope": field("dx(u)", ("t", "x"), u), "u_error": error("u", ("t", "x"), e)})


def bands(axes):
    return [collection.get_paths()[0].vertices for collection in axes.collections]


def test_profiles_have_a_band(heat_file):
    run = open_run(heat_file)
    figure = plot_field(run, times=[0.5])
    curve, e = run.u.sel(t=0.5), run.u_error.sel(t=0.5)
    vertices = bands(figure.axes[0])[0]
    middle = vertices[np.isclose(vertices[:, 0], 0.5)][:, 1]
    assert middle.max() == pytest.approx(float((curve + e).sel(x=0.5)))
    assert middle.min() == pytest.approx(float((curve - e).sel(x=0.5)))
    assert not plot_field(run, "slope", times=[0.5]).axes[0].collections


def test_a_map_has_its_error_beside_it_in_log_scale(heat_file):
    run = open_run(heat_file)
    figure = plot_field(run, kind="map", zoom={"x": (0.2, 0.8)})
    images = [axes.collections[0] for axes in figure.axes[:2]]
    drawn = run.u_error.sel(x=slice(0.2 - 1e-9, 0.8 + 1e-9)).values
    np.testing.assert_array_equal(np.ma.filled(np.ravel(images[1].get_array()), np.nan), drawn.ravel())
    assert images[1].norm.vmax == np.nanmax(drawn) and type(images[1].norm).__name__ == "LogNorm"
    assert "estimated error of $u$" in [axes.get_ylabel() for axes in figure.axes]
    assert len(plot_field(run, "slope", kind="map").axes) == 2  # with its colour bar


def test_an_error_alone_has_a_log_scale(heat_file):
    assert plot_field(open_run(heat_file), "u_error").axes[0].get_yscale() == "log"


def test_snapshots_have_a_row_of_errors(tmp_path):
    t, y, x = T[:, None, None], Y[None, :, None], X[None, None, :]
    psi = np.cos(t) * np.sin(np.pi * x) * y
    e = 1e-5 + 1e-4 * t * psi**2
    dims = ("t", "y", "x")
    run = open_run(write(tmp_path / "plane.h5", {"t": T, "y": Y, "x": X},
                         {"psi": field("psi", dims, psi), "psi_error": error("psi", dims, e)}))
    figure = plot_field(run, times=[0.0, 1.0])
    images = [axes.collections[0] for axes in figure.axes[:4]]
    np.testing.assert_array_equal(np.ravel(images[3].get_array()), e[-1].ravel())
    assert images[2].norm is images[3].norm or images[2].get_clim() == images[3].get_clim()


def test_trajectories_have_bands_and_no_curve_of_the_error(tmp_path):
    run = open_run(write(tmp_path / "ode.h5", {"t": T}, {
        "a": field("a", ("t",), np.sin(T)), "b": field("b", ("t",), np.cos(T)), "a_error": error("a", ("t",), 0.1 * T)}))
    axes = plot_field(run).axes[0]
    assert [curve.get_label() for curve in axes.get_lines()] == ["$a$", "$b$"]
    vertices = bands(axes)[0]
    assert len(axes.collections) == 1
    assert vertices[:, 1].max() == pytest.approx(max(np.sin(T) + 0.1 * T))


def test_an_error_that_is_zero_or_unknown_is_drawn(tmp_path):
    dims = ("t", "x")
    for number, value in enumerate((0.0, np.nan)):
        run = open_run(write(tmp_path / f"zero{number}.h5", {"t": T, "x": X}, {
            "u": field("u", dims, np.outer(T, X)), "u_error": error("u", dims, np.full((len(T), len(X)), value))}))
        for kind in ("profiles", "map"):
            plot_field(run, kind=kind).canvas.draw()
