"""The page that shows a result: the live page, or the report of what has none."""

import importlib.util
import os
import tempfile

MOST_BYTES = 32_000_000  # which do not leave this machine: sooner is better than shorter


def require_packages():
    """ImportError where one is missing that the first page needs, without loading them."""
    for name in ("numpy", "h5py", "xarray", "h5netcdf", "matplotlib"):
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named '{name}'")


def load_packages():
    """What the first page needs; it takes a second or two."""
    import matplotlib

    matplotlib.use("Agg")  # no window, no display
    from .. import live, report  # noqa: F401


def view_of(path, so_far=False):
    """The page as bytes; None of windows `so_far` where there is nothing to be seen of them. ValueError or OSError for a file
    of which nothing can be shown."""
    load_packages()
    from ..live import live_page
    from ..report import write_report

    try:
        return live_page(path, most_bytes=MOST_BYTES, so_far=so_far, level=1).encode()
    except ValueError:
        if so_far:
            return None
    with tempfile.TemporaryDirectory(prefix="gwrm-") as folder:
        with open(write_report(path, os.path.join(folder, "report.html")), "rb") as file:
            return file.read()
