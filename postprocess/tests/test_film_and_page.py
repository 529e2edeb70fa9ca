import html.parser

import matplotlib.animation
import pytest
from PIL import Image

from gwrm_post import animate, open_run, write_report


@pytest.mark.parametrize("name, frames, count", [("viscosity_file", 60, 11), ("plane_file", 4, 4)])
def test_film(name, frames, count, request, tmp_path):
    path = animate(open_run(request.getfixturevalue(name)), tmp_path / "film.gif", frames=frames, per_second=10)
    with Image.open(path) as film:
        assert film.n_frames == count
        assert film.info["duration"] == 100
        first = film.convert("RGB").tobytes()
        film.seek(count - 1)
        assert film.convert("RGB").tobytes() != first


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
