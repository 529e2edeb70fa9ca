import html.parser
import sys

import matplotlib.animation
import numpy as np
import pytest
from PIL import Image

from gwrm_post import animate, open_run, write_report
from gwrm_post.animation import _frames
from gwrm_post.series import evaluated


@pytest.mark.parametrize("name, frames, count", [("viscosity_file", 60, 11), ("plane_file", 4, 4)])
def test_film(name, frames, count, request, tmp_path):
    path = animate(open_run(request.getfixturevalue(name)), tmp_path / "film.gif", frames=frames, per_second=10)
    with Image.open(path) as film:
        assert film.n_frames == count
        assert film.info["duration"] == 100
        first = film.convert("RGB").tobytes()
        film.seek(count - 1)
        assert film.convert("RGB").tobytes() != first


def test_films_are_evaluated_from_the_series(answer_file, tmp_path):
    """u = exp(-t) nu sin(x), of which the file has 11 times."""
    run = open_run(answer_file)
    path = animate(run, tmp_path / "film.gif", frames=25, select={"nu": 0.2}, source=answer_file, dpi=30, size=(3, 2))
    with Image.open(path) as film:
        assert film.n_frames == 25 and film.size == (90, 60)
    field = run.u.isel(nu=-1)
    frames = _frames(field, "t", 25, answer_file, {"nu": float(field.nu)})
    np.testing.assert_allclose(frames.t, np.linspace(0, 1, 25))
    expected = 0.2 * np.exp(-frames.t.values)[:, None] * np.sin(run.x.values)
    np.testing.assert_allclose(frames.transpose("t", "x"), expected, atol=2e-5)  # of degree 5 in the logarithm of nu
    assert _frames(field, "t", 25, None, {}).sizes["t"] == 11
    field.attrs["expression"] = "u*u"
    assert _frames(field, "t", 25, answer_file, {"nu": float(field.nu)}).sizes["t"] == 11  # no program that could


def test_other_expressions_are_evaluated_by_the_program(answer_file, tmp_path, monkeypatch):
    """A program in its place that takes the points and gives 2 t + x nu."""
    program = tmp_path / "gwrm"
    program.write_text(f"""#!{sys.executable}
import sys, h5py
assert sys.argv[1] == "eval" and sys.argv[sys.argv.index("--expr") + 1] == "u*u", sys.argv
nu = float(sys.argv[sys.argv.index("--at") + 1].partition("nu=")[2])
with h5py.File(sys.argv[sys.argv.index("--points") + 1]) as points, h5py.File(sys.argv[sys.argv.index("-o") + 1], "w") as out:
    out["t"], out["value_1"] = points["t"][...], 2 * points["t"][...] + nu * points["x"][...]
    out["value_1"].attrs["expression"] = "u*u"
""")
    program.chmod(0o755)
    monkeypatch.setenv("GWRM_PROGRAM", str(program))
    field = open_run(answer_file).u.isel(nu=2)
    field.attrs["expression"] = "u*u"
    got = evaluated(answer_file, field, {"t": [0.1, 0.7]}, {"nu": float(field.nu)})
    np.testing.assert_allclose(got, 2 * np.array([[0.1], [0.7]]) + float(field.nu) * field.x.values)
    assert got.dims == ("t", "x") and got.t.attrs == field.t.attrs and got.attrs == field.attrs
    program.write_text("#!/bin/sh\nexit 2\n")
    assert evaluated(answer_file, field, {"t": [0.1, 0.7]}, {"nu": float(field.nu)}) is None


def test_films_that_cannot_be_made(viscosity_file, ode_file, tmp_path, monkeypatch):
    run = open_run(viscosity_file)
    with pytest.raises(ValueError, match="'.png'"):
        animate(run, tmp_path / "film.png")
    with pytest.raises(ValueError, match="needs time and one or two"):
        animate(run, tmp_path / "film.gif", "energy")
    with pytest.raises(ValueError, match="no field of this file"):
        animate(open_run(ode_file), tmp_path / "film.gif")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="ffmpeg"):
        animate(run, tmp_path / "film.mp4")
    assert not list(tmp_path.glob("film.*"))


class Page(html.parser.HTMLParser):
    """Checks that every element is closed, and collects what the page refers to."""

    def __init__(self, text):
        super().__init__()
        self.open, self.sources, self.words = [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img"):
            self.open.append(tag)
        self.sources += [value for key, value in attrs if key in ("src", "href")]
        assert tag != "b"  # nothing of the file becomes a tag

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_report(answer_file, tmp_path):
    path = write_report(answer_file, tmp_path / "page.html")
    with open(path, encoding="utf-8") as file:
        page = Page(file.read())
    assert len(page.sources) == 6  # profiles, map, parameter, coefficients, Newton, windows
    assert all(source.startswith("data:image/png;base64,") for source in page.sources)
    for words in ("VERIFICATION FAILED, verification failed", "1 of 3 checks failed <b>", "Warning: second", "4 of Newton",
                  "u(x=0) = <&>", "1.0e-03", 'title: "A <sample>"'):
        assert words in page.words, words


@pytest.mark.skipif(not matplotlib.animation.FFMpegWriter.isAvailable(), reason="there is no ffmpeg")
def test_mp4(viscosity_file, tmp_path):
    with open(animate(open_run(viscosity_file), tmp_path / "film.mp4", frames=3), "rb") as film:
        assert film.read(12)[4:8] == b"ftyp"
