"""Pictures of the sphere, from fields in closed form."""

import numpy as np
import pytest
import xarray as xr

from gwrm_post.sphere import plot_harmonics, plot_meridian, plot_sphere


def a_run():
    coords = {"t": [0.0, 1.0], "r": np.linspace(0, 1, 6), "theta": np.linspace(0, np.pi, 9),
              "phi": np.linspace(0, 2 * np.pi, 12, endpoint=False)}
    run = xr.Dataset(coords=coords)
    run["u"] = run.t * run.r * np.sin(run.theta) * np.cos(run.phi) + 0 * run.r
    return run.transpose("t", "r", "theta", "phi")


def test_both_sides_of_a_meridian_have_their_longitudes():
    axes = plot_meridian(a_run()).axes[0]
    drawn = np.concatenate([path.vertices for part in axes.collections for path in part.get_paths()
                            if len(path.vertices)])
    assert drawn[:, 0].min() == pytest.approx(-1) and drawn[:, 0].max() == pytest.approx(1)
    assert "$t$ = 1" in axes.get_title()


def test_a_sphere_is_drawn_at_the_nearest_radius():
    assert "$r$ = 0.8" in plot_sphere(a_run(), "u", select={"r": 0.75}).axes[0].get_title()


def test_spectra_have_a_panel_for_each_direction():
    sizes = 10.0 ** -np.arange(4)
    group = xr.Dataset({"u": (("window", "t_mode", "m", "l", "n"), sizes[:3][None, :, None, None, None] *
                              np.ones((1, 3, 3, 2, 1)) * sizes[None, None, None, None, :])},
                       coords={"m": [-1, 0, 1]})
    panels = plot_harmonics(group).axes
    assert len(panels) == 4
    assert panels[1].get_lines()[0].get_ydata() == pytest.approx(sizes)


def test_what_is_no_field_of_the_sphere_is_refused():
    with pytest.raises(ValueError, match="problem: ball"):
        plot_sphere(xr.Dataset({"u": ("x", [1.0])}, coords={"x": [0.0]}))
    with pytest.raises(ValueError, match="no field 'v'"):
        plot_meridian(a_run(), "v")
