"""Opens the result files of gwrm as xarray datasets and plots them. Part of the Python package gwrm.

>>> from gwrm_post import open_run, plot_field, save_figure
>>> run = open_run("burgers.h5")                                      # doctest: +SKIP
>>> save_figure(plot_field(run, "u", times=[0, 0.5, 1]), "profiles")  # doctest: +SKIP
"""

import importlib

# Where each name comes from. They are imported when they are asked for: who opens a file needs no matplotlib.
_MODULES = {
    "animation": ["animate"],
    "answer": ["Answer", "clenshaw", "open_answer"],
    "checks": ["plot_verification"],
    "convergence": ["open_study", "plot_convergence"],
    "dependence": ["plot_branch", "plot_parameter"],
    "fields": ["plot_field"],
    "figures": ["make_figure"],
    "history": ["plot_newton", "plot_windows"],
    "live": ["write_live"],
    "report": ["write_report"],
    "runs": ["open_group", "open_run", "open_statistics"],
    "scaling": ["plot_scaling", "read_scaling"],
    "slices": ["plot_isosurfaces", "plot_slices"],
    "spacetime": ["plot_spacetime"],
    "spectrum": ["plot_spectrum"],
    "statistics": ["plot_statistics"],
    "style": ["save_figure", "using"],
    "sweep": ["open_sweep", "plot_sweep"],
    "vectors": ["plot_vectors"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'gwrm_post' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
