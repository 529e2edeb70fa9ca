#!/usr/bin/env python3
"""Units and labels of a case: in the attributes of result files, of sweeps and of evaluated points, and in figures.

    units.py GWRM PYTHON

PYTHON has the packages of postprocess/requirements.txt. This script runs in such a one, too.
"""
import os
import subprocess
import sys
import tempfile

import matplotlib
import xarray

matplotlib.use("Agg")

CASE = """domain:
  t: [0, 1]
  x: [0, 1]
  nu: [0.1, 0.2]
constants: {a: 1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u, 2)"]
initial: {u: "a*sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 10, nu: 3}}
verification: {tolerance: 1.0e-3}
output:
  error: on
  grid: {t: 3, x: 5, nu: 3}
  fields: {u: u, speed: u, slope: "dx(u)"}
"""
TEXTS = """units: {t: s, x: m, nu: m^2/s, u: m/s, a: m/s}
labels: {x: "distance from the wall", nu: viscosity, u: velocity, a: amplitude}
"""


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    gwrm, python = (os.path.abspath(argument) for argument in sys.argv[1:])
    def call(*arguments, expect=0):
        done = subprocess.run([gwrm, *arguments], env={**os.environ, "GWRM_PYTHON": python}, text=True, capture_output=True)
        if done.returncode != expect:
            sys.exit(f"{' '.join(arguments)}: exit status {done.returncode}, expected {expect}\n{done.stderr}")
        return done.stdout + done.stderr

    def expect_texts(dataset, expected):
        """expected: name -> (long_name, units); None where there is no such attribute."""
        for name, texts in expected.items():
            found = tuple(dataset[name].attrs.get(key) for key in ("long_name", "units"))
            if found != texts:
                sys.exit(f"{name} has {found}, expected {texts}")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in (("with", CASE + TEXTS), ("without", CASE)):
            with open(f"{name}.yaml", "w") as file:
                file.write(text)
            call("run", f"{name}.yaml", "--quiet")
        expect_texts(xarray.open_dataset("without.h5"), {
            "t": ("time", "1"), "x": ("x", "1"), "nu": ("parameter nu", "1"), "u": ("u", "1"), "slope": ("dx(u)", "1")})
        result = xarray.open_dataset("with.h5")
        expect_texts(result, {
            "t": ("time", "s"), "x": ("distance from the wall", "m"), "nu": ("viscosity", "m^2/s"), "u": ("velocity", "m/s"),
            "speed": ("velocity", "m/s"), "slope": ("dx(u)", None), "u_error": ("estimated error of u", "m/s"),
            "slope_error": ("estimated error of slope", None)})
        kinds = {name: result[name].attrs["kind"] for name in ("t", "x", "nu")}
        if kinds != {"t": "time", "x": "space", "nu": "parameter"}:
            sys.exit(f"kinds: {kinds}")
        axes = result.u.isel(t=-1, nu=0).plot()[0].axes  # xarray's own
        if (axes.get_xlabel(), axes.get_ylabel()) != ("distance from the wall [m]", "velocity [m/s]"):
            sys.exit(f"xarray's plot has {axes.get_xlabel()}, {axes.get_ylabel()}")
        expect_texts(xarray.open_dataset("with.h5", group="statistics"), {
            "u_mean": ("mean of velocity", "m/s"), "u_variance": ("variance of velocity", "(m/s)^2"),
            "u_sobol_first": ("first-order Sobol index of velocity", "1"), "x": ("distance from the wall", "m"),
            "u_sensitivity": ("mean derivative by the parameter of velocity", None), "slope_mean": ("mean of slope", None)})

        call("rerun", "with.h5", "--quiet", "-o", "again.h5")
        if xarray.open_dataset("again.h5").u.attrs != result.u.attrs:
            sys.exit("gwrm rerun gives other attributes")
        call("sweep", "with.yaml", "--quiet", "--vary", "constants.a=1,2", "-o", "sweep.h5")
        expect_texts(xarray.open_dataset("sweep.h5"), {
            "a": ("amplitude", "m/s"), "x": ("distance from the wall", "m"), "u": ("velocity", "m/s"), "slope": ("dx(u)", None)})
        with open("points.csv", "w") as file:
            file.write("t,x,nu\n0.5,0.5,0.1\n")
        call("eval", "with.h5", "--points", "points.csv", "--expr", "u", "--expr", "dx(u)", "-o", "points.h5", "--quiet")
        expect_texts(xarray.open_dataset("points.h5"), {"x": (None, "m"), "u": ("velocity", "m/s"), "value_2": ("dx(u)", None)})
        call("plot", "with.h5", "-o", "with.svg")
        wrong = call("run", "with.yaml", "--set", "units.velocity=m", expect=2)
        if "`velocity` is no dimension, unknown, constant or field" not in wrong:
            sys.exit(wrong)


if __name__ == "__main__":
    main()
