"""Solving: the numbers of the program, and what can be done with them."""

import gc
import os
import subprocess
import sys
import xml.etree.ElementTree

import h5py
import numpy as np
import pytest
import xarray as xr

import gwrm
from conftest import INPUTS

OF_THE_RUN = {"history", "wall_seconds", "git_revision"}  # attributes that differ between two runs

# Chebyshev in time and space, a parameter with statistics, a flow on Fourier and bounded axes, finite differences, a branch,
# the sphere, data files.
CASES = ["burgers", "burgers_viscosity", "taylor_green", "sbp_poisson", "bratu_branch", "ball_decay", "bvp_reaction"]


def contents(path):
    """Every dataset and attribute of a file, as bytes."""
    found = {}

    def visit(name, item):
        for key, value in item.attrs.items():
            if key not in OF_THE_RUN and not key.startswith(("REFERENCE_LIST", "DIMENSION_LIST")):
                found[name, key] = repr(np.asarray(value).tolist())  # NaN, too
        if isinstance(item, h5py.Dataset):
            found[name] = (item.shape, str(item.dtype), item[()].tobytes() if item.dtype.kind != "O" else item[()].tolist())

    with h5py.File(path) as file:
        visit("", file)
        file.visititems(visit)
    return found


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_the_programs_to_the_bit(program, tmp_path, name):
    case, theirs, ours = INPUTS / f"{name}.yaml", tmp_path / "program.h5", tmp_path / "python.h5"
    subprocess.run([program, "run", case, "-q", "-o", theirs], check=True, capture_output=True)
    answer = gwrm.solve(case)
    answer.write(ours)
    expected, found = contents(theirs), contents(ours)
    assert len(expected) > 30
    assert {key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key)} == set()
    with xr.open_dataset(theirs) as dataset:
        xr.testing.assert_identical(answer.dataset.assign_attrs(history="", wall_seconds=0.0),
                                    dataset.load().assign_attrs(history="", wall_seconds=0.0))


def test_an_answer_is_a_dataset_with_series_behind_it(heat):
    answer = gwrm.solve(heat)
    assert (answer.verdict, answer.verified, answer.complete, answer.exit_status) == ("PASS", True, True, 0)
    assert answer["u"].dims == ("t", "x") and answer.u.identical(answer.dataset.u)
    assert set(answer) == {"u", "mass"} and "mass" in answer and len(answer) == 2
    assert float(answer.sel(t=1.0, x=0.5).u) == pytest.approx(np.exp(-0.1 * np.pi**2), abs=1e-6)
    assert "PASS" in answer.report() and "PASS" in repr(answer) and "u" in dir(answer)
    with pytest.raises(AttributeError, match="its fields are: .*u"):
        answer.velocity

    x = np.linspace(0, 1, 7)
    slope = answer.eval("dx(u)", t=0.3, x=x)
    assert slope.dims == ("x",) and float(slope.t) == 0.3 and slope.attrs["expression"] == "dx(u)"
    np.testing.assert_allclose(slope, np.pi * np.exp(-0.03 * np.pi**2) * np.cos(np.pi * x), atol=1e-5)
    both = answer.eval("u", x=x, t=[0.0, 1.0])
    assert both.dims == ("t", "x") and both.shape == (2, 7)
    np.testing.assert_allclose(both.sel(t=0.0), np.sin(np.pi * x), atol=1e-6)
    assert float(answer.eval("integral(u(t=0), x)")) == pytest.approx(2 / np.pi, abs=1e-7)
    assert answer.eval("u", t=0.5, x=0.5).shape == ()
    for wrong, points in (("u", {"t": 0.5}), ("u", {"t": 0.5, "x": 1.5}), ("u", {"s": 1.0}), ("u +", {}),
                          ("w", {"t": 0, "x": 0})):
        with pytest.raises(gwrm.CaseError):
            answer.eval(wrong, **points)
    with pytest.raises(ValueError, match="2 dimensions"):
        answer.eval("u", t=[[0.5]], x=0.5)


