"""What gwrm does with a case: check, solve, converge, sweep."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any

import xarray as xr

from ._load import core
from .answer import Answer
from .case import Case, Source, Summary
from .case_text import value_text
from .errors import CaseError, NotEstimatedWarning, OutputError, RunWarning, VerificationWarning, interrupted, of_status
from .progress import Progress, progress_of
from .study import Study

_CALLER = 2  # whose line warnings name
_NOT_ESTIMATED = 9  # exit status of an answer that has passed its checks and whose error is not known


def check(case: Source, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> Summary:
    """Reads a case and says what would be solved, as `gwrm check` does. CaseError if it does not fit together."""
    return Case(case, set=set, **overrides).check()


def solve(case: Source, *, threads: int = 0, progress: Progress = None, set: Mapping[str, Any] | None = None,
          **overrides: Any) -> Answer:
    """Solves a case and verifies the answer, as `gwrm run` does. Nothing is written: answer.write(path) does that.

    case         a path, YAML text, a mapping of the same keys, or a Case
    threads      0: one for each core, or one where more do not pay
    progress     None: a bar on a terminal and in a notebook; True, False; or a function of the fraction done and a note
    set          keys to change by path: {"resolution.degree.x": 48}
    overrides    the same with two underscores for a point: resolution__degree__x=48, constants={"nu": 0.2}

    CaseError for a mistake in the case; NotConverged, SingularSystem, NotFinite, Unresolved where the run ends without a
    complete answer (`error.answer` holds the windows before); ResourceError for want of memory or a device. Ctrl-C raises
    KeyboardInterrupt with what was finished in its `answer`. A complete answer whose verification fails comes
    with a VerificationWarning, one whose error could not be estimated with a NotEstimatedWarning.
    """
    read = Case(case, set=set, **overrides)
    kept: list[Any] = []
    try:
        with _Bar(progress) as tick:
            result = read._case.run(threads, tick, kept)
    except KeyboardInterrupt:
        raise interrupted(_answer(read, kept[0]) if kept else None) from None
    answer = _answer(read, result)
    for text in answer.warnings:
        warnings.warn(text, RunWarning, _CALLER)
    if not answer.complete:
        error = of_status(answer.exit_status, f"{answer.status}: {answer.reason}")
        error.answer = answer
        raise error
    if answer.exit_status != 0:
        kind = NotEstimatedWarning if answer.exit_status == _NOT_ESTIMATED else VerificationWarning
        warnings.warn(f"{answer.status}: {answer.reason}", kind, _CALLER)
    return answer


def converge(case: Source, vary: Mapping[str, Any] | None = None, *, manufactured: bool = False, threads: int = 0,
             progress: Progress = None, set: Mapping[str, Any] | None = None, **overrides: Any) -> Study:
    """Runs a case at several resolutions, as `gwrm converge` does.

    vary          {"x": [8, 12, 16]}: dimensions or keys with their values, in place of the case's section `convergence`
    manufactured  with sources and data such that `exact` solves the case
    The others as in solve.
    """
    read = Case(case, set=set, **overrides)
    study_of = read._case.manufactured() if manufactured else read._case
    kept: list[Any] = []
    try:
        with _Bar(progress) as tick:
            study = study_of.converge([(key, value_text(values)) for key, values in (vary or {}).items()], threads, tick,
                                      kept)
    except KeyboardInterrupt:
        raise interrupted(Study(kept[0], read.title) if kept else None) from None
    return Study(study, read.title)


def sweep(case: Source | None = None, vary: Mapping[str, Any] | None = None, *,
          points: str | os.PathLike[str] | None = None, samples: int = 0, seed: int = 1, sobol: bool = False,
          output: str | os.PathLike[str] | None = None, overwrite: bool = False, keep_runs: bool = False,
          manufactured: bool = False, restart: str | os.PathLike[str] | None = None, threads: int = 0,
          progress: Progress = None, set: Mapping[str, Any] | None = None, **overrides: Any) -> xr.Dataset:
    """Runs a case at many values of its keys, as `gwrm sweep` does (docs/sweep.md): one dataset over all of them.

    vary       {"constants.nu": [0.1, 0.2]}: a list, or in the program's words a range "0.01:1:20:log" or a distribution
               "normal(8,0.1)", with `samples`, `seed`, `sobol`
    points     a CSV or YAML file of points
    output     the result file; its journal lies beside it while the sweep goes on. Without it both are temporary
    keep_runs  each run's own file too, beside `output`
    restart    the journal of an interrupted sweep, in place of a case
    The others as in solve. Runs that fail are in the dataset (`exit_status`, `status`, `reason`), and there is a warning.
    Ctrl-C raises KeyboardInterrupt: its `answer` is the dataset of the runs that have ended, `journal` what `restart` takes.
    """
    kept: list[Any] = []
    folder = None
    if restart is None and output is None:
        if keep_runs:
            raise ValueError("keep_runs needs a name for `output`, which the files of the runs lie beside")
        folder = tempfile.mkdtemp(prefix="gwrm-")
        output = os.path.join(folder, "sweep.h5")
    journal = os.fspath(restart) if restart is not None else os.path.splitext(os.fspath(output or ""))[0] + ".journal"
    try:
        with _Bar(progress) as tick:
            if restart is not None:
                if case is not None or vary is not None:
                    raise ValueError("the journal of `restart` has the case and its values: give nothing else")
                end = core.continue_sweep(journal, overwrite, threads, tick, kept)
            else:
                if case is None:
                    raise ValueError("a case, or `restart`, is needed")
                read = Case(case, set=set, **overrides)
                _keep_inputs(os.fspath(output or ""), read.path, points)
                swept = read._case.manufactured() if manufactured else read._case
                end = swept.sweep([f"{key}={_swept_text(values)}" for key, values in (vary or {}).items()],
                                  os.fspath(points or ""), samples, seed, sobol, os.fspath(output or ""), overwrite,
                                  keep_runs, threads, tick, kept)
    except KeyboardInterrupt:
        raise _interrupted_sweep(journal) from None
    except BaseException:
        _remove(folder)
        raise
    from gwrm_post import open_run
    data = open_run(end.file)
    _remove(folder)
    unknown = int((data["exit_status"] == _NOT_ESTIMATED).sum())
    failed = int((data["exit_status"] > 0).sum()) - unknown
    if unknown:
        warnings.warn(f"the error of {unknown} of {end.n_runs} runs could not be estimated: `reason` contains why",
                      NotEstimatedWarning, _CALLER)
    if failed:
        warnings.warn(f"{failed} of {end.n_runs} runs failed: `exit_status`, `status` and `reason` say which and why",
                      VerificationWarning, _CALLER)
    return data


def _answer(read: Case, result: Any) -> Answer:
    return Answer(result, read.title, _Equations(read))


class _Equations:
    """Those of a case, asked for when they are shown."""

    def __init__(self, read: Case):
        self._read = read

    def __iter__(self) -> Any:
        return iter(self._read.check().equations)


class _Bar:
    """Progress as a context: closed however the work ends."""

    def __init__(self, wanted: Progress):
        self._bar = progress_of(wanted)

    def __enter__(self) -> Any:
        return self._bar

    def __exit__(self, *_: Any) -> None:
        close = getattr(self._bar, "close", None)
        if close is not None:
            close()


def _swept_text(values: Any) -> str:
    """As --vary takes it: ranges and distributions are texts, lists are lists."""
    return values if isinstance(values, str) else value_text(values if hasattr(values, "__len__") else list(values))


def _keep_inputs(output: str, *inputs: Any) -> None:
    for name in inputs:
        if name is not None and os.path.exists(output) and os.path.samefile(name, output):
            raise OutputError(f"{output}: this file is read, and would be written over; give another name")


def _interrupted_sweep(journal: str) -> KeyboardInterrupt:
    """What the journal holds, if the sweep had come so far."""
    if not os.path.exists(journal):
        return interrupted()
    from gwrm_post import open_run
    data = None
    with tempfile.TemporaryDirectory(prefix="gwrm-") as folder:
        path = os.path.join(folder, "so_far.h5")
        try:
            core.sweep_so_far(journal, path, False)
            data = open_run(path)
        except (OutputError, CaseError):
            pass
    return interrupted(data, journal)


def _remove(folder: str | None) -> None:
    if folder is not None:
        import shutil
        shutil.rmtree(folder, ignore_errors=True)
