import os
import subprocess
import sys

import pytest

from gwrm_post.__main__ import main

PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test_plot_writes_the_format_asked_for(viscosity_file, tmp_path, capsys):
    out = tmp_path / "u.png"
    assert main(["plot", viscosity_file, "-o", str(out), "--at", "nu=0.1", "--times", "0,1"]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    assert out.read_bytes()[:4] == b"\x89PNG"


def test_without_an_ending_both_formats(ode_file, tmp_path):
    assert main(["plot", ode_file, "--dpi", "50"]) == 0
    assert (tmp_path / "ode.png").exists() and (tmp_path / "ode.pdf").read_bytes()[:4] == b"%PDF"
    assert main(["statistics", ode_file, "--dpi", "50"]) == 0
    assert (tmp_path / "ode_statistics.pdf").exists()


@pytest.mark.parametrize("name", ["viscosity_file", "plane_file", "ode_file", "steady_file"])
@pytest.mark.parametrize("command", ["plot", "statistics"])
def test_every_shape_can_be_drawn(name, command, request, tmp_path):
    out = tmp_path / "figure.png"
    assert main([command, request.getfixturevalue(name), "--dpi", "80", "-o", str(out)]) == 0
    assert out.stat().st_size > 5000


def test_mistakes_are_messages(viscosity_file, capsys):
    assert main(["plot", viscosity_file, "--field", "w"]) == 2
    assert capsys.readouterr().err == "error: there is no field 'w'; there are: u, slope, energy\n"
    with pytest.raises(SystemExit) as stop:
        main(["plot", viscosity_file, "--at", "nu"])
    assert stop.value.code == 2


def test_files_that_cannot_be_read_or_written(viscosity_file, tmp_path, capsys):
    assert main(["plot", str(tmp_path / "nothing.h5")]) == 8
    assert "does not exist" in capsys.readouterr().err
    text = tmp_path / "text.h5"
    text.write_text("no HDF5 at all")
    assert main(["report", str(text)]) == 8
    assert main(["plot", viscosity_file, "-o", str(tmp_path / "no" / "such" / "folder.png")]) == 8


def test_film_and_report_are_written(viscosity_file, answer_file, tmp_path, capsys):
    assert main(["film", viscosity_file, "--frames", "3", "--dpi", "40", "-o", str(tmp_path / "u.gif")]) == 0
    assert main(["plot", answer_file, "--kind", "report"]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "u.gif"), str(tmp_path / "answer.html")]
    assert main(["plot", answer_file, "--kind", "coefficients", "--dpi", "50"]) == 0
    assert (tmp_path / "answer_coefficients.pdf").exists()


def test_the_module_runs_as_a_program(viscosity_file, tmp_path):
    out = tmp_path / "map.pdf"
    subprocess.run([sys.executable, "-m", "gwrm_post", "plot", viscosity_file, "--kind", "map", "-o", str(out)],
                   check=True, cwd=PACKAGE_FOLDER)
    assert out.exists()
