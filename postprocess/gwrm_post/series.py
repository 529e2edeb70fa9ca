"""A field of a result file at other points than those it was sampled at, from the series of the answer."""

import os
import shutil
import subprocess
import tempfile

import h5py
import numpy as np
import xarray as xr

from .answer import open_answer

MOST_POINTS = 30_000_000


def evaluated(path, field, points, fixed=None):
    """The field on the grid of `points` (a dict: dimension -> coordinates, those of the field where a dimension is missing),
    with the dimensions and attributes of `field`; None where the file's series do not give it.

    path    the result file
    field   an array of `open_run`, of which some dimensions may have been taken at `fixed` (dimension -> coordinate)
    An unknown is summed here; other expressions are evaluated by the program gwrm, where there is one (GWRM_PROGRAM, or on
    the PATH), with which `gwrm plot` does so always. Values are those of `gwrm eval`.
    """
    grid = {str(dim): np.asarray(points.get(dim, field[dim].values), float) for dim in field.dims}
    fixed = {str(dim): float(value) for dim, value in (fixed or {}).items()}
    expression = str(field.attrs.get("expression", ""))
    if not expression or np.prod([len(places) for places in grid.values()]) > MOST_POINTS:
        return None
    values = _of_unknown(path, expression, grid, fixed)
    if values is None:
        values = _by_program(path, expression, grid, fixed)
    if values is None:
        return None
    coordinates = {dim: xr.DataArray(places, dims=dim, attrs=field[dim].attrs) for dim, places in grid.items()}
    return xr.DataArray(values, coordinates, list(grid), name=field.name, attrs=field.attrs)


def _of_unknown(path, expression, grid, fixed):
    try:
        answer = open_answer(path)
        if sorted(answer.fields.get(expression, [])) != sorted([*grid, *fixed]):
            return None
        return answer(expression, **grid, **fixed).transpose(*grid).values
    except ValueError:  # no series, or not at these points
        return None


def _by_program(path, expression, grid, fixed):
    program = os.environ.get("GWRM_PROGRAM") or shutil.which("gwrm")
    if not program:
        return None
    with tempfile.TemporaryDirectory(prefix="gwrm-") as folder:
        points, answers = os.path.join(folder, "points.h5"), os.path.join(folder, "values.h5")
        with h5py.File(points, "w") as file:
            for dim, places in zip(grid, np.meshgrid(*grid.values(), indexing="ij")):
                file[dim] = places.ravel()
        command = [program, "eval", os.path.abspath(path), "--points", points, "--expr", expression, "-o", answers,
                   "--quiet"]
        if fixed:
            command += ["--at", ",".join(f"{dim}={value!r}" for dim, value in fixed.items())]
        try:
            if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode != 0:
                return None
            with h5py.File(answers, "r") as file:
                values = next(file[name][...] for name in file
                              if file[name].attrs.get("expression", b"") in (expression, expression.encode()))
        except (OSError, StopIteration):
            return None
    return values.reshape([len(places) for places in grid.values()])
