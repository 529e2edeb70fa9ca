"""Result files as xarray datasets, and what their dimensions are: time, space or parameters."""

import os

import xarray as xr


def open_run(path):
    """The sampled fields of a result file, in memory; everything about the run is in `.attrs`.

    Raises FileNotFoundError, or ValueError for a file that gwrm has not written.
    """
    run = _open_group(path, None)
    if not str(run.attrs.get("source", "")).startswith("gwrm"):
        raise ValueError(f"{path} is not a result file of gwrm")
    return run


def open_statistics(path):
    """The group /statistics: mean, variance, sensitivities and Sobol indices over the parameters.

    Raises ValueError if the run has stored no statistics.
    """
    open_run(path)
    try:
        return _open_group(path, "statistics")
    except (OSError, KeyError):
        raise ValueError(f"{path} has no statistics (they need a parameter dimension)") from None


def _open_group(path, group):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist")
    try:
        with xr.open_dataset(path, group=group) as dataset:
            return dataset.load()
    except ValueError as error:  # xarray finds no engine that can read it
        raise ValueError(f"{path} is not a result file of gwrm") from error


def time_dimension(field):
    """The name of the time dimension of an array, or None."""
    return next((dim for dim in field.dims if dim in field.coords and field[dim].attrs.get("axis") == "T"), None)


def parameter_dimensions(field):
    return [dim for dim in field.dims if str(field[dim].attrs.get("long_name", "")).startswith("parameter")]


def space_dimensions(field):
    """In the order of the array: z, y, x."""
    others = {time_dimension(field), *parameter_dimensions(field)}
    return [dim for dim in field.dims if dim not in others]


def find_field(dataset, name):
    """An array of the dataset; ValueError with the names there are."""
    if name not in dataset.data_vars:
        raise ValueError(f"there is no field '{name}'; there are: {', '.join(map(str, dataset.data_vars))}")
    return dataset[name]


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