def test_complex_numbers_and_vectors_are_evaluated():
    answer = gwrm.solve({
        "domain": {"t": [0, 1], "x": {"range": [0, "2*pi"], "basis": "fourier"}},
        "unknowns": [{"name": "psi", "complex": True}, {"name": "v", "vector": ["x"]}],
        "equations": ["dt(psi) = i*dx(psi,2)", "dt(v) = -v"],
        "initial": {"psi": "exp(i*x)", "v": "[cos(x)]"}, "resolution": {"degree": {"t": 16, "x": 2}},
        "output": {"grid": {"t": 2, "x": 3}}})
    t, x = np.array([0.2, 1.0]), np.array([0.0, 0.7, 3.0])
    wave = np.exp(1j * (x - t[:, None]))  # psi_t = i psi_xx
    psi = answer.eval("psi", t=t, x=x)
    assert psi.dims == ("t", "x") and psi.dtype == complex and psi.attrs["expression"] == "psi"
    np.testing.assert_allclose(psi, wave, rtol=0, atol=1e-11)
    np.testing.assert_allclose(answer.eval("i*conj(psi)^2", t=0.2, x=x), 1j * np.conj(wave[0])**2, rtol=0, atol=1e-11)
    assert answer.eval("abs(psi)^2", t=0.2, x=0.7).dtype == float
    assert answer.eval("2*i", t=0.2).item() == 2j
    v = answer.eval("v", t=0.2, x=x)
    assert v.dims == ("component", "x") and v.component.values.tolist() == ["x"]
    np.testing.assert_allclose(v.sel(component="x"), np.exp(-0.2) * np.cos(x), rtol=0, atol=1e-11)
    both = answer.eval("[psi, re(psi)]", t=t, x=0.7)
    assert both.dims == ("component", "t") and both.component.values.tolist() == ["1", "2"]
    np.testing.assert_allclose(both, [wave[:, 1], wave[:, 1].real], rtol=0, atol=1e-11)
    with pytest.raises(gwrm.CaseError, match="unknown name"):
        answer.eval("psi + nothing", t=0.2, x=0.7)


def test_coefficients_need_no_copy_and_keep_the_answer(heat):
    answer = gwrm.solve(heat)
    assert answer.n_windows == 2 and answer.window_edges == [0.0, 0.5, 1.0]
    u = answer.coefficients(1)["u"]
    assert u.shape == (11, 30) and not u.flags.owndata and not u.flags.writeable
    before = u.copy()
    del answer
    gc.collect()
    assert np.array_equal(u, before)
    assert u[:, :15].sum() == pytest.approx(np.exp(-0.1 * np.pi**2), abs=1e-6)  # u(t=1, x=0.5)


def test_groups_and_statistics_are_those_of_the_file():
    answer = gwrm.solve(INPUTS / "burgers_viscosity.yaml")
    nu, deviation = answer.statistics.u_mean, answer.statistics.u_std
    assert nu.dims == ("t", "x") and float(deviation.max()) > 0.01
    assert answer.group("coefficients").u.dims[0] == "window" and answer.group("newton").sizes["iteration"] > 0
    with pytest.raises(ValueError, match="no group"):
        answer.group("spheres")


def test_files_are_written_once(heat, tmp_path):
    answer = gwrm.solve(heat)
    path = tmp_path / "heat.h5"
    with h5py.File(tmp_path / "other.h5", "w") as other:  # h5py's own library has a file open
        other["a"] = np.arange(3)
        answer.write(path)
        with h5py.File(path) as file:
            assert np.array_equal(file["u"][()], answer["u"].values)
            with pytest.raises(gwrm.OutputError, match="exists"):
                answer.write(path)
        other["b"] = np.arange(4)
    answer.write(path, overwrite=True)
    with pytest.raises(gwrm.OutputError):
        answer.write(tmp_path / "no" / "folder.h5")


def test_without_series_there_are_fields():
    answer = gwrm.solve(INPUTS / "sbp_poisson.yaml")
    assert answer.n_windows == 0 and len(answer) > 0
    with pytest.raises(gwrm.CaseError, match="sampled fields only"):
        answer.eval("u", x=0.5, y=0.5)


def test_figures_are_drawn(heat):
    figure = gwrm.solve(heat).plot("map", "u", size=(3, 2), title="a title")
    assert tuple(figure.get_size_inches()) == (3, 2) and figure.get_suptitle() == "a title"
    assert figure.axes


