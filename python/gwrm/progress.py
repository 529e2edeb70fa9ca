"""How far a run is: a bar on a terminal and in a notebook, nothing where the output goes to a file."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any, Union

Progress = Union[bool, Callable[[float, str], Any], None]

PATIENCE = 0.5  # seconds: what is quicker has no bar
STEP = 0.1
WIDTH = 24


def progress_of(wanted: Progress) -> Bar | Callable[[float, str], Any] | None:
    """True: a bar; None: a bar where somebody looks at it; a function of the fraction done and a note: that; False: none."""
    if callable(wanted):
        return wanted
    if wanted is False:
        return None
    if _in_notebook():
        return NotebookBar()
    return TerminalBar() if wanted or sys.stderr.isatty() else None


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    return type(current).__name__ == "ZMQInteractiveShell"


def clock(seconds: float) -> str:
    """"03:25", "1:02:03"."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


class Bar:
    """Called with the fraction done and a note; `close()` at the end."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.last = -STEP
        self.is_open = False

    def __call__(self, done: float, note: str) -> None:
        elapsed = time.monotonic() - self.began
        if elapsed < PATIENCE or (elapsed - self.last < STEP and done < 1):
            return
        self.last = elapsed
        left = clock(elapsed / done * (1 - done)) if done > 0 else "?"
        self.draw(done, f"{clock(elapsed)}<{left}", note)
        self.is_open = True

    def draw(self, done: float, times: str, note: str) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass


class TerminalBar(Bar):
    """One line on stderr that rewrites itself."""

    def draw(self, done: float, times: str, note: str) -> None:
        full = int(done * WIDTH)
        sys.stderr.write(f"\r\033[K{100 * done:3.0f}%|{'█' * full}{' ' * (WIDTH - full)}| {times} {note}")
        sys.stderr.flush()

    def close(self) -> None:
        if self.is_open:
            sys.stderr.write("\n")
            sys.stderr.flush()


class NotebookBar(Bar):
    """An output of the cell that is replaced, and gone at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.output: Any = None

    def draw(self, done: float, times: str, note: str) -> None:
        from IPython.display import HTML, display
        shown = HTML(f'<progress value="{done:.4f}" max="1"></progress> {100 * done:.0f}% {times} {html.escape(note)}')
        if self.output is None:
            self.output = display(shown, display_id=True)
        else:
            self.output.update(shown)

    def close(self) -> None:
        if self.output is not None:
            from IPython.display import HTML
            self.output.update(HTML(""))
