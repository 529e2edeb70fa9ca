"""How the figures look: colours that colour-blind readers can tell apart, quiet axes, labels with units."""

import contextlib
import contextvars
import html
import io
import logging
import os
import warnings

import matplotlib
import matplotlib.colors
import matplotlib.ticker
import numpy as np

from .whole_file import MARK, write_whole

logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns of the dates of Debian's fonts, for each PDF

# Okabe and Ito, jfly.uni-koeln.de/color: told apart with every kind of colour vision; yellow is left out (too pale).
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
NEUTRAL = "#9a9a9a"
SEQUENTIAL = "viridis"
ERRORS = "magma_r"  # of estimated errors
DIVERGING = "RdBu_r"  # for values of both signs, with white at zero

STYLE = {
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.linewidth": 0.8,
    "axes.titlesize": "medium",
    "axes.grid": False,
    "axes.xmargin": 0.0,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.08,
    "figure.dpi": 110,
    "font.size": 10,
    "image.cmap": SEQUENTIAL,
    "legend.frameon": False,
    "legend.fontsize": "small",
    "lines.linewidth": 1.6,
    "mathtext.fontset": "cm",
    "pdf.fonttype": 42,  # text stays text
    "savefig.dpi": 200,
}

# What a style changes, and how large its figures are beside those of the first: a column of a journal, a slide.
STYLES = {
    "screen": ({}, 1.0),
    "paper": ({"font.family": "STIXGeneral", "mathtext.fontset": "stix", "font.size": 8, "axes.linewidth": 0.6,
               "lines.linewidth": 1.1, "figure.constrained_layout.w_pad": 0.04, "savefig.dpi": 300}, 0.72),
    "talk": ({"font.size": 15, "axes.linewidth": 1.2, "lines.linewidth": 2.6, "lines.markersize": 8,
              "xtick.major.width": 1.2, "ytick.major.width": 1.2, "savefig.dpi": 150}, 1.3),
}
_chosen = contextvars.ContextVar("style", default="screen")
_units = contextvars.ContextVar("units", default={})


@contextlib.contextmanager
def using(style):
    """Figures made within are in one of STYLES; None is the first. ValueError for another."""
    if style is not None and style not in STYLES:
        raise ValueError(f"there is no style '{style}'; there are: {', '.join(STYLES)}")
    token = _chosen.set(style or "screen")
    try:
        yield
    finally:
        _chosen.reset(token)


def look(more=None):
    """The parameters of matplotlib for a figure of the chosen style, and `more` of them, for rc_context, which puts all settings
    back as they were. A notebook's backend turns drawing on when it is loaded: that has to be before."""
    import matplotlib.pyplot as plt  # not needed by those who make no figure

    plt.draw_if_interactive()  # loads the backend
    return {**STYLE, **STYLES[_chosen.get()][0], **(more or {})}


def size_factor():
    """How large figures of the chosen style are beside those of the first."""
    return STYLES[_chosen.get()][1]


def chosen_style():
    return _chosen.get()

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()


def symbol(name):
    """A name as it is set in a text: single letters and Greek ones as mathematics."""
    if name in _GREEK:
        return rf"$\{name}$"
    return f"${name}$" if len(name) == 1 and name.isalpha() else name


def plain_symbol(name):
    """A name as it is set where there is no mathematics: Greek letters by themselves."""
    return html.unescape(f"&{name};") if name in _GREEK else name


def label_of(array):
    """What the case calls a coordinate or a field (`labels`); empty where it says nothing."""
    name, said = str(array.name), str(array.attrs.get("long_name", "")).strip("\0 ")
    if array.attrs.get("error_of", "") or said.startswith(("number of the", "arc length of the")):
        return ""
    by_itself = (name, "time", f"parameter {name}", array.attrs.get("key", name))
    if "expression" in array.attrs:  # a field, which is called by what it is
        by_itself = (str(array.attrs["expression"]), "")
    return "" if said in by_itself else said


def named(array):
    """The label of a quantity and its symbol, or what of the two there is: "velocity $u$"."""
    mark, label = symbol(str(array.name)), label_of(array)
    if not label:
        return mark
    return f"{label} {mark}" if mark.startswith("$") else label


def axis_label(coordinate):
    """Label, symbol and unit of a coordinate; a pure number has no unit."""
    return named(coordinate) + _unit(coordinate)


def field_label(field):
    """The label and name of a field, what it is if that is short and says more, and its unit."""
    name, expression = str(field.name), str(field.attrs.get("expression", field.name))
    if field.attrs.get("error_of", ""):
        return f"estimated error of {symbol(str(field.attrs['error_of']))}" + _unit(field)
    plain = label_of(field) or expression == name or len(expression) > 24
    return (named(field) if plain else f"{symbol(name)} = {expression}") + _unit(field)


def _unit(array):
    unit = str(array.attrs.get("units", "1")).strip("\0 ")
    return "" if unit in ("1", "") else f" [{unit}]"


@contextlib.contextmanager
def measured_as(dataset):
    """Texts made within have the units of this dataset's coordinates: "t = 0.5 s"."""
    units = {str(name): _unit(coordinate).strip(" []") for name, coordinate in dataset.coords.items()}
    token = _units.set(units)
    try:
        yield
    finally:
        _units.reset(token)


def unit_label(field):
    """The unit of a field alone, for an axis of several; empty for pure numbers."""
    return _unit(field).strip()


