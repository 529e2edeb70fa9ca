"""Result files as xarray datasets, and what their dimensions are: time, space or parameters."""

import os
import re

import xarray as xr

from .whole_file import require_ordinary


class NotAResult(ValueError):
    """The file cannot be read as a result file of gwrm."""


def open_run(path):
    """The sampled fields of a result file, in memory; everything about the run is in `.attrs`.

    Raises FileNotFoundError, or ValueError for a file that gwrm has not written.
    """
    run = _open(path, None)
    if not str(run.attrs.get("source", "")).startswith("gwrm"):
        raise NotAResult(f"{path} is not a result file of gwrm")
    return run


def run_attributes(path):
    """What the file of a run says of it, without its fields."""
    with xr.open_dataset(path, decode_times=False) as dataset:
        return dict(dataset.attrs)


def case_number(attributes, *keys):
    """A number of the case that the file of a run holds, such as "solver", "newton", "tolerance"; None if it is not there.
    The stored text has one key in a line, two more blanks for each section that it is in."""
    text = str(attributes.get("case", ""))
    for depth, key in enumerate(keys):
        found = re.search(rf"^{'  ' * depth}{re.escape(key)}:(.*)$", text, re.MULTILINE)
        if found is None:
            return None
        text = text[found.end():]
        end = re.search(rf"^ {{0,{2 * depth}}}[^ \n]", text, re.MULTILINE)  # the section's end
        text = text if end is None else text[: end.start()]
    try:
        return float(found.group(1))
    except ValueError:
        return None


def open_statistics(path):
    """The group /statistics: mean, variance, sensitivities and Sobol indices over the parameters.

    Raises ValueError if the run has stored no statistics.
    """
    statistics = open_group(path, "statistics", optional=True)
    if statistics is None:
        raise ValueError(f"{path} has no statistics (they need a parameter dimension)")
    return statistics


def open_group(path, name, optional=False):
    """One group of a result file as a dataset in memory: coefficients, windows, newton, verification, statistics.

    Raises ValueError if the file is none of gwrm or has no such group; with `optional` the latter gives None.
    """
    open_run(path)
    try:
        return _open(path, name)
    except (OSError, KeyError):
        if optional:
            return None
        raise ValueError(f"{path} has no group '{name}'") from None


def _open(path, group):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist")
    require_ordinary(path)
    try:
        with xr.open_dataset(path, group=group, decode_times=False) as dataset:
            return dataset.load()
    except ValueError as error:  # xarray finds no engine that can read it
        raise NotAResult(f"{path} is not a result file of gwrm") from error


def time_dimension(field):
    """The name of the time dimension of an array, or None."""
    return next((dim for dim in field.dims if dim in field.coords and field[dim].attrs.get("axis") == "T"), None)


def parameter_dimensions(field):
    return [dim for dim in field.dims if field[dim].attrs.get("kind", "") == "parameter"
            or str(field[dim].attrs.get("long_name", "")).startswith("parameter")]  # of files before 0.12


def space_dimensions(field):
    """In the order of the array: z, y, x."""
    others = {time_dimension(field), *parameter_dimensions(field)}
    return [dim for dim in field.dims if dim not in others]


def curvilinear(run, field):
    """The fields `x` and `y` of a grid that is not rectangular, if the field lives on one; else None."""
    names = ("x", "y")
    if all(name in run.data_vars and run[name].dims == field.dims and field.ndim == 2 for name in names):
        return [run[name] for name in names] if field.name not in names else None
    return None


def find_field(dataset, name):
    """An array of the dataset; ValueError with the names there are."""
    if name not in dataset.data_vars:
        raise ValueError(f"there is no field '{name}'; there are: {', '.join(map(str, dataset.data_vars))}")
    return dataset[name]


def is_error(field):
    """True for the estimated error of another field (`output: {error: on}`)."""
    return bool(field.attrs.get("error_of", ""))


def error_of(run, field):
    """The estimated error of a field on the same samples, or None."""
    return next((other for other in run.data_vars.values() if other.attrs.get("error_of", "") == field.name), None)


def take(field, select):
    """Takes the samples nearest to the coordinates in `select` (a dict dimension -> value).

    Returns the smaller array and a dict of the coordinates that were taken.
    """
    taken = {}
    for dim, value in select.items():
        field = field.sel({dim: value}, method="nearest")
        taken[dim] = float(field[dim])
    return field, taken


def middle(field, dims):
    """A selection of the middle sample of each of the dimensions."""
    return {dim: float(field[dim][field.sizes[dim] // 2]) for dim in dims}
