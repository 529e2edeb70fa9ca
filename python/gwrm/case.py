"""A case: read, checked, shown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union

from . import html
from ._load import core
from .case_text import case_text, overrides_of
from .errors import Error

if TYPE_CHECKING:
    from .answer import Answer

Source = Union[str, os.PathLike, Mapping[str, Any], "Case"]


class Summary:
    """What gwrm.check finds: everything that is known of a case before it runs.

    lines          name -> text, in reading order
    equations      the system as it was understood: objects with `name`, `text`, `latex`
    conditions     a table, with a head, of how many conditions each equation takes along each dimension, and has
    n_unknowns, memory_bytes, linear_solver, warnings
    """

    def __init__(self, title: str, found: Any):
        self.title = title
        self.lines: dict[str, str] = dict(found.lines)
        self.equations = list(found.system)
        self.conditions: list[list[str]] = found.conditions
        self.n_unknowns: int = found.n_unknowns
        self.memory_bytes: int = found.memory_bytes
        self.linear_solver: str = found.linear_solver
        self.warnings: list[str] = found.warnings

    @property
    def latex(self) -> str:
        """The system as an environment of amsmath."""
        rows = []
        for equation in self.equations:
            left, equals, right = equation.latex.partition(" = ")
            rows.append(f"  {left} &{equals}{right} \\tag{{{equation.name}}}")
        return "\\begin{align}\n" + " \\\\\n".join(rows) + "\n\\end{align}\n"

    def __repr__(self) -> str:
        width = max((len(name) for name in [*self.lines, *(one.name for one in self.equations)]), default=0)
        rows = [f"  {name:<{width}}  {text}" for name, text in self.lines.items()]
        rows += ["", "  as it was understood"] if self.equations else []
        rows += [f"  {equation.name:<{width}}  {equation.text}" for equation in self.equations]
        return "\n".join([self.title or "a case of gwrm", *rows])

    def _repr_html_(self) -> str:
        return html.block(html.heading(self.title or "A case of gwrm"), html.equations(self.equations),
                          html.facts(self.lines))


class Case:
    """A case file, its text (what has a line break), or a mapping of the same keys, with keys changed.

    source      the path of a YAML file, YAML text, a mapping, or another Case
    set         keys by path: {"resolution.degree.x": 48}
    overrides   the same with two underscores for a point: resolution__degree__x=48; a mapping changes the keys that it has:
                constants={"nu": 0.2}
    CaseError for what is wrong, with line and column.
    """

    def __init__(self, source: Source, *, set: Mapping[str, Any] | None = None, **overrides: Any):
        changes = overrides_of(set, overrides)
        self.path: str | None = None
        self._text: str | None
        self._name: str
        self._changes: list[tuple[str, str]]
        if isinstance(source, Case):
            self._text, self._name, self.path = source._text, source._name, source.path
            changes = source._changes + changes
        elif isinstance(source, Mapping):
            self._text, self._name = case_text(source), "case"
        elif isinstance(source, str) and "\n" in source:
            self._text, self._name = source, "case"
        else:
            self.path = os.fspath(source)
            self._text, self._name = None, self.path
        self._changes = changes
        if self._text is None:
            self._case = core.Case.from_file(self._name, changes)
        else:
            self._case = core.Case.from_text(self._text, self._name, changes)

    @property
    def title(self) -> str:
        return self._case.title

    @property
    def text(self) -> str:
        """YAML with every default written out; reads back to the same case."""
        return self._case.text

    @property
    def output_file(self) -> str:
        """Where the program would write the result."""
        return self._case.output_file

    def check(self) -> Summary:
        """What `gwrm check` shows; CaseError if the case does not fit together."""
        return Summary(self.title, self._case.check())

    def solve(self, **options: Any) -> Answer:
        """gwrm.solve of this case."""
        from .runs import solve
        return solve(self, **options)

    def __repr__(self) -> str:
        return f"<gwrm.Case {self.title!r}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        try:
            return self.check()._repr_html_()
        except Error as error:
            return html.block(html.heading(self.title or "A case of gwrm"), html.preformatted(str(error)))
