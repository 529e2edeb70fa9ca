"""The command line: python -m gwrm_post plot|statistics|scaling|convergence FILE [-o OUT]."""

import argparse
import os
import sys

import matplotlib

from .convergence import plot_convergence
from .fields import KINDS, plot_field
from .runs import open_run, open_statistics
from .scaling import plot_scaling
from .statistics import plot_statistics
from .style import save_figure


def _coordinate(text):
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER, such as nu=0.05") from None


def _times(text):
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers, such as 0,0.5,1") from None


def _parser():
    parser = argparse.ArgumentParser(prog="python -m gwrm_post", description="Plots results of gwrm.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, help_text, file_help):
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.add_argument("file", metavar="FILE", help=file_help)
        command.add_argument("-o", "--output", metavar="OUT",
                             help="name.png or name.pdf, or a name for both (default: named like FILE)")
        return command

    plot = add("plot", "Draws the sampled fields.", "a result file")
    plot.add_argument("--field", action="append", metavar="NAME", help="a field; several for trajectories")
    plot.add_argument("--kind", choices=KINDS, help="default: what suits the dimensions of the field")
    plot.add_argument("--times", type=_times, metavar="T,T,...", help="the times of profiles and snapshots")
    plot.add_argument("--at", action="append", type=_coordinate, default=[], metavar="NAME=VALUE",
                      help="a coordinate to hold fixed, such as nu=0.05")

    statistics = add("statistics", "Draws mean, deviation and Sobol indices over the parameters.", "a result file")
    statistics.add_argument("--field", metavar="NAME")
    statistics.add_argument("--times", type=_times, metavar="T,T,...")

    scaling = add("scaling", "Draws cost against windows and subdomains.", "a table: windows,subdomains,seconds")
    scaling.add_argument("--cost", default="seconds", metavar="COLUMN", help="the column to draw (default: seconds)")
    scaling.add_argument("--second", metavar="COLUMN", help="another column, on an axis at the right")

    add("convergence", "Draws the errors of a convergence study with the law they follow.", "a file of gwrm converge")
    return parser


def _figure(options):
    if options.command == "convergence":
        return plot_convergence(options.file)
    if options.command == "plot":
        name = options.field[0] if options.field and len(options.field) == 1 else options.field
        return plot_field(open_run(options.file), name, kind=options.kind, times=options.times,
                          select=dict(options.at))
    if options.command == "statistics":
        return plot_statistics(open_statistics(options.file), options.field, times=options.times)
    return plot_scaling(options.file, cost=options.cost, second=options.second)


def _default_output(options):
    stem = os.path.splitext(options.file)[0]
    return stem if options.command in ("plot", "convergence") else f"{stem}_{options.command}"


def main(arguments=None):
    """Prints the names of the files written; exit status 2 with a message for anything the user can mend."""
    options = _parser().parse_args(arguments)
    matplotlib.use("Agg")  # no window, no display
    try:
        figure = _figure(options)
        print("\n".join(save_figure(figure, options.output or _default_output(options))))
    except (ValueError, OSError) as error:
        print(f"gwrm_post: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
