"""The rows of a verification show what is compared."""
import numpy as np
import pytest
import xarray as xr
from gwrm_post.checks import check_rows


def rows_of(values, tolerance, judged=1, margin=1.5, kind="estimate"):
    count = len(values)
    columns = {"kind": [kind] * count, "subject": ["u"] * count, "value": values, "tolerance": [tolerance] * count,
               "judged": [judged] * count, "passed": [not judged or value * (margin or 1) <= tolerance for value in values]}
    if margin:
        columns["margin"] = [margin] * count
    return check_rows(xr.Dataset({name: ("check", np.array(column)) for name, column in columns.items()}))


def test_an_estimate_is_multiplied_by_its_margin():
    row, = rows_of([8.9e-7], 1e-6)
    assert (row["label"], row["judged_text"], row["tolerance_text"]) == ("1.5 x estimated error", "1.3e-06", "1.0e-06")
    assert not row["passed"] and row["value"] == 8.9e-7


def test_what_is_only_reported_is_not():
    row, = rows_of([8.9e-7], 1e-6, judged=0)
    assert (row["label"], row["judged_text"]) == ("estimated error", "8.9e-07")


def test_files_without_margins():
    row, = rows_of([1.04e-6], 1e-6, margin=None, kind="tail")
    assert (row["label"], row["judged_text"], row["tolerance_text"]) == ("last coefficients", "1.04e-06", "1.00e-06")


@pytest.mark.parametrize("tolerance", [1e-6, 1.249e-3, 1 / 3])
def test_the_texts_compare_as_the_numbers_do(tolerance):
    for row in rows_of([factor * tolerance / 1.5 for factor in (0.1, 0.99, 1, 1 + 1e-15, 1.0001, 1.04, 7)], tolerance):
        assert (float(row["judged_text"]) <= float(row["tolerance_text"])) == row["passed"], row


def test_not_a_number():
    row, = rows_of([float("nan")], 1e-6)
    assert row["judged_text"] == "nan" and not row["passed"]
