"""The case file, its checks, and the runs, one at a time."""

import codecs
import contextlib
import difflib
import hashlib
import html
import json
import os
import pathlib
import re
import shutil
import tempfile
import threading

from ..mathml import mathml
from ..whole_file import require_ordinary, write_whole
from .program import Program
from .solving import Solving

MOST_CASE_BYTES = 1 << 20  # of a case file, as src/case takes it
CHECK_SECONDS = 60


class Busy(Exception):
    """There is a run already."""


class Changed(Exception):
    """The case file is not the one that was read."""


class Session:
    """What the page works on. Runs write to a temporary folder, which goes with the session; nothing else is written but
    the case file by `save`. All functions may be called by several threads at once."""

    def __init__(self, case, threads=None, backend=None):
        """case  the path of the case file; ValueError if it cannot be read, or is no text in UTF-8. OSError without a program
        gwrm"""
        self.path = os.path.abspath(case)
        self.name, self.stem = os.path.basename(case), pathlib.Path(case).stem
        try:
            self._read()
        except OSError as error:
            raise ValueError(_no_case(case, error)) from None
        # Data files are where the case's folder says, whatever the text has become.
        self._program = Program(os.path.dirname(self.path))
        self._choices = [*(["--threads", str(threads)] if threads else []), *(["--backend", backend] if backend else [])]
        self._folder = tempfile.mkdtemp(prefix="gwrm-serve-")
        self._lock, self._checking = threading.Lock(), threading.Lock()
        self._run, self._n_runs, self._starting, self._schema = None, 0, False, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._program.end()
        with self._lock:
            run = self._run
        if run is not None:
            run.wait(5)
        shutil.rmtree(self._folder, ignore_errors=True)

    # The case file.

    def _read(self):
        """(text with line feeds alone, what tells this content from others)"""
        require_ordinary(self.path)
        with open(self.path, "rb") as file:
            data = file.read(MOST_CASE_BYTES + 1)
        if len(data) > MOST_CASE_BYTES:
            raise ValueError(f"{self.path} is larger than {MOST_CASE_BYTES} bytes: this is not a case file")
        try:
            text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.path} is no text in UTF-8: {error}") from None
        self._has_returns = "\r\n" in text
        return text.replace("\r\n", "\n"), hashlib.sha256(data).hexdigest()

    def case(self):
        text, seen = self._read()
        return {"name": self.name, "path": self.path, "text": text, "seen": seen}

    def save(self, text, seen):
        """Writes the case file, if it still is what had `seen`."""
        with self._lock:
            if os.path.exists(self.path) and self._read()[1] != seen:
                raise Changed(f"{self.name} was changed by another program since it was read here: it was not written over. "
                              "Copy your text, load the page anew and put the two together")
            write_whole(self.path, text.replace("\n", "\r\n" if self._has_returns else "\n").encode())
            return {"seen": self._read()[1]}

    # What the page is made of.

    def page(self, template):
        parts = {"name": html.escape(self.name)}
        return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], template.read_text(encoding="utf-8"))

    def page_that_opens(self, address):
        """The address of a file for our user alone. In the command line of a browser everybody could read the token."""
        page = pathlib.Path(self._folder, "open.html")
        page.write_text(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={html.escape(address)}">', encoding="utf-8")
        return page.as_uri()

    def schema(self):
        if self._schema is None:
            self._schema = self._program.call(["schema"], timeout=CHECK_SECONDS).stdout.encode()
        return self._schema

    # Checks.

    def check(self, text):
        """What `gwrm check` says: {"ok": True, "equations": [..], "facts": {..}, "warnings": [..]}, or {"ok": False,
        "message": .., and of a mistake in the text "line", "column" from 1}."""
        with self._checking:  # by several pages, one after the other
            done = self._program.call(["check", "-", "--json", "-q"], text, CHECK_SECONDS)
        try:
            said = json.loads(done.stdout)
        except ValueError:
            return {"ok": False, "message": _reason(done)}
        if "error" in said:
            place = {name: said[name] for name in ("line", "column") if name in said}
            return {"ok": False, "message": said.get("message", said["error"]), **place}
        equations = [{"name": one["name"], "text": one["text"], "mathml": mathml(one["latex"], one["text"])}
                     for one in said.get("expressions", [])]
        return {"ok": True, "equations": equations, "facts": said.get("system", {}), "warnings": said["warnings"]}

    # Runs.

    def run(self, text):
        """Starts one; its number. Busy if there is one already. What `check` refuses is not begun, and given back."""
        with self._lock:
            if self._starting or (self._run is not None and self._run.is_going):
                raise Busy("a run is going on: wait for its end, or cancel it")
            self._starting = True
        try:
            checked = self.check(text)
            if not checked["ok"]:
                return checked
            with self._lock:
                self._n_runs += 1
                folder = os.path.join(self._folder, str(self._n_runs))
                os.mkdir(folder)
                before, self._run = self._run, Solving(self._program, self._n_runs, folder, self.stem, text,
                                                           self._choices)
            if before is not None:  # its answer is not asked for any more
                with contextlib.suppress(OSError):
                    shutil.rmtree(before.folder)
            return {"ok": True, "number": self._n_runs}
        finally:
            self._starting = False

    def cancel(self):
        if self._run is not None:
            self._run.cancel()
        return {"ok": True}

    def status(self, first_step=0):
        """How the last run stands, with its steps from this one on."""
        return {"number": 0, "state": "none"} if self._run is None else self._run.status(first_step)

    def view(self):
        return None if self._run is None else self._run.view

    def result(self):
        return None if self._run is None else self._run.result


def _no_case(case, error):
    """What is wrong with the path of a case, and the cure."""
    if error.errno is None:  # our own words
        return str(error)
    if os.path.isdir(case):
        return f"{case}: this is a directory, expected a case file in it"
    message = f"{case}: cannot open the case file: {error.strerror}"
    if not isinstance(error, FileNotFoundError):
        return message
    folder = os.path.dirname(case)
    if not os.path.isdir(folder or "."):
        return f"{message}, and no folder '{folder}'"
    cases = [name for name in os.listdir(folder or ".") if name.endswith((".yaml", ".yml"))]
    near = difflib.get_close_matches(os.path.basename(case), cases, n=1)
    if near:
        return f"{message} (did you mean '{os.path.join(folder, near[0])}'?)"
    return f"{message}; gwrm serve edits a file that is there: copy an input that is like your problem to this name"


def _reason(done):
    return done.stderr.strip() or f"gwrm check has ended with status {done.returncode}"
