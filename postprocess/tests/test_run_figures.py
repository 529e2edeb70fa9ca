import numpy as np
import pytest
import xarray as xr

from gwrm_post import make_figure, open_answer, open_group, plot_parameter, plot_spectrum
from gwrm_post.history import plot_newton
from gwrm_post.spectrum import decay


def test_decay_is_the_largest_of_all_windows(answer_file):
    answer = open_answer(answer_file)
    sizes = decay(answer, "u", "x")
    assert len(sizes) == 13 and sizes.max() == pytest.approx(1.0)
    raw = np.abs(open_group(answer_file, "coefficients").u.values)
    np.testing.assert_allclose(sizes, raw.max(axis=(0, 1, 2, 3)) / raw.max())


def test_spectrum_over_wavenumbers(circle_file):
    answer = open_answer(circle_file)
    sizes = decay(answer, "u", "x")  # a cosine of size 2 at k = 1, a sine of 1 at k = 3, relative to the mean 3
    np.testing.assert_allclose(sizes, [1, 2 / 3, 0, 1 / 3, 0, 1 / 3, 0, 0], atol=1e-15)
    assert plot_spectrum(answer).axes[1].get_xlabel() == "wavenumber along $x$"


def test_spectrum(answer_file):
    figure = plot_spectrum(open_answer(answer_file))
    assert [axes.get_xlabel() for axes in figure.axes] == ["degree along $t$", r"degree along $\nu$", "degree along $x$"]
    assert [axes.get_title() for axes in figure.axes] == ["2 windows", "", "1 to 2 subdomains"]
    assert all(len(axes.get_lines()) == 1 for axes in figure.axes)  # c has no series


def test_newton(answer_file):
    corrections, counts = make_figure(answer_file, "newton").axes
    curve = corrections.get_lines()[0]
    assert list(curve.get_xdata()) == [1, 2, 3]
    np.testing.assert_array_equal(curve.get_ydata(), [1e-1, 1e-4, np.nan])  # an exact zero is no point
    rings = corrections.get_lines()[1]
    assert list(rings.get_xdata()) == [1]  # the damped step
    assert corrections.get_ylabel() == "relative correction (root mean square)"
    assert counts.get_ylabel() == "Newton iterations in the window"


def test_iterations_of_a_linear_solver():
    numbers = np.arange(5)
    newton = xr.Dataset({name: ("iteration", values) for name, values in {
        "window": 0 * numbers, "parameter_point": 0 * numbers, "iteration_in_window": numbers,
        "residual": 10.0 ** -numbers, "correction": 10.0 ** -numbers, "damping": np.ones(5),
        "linear_iterations": numbers}.items()})
    assert plot_newton(newton).axes[0].get_ylabel() == "bound on the error that is left"
    newton["linear_iterations"] = ("iteration", 0 * numbers)
    assert plot_newton(newton).axes[0].get_ylabel() == "relative correction (root mean square)"


def test_windows(answer_file):
    figure = make_figure(answer_file, "windows")
    assert [axes.get_ylabel() for axes in figure.axes] == ["along $t$", "degree", "subdomains"]
    end, length = figure.axes[0].patches
    np.testing.assert_allclose(end.get_data().values, [0.25, 1.0])
    np.testing.assert_allclose(length.get_data().values, [0.25, 0.75])
    assert list(figure.axes[2].patches[0].get_data().values) == [2, 1]


def test_verification(answer_file):
    axes = make_figure(answer_file, "verification").axes[0]
    assert axes.get_title("left") == "Verification: FAILED"
    assert [text.get_text() for text in axes.get_yticklabels()][1] == "last coefficients: u along x"
    bars = [line for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert [bar.get_xdata()[1] for bar in bars[:2]] == [1e-9, 1e-3]
    assert bars[0].get_color() != bars[1].get_color() != bars[2].get_color()


def test_parameter_between_the_samples(answer_file):
    axes = make_figure(answer_file, "parameter", select={"t": 0.5}).axes[0]
    curve = axes.get_lines()[0]
    assert len(curve.get_xdata()) > 20  # the file has five samples
    assert axes.get_xscale() == "log"
    x = float(curve.get_label().split("=")[1])
    np.testing.assert_allclose(curve.get_ydata(), np.exp(-0.5) * np.sin(x) * curve.get_xdata(), atol=2e-5)


def test_parameter_of_samples_alone(viscosity_file, steady_file):
    from gwrm_post import open_run

    run = open_run(viscosity_file)
    axes = plot_parameter(run, "energy").axes[0]
    np.testing.assert_array_equal(axes.get_lines()[0].get_ydata(), run.energy.isel(t=2))
    assert len(plot_parameter(open_run(steady_file), "total").axes[0].get_lines()) == 1


def test_branch(branch_file):
    axes = make_figure(branch_file).axes[0]
    curve, ring = axes.get_lines()
    assert (axes.get_xlabel(), axes.get_ylabel()) == (r"lam", "$L_2$ norm of $u$")
    np.testing.assert_array_equal(curve.get_xdata(), [1.0, 2.0, 1.5])
    assert list(ring.get_xdata()) == [2.0]


def test_zoom(viscosity_file):
    figure = make_figure(viscosity_file, "profiles", ["u"], zoom={"x": (0.2, 0.6)})
    assert figure.axes[0].get_lines()[0].get_xdata()[[0, -1]] == pytest.approx([0.2, 0.6])
    with pytest.raises(ValueError, match="fewer than two samples"):
        make_figure(viscosity_file, "profiles", ["u"], zoom={"x": (0.21, 0.22)})
    with pytest.raises(ValueError, match="no dimension 'y'"):
        make_figure(viscosity_file, "profiles", ["u"], zoom={"y": (0, 1)})


@pytest.mark.parametrize("name, kind, message", [
    ("plane_file", "parameter", "no field of this file depends on a parameter"),
    ("plane_file", "branch", "has not followed a branch"),
    ("viscosity_file", "newton", "no group 'newton'"),
    ("viscosity_file", "pie", "no kind of plot 'pie'"),
])
def test_what_cannot_be_drawn(name, kind, message, request):
    with pytest.raises(ValueError, match=message):
        make_figure(request.getfixturevalue(name), kind)
