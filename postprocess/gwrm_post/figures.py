"""All figures that can be made of a result file, by name."""

from .answer import open_answer
from .checks import plot_verification
from .convergence import is_study, plot_convergence
from .dependence import is_branch, plot_branch, plot_parameter
from .fields import KINDS as FIELD_KINDS
from .fields import plot_field
from .heading import headed, sized, titled
from .history import plot_newton, plot_windows
from .kinds import KINDS
from .modes import is_modes, parameter, plot_eigenvalues, plot_modes
from .runs import case_number, open_group, open_run, open_statistics, run_attributes
from .slices import plot_isosurfaces, plot_slices
from .spacetime import plot_spacetime
from .spectrum import plot_spectrum
from .sphere import is_ball, plot_harmonics, plot_meridian, plot_sphere
from .statistics import plot_statistics
from .style import chosen_style, using
from .sweep import is_sweep, open_sweep, plot_sweep
from .vectors import KINDS as VECTOR_KINDS
from .vectors import plot_vectors


def _answer(path):
    try:
        return open_answer(path)
    except ValueError:
        return None


def make_figure(path, kind=None, fields=None, times=None, select=None, zoom=None, *, levels=None, title=None, size=None,
                style=None):
    """The figure of one of KINDS from a result file; without a kind what suits the file.

    fields   a list of names or None
    zoom     is for pictures of fields alone
    levels   of isosurfaces: their values; default: three
    title    above it; default: that of the case. A run that failed has FAILED above and across its pictures.
    size     (width, height) in inches
    style    "screen", "paper" or "talk"; default: the one chosen by `style.using`
    ValueError with the reason where that figure cannot be made of this file.
    """
    with using(style or chosen_style()), titled(title):
        figure = sized(_figure(path, kind, fields, times, select, zoom, levels), size)
        return figure if is_study(path) else headed(figure, run_attributes(path))


def _figure(path, kind, fields, times, select, zoom, levels):
    name = fields[0] if fields else None
    if kind == "convergence" or (kind is None and is_study(path)):
        return plot_convergence(path)
    if kind == "sweep" or is_sweep(path):
        if kind not in (None, "sweep"):
            raise ValueError(f"{path} is the result of gwrm sweep: a plot of the kind 'sweep' is made of it, none of "
                             f"'{kind}'; gwrm sweep --keep runs writes a file of each run for the others")
        return plot_sweep(open_sweep(path), name, select=select)
    if kind is None and not fields and is_branch(open_run(path)):
        kind = "branch"
    if kind is None and is_ball(open_run(path)):
        kind = "meridian"
    if kind is None and is_modes(open_run(path)):
        kind = "modes" if parameter(open_run(path)) is None or fields else "eigenvalues"
    if kind in ("modes", "eigenvalues"):
        return plot_modes(open_run(path), fields) if kind == "modes" else plot_eigenvalues(open_run(path))
    if kind == "spectrum":
        return plot_harmonics(open_group(path, "ball"), fields)
    if kind in ("sphere", "meridian"):
        plot = plot_sphere if kind == "sphere" else plot_meridian
        return plot(open_run(path), name, times=times, select=select)
    if kind is None or kind in FIELD_KINDS:
        several = name if fields is None or len(fields) == 1 else fields
        return plot_field(open_run(path), several, kind=kind, times=times, select=select, zoom=zoom)
    if kind == "spacetime":
        return plot_spacetime(open_run(path), name, select=select, zoom=zoom, source=path)
    if kind in VECTOR_KINDS:
        return plot_vectors(open_run(path), fields, kind=kind, times=times, select=select)
    if kind == "slices":
        return plot_slices(open_run(path), name, times=times, select=select)
    if kind == "isosurfaces":
        return plot_isosurfaces(open_run(path), name, times=times, select=select, levels=levels)
    if kind == "parameter":
        return plot_parameter(open_run(path), name, select=select, answer=_answer(path))
    if kind == "branch":
        return plot_branch(open_run(path), name)
    if kind == "statistics":
        return plot_statistics(open_statistics(path), name, times=times)
    if kind == "coefficients":
        return plot_spectrum(open_answer(path), fields)
    if kind == "newton":
        return plot_newton(open_group(path, "newton"), open_group(path, "windows", optional=True),
                           case_number(run_attributes(path), "solver", "newton", "tolerance"))
    if kind == "windows":
        return plot_windows(open_answer(path))
    if kind == "verification":
        return plot_verification(open_group(path, "verification"))
    raise ValueError(f"there is no kind of plot '{kind}'; there are: {', '.join(KINDS)}")
