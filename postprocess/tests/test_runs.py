import numpy as np
import pytest

from gwrm_post import open_run, open_statistics
from gwrm_post.runs import parameter_dimensions, space_dimensions, take, time_dimension


def test_open_run_gives_the_fields_and_the_attributes(viscosity_file):
    run = open_run(viscosity_file)
    assert list(run.data_vars) == ["u", "slope", "energy"]
    assert run.u.dims == ("t", "nu", "x")
    assert run.attrs["status"] == "converged"
    assert run.u.sel(t=0, x=0.5).values == pytest.approx(np.ones(5))


def test_the_file_is_closed(viscosity_file, tmp_path):
    open_run(viscosity_file)
    with open(viscosity_file, "r+b") as file:
        assert file.read(4) == b"\x89HDF"


def test_roles_of_dimensions(viscosity_file, plane_file):
    u = open_run(viscosity_file).u
    assert (time_dimension(u), parameter_dimensions(u), space_dimensions(u)) == ("t", ["nu"], ["x"])
    psi = open_run(plane_file).psi
    assert (time_dimension(psi), parameter_dimensions(psi), space_dimensions(psi)) == ("t", [], ["y", "x"])


def test_take_says_which_sample_it_took(viscosity_file):
    values, taken = take(open_run(viscosity_file).u, {"t": 0.52, "nu": 1.0})
    assert values.dims == ("x",)
    assert taken == {"t": pytest.approx(0.5), "nu": pytest.approx(0.2)}


def test_statistics(viscosity_file, tmp_path):
    statistics = open_statistics(viscosity_file)
    assert list(statistics.parameter.values) == ["nu", "A"]
    assert statistics.u_sobol_first.dims == ("parameter", "t", "x")


def test_files_that_are_no_results(tmp_path, viscosity_file):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        open_run(tmp_path / "nothing.h5")
    text = tmp_path / "text.h5"
    text.write_text("no HDF5 at all")
    with pytest.raises(ValueError, match="not a result file"):
        open_run(text)
    other = tmp_path / "other.h5"
    run = open_run(viscosity_file)
    run.attrs.clear()
    run.to_netcdf(other, engine="h5netcdf")
    with pytest.raises(ValueError, match="not a result file"):
        open_run(other)


def test_a_run_without_statistics(tmp_path, viscosity_file):
    bare = tmp_path / "bare.h5"
    open_run(viscosity_file).to_netcdf(bare, engine="h5netcdf")
    with pytest.raises(ValueError, match="no statistics"):
        open_statistics(bare)