def colours_of(count):
    """As many colours of curves as wanted, from the start again behind the last."""
    return [COLOURS[place % len(COLOURS)] for place in range(count)]


def point_label(point):
    """A dict of coordinates as a text: "nu = 0.05, t = 1"."""
    return ", ".join(f"{symbol(dim)} = {with_unit(dim, f'{value:.4g}')}" for dim, value in point.items())


def with_unit(dim, text):
    """A coordinate's value with its unit, of `measured_as`."""
    unit = _units.get().get(str(dim), "")
    return f"{text} {unit}" if unit else text


def ordered_colours(count):
    """Colours of curves in an order (times, viscosities): dark to light, without the palest end."""
    return matplotlib.colormaps[SEQUENTIAL](np.linspace(0.0, 0.85, count))


def calm(axes, which="both", most=6):
    """Ticks far enough apart for labels like -0.75."""
    for name in "xy" if which == "both" else which:
        axis = getattr(axes, f"{name}axis")
        if axis.get_scale() == "linear":
            axis.set_major_locator(matplotlib.ticker.MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]))


def logarithmic(axis):
    """A logarithmic axis whose labels are plain numbers (0.02, 0.05, 0.1), few enough to be read."""
    low, high = sorted(axis.get_view_interval())
    decades = np.log10(high / low) if low > 0 else 99
    if decades < 4:
        axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5) if decades < 2.2 else (1,)))
        axis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def is_geometric(values):
    """True for positive samples of equal ratios, such as those along a dimension with `map: log`."""
    values = np.asarray(values, float)
    if len(values) < 3 or values.min() <= 0 or values.max() < 2 * values.min():
        return False
    ratios = values[1:] / values[:-1]
    return bool(np.ptp(ratios) < 1e-6 * ratios.mean())


def colour_scale(values):
    """Colour map and limits for pcolormesh: symmetric about zero if the values have both signs."""
    finite = np.asarray(values)[np.isfinite(values)]
    if finite.size == 0:
        return {"cmap": SEQUENTIAL}
    low, high = float(finite.min()), float(finite.max())
    # A few per cent of undershoot are no second sign.
    if low < 0 < high and min(-low, high) > 0.05 * max(-low, high):
        bound = max(-low, high)
        return {"cmap": DIVERGING, "vmin": -bound, "vmax": bound}
    return {"cmap": SEQUENTIAL, "vmin": low, "vmax": high if high > low else low + 1.0}


def error_scale(values):
    """Colour map and logarithmic limits of errors for pcolormesh: at most ten decades below the largest."""
    positive = np.asarray(values)[np.isfinite(values) & (np.asarray(values) > 0)]
    if positive.size == 0:
        return {"cmap": ERRORS}
    high = float(positive.max())
    low = max(float(positive.min()), 1e-10 * high)
    return {"cmap": ERRORS, "norm": matplotlib.colors.LogNorm(low, high if high > low else 10 * low, clip=True)}


def draw_map(axes, field, x, y, mesh=None, **scale):
    """The field over the dimensions x and y, or over the two arrays of `mesh`, which are its coordinates in the plane;
    smooth between the samples unless some are missing."""
    values = field.transpose(y, x).values
    shading = "gouraud" if np.isfinite(values).all() else "nearest"
    across, up = mesh or (field[x], field[y])
    places = [of.transpose(y, x).values if mesh else of.values for of in (across, up)]
    image = axes.pcolormesh(*places, values, shading=shading, rasterized=True, **scale)
    axes.set_xlabel(axis_label(across))
    axes.set_ylabel(axis_label(up))
    calm(axes)
    return image


FORMATS = (".png", ".pdf", ".svg")
OTHER_ENDINGS = {".gif": "films (--kind film)", ".mp4": "films (--kind film)", ".html": "pages (--kind report, live)",
                 ".htm": "pages (--kind report, live)"}
NO_FORMATS = (".jpg", ".jpeg", ".eps", ".ps", ".tif", ".tiff", ".bmp", ".webp", ".txt", ".csv", ".h5", ".nc", ".tex")


def figure_names(path):
    """The files that `save_figure` writes: the one named, or with .png and with .pdf behind the name. ValueError for the
    ending of another format."""
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    if ending in FORMATS:
        return [path]
    if ending in OTHER_ENDINGS or ending in NO_FORMATS:
        of = f", {ending} of {OTHER_ENDINGS[ending]}" if ending in OTHER_ENDINGS else ""
        raise ValueError(f"figures are written as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not as '{path}'{of}: give "
                         f"-o {os.path.splitext(path)[0]}.png, for instance")
    return [path + ".png", path + ".pdf"]


class TooSmall(UserWarning):
    """What stands about the axes leaves no room for them."""


def save_figure(figure, path, dpi=None):
    """Writes the format that the name says, or PNG and PDF if it has no such ending. Returns the paths written.

    dpi   dots per inch of a PNG, and of maps within PDF and SVG; default: the style's (200)
    """
    paths, collapsed = figure_names(path), False
    for name in paths:
        data, form = io.BytesIO(), os.path.splitext(name)[1][1:].lower()
        with matplotlib.rc_context(look()), warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            figure.savefig(data, format=form, dpi=dpi, metadata={"Software" if form == "png" else "Creator": MARK})
        collapsed = collapsed or any("collapsed" in str(one.message) for one in raised)
        write_whole(name, data.getbuffer())
    if collapsed:
        warnings.warn("the figure is too small for its labels: give a larger --size", TooSmall, stacklevel=2)
    return paths
