"""One run: the program, its steps, what it has so far."""

import json
import os
import signal
import threading
import time

from .views import load_packages, view_of

FIRST_LOOK = 1.0  # seconds between two looks at what a run has so far, ..
SHARE = 5  # .. and at least so many times what the last one took
LOG_LINES = 200  # that are kept
GRACE = 5  # seconds that a run has to end before it is killed


class Solving:
    """A run from its beginning, on threads of its own. Attributes may be read at any time:

    is_going  whether the program or the drawing of its result goes on
    view      the page (bytes) of the windows that are finished, or of the answer; None before there is any
    result    the path of the result file; None before it is complete
    """

    def __init__(self, program, number, folder, name, text, choices=()):
        """folder  an empty one, for the files of this run, whose names begin with `name`"""
        self.folder, self.view, self.result, self.is_going = folder, None, None, True
        self._program, self._number, self._choices = program, number, list(choices)
        self._answer = os.path.join(folder, f"{name}.h5")
        self._lock, self._began, self._seconds = threading.Lock(), time.monotonic(), None
        self._process, self._is_cancelled, self._exit_status, self._n_views = None, False, None, 0
        self._steps, self._log, self._report = [], [], ""
        self._thread = threading.Thread(target=self._solve, args=(text,), daemon=True)
        self._thread.start()

    def wait(self, seconds):
        self._thread.join(seconds)

    def status(self, first_step=0):
        """As JSON: "state" is "solving", "drawing" (the answer is being drawn) or "ended"; "n_views" counts the pages."""
        with self._lock:
            state = "ended" if not self.is_going else "drawing" if self._exit_status is not None else "solving"
            seconds = self._seconds if self._seconds is not None else time.monotonic() - self._began
            return {"number": self._number, "state": state, "exit_status": self._exit_status, "n_views": self._n_views,
                    "cancelled": self._is_cancelled, "seconds": seconds, "first": first_step,
                    "steps": self._steps[first_step:], "log": "\n".join(self._log), "report": self._report,
                    "has_result": self.result is not None}

    def cancel(self):
        """As Ctrl-C: the program ends within two seconds, and leaves the windows that are finished."""
        with self._lock:
            if self._is_cancelled or self._exit_status is not None:
                return
            self._is_cancelled, process = True, self._process
        if process is not None:
            _interrupt(process)

    def _solve(self, text):
        try:
            with open(os.path.join(self.folder, "report.txt"), "w+b") as report:
                arguments = ["run", "-", "-o", self._answer, "--progress", "json", *self._choices]
                with self._program.start(arguments, text, report) as process:
                    with self._lock:
                        self._process, cancelled = process, self._is_cancelled
                    if cancelled:
                        _interrupt(process)
                    reader = threading.Thread(target=self._follow, args=(process,), daemon=True)
                    reader.start()
                    self._look_until_the_end(process)
                    reader.join()
                report.seek(0)
                with self._lock:
                    self._report = report.read().decode("utf-8", "replace")
                    self._seconds, self._exit_status = time.monotonic() - self._began, process.returncode
            if not self._program.has_ended:
                self._show_answer()
        except Exception as error:  # to be seen by the page, which else would wait for ever
            with self._lock:
                self._log.append(f"error: {error}")
                self._exit_status = 1 if self._exit_status is None else self._exit_status
        finally:
            with self._lock:
                self._seconds = self._seconds if self._seconds is not None else time.monotonic() - self._began
                self.is_going = False

    def _follow(self, process):
        for line in process.stderr:
            step = _step(line)
            with self._lock:
                if step is not None:
                    self._steps.append(step)
                else:
                    self._log = [*self._log[1 - LOG_LINES:], line.rstrip()]

    def _look_until_the_end(self, process):
        """Meanwhile pages of the finished windows, of runs that keep a journal of them."""
        pause, size = FIRST_LOOK, 0
        journal = self._beside(".journal")
        so_far = os.path.join(self.folder, "so_far", os.path.basename(self._answer))
        os.mkdir(os.path.dirname(so_far))
        load_packages()  # no part of what a look takes
        while _is_alive(process, pause):
            began, before = time.monotonic(), size
            size = os.path.getsize(journal) if os.path.exists(journal) else 0
            if size > before:
                done = self._program.call(["run", "--restart", journal, "--so-far", "-o", so_far, "--overwrite", "-q",
                                           "--threads", "1"])
                if done.returncode == 0:
                    self._show(so_far, so_far=True)
            pause = max(FIRST_LOOK, SHARE * (time.monotonic() - began))

    def _show_answer(self):
        for path in (self._answer, self._beside(".partial.h5")):
            if os.path.exists(path):
                self._show(path)
                self.result = path
                return

    def _beside(self, ending):
        return os.path.splitext(self._answer)[0] + ending

    def _show(self, path, so_far=False):
        try:
            view = view_of(path, so_far)
        except Exception as error:  # whatever it is, the run goes on
            with self._lock:
                self._log.append(f"no picture: {error}")
            return
        if view is not None:
            with self._lock:
                self.view, self._n_views = view, self._n_views + 1


def _step(line):
    """A line of --progress json; None for one of the log."""
    if not line.startswith('{"done":'):
        return None
    try:
        step = json.loads(line)
        return {"done": float(step["done"]), "note": str(step["note"])}
    except (ValueError, KeyError):
        return None


def _is_alive(process, seconds):
    """Whether it is so many seconds from now; comes back when it ends."""
    began = time.monotonic()
    while process.poll() is None:
        if time.monotonic() - began > seconds:
            return True
        time.sleep(0.02)
    return False


def _interrupt(process):
    process.send_signal(signal.SIGINT)
    threading.Timer(GRACE, lambda: process.poll() is None and process.kill()).start()
