"""Cases: where they come from, how they are changed, what is wrong with them."""

import numpy as np
import pytest

import gwrm
from conftest import INPUTS
from gwrm.case_text import case_text, overrides_of, value_text

AS_MAPPING = {
    "title": "heat",
    "domain": {"t": [0, 1], "x": np.array([0.0, 1.0])},
    "constants": {"nu": 0.1},
    "unknowns": ["u"],
    "equations": ["dt(u) = nu*dx(u,2)"],
    "initial": {"u": "sin(pi*x)"},
    "boundary": ("u(x=0) = 0", "u(x=1) = 0"),
    "exact": {"u": "exp(-nu*pi^2*t)*sin(pi*x)"},
    "resolution": {"degree": {"t": 10, "x": np.int64(14)}, "domains": {"t": 2, "x": 2}},
    "verification": {"tolerance": 1e-6},
    "output": {"grid": {"t": 3, "x": 5}, "fields": {"u": "u", "mass": "integral(u, x)"}},
}


def test_path_text_and_mapping_are_the_same_case(heat, tmp_path):
    path = tmp_path / "case.yaml"  # names the output
    path.write_text(heat)
    texts = {gwrm.Case(source).text for source in (heat, path, str(path), AS_MAPPING, gwrm.Case(heat))}
    assert len(texts) == 1
    assert gwrm.Case(texts.pop()).title == "heat"


def test_keys_are_changed_by_keywords_and_by_path(heat):
    expected = gwrm.Case(heat.replace("nu: 0.1", "nu: 0.2")).text
    assert gwrm.Case(heat, constants__nu=0.2).text == expected
    assert gwrm.Case(heat, constants={"nu": 0.2}).text == expected
    assert gwrm.Case(heat, set={"constants.nu": np.float64(0.2)}).text == expected
    assert gwrm.Case(gwrm.Case(heat, constants__nu=0.3), constants__nu=0.2).text == expected
    finer = gwrm.Case(heat, resolution={"degree": {"x": 20}})  # the others stay
    assert finer.text == gwrm.Case(heat.replace("x: 14", "x: 20")).text
    assert overrides_of({"a.b__c": 1}, {"d__e": [1, 2.5, "x"]}) == [("a.b__c", "1"), ("d.e", '[1, 2.5, "x"]')]


def test_values_become_yaml():
    assert value_text({"range": [0, 1e-300], "map": "log"}) == '{"range": [0, 1e-300], "map": "log"}'
    assert value_text([True, None, "a: b # c"]) == '[true, null, "a: b # c"]'
    assert case_text({"a": {"b": 1}, "c": ["d"]}) == 'a:\n  b: 1\nc:\n  - "d"\n'
    with pytest.raises(TypeError, match="object"):
        value_text(object())
    with pytest.raises(ValueError, match="nan"):
        value_text(float("nan"))


def test_mistakes_have_line_column_and_caret(heat, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(heat.replace("equations", "equatons"))
    with pytest.raises(gwrm.CaseError) as raised:
        gwrm.solve(path)
    error = raised.value
    assert (error.file, error.line, error.column, error.exit_status) == (str(path), 5, 1, 2)
    assert "equations" in error.message and isinstance(error, ValueError)
    lines = str(error).splitlines()
    assert lines[0].startswith(f"{path}:5:1: error: ") and any(line.strip().startswith("^") for line in lines)

    with pytest.raises(gwrm.CaseError) as raised:
        gwrm.check(AS_MAPPING | {"equations": ["dt(u) = nu*dx(w,2)"]})
    assert raised.value.line == 10 and '"dt(u) = nu*dx(w,2)"' in str(raised.value)
    with pytest.raises(gwrm.CaseError):
        gwrm.solve("no such file.yaml")
    with pytest.raises(gwrm.CaseError, match="resolution.degree.x"):
        gwrm.solve(heat, resolution__degree__x="few")


def test_errors_belong_to_exit_statuses():
    for kind in (gwrm.InternalError, gwrm.CaseError, gwrm.NotConverged, gwrm.SingularSystem, gwrm.NotFinite,
                 gwrm.Unresolved, gwrm.ResourceError, gwrm.OutputError):
        assert type(gwrm.errors.of_status(kind.exit_status, "text")) is kind and issubclass(kind, gwrm.Error)


def test_check_says_what_would_be_solved(heat):
    summary = gwrm.check(heat)
    assert summary.equations[0].name == "equation 1" and summary.equations[0].text == "dt(u) = nu*dx(u, 2)"
    assert summary.latex.startswith("\\begin{align}\n  \\partial_t u & = ") and summary.n_unknowns > 0
    assert summary.conditions[0] and summary.memory_bytes > 0 and summary.linear_solver in repr(summary)
    assert gwrm.check(INPUTS / "ball_decay.yaml").lines


def test_what_needs_too_much_memory_is_a_resource_error(heat):
    with pytest.raises(gwrm.ResourceError):
        gwrm.solve(heat, resolution={"degree": {"x": 100000}}, solver={"linear": "dense"})
