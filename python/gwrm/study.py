"""A convergence study."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

import xarray as xr

from . import html

if TYPE_CHECKING:
    import matplotlib.figure


class Study:
    """A case at several resolutions: the errors, and the law they follow (docs/converge.md).

    dataset    errors, orders, rates, .. over the dimension `level`, with the values of the varied keys
    law        "algebraic", "exponential", "undecided", "none"
    algebraic_order, exponential_rate, floor    of the law; NaN where there is none
    statement  the law with its evidence
    passed     whether it is what the case asks for; exit_status as that of `gwrm converge`
    """

    def __init__(self, study: Any, title: str = ""):
        self._study, self._title = study, title
        self.exit_status: int = study.exit_status
        self.keys: list[str] = study.keys
        self.measure: str = study.measure
        self.law: str = study.law
        self.algebraic_order: float = study.algebraic_order
        self.exponential_rate: float = study.exponential_rate
        self.floor: float = study.floor
        self.statement: str = study.statement
        self.passed: bool = study.passed

    @property
    def dataset(self) -> xr.Dataset:
        levels = self._study.levels
        columns = {name: ("level", [getattr(level, name) for level in levels]) for name in
                   ("size", "error", "order", "rate", "fitted", "at_floor", "is_reference", "exit_status", "status",
                    "reason", "n_unknowns", "wall_seconds")}
        values = {key: ("level", [_number(level.values[k]) for level in levels]) for k, key in enumerate(self.keys)}
        return xr.Dataset(columns, values, {"size": self._study.size_name, "measure": self.measure, "law": self.law,
                                            "statement": self.statement})

    def report(self) -> str:
        """The text that `gwrm converge` prints."""
        return self._study.report()

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes the file of `gwrm converge`."""
        self._study.write(os.fspath(path), overwrite)

    def plot(self) -> matplotlib.figure.Figure:
        from gwrm_post import plot_convergence
        with tempfile.TemporaryDirectory(prefix="gwrm-") as folder:
            path = os.path.join(folder, "study.h5")
            self.write(path)
            return plot_convergence(path)

    def __repr__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        return html.block(html.heading(self._title or "A convergence study"), html.preformatted(self.report()))


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
