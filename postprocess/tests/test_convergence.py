import h5py
import numpy as np
import pytest

from gwrm_post import open_study, plot_convergence
from gwrm_post.__main__ import main

SIZES = np.array([4.0, 8.0, 16.0, 32.0])


def write_study(path, law, error, **changes):
    """A file as `gwrm converge` writes it (docs/converge.md)."""
    attributes = {
        "study": "convergence", "study_version": 1, "title": "A sample", "size_name": "x", "measure": "error_max",
        "law": law, "algebraic_order": 2.0, "algebraic_order_constant": 0.5, "exponential_rate": 0.7,
        "exponential_rate_constant": 3.0, "floor": np.nan, "floor_is_rounding": 0, **changes,
    }
    with h5py.File(path, "w") as file:
        for name, value in attributes.items():
            file.attrs[name] = np.bytes_(value) if isinstance(value, str) else value
        file["size"], file["error"] = SIZES, error
        file["order"] = file["rate"] = np.full(4, np.nan)
        file["fitted"] = np.array([0, 1, 1, 0], dtype=np.int8)
        file["at_floor"] = np.array([0, 0, 0, 1], dtype=np.int8)
    return str(path)


def lines(figure):
    return {line.get_label(): line for line in figure.axes[0].get_lines()}


def test_an_algebraic_law_is_straight_on_logarithmic_axes(tmp_path):
    figure = plot_convergence(write_study(tmp_path / "a.h5", "algebraic", 0.5 * SIZES**-2))
    axes = figure.axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    fit = lines(figure)["order 2"]
    assert np.allclose(fit.get_ydata(), 0.5 * fit.get_xdata() ** -2.0)
    assert list(fit.get_xdata()[[0, -1]]) == [8.0, 16.0]  # over the fitted levels alone
    assert axes.get_xlabel() == "x" and axes.get_ylabel() == "largest relative error"


def test_an_exponential_law_is_straight_against_the_size(tmp_path):
    path = write_study(tmp_path / "e.h5", "exponential", 3 * np.exp(-0.7 * SIZES), floor=1e-9, floor_is_rounding=1)
    figure = plot_convergence(path)
    assert figure.axes[0].get_xscale() == "linear" and figure.axes[0].get_yscale() == "log"
    fit = lines(figure)["exp($-$0.7 N)"]
    assert np.allclose(fit.get_ydata(), 3 * np.exp(-0.7 * fit.get_xdata()))
    assert "round-off, 1.0e-09" in lines(figure)


def test_levels_without_error_are_left_out(tmp_path):
    error = np.array([1e-2, 1e-4, 1e-6, np.nan])  # the reference of a study without exact solution
    figure = plot_convergence(write_study(tmp_path / "s.h5", "algebraic", error))
    assert sum(len(line.get_xdata()) for label, line in lines(figure).items() if label in ("errors", "not fitted")) == 3


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        open_study(tmp_path / "nothing.h5")
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(ValueError, match="no convergence study|not a convergence study"):
        open_study(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w"):
        pass
    with pytest.raises(ValueError, match="not a convergence study"):
        open_study(tmp_path / "other.h5")


def test_command_line(tmp_path, capsys):
    path = write_study(tmp_path / "study.h5", "algebraic", 0.5 * SIZES**-2)
    assert main(["convergence", path, "-o", str(tmp_path / "study.png")]) == 0
    assert capsys.readouterr().out.strip().endswith("study.png") and (tmp_path / "study.png").stat().st_size > 5000
    assert main(["convergence", str(tmp_path / "none.h5")]) == 8


def test_gwrm_plot_knows_a_study(tmp_path, capsys):
    path = write_study(tmp_path / "a.h5", "algebraic", 0.5 * SIZES**-2)
    assert main(["plot", path, "-o", str(tmp_path / "a.png")]) == 0
    assert main(["plot", path, "--kind", "convergence", "-o", str(tmp_path / "b.png")]) == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert main(["plot", path, "--kind", "newton"]) == 8
    assert "not a result file" in capsys.readouterr().err
