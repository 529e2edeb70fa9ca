"""Convergence studies and sweeps."""

import os
import pathlib

import numpy as np
import pytest

import gwrm
from conftest import INPUTS


def test_a_study_finds_the_law(tmp_path):
    study = gwrm.converge(INPUTS / "burgers_degrees.yaml", {"x": [8, 12, 16, 20], "t": [8, 12, 16, 20]})
    assert study.law == "exponential" and study.exit_status == 0 and study.exponential_rate > 0.5
    assert study.dataset.error.dims == ("level",) and len(study.dataset.error) == 4
    assert list(study.dataset.x.values) == [8, 12, 16, 20]
    assert "law: exponential" in study.report() and "law: exponential" in study._repr_html_()
    assert study.plot().axes
    study.write(tmp_path / "study.h5")
    with pytest.raises(gwrm.OutputError):
        study.write(tmp_path / "study.h5")


def test_a_study_is_the_programs(program, tmp_path):
    import json
    import subprocess
    case = INPUTS / "burgers_degrees.yaml"
    done = subprocess.run([program, "converge", case, "--vary", "x=8,12,16", "--json", "-o", tmp_path / "s.h5"],
                          capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    ours = gwrm.converge(case, {"x": [8, 12, 16]})
    assert [level["error"] for level in theirs["levels"]] == ours.dataset.error.values.tolist()
    assert theirs["statement"] == ours.statement


def test_a_study_with_manufactured_data(heat):
    study = gwrm.converge(heat, {"x": [6, 8, 10]}, manufactured=True, exact={"u": "cos(t)*sin(3*x)*x*(1 - x)"})
    assert len(study.dataset.level) == 3 and np.all(np.diff(study.dataset.error) < 0)
    with pytest.raises(gwrm.CaseError):
        gwrm.converge(heat, {"y": [6, 8]})


def test_a_sweep_is_one_dataset(heat, tmp_path):
    data = gwrm.sweep(heat, {"constants.nu": [0.1, 0.2], "x": [12, 14]})
    assert dict(data.sizes) == {"nu": 2, "degree_x": 2, "t": 3, "x": 5} | {
        name: size for name, size in data.sizes.items() if name not in ("nu", "degree_x", "t", "x")}
    alone = gwrm.solve(heat, constants__nu=0.2, resolution__degree__x=12, threads=1)
    assert np.array_equal(data.u.sel(nu=0.2, degree_x=12).values, alone.u.values)
    kept = gwrm.sweep(heat, {"constants.nu": "0.1:0.4:3"}, output=tmp_path / "s.h5", keep_runs=True)
    assert kept.nu.values.tolist() == pytest.approx([0.1, 0.25, 0.4])
    assert sorted(os.listdir(tmp_path)) == ["s.h5", "s_runs"] and len(os.listdir(tmp_path / "s_runs")) == 3
    samples = gwrm.sweep(heat, {"constants.nu": "uniform(0.1,0.2)"}, samples=4, sobol=True)
    assert samples.sizes["sample"] == 4 and np.all((samples.nu > 0.1) & (samples.nu < 0.2))


def test_runs_of_a_sweep_may_fail(heat):
    with pytest.warns(gwrm.VerificationWarning, match="1 of 2 runs"):
        data = gwrm.sweep(heat, {"resolution.degree.x": [2, 14]})
    assert data.exit_status.values.tolist() == [6, 0]
    with pytest.raises(gwrm.CaseError, match="nuu"):
        gwrm.sweep(heat, {"constants.nuu": [1, 2]})
    with pytest.raises(ValueError, match="keep_runs"):
        gwrm.sweep(heat, {"x": [2, 4]}, keep_runs=True)


def test_an_interrupted_sweep_goes_on_from_its_journal(heat, tmp_path):
    def stop(done, note):
        if done >= 0.2:
            raise KeyboardInterrupt

    whole = gwrm.sweep(heat, {"constants.nu": "0.1:0.4:60"}, output=tmp_path / "whole.h5")
    with pytest.raises(KeyboardInterrupt) as raised:
        gwrm.sweep(heat, {"constants.nu": "0.1:0.4:60"}, output=tmp_path / "s.h5", progress=stop)
    part, journal = raised.value.answer, raised.value.journal
    ended = part.exit_status.values >= 0
    assert 0 < ended.sum() < 60
    assert np.array_equal(part.u.values[ended], whole.u.values[ended])
    assert pathlib.Path(journal) == tmp_path / "s.journal"
    data = gwrm.sweep(restart=journal)
    assert np.array_equal(data.u, whole.u) and not os.path.exists(journal)


def test_a_sweep_does_not_write_over_its_case(heat, tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text(heat)
    with pytest.raises(gwrm.OutputError, match="written over"):
        gwrm.sweep(path, {"x": [12, 14]}, output=path, overwrite=True)
