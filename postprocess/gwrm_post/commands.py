"""What the commands of gwrm_post do, once the command line is read."""

import os

import matplotlib

from .animation import animate
from .convergence import plot_convergence
from .figures import make_figure
from .heading import sized
from .kinds import OTHER_KINDS
from .live import write_live
from .report import write_report
from .runs import open_run
from .scaling import plot_scaling
from .style import figure_names, save_figure, using
from .sweep import is_sweep
from .whole_file import page_name, require_free


def write(options):
    """Does what the command line says; returns the names of the files written. ValueError for what cannot be drawn,
    NotAResult and OSError for files that cannot be read or written."""
    matplotlib.use("Agg")  # no window, no display
    stem = os.path.splitext(options.file)[0]
    kind = options.kind
    if kind in OTHER_KINDS and is_sweep(options.file):
        raise ValueError(f"{options.file} is the result of gwrm sweep: there is no {kind} of it; gwrm sweep --keep "
                         "runs writes a file of each run")
    if kind in ("report", "live"):
        return [_page(options, stem)]
    with using(options.style):
        if kind == "film":
            return [_film(options, stem)]
        return _figure(options, stem)


def _page(options, stem):
    for name in ("dpi", "size", "style", "title"):
        if getattr(options, name, None) is not None:
            raise ValueError(f"--{name} is for pictures and films, not for the pages of --kind {options.kind}")
    if options.kind == "report":
        output = page_name(options.output or f"{stem}.html", "report")
        require_free(output, options.overwrite)
        return write_report(options.file, output)
    output = page_name(options.output or f"{stem}_live.html", "live page")
    require_free(output, options.overwrite)
    return write_live(options.file, output, options.field, int(options.page_size * 1e6), dict(options.at))


def _film(options, stem):
    output = options.output or f"{stem}.gif"
    require_free(output, options.overwrite)
    name = options.field[0] if options.field else None
    return animate(open_run(options.file), output, name, frames=options.frames, select=dict(options.at),
                   source=options.file, dpi=options.dpi, size=options.size, title=options.title)


def _figure(options, stem):
    default = {"scaling": f"{stem}_scaling", "convergence": stem}.get(
        options.command, stem if options.kind is None else f"{stem}_{options.kind}")
    output = options.output or default
    for name in figure_names(output):
        require_free(name, options.overwrite)
    if options.command == "scaling":
        figure = sized(plot_scaling(options.file, cost=options.cost, second=options.second), options.size)
    elif options.command == "convergence":
        figure = sized(plot_convergence(options.file), options.size)
    else:
        figure = make_figure(options.file, options.kind, options.field, options.times, dict(options.at),
                             dict(options.zoom), levels=options.levels, title=options.title, size=options.size)
    return save_figure(figure, output, options.dpi)
