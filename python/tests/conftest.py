"""Tests of the installed package. --program: the program `gwrm` of the same build, whose results are compared to the bit."""

import pathlib

import matplotlib
import pytest

matplotlib.use("Agg")

INPUTS = pathlib.Path(__file__).parents[2] / "inputs"

HEAT = """title: heat
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-nu*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 10, x: 14}, domains: {t: 2, x: 2}}
verification: {tolerance: 1.0e-6}
output: {grid: {t: 3, x: 5}, fields: {u: u, mass: "integral(u, x)"}}
"""

# Some seconds, window by window.
LONG = """title: long
domain: {t: [0, 400], x: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2) + sin(x)*cos(t)"]
initial: {u: "sin(x)"}
boundary: ["u(x=0) = 0", "u(x=2*pi) = 0"]
resolution: {degree: {t: 12, x: 60}, domains: {t: 4000}}
verification: {tolerance: 0.1}
output: {grid: {t: 3, x: 5}, fields: {u: u}}
"""


def pytest_addoption(parser):
    parser.addoption("--program", help="the program gwrm of the same build")


@pytest.fixture(scope="session")
def program(request):
    path = request.config.getoption("--program")
    if path is None:
        pytest.skip("--program says which one to compare with")
    return path


@pytest.fixture
def heat():
    return HEAT


@pytest.fixture
def long_case():
    return LONG
