"""The examples of docs/python.md, as they stand there."""

import doctest
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore")
def test_examples_give_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "inputs", "inputs")
    failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert tried > 10 and failed == 0
