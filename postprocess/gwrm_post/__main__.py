"""The command line: python -m gwrm_post plot|statistics|film|report|scaling|convergence FILE [-o OUT]."""

import argparse
import os
import signal
import sys
import threading

import matplotlib

from .animation import animate
from .convergence import plot_convergence
from .figures import KINDS, make_figure
from .live import MOST_BYTES, write_live
from .report import write_report
from .runs import NotAResult, open_run
from .scaling import plot_scaling
from .style import save_figure
from .sweep import is_sweep

OTHER_KINDS = {"film": "a .gif or .mp4 of the field over time", "report": "one HTML page about the run",
               "live": "one HTML page with sliders for time, parameters and places, summed from the series"}


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


def _times(text):
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers, such as 0,0.5,1") from None


def _parser(program):
    parser = argparse.ArgumentParser(prog=program, description="Plots results of gwrm.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, help_text, file_help, **more):
        command = commands.add_parser(name, help=help_text, description=help_text, **more)
        command.add_argument("file", metavar="FILE", help=file_help)
        command.add_argument("-o", "--output", metavar="OUT",
                             help="name.png, name.pdf or name.svg, or a name for PNG and PDF (default: named like FILE)")
        return command

    kinds = {**KINDS, **OTHER_KINDS}
    plot = add("plot", "Draws a result: its fields, or how they were found.", "a result file",
               formatter_class=argparse.RawDescriptionHelpFormatter,
               epilog="kinds:\n" + "\n".join(f"  {name:<13} {text}" for name, text in kinds.items()))
    plot.add_argument("--field", action="append", metavar="NAME", help="a field; several for trajectories")
    plot.add_argument("--kind", choices=list(kinds), metavar="KIND",
                      help="see below; default: what suits the dimensions of the field")
    plot.add_argument("--times", type=_times, metavar="T,T,...", help="the times of profiles and snapshots")
    plot.add_argument("--at", action="append", type=_coordinate, default=[], metavar="NAME=VALUE",
                      help="a coordinate to hold fixed, such as nu=0.05")
    plot.add_argument("--zoom", action="append", type=_range, default=[], metavar="NAME=LOWER:UPPER",
                      help="draw a part of a dimension only, such as x=0.2:0.6")
    plot.add_argument("--page-size", type=float, default=MOST_BYTES / 1e6, metavar="MB",
                      help=f"of a live page, at most (default: {MOST_BYTES / 1e6:g}); rounded to keep within it")

    statistics = add("statistics", "Draws mean, deviation and Sobol indices over the parameters.", "a result file")
    statistics.add_argument("--field", action="append", metavar="NAME")
    statistics.add_argument("--times", type=_times, metavar="T,T,...")
    statistics.set_defaults(kind="statistics", at=[])

    film = add("film", "Writes a film of a field over time: .gif, or .mp4 where there is ffmpeg.", "a result file")
    film.add_argument("--field", action="append", metavar="NAME")
    film.add_argument("--at", action="append", type=_coordinate, default=[], metavar="NAME=VALUE")
    film.add_argument("--frames", type=int, default=60, metavar="N", help="at most so many (default: 60)")
    film.set_defaults(kind="film")

    report = add("report", "Writes one HTML page about a run, with its pictures in it.", "a result file")
    report.set_defaults(kind="report")

    scaling = add("scaling", "Draws cost against windows and subdomains.", "a table: windows,subdomains,seconds")
    scaling.add_argument("--cost", default="seconds", metavar="COLUMN", help="the column to draw (default: seconds)")
    scaling.add_argument("--second", metavar="COLUMN", help="another column, on an axis at the right")

    add("convergence", "Draws the errors of a convergence study with the law they follow.", "a file of gwrm converge")
    return parser


def _write(options):
    """Does what the command says; returns the names of the files written."""
    stem = os.path.splitext(options.file)[0]
    if options.command == "scaling":
        figure = plot_scaling(options.file, cost=options.cost, second=options.second)
        return save_figure(figure, options.output or f"{stem}_scaling")
    if options.command == "convergence":
        return save_figure(plot_convergence(options.file), options.output or stem)
    if options.kind in OTHER_KINDS and is_sweep(options.file):
        raise ValueError(f"{options.file} is the result of gwrm sweep: there is no {options.kind} of it; gwrm sweep --keep "
                         "runs writes a file of each run")
    if options.kind == "report":
        return [write_report(options.file, options.output or f"{stem}.html")]
    if options.kind == "live":
        return [write_live(options.file, options.output or f"{stem}_live.html", options.field,
                           int(options.page_size * 1e6), dict(options.at))]
    if options.kind == "film":
        name = options.field[0] if options.field else None
        return [animate(open_run(options.file), options.output or f"{stem}.gif", name,
                        frames=getattr(options, "frames", 60), select=dict(options.at))]
    zoom = dict(getattr(options, "zoom", []))
    figure = make_figure(options.file, options.kind, options.field, options.times, dict(options.at), zoom)
    return save_figure(figure, options.output or (stem if options.kind is None else f"{stem}_{options.kind}"))


def main(arguments=None, program="python -m gwrm_post"):
    """Prints the names of the files written. Exit status with a message, as that of gwrm: 2 for what cannot be drawn, 8
    for a file that cannot be read or written."""
    options = _parser(program).parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # at once: Python's own waits for the end of a library's call
    matplotlib.use("Agg")  # no window, no display
    try:
        print("\n".join(_write(options)))
    except (NotAResult, OSError) as error:
        print(f"gwrm_post: {error}", file=sys.stderr)
        return 8
    except ValueError as error:
        print(f"gwrm_post: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
