"""Opens the result files of gwrm as xarray datasets and plots them.

>>> from gwrm_post import open_run, plot_field, save_figure
>>> run = open_run("burgers.h5")                                      # doctest: +SKIP
>>> save_figure(plot_field(run, "u", times=[0, 0.5, 1]), "profiles")  # doctest: +SKIP
"""

from .animation import animate
from .answer import Answer, clenshaw, open_answer
from .checks import plot_verification
from .convergence import open_study, plot_convergence
from .dependence import plot_branch, plot_parameter
from .fields import plot_field
from .figures import make_figure
from .history import plot_newton, plot_windows
from .report import write_report
from .runs import open_group, open_run, open_statistics
from .scaling import plot_scaling, read_scaling
from .spectrum import plot_spectrum
from .statistics import plot_statistics
from .style import save_figure
from .sweep import open_sweep, plot_sweep

__all__ = [
    "Answer",
    "animate",
    "clenshaw",
    "make_figure",
    "open_answer",
    "open_group",
    "open_run",
    "open_statistics",
    "open_study",
    "open_sweep",
    "plot_convergence",
    "plot_branch",
    "plot_field",
    "plot_newton",
    "plot_parameter",
    "plot_scaling",
    "plot_spectrum",
    "plot_statistics",
    "plot_sweep",
    "plot_verification",
    "plot_windows",
    "read_scaling",
    "save_figure",
    "write_report",
]
