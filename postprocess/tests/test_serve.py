"""gwrm serve without a server: what its page knows of places in a case, and the formulas beside it. The server itself is tested
with the program (tests/cases/serve.py)."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import gwrm_post
from gwrm_post.mathml import mathml
from gwrm_post.serve.server import FILES, PAGE

ROOT = pathlib.Path(gwrm_post.__file__).parents[2]
ASK = """
const schema = require(process.argv[1]), asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.texts.map(([text, offset]) => ({
  place: schema.placeAtEnd(text.slice(0, offset)), words: schema.completions(asked.schema, text, offset).words,
  help: schema.helpAt(asked.schema, text, offset)}))));
"""


# A place in a text, the keys that it is within, and what it is.
PLACES = [
    ("|", [], "key"),
    ("res|", [], "key"),
    ("# res|", [], "comment"),
    ("title: a # b|", [], "comment"),
    ("title: 'a # b|", ["title"], "value"),
    ("resolution:\n  |", ["resolution"], "key"),
    ("resolution:\n  degree: 3\n|", [], "key"),
    ("resolution:\n  degree: {t: 3, |", ["resolution", "degree"], "key"),
    ("resolution:\n  degree: {t: 3, x: |", ["resolution", "degree", "x"], "value"),
    ("resolution:\n  degree: {t: 3,\n    |", ["resolution", "degree"], "key"),
    ("resolution:\n  degree: {t: 3}\n  |", ["resolution"], "key"),
    ("solver:\n  newton:\n    tolerance: 1\n  |", ["solver"], "key"),
    ("equations:\n  - \"dt(u) = {u: 1}\"\n|", [], "key"),
    ("equations:\n- dt(u) = [u, v\n|", [], "key"),
    ("verification:\n  values:\n    - {expr: u, at: {t: 1}, |", ["verification", "values", "[]"], "key"),
    ("verification:\n  values:\n  - expr: u\n    |", ["verification", "values", "[]"], "key"),
    ("verification:\n  values:\n  - expr: u\n  |", ["verification"], "key"),
    ("initial:\n  \"u\": {file: |", ["initial", "u", "file"], "value"),
]


@pytest.fixture(scope="module")
def ask():
    """What the page says at the places | of texts."""
    node = os.environ.get("NODE") or shutil.which("node") or shutil.which("nodejs")
    if not node:
        pytest.skip("there is no node, which runs the page's script")
    schema = json.loads((ROOT / "inputs/case-schema.json").read_text(encoding="utf-8"))

    def asked(*texts):
        given = json.dumps({"schema": schema, "texts": [(text.replace("|", "", 1), text.index("|")) for text in texts]})
        return json.loads(subprocess.run([node, "-e", ASK, PAGE / "schema.js"], input=given, capture_output=True, text=True,
                                         check=True).stdout)
    return asked


def test_places(ask):
    for (text, path, role), said in zip(PLACES, ask(*(text for text, _, _ in PLACES)), strict=True):
        place = said["place"]
        assert place["role"] == role and (role == "comment" or place["path"] == path), (text, place)


def test_what_can_stand_at_a_place(ask):
    words = [[one["word"] for one in said["words"]] for said in ask(
        "res|", "solver:\n  newton:\n    tol|", "domain:\n  x: {range: [0, 1], basis: |", "problem: ti|", "output: {fi|",
        "verification:\n  values:\n    - {ex|", "title: |", "equations: [\"dt|\"]", "# res|")]
    assert words == [["resolution"], ["tolerance"], ["chebyshev", "fourier"], ["time_spectral"], ["file", "fields"], ["expr"], [],
                     [], []]


def test_help(ask):
    keys = [said["help"] and said["help"]["key"] for said in ask(
        "resolution:\n  tol|erance: 1", "resolution:\n  tolerance: 1.0e|-8", "resolution: {degree: {t: 1|2}}", "con|stants: {a: 1}",
        "constants: {a: 1|}", "# tolerance|", "nothing|: 1", "output:\n  grid: {t: 4}\n  fields: {slope: \"dx(|u)\"}")]
    assert keys == ["resolution.tolerance", "resolution.tolerance", "resolution.degree.t", "constants", "constants.a", None, None,
                    "output.fields.slope"]


def test_every_input_is_read(ask):
    """At each of its own keys, with nothing behind it, the page finds the key described."""
    for path in sorted((ROOT / "inputs").glob("*.yaml"))[::6]:
        text = path.read_text(encoding="utf-8").replace("|", "!")
        ends = [match.end(1) for match in re.finditer(r"^(?: {2})?([a-z_]+):", text, re.M)]
        for end, said in zip(ends, ask(*(f"{text[:end]}|{text[end:]}" for end in ends))):
            assert said["help"], f"{path.name}: {text[:end].splitlines()[-1]}"


def test_the_page_is_whole():
    assert sorted(FILES) == sorted(path.name for path in PAGE.iterdir() if path.suffix != ".html")
    page = (PAGE / "page.html").read_text(encoding="utf-8")
    wanted = set(re.findall(r'element\("([\w-]+)"\)', "".join((PAGE / name).read_text(encoding="utf-8") for name in FILES)))
    assert wanted <= set(re.findall(r'\bid="([\w-]+)"', page)), wanted


def test_formulas():
    assert mathml(r"\frac{1}{2} < x") == ('<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><mfrac><mn>1</mn><mn>2</mn>'
                                          "</mfrac><mo>&lt;</mo><mi>x</mi></mrow></math>")
