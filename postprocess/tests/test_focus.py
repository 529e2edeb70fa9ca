"""What figures show without being asked: the part of an axis where curves differ, panels by scale, and their order."""
import numpy as np
import pytest
from conftest import T, field, write

from gwrm_post import open_run, plot_field
from gwrm_post.focus import by_scale, focus

S = np.linspace(0.0, 800.0, 161)


def call_option(t):
    """Like a European call: max(S - 100, 0), smoothed over 30 t, and larger by 5 t far in the money."""
    width = 30 * t + 1e-9
    ramp = width * np.logaddexp(0.0, (S - 100) / width)
    return ramp + 5 * t / (1 + np.exp(-np.clip((S - 100) / 10, -50, 50)))


@pytest.fixture
def option_file(tmp_path):
    return write(tmp_path / "option.h5", {"t": T, "x": S}, {"V": field("V", ("t", "x"), np.array([call_option(t) for t in T]))})


def test_profiles_show_where_they_differ(option_file):
    axes = plot_field(open_run(option_file)).axes[0]
    low, high = axes.get_xlim()
    assert 0 <= low < 80 and 150 < high < 400
    assert axes.get_xlabel() == "$x$   (a part of 0 to 800)"
    whole = plot_field(open_run(option_file), zoom={"x": (0, 800)}).axes[0]
    assert whole.get_xlim() == (0, 800) and whole.get_xlabel() == "$x$"


def test_curves_that_differ_everywhere_are_shown_whole():
    x = np.linspace(0, 1, 101)
    assert focus(x, np.outer([1.0, 0.5, 0.2], np.sin(np.pi * x))) is None
    assert focus(x, np.array([np.sin(x)])) is None  # one curve
    assert focus(x, np.array([x, x])) is None  # two that are the same
    assert focus(x, np.array([x, x + 3.0])) is None


def test_focus_is_the_shortest_part():
    x = np.linspace(0, 10, 1001)
    pulses = [np.exp(-((x - at) / 0.2) ** 2) for at in (4.0, 4.5)]
    low, high = focus(x, np.array([0 * x, *pulses]))
    assert low == pytest.approx(4.0 - 0.4 - 0.3, abs=0.15) and high == pytest.approx(4.5 + 0.4 + 0.3, abs=0.15)
    assert focus(x[::50], np.array([0 * x, *pulses])[:, ::50]) is None  # too few samples for curves


def test_other_scales_and_units_have_their_panels(tmp_path):
    values = {"V": 80 * np.sin(T), "m": T, "h": 1 - T, "current": 700 * np.cos(T)}
    run = open_run(write(tmp_path / "nerve.h5", {"t": T}, {name: field(name, ("t",), of) for name, of in values.items()}))
    figure = plot_field(run)
    assert [[line.get_label() for line in axes.get_lines()] for axes in figure.axes] == [["$V$"], ["$m$", "$h$"], ["current"]]
    assert [axes.get_ylabel() for axes in figure.axes] == ["$V$", "", "current"]
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "$t$"]
    colours = [line.get_color() for axes in figure.axes for line in axes.get_lines()]
    assert len(set(colours)) == 4
    run.m.attrs["units"] = "s"
    assert [[str(one.name) for one in group] for group in by_scale([run.m, run.h])] == [["m"], ["h"]]


def test_long_panels_stand_below_one_another(tmp_path):
    x, y = np.linspace(0, 6, 13), np.linspace(0, 1, 5)
    values = (1 + T)[:, None, None] * np.ones((len(T), len(y), len(x)))
    run = open_run(write(tmp_path / "channel.h5", {"t": T, "y": y, "x": x}, {"u": field("u", ("t", "y", "x"), values)}))
    figure = plot_field(run)
    figure.canvas.draw()
    boxes = [axes.get_position() for axes in figure.axes[:3]]
    assert boxes[0].y0 > boxes[1].y1 and boxes[1].y0 > boxes[2].y1
    assert [axes.get_title() for axes in figure.axes[:3]] == ["$t$ = 0", "$t$ = 0.5", "$t$ = 1"]
    assert [axes.get_xlabel() for axes in figure.axes[:3]] == ["", "", "$x$"]
    assert figure.get_figwidth() < 7
