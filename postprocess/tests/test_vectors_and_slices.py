"""Arrows, streamlines, planes and surfaces in three dimensions, space-time diagrams."""
import sys

import numpy as np
import pytest
from conftest import NU, T, X, Y, field, write
from matplotlib.collections import LineCollection
from matplotlib.quiver import Quiver

from gwrm_post import make_figure, open_run, plot_spacetime, plot_vectors
from gwrm_post.__main__ import main
from gwrm_post.heading import above

Z = np.linspace(0.0, 2.0, 9)


@pytest.fixture
def flow_file(tmp_path):
    """A rigid rotation that dies out: (u, v) = exp(-t) (-y, x - 0.5), as components and as the vector w; a scalar."""
    dims, decay = ("t", "y", "x"), np.exp(-T)[:, None, None]
    u, v = -decay * Y[:, None] * np.ones(len(X)), decay * np.ones(len(Y))[:, None] * (X - 0.5)
    return write(tmp_path / "flow.h5", {"t": T, "y": Y, "x": X},
                 {"u": field("u", dims, u), "v": field("v", dims, v), "w_x": field("w_x", dims, 2 * u),
                  "w_y": field("w_y", dims, 2 * v), "p": field("p", dims, u * v)})


@pytest.fixture
def box_file(tmp_path):
    """f = (1 + t) (x + 10 y^2 + 100 z)."""
    values = (1 + T)[:, None, None, None] * (X + 10 * Y[:, None] ** 2 + 100 * Z[:, None, None])
    return write(tmp_path / "box.h5", {"t": T, "z": Z, "y": Y, "x": X}, {"f": field("f", ("t", "z", "y", "x"), values)})


def arrows(axes):
    return next(one for one in axes.collections if isinstance(one, Quiver))


def test_arrows_are_the_vector(flow_file):
    figure = make_figure(flow_file, "quiver", ["u", "v"], times=[0.0, 1.0])
    panels = figure.axes[:2]
    assert [axes.get_title() for axes in panels] == ["$t$ = 0", "$t$ = 1"]
    for axes, t in zip(panels, (0.0, 1.0)):
        drawn = arrows(axes)
        np.testing.assert_allclose(drawn.U, -np.exp(-t) * drawn.Y, atol=1e-12)
        np.testing.assert_allclose(drawn.V, np.exp(-t) * (drawn.X - 0.5), atol=1e-12)
        assert drawn.X.min() > 0 and drawn.X.max() < 1 and 50 < drawn.N < 600
    lengths = [np.hypot(arrows(axes).U, arrows(axes).V).max() for axes in panels]
    assert lengths[1] == pytest.approx(lengths[0] * np.exp(-1)) and arrows(panels[0]).scale == arrows(panels[1]).scale
    colours = panels[0].collections[0]
    np.testing.assert_allclose(np.ravel(colours.get_array()), np.hypot(Y[:, None], X - 0.5).ravel())
    assert figure.axes[2].get_ylabel() == "|($u$, $v$)|"
    assert panels[0].get_xlabel() == "$x$" and panels[0].get_ylabel() == "$y$"


def test_a_vector_is_found_by_its_name_or_by_itself(flow_file):
    by_name = arrows(make_figure(flow_file, "quiver", ["w"]).axes[0])
    np.testing.assert_allclose(by_name.U, -2 * by_name.Y, atol=1e-12)
    assert make_figure(flow_file, "quiver").axes[-1].get_ylabel() == "|$w$|"  # the first vector of the file
    run = open_run(flow_file).drop_vars(["w_x", "w_y"])
    assert plot_vectors(run).axes[-1].get_ylabel() == "|($u$, $v$)|"


def test_streamlines_follow_it(flow_file):
    axes = make_figure(flow_file, "streamlines", times=[0.0]).axes[0]
    lines = [one for one in axes.collections if isinstance(one, LineCollection)]
    pieces = [piece for line in lines for piece in line.get_segments()]
    assert sum(map(len, pieces)) > 200
    radii = [np.hypot(piece[:, 0] - 0.5, piece[:, 1]) for piece in pieces]
    assert max(np.ptp(radius) for radius in radii) < 0.02  # circles about (0.5, 0)


@pytest.mark.parametrize("fields, message", [(["p"], "'p' is no vector of this file"), (["u", "v", "p"], "two components, not 3"),
                                             (["u", "q"], "no field 'q'")])
