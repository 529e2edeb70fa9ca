"""The answer of a run."""

from __future__ import annotations

import io
import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from . import html
from .errors import Error

if TYPE_CHECKING:
    import matplotlib.figure


class Answer:
    """What a run has found: the sampled fields as an xarray.Dataset, and behind them the series themselves.

    >>> answer.u.sel(t=1.0).plot()                            # doctest: +SKIP
    >>> answer.eval("dx(u)^2", t=0.3, x=np.linspace(0, 1))    # doctest: +SKIP

    dataset      what xarray.open_dataset gives of the file that `write` writes. Its variables, coordinates and methods are
                 the answer's, too: answer["u"], answer.u, answer.sel(t=1.0)
    verdict      "PASS", "FAIL", "NOT ESTIMATED"; "" where the run ended early
    verified     whether it is complete and its verdict is "PASS"
    checks       every check with kind, subject, value, tolerance, judged, ok
    exit_status, status, reason    how the run ended, as the program says it
    warnings, wall_seconds
    """

    def __init__(self, result: Any, title: str = "", equations: Any = ()):
        self._result, self._title, self._equations = result, title, equations
        self._path: str | None = None
        self._dataset: xr.Dataset | None = None

    @property
    def exit_status(self) -> int:
        return self._result.exit_status

    @property
    def status(self) -> str:
        return self._result.status

    @property
    def reason(self) -> str:
        return self._result.reason

    @property
    def complete(self) -> bool:
        return self._result.complete

    @property
    def verified(self) -> bool:
        return self._result.verified

    @property
    def verdict(self) -> str:
        return self._result.verdict

    @property
    def checks(self) -> list[Any]:
        return self._result.checks

    @property
    def warnings(self) -> list[str]:
        return self._result.warnings

    @property
    def wall_seconds(self) -> float:
        return self._result.wall_seconds

    def report(self) -> str:
        """The text that `gwrm run` prints."""
        return self._result.report()

    # The series.

    def eval(self, expression: str, /, **points: Any) -> xr.DataArray:
        """Any expression of the unknowns, their derivatives and integrals, on the grid of the points given: "dx(u)",
        "integral(u^2, x)", "u(x=0)" (docs/expressions.md).

        points  a number or a list of them for each dimension that the expression varies along; a number leaves no
                dimension in the result. CaseError for points outside and for mistakes in the expression.
        Values are complex numbers where the expression is complex; of a vector, the first dimension is `component`.
        """
        given = {name: np.asarray(along, float) for name, along in points.items()}
        for name, along in given.items():
            if along.ndim > 1:
                raise ValueError(f"{name} has {along.ndim} dimensions: points along {name} are a number or a list")
        grid = {name: np.atleast_1d(along).tolist() for name, along in given.items()}
        parts, dims = {}, []
        for name, text in self._result.parts(expression):
            dims, values = self._result.evaluate(text, grid)
            parts[name] = np.asarray(values)
        kept = [name for name in dims if name in given and given[name].ndim == 1]
        components = _components(parts)
        coordinates = {name: (name, along) if along.ndim else float(along) for name, along in given.items()}
        shape = [given[name].size for name in kept]
        if "" in components:
            return xr.DataArray(components[""].reshape(shape), coordinates, kept, expression, {"expression": expression})
        array = np.stack([values.reshape(shape) for values in components.values()])
        return xr.DataArray(array, {"component": list(components), **coordinates}, ["component", *kept], expression,
                            {"expression": expression})

    @property
    def n_windows(self) -> int:
        return self._result.n_windows

    @property
    def window_edges(self) -> list[float]:
        """The times between the windows; empty without time."""
        return self._result.window_edges

    def coefficients(self, window: int = 0) -> dict[str, np.ndarray]:
        """The coefficients of each unknown in a window, over its dimensions in the order of docs/output-format.md; without
        a copy, not to be changed. `group("coefficients")` has them with their names."""
        return {name: array for name, (_, array) in self._result.coefficients(window).items()}

    # The file.

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Writes the result file of `gwrm run` (docs/output-format.md). OutputError if it exists, unless `overwrite`."""
        self._result.write(os.fspath(path), overwrite)

    def group(self, name: str) -> xr.Dataset:
        """A group of the result file: "coefficients", "windows", "newton", "verification", "statistics"."""
        from gwrm_post import open_group
        return open_group(self._file(), name)

    @property
    def statistics(self) -> xr.Dataset:
        """Mean, variance, sensitivities and Sobol indices over the parameters; ValueError where there are none."""
        from gwrm_post import open_statistics
        return open_statistics(self._file())

    @property
    def dataset(self) -> xr.Dataset:
        if self._dataset is None:
            from gwrm_post import open_run
            self._dataset = open_run(self._file())
        return self._dataset

    def _file(self) -> str:
        """A result file of our own, as long as the answer lives."""
        if self._path is None:
            folder = tempfile.TemporaryDirectory(prefix="gwrm-")
            weakref.finalize(self, folder.cleanup)
            path = os.path.join(folder.name, "answer.h5")
            self._result.write(path, False)
            self._path = path
        return self._path

    # The dataset's own ways.

    def __getitem__(self, key: Any) -> Any:
        return self.dataset[key]

    def __contains__(self, key: Any) -> bool:
        return key in self.dataset

    def __iter__(self) -> Iterator[Any]:
        return iter(self.dataset)

    def __len__(self) -> int:
        return len(self.dataset)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return getattr(self.dataset, name)
        except AttributeError:
            raise AttributeError(f"an answer has no '{name}'; its fields are: {', '.join(map(str, self.dataset))}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *map(str, self.dataset.variables)})

    # Pictures and texts.

    def plot(self, kind: str | None = None, field: str | list[str] | None = None, *, times: list[float] | None = None,
             select: Mapping[str, float] | None = None, zoom: Mapping[str, tuple[float, float]] | None = None,
             title: str | None = None, size: tuple[float, float] | None = None, style: str | None = None,
             ) -> matplotlib.figure.Figure:
        """A figure as `gwrm plot` draws it; its kinds are in postprocess/README.md. Size in inches; style: "paper", "talk"."""
        from gwrm_post import make_figure
        fields = [field] if isinstance(field, str) else field
        return make_figure(self._file(), kind, fields, times, dict(select or {}), dict(zoom or {}), title=title,
                           size=size, style=style)

    def __repr__(self) -> str:
        how = self.verdict or self.status
        head = f"<gwrm.Answer {self._title!r}: {how}>"
        return "\n".join(filter(None, [head, self.reason, repr(self.dataset)])) if self.complete else \
            "\n".join(filter(None, [head, self.reason]))

    def __str__(self) -> str:
        return self.report() or repr(self)

    def _repr_html_(self) -> str:
        good = self.verified and self.verdict == "PASS"
        parts = [html.heading(self._title or "An answer of gwrm"),
                 html.badge(f"{self.status}, {self.verdict}" if self.verdict else self.status, good)]
        if self.reason:
            parts.append(html.preformatted(self.reason))
        parts += [html.equations(one for one in self._equations if one.name.startswith("equation")), self._picture(),
                  html.checks(self.checks)]
        if self.complete:
            parts.append(f"<details><summary>data</summary>{self.dataset._repr_html_()}</details>")
        return html.block(*parts)

    def _picture(self) -> str:
        try:
            figure = self.plot(title="")
        except (ValueError, Error):  # nothing that can be drawn
            return ""
        import matplotlib.pyplot as plt
        data = io.BytesIO()
        figure.savefig(data, format="png", dpi=72)
        plt.close(figure)
        return f"<div>{html.picture(data.getvalue(), self._title)}</div>"


def _components(parts: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Values by the names of components, "" of a number, from those by names of parts: "x_re" and "x_im", "re" and "im"
    are one complex number."""
    components: dict[str, np.ndarray] = {}
    for name, values in parts.items():
        component, _, part = name.rpartition("_")
        if part not in ("re", "im"):
            components[name] = values
        else:
            components[component] = components.get(component, 0) + values * (1j if part == "im" else 1)
    return components
