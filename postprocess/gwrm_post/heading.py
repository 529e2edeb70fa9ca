"""What stands above a figure: FAILED where the run did, the title of the case, and the point that is drawn."""

import contextlib
import contextvars
import functools
import textwrap

import matplotlib

from .style import COLOURS, chosen_style, look, measured_as, size_factor

FAILURE = COLOURS[1]
NOT_ESTIMATED = "error not estimated"  # the status of a run that has passed its checks and whose error is not known
_title = contextvars.ContextVar("title", default=None)


@contextlib.contextmanager
def titled(title):
    """Figures made within have this title; None: that of the case, none in the style for papers, which have captions."""
    token = _title.set(title)
    try:
        yield
    finally:
        _title.reset(token)


def failure(attributes):
    """How a run failed, by the attributes of its file; empty if it did not, or if that is not known."""
    status = str(attributes.get("status", "converged")).strip("\0 ")
    return "" if status in ("converged", NOT_ESTIMATED, "") else status


def _plain(text):
    """A text in which nothing is set as mathematics."""
    return text.replace("$", r"\$")


def above(figure):
    """What stands above a figure; Matplotlib tells it from 3.8 on."""
    if hasattr(figure, "get_suptitle"):
        return figure.get_suptitle()
    return "" if figure._suptitle is None else figure._suptitle.get_text()


def headed(figure, attributes):
    """The figure with its heading above the point that it may have there already: FAILED and why, and the title. A
    second call takes the place of the first one, where the figure has another size now."""
    if not hasattr(figure, "point_drawn"):
        figure.point_drawn = above(figure)
    with matplotlib.rc_context(look()):
        size = matplotlib.rcParams["font.size"]
        line = max(int(figure.get_figwidth() * 72 / (0.54 * size)), 20)  # characters; a letter is about half as wide as high
        title = _title.get()
        if title is None:
            title = "" if chosen_style() == "paper" else str(attributes.get("title", "")).strip("\0 ")
        failed = failure(attributes)
        lines = textwrap.wrap(f"FAILED: {failed}", line) if failed else []
        if str(attributes.get("status", "")).strip("\0 ") == NOT_ESTIMATED:
            lines = [NOT_ESTIMATED]
        lines += textwrap.wrap(_plain(title), line)
        lines += [figure.point_drawn] if figure.point_drawn else []
        if lines:
            figure.suptitle("\n".join(lines), fontsize="medium", color=FAILURE if failed else "black")
        _stamp(figure, bool(failed))
    return figure


def _stamp(figure, failed):
    """Across the figure, so that no clipping takes it away."""
    for text in [text for text in figure.texts if text.get_gid() == "failed"]:
        text.remove()
    if failed:
        width, height = figure.get_size_inches()
        stamp = figure.text(0.5, 0.5, "FAILED", gid="failed", color=FAILURE, alpha=0.22, zorder=100, rotation=20,
                            ha="center", va="center", fontsize=72 * min(width / 4.5, height / 2), weight="bold")
        stamp.set_in_layout(False)


def heads(plot):
    """Of a function whose first argument is the dataset of `open_run`: its figures have their heading, and units."""
    @functools.wraps(plot)
    def with_heading(run, *arguments, **options):
        with measured_as(run):
            return headed(plot(run, *arguments, **options), run.attrs)

    return with_heading


def sized(figure, size):
    """The figure in inches (width, height), or without a size as the chosen style has it."""
    if size is not None:
        figure.set_size_inches(*size)
    elif size_factor() != 1.0:
        figure.set_size_inches(*(size_factor() * figure.get_size_inches()))
    return figure
