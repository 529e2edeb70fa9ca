"""What can go wrong, a class for each exit status of the program (docs/failures.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer


class Error(Exception):
    """The text is what the program prints: for a mistake in a case with file, line, column, the line and a caret.

    file, line, column  where it is, lines and columns from 1; "" and 0 where that is not known
    message             what is wrong, without the place
    exit_status         that of the program
    answer              of a run that ended early: what was finished by then, else None
    """

    exit_status = 1

    def __init__(self, text: str, file: str = "", line: int = 0, column: int = 0, message: str | None = None):
        super().__init__(text)
        self.file, self.line, self.column = file, line, column
        self.message = text if message is None else message
        self.answer: Answer | None = None


class InternalError(Error):
    """A mistake of gwrm."""


class CaseError(Error, ValueError):
    """A mistake in a case, an expression or an argument."""

    exit_status = 2


class NotConverged(Error):
    """Newton's method found no solution."""

    exit_status = 3


class SingularSystem(Error):
    """A linear system could not be solved."""

    exit_status = 4


class NotFinite(Error):
    """NaN or infinity."""

    exit_status = 5


class Unresolved(Error):
    """The tolerance asked for was not reached, and the run ended early."""

    exit_status = 6


class ResourceError(Error):
    """Not enough memory, or no device."""

    exit_status = 7


class OutputError(Error):
    """A file cannot be written or read."""

    exit_status = 8


def interrupted(answer: Any = None, journal: str | None = None) -> KeyboardInterrupt:
    """What Ctrl-C raises while gwrm computes: a KeyboardInterrupt - itself, so that the process ends as it does of one -
    with `answer`, what was finished by then (an Answer, of a study a Study, of a sweep a dataset, or None), and `journal`,
    of a sweep what gwrm.sweep(restart=...) goes on from."""
    go_on = f"; go on with gwrm.sweep(restart={journal!r})" if journal else ""
    error = KeyboardInterrupt("interrupted" + go_on)
    error.answer, error.journal = answer, journal  # type: ignore[attr-defined]
    return error


class VerificationWarning(UserWarning):
    """There is an answer, and it is not verified: it is wrong or less accurate than asked for, or its error is not known."""


class NotEstimatedWarning(VerificationWarning):
    """There is an answer that has passed its checks, but its error could not be estimated (exit status 9)."""


class RunWarning(UserWarning):
    """What the program warns of."""


_BY_STATUS = {kind.exit_status: kind for kind in
              (InternalError, CaseError, NotConverged, SingularSystem, NotFinite, Unresolved, ResourceError, OutputError)}


def of_status(status: int, text: str, file: str = "", line: int = 0, column: int = 0,
              message: str | None = None) -> Error:
    """The error that belongs to an exit status."""
    return _BY_STATUS.get(status, InternalError)(text, file, line, column, message)
