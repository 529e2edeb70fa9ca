"""Opens the result files of gwrm as xarray datasets and plots them.

>>> from gwrm_post import open_run, plot_field, save_figure
>>> run = open_run("burgers.h5")                                      # doctest: +SKIP
>>> save_figure(plot_field(run, "u", times=[0, 0.5, 1]), "profiles")  # doctest: +SKIP
"""

from .convergence import open_study, plot_convergence
from .fields import plot_field
from .runs import open_run, open_statistics
from .scaling import plot_scaling, read_scaling
from .statistics import plot_statistics
from .style import save_figure

__all__ = [
    "open_run",
    "open_statistics",
    "open_study",
    "plot_convergence",
    "plot_field",
    "plot_scaling",
    "plot_statistics",
    "read_scaling",
    "save_figure",
]
