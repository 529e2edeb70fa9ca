"""What stands above pictures: the title of the case, and FAILED where the run did."""
import h5py
import numpy as np
import pytest
from PIL import Image

from gwrm_post import make_figure, open_run, plot_field
from gwrm_post.__main__ import main
from gwrm_post.heading import above
from gwrm_post.runs import case_number


def stamps(figure):
    return [text.get_text() for text in figure.texts if text.get_gid() == "failed"]


def test_the_title_is_that_of_the_case(ode_file):
    figure = make_figure(ode_file)
    assert above(figure) == "A sample" and not stamps(figure)
    assert above(make_figure(ode_file, title="Costs $5")) == r"Costs \$5"
    assert above(make_figure(ode_file, title="")) == ""


def test_long_titles_go_over_several_lines(ode_file):
    lines = above(make_figure(ode_file, title="word " * 60, size=(4, 3))).split("\n")
    assert len(lines) > 3 and max(map(len, lines)) <= 54
    wide = above(make_figure(ode_file, title="word " * 60, size=(12, 3))).split("\n")
    assert len(wide) < len(lines)


@pytest.mark.parametrize("kind, style", [(None, None), ("map", "paper"), ("parameter", "talk"), ("coefficients", None),
                                         ("newton", "paper"), ("windows", None), ("verification", "paper")])
def test_pictures_of_a_run_that_failed_say_so(answer_file, kind, style):
    figure = make_figure(answer_file, kind, style=style, size=(5, 4))
    assert stamps(figure) == ["FAILED"]
    assert above(figure).startswith("FAILED: verification failed")


def test_a_run_without_an_estimate_is_not_called_failed(answer_file):
    with h5py.File(answer_file, "a") as file:
        file.attrs["status"] = "error not estimated"
        file["verification"].attrs["result"] = "NOT ESTIMATED"
    figure = make_figure(answer_file, size=(5, 4))
    assert stamps(figure) == [] and above(figure).startswith("error not estimated")
    axes = make_figure(answer_file, "verification", size=(5, 4)).axes[0]
    assert axes.get_title("left") == "Verification: NOT ESTIMATED"


def test_it_is_seen(answer_file, tmp_path):
    """The stamp is orange where the picture without it is not."""
    pictures = []
    for number in range(2):
        figure = make_figure(answer_file, "verification", title="", size=(5, 3))
        if number == 0:
            figure.suptitle("")
            next(text for text in figure.texts if text.get_gid() == "failed").remove()
        figure.canvas.draw()
        pictures.append(np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int))
    changed = (pictures[0] != pictures[1]).any(axis=-1)
    assert changed.mean() > 0.02


def test_a_figure_of_a_dataset_says_it_too(answer_file):
    assert stamps(plot_field(open_run(answer_file))) == ["FAILED"]


def test_frames_of_films_say_it(answer_file, tmp_path):
    out = tmp_path / "u.gif"
    assert main(["film", answer_file, "--frames", "2", "--dpi", "40", "-o", str(out)]) == 0
    with Image.open(out) as film:
        for number in range(2):
            film.seek(number)
            r, g, b = (np.asarray(film.convert("RGB"))[..., i].astype(int) for i in range(3))
            assert ((r > g + 30) & (g > b)).mean() > 0.005  # orange


def test_newton_shows_its_tolerance(answer_file):
    import xarray as xr

    with xr.open_dataset(answer_file) as opened:
        run = opened.load()
    run.attrs["case"] = "verification:\n  newton:\n    tolerance: 1\nsolver:\n  newton:\n    tolerance: 1e-09\n  linear: auto\n"
    run.to_netcdf(answer_file, engine="h5netcdf", mode="a")
    axes = make_figure(answer_file, "newton").axes[0]
    line = axes.get_lines()[-1]
    assert list(line.get_ydata()) == [1e-9, 1e-9]
    assert [text.get_text() for text in axes.texts] == ["tolerance 1e-09"]


def test_numbers_of_the_stored_case():
    attributes = {"case": "a:\n  b: 2\n  c:\n    d: 3\ne:\n  d: 4\n"}
    assert case_number(attributes, "a", "b") == 2 and case_number(attributes, "a", "c", "d") == 3
    assert case_number(attributes, "e", "d") == 4
    assert case_number(attributes, "a", "d") is None and case_number({}, "a") is None and case_number(attributes, "a") is None