@pytest.mark.parametrize("drawn", ["gwrm.solve(CASE).plot('map', 'u')", "gwrm.converge(CASE, {'x': [8, 12, 16]}).plot()"])
def test_a_notebook_goes_on_drawing(heat, tmp_path, drawn):
    """Its backend turns that on when it is loaded, which the first figure does."""
    (tmp_path / "notebook_backend.py").write_text(
        "import matplotlib\nfrom matplotlib.backends.backend_agg import *\nmatplotlib.interactive(True)\n", encoding="utf-8")
    body = f"import gwrm, matplotlib\n{drawn.replace('CASE', repr(heat))}\nassert matplotlib.is_interactive()"
    subprocess.run([sys.executable, "-c", body], check=True, env={
        **os.environ, "PYTHONPATH": str(tmp_path), "MPLBACKEND": "module://notebook_backend"})


def test_a_live_page_has_its_scripts(heat, tmp_path):
    from gwrm_post import write_live
    gwrm.solve(heat).write(tmp_path / "heat.h5")
    page = write_live(tmp_path / "heat.h5", tmp_path / "heat.html")
    with open(page, encoding="utf-8") as file:
        assert "const GwrmSeries" in file.read()


def test_the_page_of_serve_is_installed():
    from gwrm_post.serve.server import FILES, PAGE
    assert all((PAGE / name).is_file() for name in [*FILES, "page.html"])


def test_a_failed_verification_warns_and_an_early_end_raises(heat):
    with pytest.warns(gwrm.VerificationWarning, match="verification failed"):
        answer = gwrm.solve(heat, resolution__degree__x=3, verification__tolerance=1e-9)
    assert answer.complete and not answer.verified and answer.exit_status == 6 and answer.verdict == "FAIL"
    with pytest.raises(gwrm.NotConverged) as raised:
        gwrm.solve(INPUTS / "bratu.yaml", constants={"lambda": 50})
    assert raised.value.exit_status == 3 and not raised.value.answer.complete


def test_an_answer_without_an_estimate_is_not_verified():
    case = {"problem": "recurrence_bvp", "domain": {"x": [0, 1]}, "unknowns": ["u"],
            "boundary": ["u(x=0) = 0", "u(x=1) = 0"], "recurrence": {"intervals": 2**20, "source": "1"},
            "solver": {"memory": 9e-3}}
    with pytest.warns(gwrm.NotEstimatedWarning, match="error not estimated: .*memory"):
        answer = gwrm.solve(case)
    assert answer.complete and not answer.verified and answer.exit_status == 9 and answer.verdict == "NOT ESTIMATED"


def test_notebooks_show_equations_verdict_and_picture(heat):
    answer = gwrm.solve(heat)
    page = answer._repr_html_()
    for part in ("PASS", "<math", "data:image/png;base64,", "initial", "xarray"):
        assert part in page, part
    case = gwrm.Case(heat)._repr_html_()
    assert "<math" in case and "heat" in case
    with pytest.warns(gwrm.VerificationWarning):
        assert gwrm.html.BAD in gwrm.solve(heat, verification__tolerance=1e-20)._repr_html_()
    assert "error: " in gwrm.Case(heat, boundary=["v(x=0) = 0", "u(x=1) = 0"])._repr_html_()


def test_mathml_is_well_formed_for_every_input():
    seen = set()
    for path in sorted(INPUTS.glob("*.yaml")):
        for equation in gwrm.check(path).equations:
            tree = xml.etree.ElementTree.fromstring(gwrm.html.mathml(equation.latex, equation.text))
            tags = [element.tag.rpartition("}")[2] for element in tree.iter()]
            assert tags[0] == "math" and len(tags) > 2, path
            counts = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3}
            for element in tree.iter():
                tag = element.tag.rpartition("}")[2]
                assert len(element) == counts.get(tag, len(element)), (path, equation.latex)
                assert "\\" not in (element.text or ""), (path, equation.latex)
            seen.update(tags)
    assert {"mfrac", "msup", "msub", "msubsup", "mi", "mo", "mn"} <= seen


def test_mathml_of_a_known_formula():
    text = gwrm.html.mathml(r"\frac{1}{2}\,\partial_x^{2} u\left(x\right)")
    assert text == ('<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac>'
                    '<mspace width="0.17em"></mspace><msubsup><mo>∂</mo><mi>x</mi><mn>2</mn></msubsup><mi>u</mi>'
                    "<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow></math>")