def test_what_is_no_vector(flow_file, fields, message):
    with pytest.raises(ValueError, match=message):
        make_figure(flow_file, "quiver", fields)


def test_vectors_need_a_plane(viscosity_file):
    with pytest.raises(ValueError, match="no vector over x and y"):
        make_figure(viscosity_file, "streamlines")
    with pytest.raises(ValueError, match="two dimensions of space"):
        make_figure(viscosity_file, "quiver", ["u", "slope"])


def test_slices_are_planes_through_the_point(box_file):
    figure = make_figure(box_file, "slices", select={"z": 0.5, "x": 0.25}, times=[0.5])
    panels = figure.axes[:3]
    assert [axes.get_title() for axes in panels] == ["$z$ = 0.5", "$y$ = 0", "$x$ = 0.25"]
    assert [(axes.get_xlabel(), axes.get_ylabel()) for axes in panels] == [("$x$", "$y$"), ("$x$", "$z$"), ("$y$", "$z$")]
    images = [np.ravel(axes.collections[0].get_array()) for axes in panels]
    np.testing.assert_allclose(images[0], (1.5 * (X + 10 * Y[:, None] ** 2 + 50)).ravel())
    np.testing.assert_allclose(images[1], (1.5 * (X + 100 * Z[:, None])).ravel())
    np.testing.assert_allclose(images[2], (1.5 * (0.25 + 10 * Y**2 + 100 * Z[:, None])).ravel())
    assert len({axes.collections[0].get_clim() for axes in panels}) == 1
    assert above(figure).endswith("$t$ = 0.5")
    assert above(make_figure(box_file, "slices")).endswith("$t$ = 1")  # the last time


def test_slices_need_three_dimensions(flow_file):
    for kind in ("slices", "isosurfaces"):
        if kind == "isosurfaces":
            pytest.importorskip("pyvista")
        with pytest.raises(ValueError, match="needs three dimensions of space; 'p' depends on t, y, x"):
            make_figure(flow_file, kind, ["p"])


def test_isosurfaces_say_what_they_need(box_file, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyvista", None)  # as if it were not installed
    assert main(["plot", box_file, "--kind", "isosurfaces", "-o", str(tmp_path / "f.png")]) == 2
    said = capsys.readouterr().err
    assert "pip install pyvista" in said and "--kind slices" in said and not (tmp_path / "f.png").exists()


def test_isosurfaces(box_file):
    pytest.importorskip("pyvista")
    figure = make_figure(box_file, "isosurfaces", levels=[100.0, 300.0])
    assert "surfaces $f$ = 100, 300, $t$ = 1" in above(figure)
    picture = np.asarray(figure.axes[0].images[0].get_array())
    assert (picture[..., :3] != 255).any(axis=-1).mean() > 0.1
    with pytest.raises(ValueError, match="nowhere 1e[+]06"):
        make_figure(box_file, "isosurfaces", levels=[1e6])


def test_space_time_diagrams_are_evaluated(answer_file):
    """u = exp(-t) nu sin(x)."""
    figure = make_figure(answer_file, "spacetime", select={"nu": 0.2}, zoom={"x": (0.5, 1.5)})
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel(), figure.axes[1].get_ylabel()) == ("$x$", "$t$", "$u$")
    image = axes.collections[0]
    x, t = np.linspace(0.5, 1.5, 301), np.linspace(0, 1, 301)
    np.testing.assert_allclose(np.ravel(image.get_array()), (0.2 * np.exp(-t)[:, None] * np.sin(x)).ravel(), atol=2e-5)
    assert "0.2" in above(figure)


def test_space_time_diagrams_of_samples(viscosity_file, plane_file):
    run = open_run(viscosity_file)
    image = plot_spacetime(run, "slope", select={"nu": NU[0]}).axes[0].collections[0]
    np.testing.assert_array_equal(np.ravel(image.get_array()), run.slope.isel(nu=0).values.ravel())
    with pytest.raises(ValueError, match="hold the others fixed, --at y=.."):
        make_figure(plane_file, "spacetime")
    assert make_figure(plane_file, "spacetime", select={"y": 1.0}).axes[0].get_xlabel() == "$x$"
    with pytest.raises(ValueError, match="needs time and one dimension"):
        make_figure(viscosity_file, "spacetime", ["energy"])
