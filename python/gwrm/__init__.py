"""Partial and ordinary differential equations from a YAML case, solved by Chebyshev series and verified.

>>> import gwrm
>>> answer = gwrm.solve("inputs/burgers.yaml", constants__nu=0.05)  # doctest: +SKIP
>>> answer.verdict                                                  # doctest: +SKIP
'PASS'
>>> answer.u.sel(t=1.0).plot()                                      # doctest: +SKIP
>>> answer.eval("dx(u)", t=0.3, x=[0.1, 0.2])                       # doctest: +SKIP

docs/python.md has the rest; the case file is described in docs/case-file.md.
"""

from . import errors
from ._load import core as _core
from .answer import Answer
from .case import Case, Summary
from .errors import (CaseError, Error, InternalError, NotConverged, NotEstimatedWarning, NotFinite, OutputError,
                     ResourceError, RunWarning, SingularSystem, Unresolved, VerificationWarning)
from .runs import check, converge, solve, sweep
from .study import Study

__version__: str = _core.version()

__all__ = [
    "Answer",
    "Case",
    "CaseError",
    "Error",
    "InternalError",
    "NotConverged",
    "NotEstimatedWarning",
    "NotFinite",
    "OutputError",
    "ResourceError",
    "RunWarning",
    "SingularSystem",
    "Study",
    "Summary",
    "Unresolved",
    "VerificationWarning",
    "check",
    "converge",
    "errors",
    "solve",
    "sweep",
]
