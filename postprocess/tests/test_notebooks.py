"""Figures in notebooks, whose backend turns drawing on when it is loaded, which the first figure does."""

import os
import pathlib
import re
import subprocess
import sys

import gwrm_post

FOLDER = pathlib.Path(gwrm_post.__file__).parent
BACKEND = "import matplotlib\nfrom matplotlib.backends.backend_agg import *\nmatplotlib.interactive(True)\n"


def test_the_first_figure_leaves_drawing_on(viscosity_file, tmp_path):
    (tmp_path / "notebook_backend.py").write_text(BACKEND, encoding="utf-8")
    body = (f"import matplotlib\nfrom gwrm_post import open_run, plot_field\nplot_field(open_run({viscosity_file!r}))\n"
            "assert matplotlib.is_interactive()")
    subprocess.run([sys.executable, "-c", body], check=True, env={
        **os.environ, "PYTHONPATH": f"{tmp_path}:{FOLDER.parent}", "MPLBACKEND": "module://notebook_backend"})


def test_settings_are_changed_by_look_alone():
    """It loads the backend before."""
    changes = [(path.name, text) for path in FOLDER.rglob("*.py")
               for text in re.findall(r"rc_context\([^)]{0,6}", path.read_text(encoding="utf-8"))]
    assert len(changes) > 15
    assert [(name, text) for name, text in changes if not text.startswith("rc_context(look(")] == []
