"""The command line: gwrm plot FILE [-o OUT], gwrm serve CASE, or python -m
gwrm_post plot|statistics|film|report|scaling|convergence|serve FILE.

Only what reads the command line is here: help and mistakes in it need no other package.
"""

import argparse
import difflib
import signal
import sys
import threading
import warnings

from .kinds import KINDS, MOST_BYTES, OTHER_KINDS, STYLES


def _coordinate(text):
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER, such as nu=0.05") from None


def _range(text):
    name, _, ends = text.partition("=")
    try:
        lower, upper = (float(end) for end in ends.split(":"))
        return name.strip(), (lower, upper)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=LOWER:UPPER, such as x=0.2:0.6") from None


def _numbers(text):
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers, such as 0,0.5,1") from None


def _dpi(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 10 <= value <= 2400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of dots per inch between 10 and 2400, such as 300")
    return value


def _size(text):
    try:
        width, height = (float(part) for part in text.lower().split("x"))
        if not (0.5 <= width <= 60 and 0.5 <= height <= 60):
            raise ValueError
        return width, height
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not WIDTHxHEIGHT in inches, each between 0.5 and 60, such as "
                                         "6x4") from None


def _frames(text):
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 2 <= value <= 10000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of frames between 2 and 10000, such as 60")
    return value


class _Parser(argparse.ArgumentParser):
    """Refuses unknown options by its own name, with those that are meant perhaps."""

    def parse_known_args(self, args=None, namespace=None):
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            near = difflib.get_close_matches(unknown[0].partition("=")[0], known, n=1)
            self.error(f"unrecognized arguments: {' '.join(unknown)}" + (f" (did you mean {near[0]}?)" if near else ""))
        return options, unknown


def _common(command, file_help):
    command.add_argument("file", metavar="FILE", help=file_help)
    command.add_argument("-o", "--output", metavar="OUT",
                         help="name.png, name.pdf or name.svg, or a name for PNG and PDF (default: named like FILE)")
    command.add_argument("--overwrite", action="store_true",
                         help="replace an existing file that is no picture of gwrm plot (those are drawn anew)")
    command.add_argument("--dpi", type=_dpi, metavar="N", help="dots per inch (default: 200; paper 300, talk 150, films 90)")
    command.add_argument("--size", type=_size, metavar="WxH", help="inches, such as 6x4")
    command.add_argument("--style", choices=STYLES, help="paper: small, in the type of journals, without a title; talk: "
                                                         "large type and thick lines")
    command.set_defaults(kind=None, title=None, field=None, times=None, at=[], zoom=[], levels=None)


def _selection(command, *names):
    if "field" in names:
        command.add_argument("--field", action="append", metavar="NAME",
                             help="a field; several for trajectories; a vector, or two components, for quiver")
    if "times" in names:
        command.add_argument("--times", type=_numbers, metavar="T,T,...", help="the times of profiles and snapshots")
    if "at" in names:
        command.add_argument("--at", action="append", type=_coordinate, default=[], metavar="NAME=VALUE",
                             help="a coordinate to hold fixed, such as nu=0.05")
    if "title" in names:
        command.add_argument("--title", metavar="TEXT", help="above the picture (default: that of the case; '': none)")
    if "frames" in names:
        command.add_argument("--frames", type=_frames, default=60, metavar="N", help="of a film (default: 60)")


def _serve(command):
    command.add_argument("case", metavar="CASE", help="the case file")
    command.add_argument("--port", type=int, default=0, metavar="N", help="of 127.0.0.1 (default: any that is free)")
    command.add_argument("--browser", action="store_true", help="open the page in the browser")
    command.add_argument("--threads", type=int, metavar="N", help="CPU threads of a run")
    command.add_argument("--backend", metavar="NAME", help="auto, cpu or cuda")


def _plot(command):
    kinds = {**KINDS, **OTHER_KINDS}
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = "kinds:\n" + "\n".join(f"  {name:<13} {text}" for name, text in kinds.items())
    _common(command, "a result file")
    command.add_argument("--kind", choices=list(kinds), metavar="KIND",
                         help="see below; default: what suits the dimensions of the field")
    _selection(command, "field", "times", "at", "title", "frames")
    command.add_argument("--zoom", action="append", type=_range, default=[], metavar="NAME=LOWER:UPPER",
                         help="draw a part of a dimension only, such as x=0.2:0.6")
    command.add_argument("--levels", type=_numbers, metavar="L,L,...", help="the values of isosurfaces (default: three)")
    command.add_argument("--page-size", type=float, default=MOST_BYTES / 1e6, metavar="MB",
                         help=f"of a live page, at most (default: {MOST_BYTES / 1e6:g}); rounded to keep within it")


_ABOUT = {
    "plot": "Draws a result: its fields, or how they were found.",
    "statistics": "Draws mean, deviation and Sobol indices over the parameters.",
    "film": "Writes a film of a field over time: .gif, or .mp4 where there is ffmpeg.",
    "report": "Writes one HTML page about a run, with its pictures in it.",
    "scaling": "Draws cost against windows and subdomains.",
    "convergence": "Draws the errors of a convergence study with the law they follow.",
    "serve": "Serves a page on which a case is edited, solved and looked at, to the browser of this machine.",
}


def _fill(name, command):
    if name == "plot":
        return _plot(command)
    if name == "serve":
        return _serve(command)
    files = {"scaling": "a table: windows,subdomains,seconds", "convergence": "a file of gwrm converge"}
    _common(command, files.get(name, "a result file"))
    if name == "statistics":
        _selection(command, "field", "times", "title")
    if name == "film":
        _selection(command, "field", "at", "title", "frames")
    if name in ("statistics", "film", "report"):
        command.set_defaults(kind=name)
    if name == "scaling":
        command.add_argument("--cost", default="seconds", metavar="COLUMN", help="the column to draw (default: seconds)")
        command.add_argument("--second", metavar="COLUMN", help="another column, on an axis at the right")


def _parse(arguments, program):
    """The options; `gwrm` has the commands plot and serve, each with help that names it."""
    if program == "gwrm":
        name = arguments[0]
        parser = _Parser(prog=f"gwrm {name}", description=_ABOUT[name])
        parser.set_defaults(command=name)
        _fill(name, parser)
        return parser.parse_args(arguments[1:])
    parser = _Parser(prog=program, description="Plots results of gwrm.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in _ABOUT.items():
        _fill(name, commands.add_parser(name, help=text, description=text))
    return parser.parse_args(arguments)


def main(arguments=None, program="python -m gwrm_post"):
    """Prints the names of the files written. Exit status with a message, as that of gwrm: 2 for what cannot be drawn, 8
    for a file that cannot be read or written. ImportError where packages are missing."""
    options = _parse(sys.argv[1:] if arguments is None else arguments, program)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # at once: Python's own waits for the end of a library's call
    if options.command == "serve":
        return _serve_until_ended(options)
    from .commands import write
    from .runs import NotAResult
    from .style import TooSmall
    try:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", TooSmall)
            names = write(options)
        for warning in raised:
            print(f"warning: {warning.message}", file=sys.stderr)
        print("\n".join(names))
    except (NotAResult, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 8
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _serve_until_ended(options):
    from .serve.command import serve
    try:
        serve(options)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 8
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
