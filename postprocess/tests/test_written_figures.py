"""What `gwrm plot` writes: formats, sizes in pixels and inches, styles, and the files that it does not replace."""
import re
import subprocess
import sys

import pytest
from PIL import Image
from test_command_line import PACKAGE_FOLDER

from gwrm_post import make_figure, open_run, plot_field, save_figure
from gwrm_post.__main__ import main
from gwrm_post.heading import above
from gwrm_post.style import using


def pixels(path):
    with Image.open(path) as picture:
        return picture.size


def inches(path):
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", path.read_bytes())
    return tuple(round(float(number) / 72, 6) for number in box.groups())


def test_size_and_dots_per_inch(ode_file, tmp_path):
    out = tmp_path / "u.png"
    assert main(["plot", ode_file, "--size", "6x4", "--dpi", "50", "-o", str(out)]) == 0
    assert pixels(out) == (300, 200)
    assert main(["plot", ode_file, "--size", "3.5x2", "-o", str(out)]) == 0
    assert pixels(out) == (700, 400)  # 200 dots per inch


def test_pdf_and_svg_have_the_size_and_their_text(ode_file, tmp_path):
    assert main(["plot", ode_file, "--size", "6x4", "-o", str(tmp_path / "u.pdf")]) == 0
    assert (tmp_path / "u.pdf").read_bytes()[:5] == b"%PDF-" and inches(tmp_path / "u.pdf") == (6, 4)
    assert b"/CIDFontType2" in (tmp_path / "u.pdf").read_bytes()  # letters, not drawings of letters
    assert main(["plot", ode_file, "--size", "6x4", "-o", str(tmp_path / "u.SVG")]) == 0
    svg = (tmp_path / "u.SVG").read_text()
    assert '<svg' in svg and 'width="432pt" height="288pt"' in svg


def test_styles(ode_file, tmp_path):
    def drawn(style):
        figure = make_figure(ode_file, style=style)
        axes = figure.axes[0]
        return figure.get_figwidth(), axes.xaxis.label.get_size(), axes.get_lines()[0].get_linewidth(), figure

    screen, paper, talk = (drawn(style) for style in (None, "paper", "talk"))
    assert all(a < b < c for a, b, c in zip(paper[:3], screen[:3], talk[:3]))
    assert above(screen[3]) == "A sample" == above(talk[3]) and above(paper[3]) == ""
    out = tmp_path / "u.png"
    for style, dots in (("paper", 300), ("talk", 150)):
        assert main(["plot", ode_file, "--size", "2x1.5", "--style", style, "-o", str(out)]) == 0
        assert pixels(out) == (2 * dots, 1.5 * dots)
    with pytest.raises(ValueError, match="no style 'poster'; there are: screen, paper, talk"):
        with using("poster"):
            pass


@pytest.mark.parametrize("name, cure", [("u.jpg", "u.png"), ("u.gif", "--kind film"), ("u.html", "--kind report")])
def test_other_formats_are_refused(ode_file, tmp_path, capsys, name, cure):
    assert main(["plot", ode_file, "-o", str(tmp_path / name)]) == 2
    assert cure in capsys.readouterr().err and not list(tmp_path.glob("u.*"))


@pytest.mark.parametrize("kind", ["report", "live"])
def test_pages_are_html(answer_file, tmp_path, capsys, kind):
    assert main(["plot", answer_file, "--kind", kind, "-o", str(tmp_path / "r.pdf")]) == 2
    assert f"-o {tmp_path / 'r.html'}" in capsys.readouterr().err and not list(tmp_path.glob("r.*"))
    assert main(["plot", answer_file, "--kind", kind, "--dpi", "100"]) == 2
    assert "--dpi is for pictures and films" in capsys.readouterr().err


def test_a_page_without_an_ending_gets_one(answer_file, tmp_path):
    assert main(["plot", answer_file, "--kind", "live", "-o", str(tmp_path / "page")]) == 0
    assert (tmp_path / "page.html").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("arguments", [["-o", "x.png"], ["-o", "x.pdf"], ["-o", "x.svg"], ["-o", "x"],
                                       ["-o", "x.gif", "--kind", "film", "--frames", "2", "--size", "3x2", "--dpi", "40"],
                                       ["-o", "x.html", "--kind", "live"], ["-o", "x.htm", "--kind", "report"]])
def test_only_pictures_are_drawn_over(answer_file, tmp_path, capsys, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    name = arguments[1] if "." in arguments[1] else "x.pdf"
    theirs = tmp_path / name
    theirs.write_text("not ours")
    assert main(["plot", answer_file, *arguments]) == 8
    assert f"{name} exists already and is not a picture of gwrm plot; replace it with --overwrite" in capsys.readouterr().err
    assert theirs.read_text() == "not ours"
    if name == "x.htm":
        return  # a report takes its time, and is a page as the other
    arguments = arguments if "--kind" in arguments else [*arguments, "--size", "3x2", "--dpi", "50"]
    assert main(["plot", answer_file, *arguments, "--overwrite"]) == 0
    first = theirs.read_bytes()
    assert first != b"not ours"
    assert main(["plot", answer_file, *arguments]) == 0  # its own it draws anew


def test_usage_names_the_command(ode_file, capsys):
    for arguments, words in ((["plot", ode_file, "--dip", "3"], "--dip 3 (did you mean --dpi?)"),
                             (["plot", ode_file, "--size", "6"], "'6' is not WIDTHxHEIGHT in inches"),
                             (["plot", ode_file, "--dpi", "many"], "'many' is not a number of dots per inch"),
                             (["plot"], "required: FILE"), (["plot", ode_file, "--kind", "pie"], "invalid choice: 'pie'")):
        with pytest.raises(SystemExit) as stop:
            main(arguments, "gwrm")
        said = capsys.readouterr().err
        assert stop.value.code == 2 and "usage: gwrm plot [" in said and f"gwrm plot: error: " in said and words in said


def test_help_needs_no_packages():
    program = "import sys; sys.path.insert(0, sys.argv[1]); from gwrm_post.__main__ import main; main(['plot', '--help'], 'gwrm')"
    done = subprocess.run([sys.executable, "-S", "-c", program, PACKAGE_FOLDER], text=True, capture_output=True, check=False)
    assert done.returncode == 0 and done.stderr == ""
    for words in ("usage: gwrm plot [", "--dpi", "verification"):
        assert words in done.stdout, words


def test_save_figure_takes_dots_per_inch(viscosity_file, tmp_path):
    figure = plot_field(open_run(viscosity_file))
    figure.set_size_inches(4, 3)
    save_figure(figure, tmp_path / "u.png", dpi=70)
    assert pixels(tmp_path / "u.png") == (280, 210)


def test_what_is_too_small_is_said(plane_file, tmp_path, capsys):
    assert main(["plot", plane_file, "--size", "1x0.6", "-o", str(tmp_path / "u.png")]) == 0
    assert capsys.readouterr().err == "warning: the figure is too small for its labels: give a larger --size\n"
