import numpy as np
import pytest

from gwrm_post import open_statistics, plot_statistics
from gwrm_post.heading import above


def band(axes):
    return axes.collections[0].get_paths()[0].vertices


def test_the_band_is_two_standard_deviations(ode_file):
    """Of one parameter, which has all of the variance: there is no panel of its share."""
    statistics = open_statistics(ode_file)
    above, = plot_statistics(statistics).axes
    assert above.get_xlabel() == "$t$"
    np.testing.assert_array_equal(above.get_lines()[0].get_ydata(), statistics.u_mean)
    heights = band(above)[:, 1]
    assert heights.max() == pytest.approx(float((statistics.u_mean + 2 * statistics.u_std).max()))
    assert heights.min() == pytest.approx(float((statistics.u_mean - 2 * statistics.u_std).min()))


def test_shares_are_stacked_to_one(viscosity_file):
    figure = plot_statistics(open_statistics(viscosity_file), "u", times=[0.5, 1.0])
    assert len(figure.axes) == 4
    below = figure.axes[3]
    assert below.get_ylim() == (0, 1)
    labels = [text.get_text() for text in below.get_legend().get_texts()]
    assert sorted(labels) == sorted(["$A$", r"$\nu$", "interactions"])
    tops = [np.nanmax(area.get_paths()[0].vertices[:, 1]) for area in below.collections]
    assert tops == pytest.approx([0.6, 0.9, 1.0])
    assert figure.axes[0].get_title() == "$t$ = 0.5"


def test_two_space_dimensions_give_maps(plane_file):
    statistics = open_statistics(plane_file)
    figure = plot_statistics(statistics)
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles == ["mean", "standard deviation", "total Sobol index of $a$", "total Sobol index of $b$"]
    assert above(figure) == "$u$, $t$ = 1"
    np.testing.assert_array_equal(np.ravel(figure.axes[0].collections[0].get_array()),
                                  statistics.u_mean.isel(t=-1).values.ravel())


def test_a_number_gives_bars(steady_file):
    axes = plot_statistics(open_statistics(steady_file)).axes[0]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([0.6, 0.3, 0.7, 0.4])
    assert axes.get_title().startswith("$u$ = 2.3333")


def test_one_parameter_has_no_indices(plane_file, steady_file):
    plane, number = (open_statistics(file).isel(parameter=[0]) for file in (plane_file, steady_file))
    titles = [axes.get_title() for axes in plot_statistics(plane).axes if axes.get_title()]
    assert titles == ["mean", "standard deviation"]
    axes = plot_statistics(number).axes[0]
    assert not axes.patches and axes.get_title() == "$u$ = 2.3333 ± 2.5 (2 std), by $k$"
    ends = axes.collections[0].get_segments()[0][:, 0]
    assert ends == pytest.approx([7 / 3 - 2 * np.std([1, 2, 4]), 7 / 3 + 2 * np.std([1, 2, 4])])


def test_an_unknown_field(ode_file):
    with pytest.raises(ValueError, match="no statistics of 'w'; there are: u"):
        plot_statistics(open_statistics(ode_file), "w")
