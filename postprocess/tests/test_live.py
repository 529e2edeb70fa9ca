"""Live pages. What their script computes is evaluated by node where there is one; tests/cases/live_page.py compares it
with `gwrm eval`, tests/long/live_in_chromium.py opens pages in a browser."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest
import xarray as xr
from conftest import field, mode, write

from gwrm_post import open_answer, write_live, write_report
from gwrm_post.__main__ import main
from gwrm_post.live import SCRIPTS, live_page

FOLDER = pathlib.Path(__file__).parent
SERIES = FOLDER.parent / "gwrm_post" / "live_page" / "series.js"
NODE = shutil.which("node") or shutil.which("nodejs")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node (Debian: nodejs)")


def evaluate(page, *questions):
    """A list of values for each question {unknown, point, along}."""
    done = subprocess.run([NODE, FOLDER / "evaluate_page.js", page, SERIES], input=json.dumps(questions), text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    return [np.array(values) for values in json.loads(done.stdout)]


def description(text):
    return json.loads(re.search(r'id="answer">([^<]*)</script>', text)[1])


def verified(path, result="PASS"):
    """The file with a verification."""
    types = {"kind": object, "subject": object, "value": float, "tolerance": float, "judged": np.int8, "passed": np.int8}
    empty = xr.Dataset({name: ("check", np.array([], kind)) for name, kind in types.items()}, attrs={"result": result})
    empty.to_netcdf(path, engine="h5netcdf", group="verification", mode="a")
    return path


class Elements(html.parser.HTMLParser):
    """The elements of a page, each closed but those that have no end, and the labels of its inputs."""

    def __init__(self, text):
        super().__init__()
        self.open, self.all, self.words = [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words += data


def test_the_page_holds_everything_and_says_the_verdict(answer_file, tmp_path):
    path = write_live(answer_file, tmp_path / "page.html")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Elements(text)
    assert not any({"src", "href", "srcset"} & set(attributes) for _, attributes in page.all)
    assert not re.search(r"https?:|@import|url\(", text)
    assert {"canvas", "select", "table"} <= {tag for tag, _ in page.all}
    for words in ("FAILED: verification failed", "1 of 3 checks failed <b>", "Warning: second", "A sample",
                  "u along x: 1.0e-03, allowed 1.0e-04"):
        assert words in page.words, words
    described = description(text)
    assert described["failed"] and described["first"] == "u" and described["rounding"] == 5e-13
    assert [axis["label"] for axis in described["axes"]] == ["t", "ν", "x"]
    assert all((SERIES.parent / name).read_text().strip() in text for name in SCRIPTS)


def test_a_page_of_a_good_run_passes(circle_file):
    text = live_page(verified(circle_file))
    assert "PASS: converged, verification passed" in text and not description(text)["failed"]
    assert "NOT ESTIMATED: converged" in live_page(verified(circle_file, "NOT ESTIMATED"))
    with h5py.File(circle_file, "a") as file:
        file.attrs["status"] = "error not estimated"
    text = live_page(circle_file)
    assert "NOT ESTIMATED: converged" in text and "verification passed" not in text and "FAILED: " not in text
    assert not description(text)["failed"]


def test_nothing_of_the_file_becomes_an_element(circle_file):
    with h5py.File(verified(circle_file), "a") as file:
        file.attrs["title"] = '</script><b title="{{scripts}}">'
    page = Elements(live_page(circle_file))
    assert all(tag != "b" for tag, _ in page.all) and '</script><b title="{{scripts}}">' in page.words


@needs_node
def test_values_in_windows_subdomains_and_on_a_logarithmic_axis(answer_file, tmp_path):
    page, answer = write_live(answer_file, tmp_path / "page.html"), open_answer(answer_file)
    t, nu = np.array([0, 0.1, 0.25, 0.2500001, 0.9, 1]), np.array([0.02, 0.05, 0.2])
    x = np.array([0, 0.3, 0.5, 0.51, 2])
    expected = answer("u", t=t, nu=nu, x=x).values
    points = [{"t": a, "nu": b, "x": c} for a in t for b in nu for c in x]
    found = evaluate(page, *({"unknown": "u", "point": point} for point in points),
                     {"unknown": "u", "point": {"nu": 0.05}, "along": [{"axis": "t", "points": list(t)},
                                                                      {"axis": "x", "points": list(x)}]},
                     {"unknown": "u", "point": {"t": 0.9}, "along": [{"axis": "nu", "points": list(nu)},
                                                                    {"axis": "x", "points": list(x)}]},
                     {"unknown": "u", "point": {"t": 0.1, "x": 0.51}, "along": [{"axis": "nu", "points": list(nu)}]})
    largest = np.abs(expected).max()
    one_by_one, in_time, in_space, in_parameter = found[:-3], *found[-3:]
    np.testing.assert_allclose(np.ravel(one_by_one), expected.ravel(), rtol=0, atol=1e-12 * largest)
    np.testing.assert_allclose(in_time, expected[:, 1].ravel(), rtol=0, atol=1e-12 * largest)
    np.testing.assert_allclose(in_space, expected[4].ravel(), rtol=0, atol=1e-12 * largest)
    np.testing.assert_allclose(in_parameter, expected[1, :, 3], rtol=0, atol=1e-12 * largest)
    # of the closed form, which the 6 coefficients along nu leave at 1e-5
    np.testing.assert_allclose(np.ravel(one_by_one)[0::15][1:], np.exp(-t[1:]) * 0.02 * np.sin(0), atol=1e-5)


@needs_node
def test_a_number_of_its_own_in_every_window(answer_file, tmp_path):
    page = write_live(answer_file, tmp_path / "page.html")
    times = [0.0, 0.25, 0.26, 1.0]
    found = evaluate(page, {"unknown": "c", "point": {}, "along": [{"axis": "t", "points": times}]},
                     *({"unknown": "c", "point": {"t": t}} for t in times))
    np.testing.assert_allclose(found[0], [3, 3, 4, 4], rtol=1e-12)
    np.testing.assert_allclose(np.ravel(found[1:]), [3, 3, 4, 4], rtol=1e-12)


@needs_node
def test_a_fourier_axis_whose_wavenumbers_change(circle_file, tmp_path):
    page = write_live(verified(circle_file), tmp_path / "page.html")
    t, x = np.array([0.2, 0.5, 0.7]), np.array([-1.0, -0.4, 0.3, 1.0])
    z = np.pi * (x + 1)
    expected = (1 + t[:, None]) * (3 + 2 * np.cos(z) - np.sin(3 * z) + np.cos(5 * z))
    along = [{"axis": "t", "points": list(t)}, {"axis": "x", "points": list(x)}]
    np.testing.assert_allclose(evaluate(page, {"unknown": "u", "point": {}, "along": along})[0], expected.ravel(),
                               rtol=0, atol=1e-12 * np.abs(expected).max())


@needs_node
@pytest.mark.parametrize("basis, ends, scale", [("hermite(1,0.1)", (0.6, 1.4), "linear"),
                                                ("hermite(-1,0.2)", (0.2, 0.7), "log"),
                                                ("legendre", (0.5, 2.0), "linear"), ("legendre", (0.5, 2.0), "log"),
                                                ("jacobi(1,1)", (0.5, 2.0), "linear")])
def test_polynomials_of_distributions(basis, ends, scale, tmp_path):
    a = np.random.default_rng(4).standard_normal(6) / 4.0 ** np.arange(6)
    k_mode = mode("k", "parameter", *ends, 5, scale)
    k_mode.attrs.update(basis=basis, distribution="a distribution")
    k = np.linspace(*ends, 9)[1:-1]
    path = write(tmp_path / "steady.h5", {"k": k}, {"u": field("u", ("k",), 0 * k)})
    coefficients = xr.Dataset({"u": (("k_mode",), a, {"dimensions": "k_mode"})}, {"k_mode": k_mode},
                              {"axes": "k", "fields": "u"})
    coefficients.to_netcdf(path, engine="h5netcdf", group="coefficients", mode="a")
    z, lower, upper = (np.log(v) if scale == "log" else np.asarray(v) for v in (k, *ends))
    if basis.startswith("hermite"):
        centre, deviation = (float(number) for number in basis[8:-1].split(","))
        factorials = np.cumprod([1, 1, 2, 3, 4, 5])
        expected = np.polynomial.hermite_e.hermeval((z - centre) / deviation, a / np.sqrt(factorials))
    else:  # jacobi(1,1) is the uniform density
        xi = (2 * z - lower - upper) / (upper - lower)
        expected = np.polynomial.legendre.legval(xi, a * np.sqrt(2 * np.arange(6) + 1))
    page = write_live(verified(path), tmp_path / "page.html")
    along = [{"axis": "k", "points": list(k)}]
    np.testing.assert_allclose(evaluate(page, {"unknown": "u", "point": {}, "along": along})[0], expected, rtol=0,
                               atol=1e-12 * np.abs(expected).max())


def noise_file(path, n=60):
    """u(y, x) of coefficients that do not fall: they cannot be packed well."""
    a = np.random.default_rng(1).standard_normal((n, n))
    steady = write(path, {"x": np.linspace(0, 1, 5)}, {})
    modes = {f"{axis}_mode": mode(axis, "space", 0.0, 1.0, n - 1) for axis in "yx"}
    xr.Dataset({"u": (("y_mode", "x_mode"), a, {"dimensions": "y_mode x_mode"})}, modes,
               {"axes": "y x", "fields": "u"}).to_netcdf(steady, engine="h5netcdf", group="coefficients", mode="a")
    return verified(steady)


@needs_node
def test_what_is_too_long_is_rounded_and_says_so(tmp_path):
    path = noise_file(tmp_path / "noise.h5")
    whole, short = live_page(path), live_page(path, most_bytes=70_000)
    assert len(whole) > 70_000 >= len(short)
    rounding = description(short)["rounding"]
    assert description(whole)["rounding"] == 5e-13 < rounding
    assert "are rounded: values differ" not in whole and f"by up to {rounding:.0e} of the largest" in short
    points = {"y": [0.1, 0.7], "x": [0.2, 0.5, 0.99]}
    expected = open_answer(path)("u", **points).values.ravel()
    largest = max(abs(description(whole)["unknowns"][0][end]) for end in ("low", "high"))
    question = {"unknown": "u", "point": {}, "along": [{"axis": axis, "points": points[axis]} for axis in "yx"]}
    for text, allowed in ((whole, 1e-12), (short, rounding)):
        (tmp_path / "page.html").write_text(text)
        found = evaluate(tmp_path / "page.html", question)[0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=allowed * largest)
    with pytest.raises(ValueError, match="--page-size MB allows more"):
        live_page(path, most_bytes=50_000)


def test_what_has_no_live_page(answer_file, viscosity_file, circle_file, tmp_path, capsys):
    out = str(tmp_path / "page.html")
    assert main(["plot", viscosity_file, "--kind", "live", "-o", out]) == 2
    assert "no group 'coefficients'" in capsys.readouterr().err
    assert main(["plot", answer_file, "--kind", "live", "-o", out, "--field", "w"]) == 2
    assert "no unknown 'w'; it has: u, c" in capsys.readouterr().err
    assert main(["plot", answer_file, "--kind", "live", "-o", str(tmp_path / "page.png")]) == 2
    assert ".html" in capsys.readouterr().err
    assert main(["plot", answer_file, "--kind", "live", "-o", out, "--at", "y=1"]) == 2
    assert "no dimension 'y'; it has: t, nu, x" in capsys.readouterr().err
    assert main(["plot", answer_file, "--kind", "live", "-o", out, "--at", "x=3"]) == 2
    assert "x = 3 is not between 0 and 2" in capsys.readouterr().err
    assert main(["plot", str(tmp_path / "nothing.h5"), "--kind", "live", "-o", out]) == 8
    with h5py.File(verified(circle_file), "a") as file:
        file["coefficients/x_mode"].attrs["basis"] = "wavelets"
    assert main(["plot", circle_file, "--kind", "live", "-o", out]) == 2
    assert "along x are of the basis 'wavelets'" in capsys.readouterr().err
    with h5py.File(circle_file, "a") as file:
        file["coefficients/x_mode"].attrs["basis"] = "fourier_real"
        file["coefficients/u"][0, 0, 0] = np.nan
    assert main(["plot", circle_file, "--kind", "live", "-o", out]) == 2
    assert "series of 'u' are not finite" in capsys.readouterr().err
    assert not os.path.exists(out)


def test_one_unknown_of_several(answer_file, tmp_path, capsys):
    assert main(["plot", answer_file, "--kind", "live", "--field", "c", "--at", "nu=0.05"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "answer_live.html")
    described = description((tmp_path / "answer_live.html").read_text(encoding="utf-8"))
    assert [unknown["name"] for unknown in described["unknowns"]] == ["c"] and described["start"] == {"nu": 0.05}


def test_the_report_has_a_short_one_within(answer_file, tmp_path, monkeypatch):
    text = pathlib.Path(write_report(answer_file, tmp_path / "report.html")).read_text(encoding="utf-8")
    report = Elements(text)
    inner, = (attributes["srcdoc"] for tag, attributes in report.all if tag == "iframe")
    assert inner == live_page(answer_file)
    monkeypatch.setattr("gwrm_post.report.LIVE_BYTES", 1000)
    write_report(answer_file, tmp_path / "report.html")
    assert "<iframe" not in (tmp_path / "report.html").read_text(encoding="utf-8")
