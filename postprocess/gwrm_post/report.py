"""A run on one page: HTML with the pictures in it, to be opened, sent or printed as it is."""

import base64
import html
import io

import matplotlib.pyplot as plt

from .checks import check_rows
from .dependence import is_branch
from .figures import make_figure
from .history import is_of_linear_solver
from .live import live_page
from .modes import is_modes
from .runs import (curvilinear, is_error, open_group, open_run, parameter_dimensions, space_dimensions,
                   time_dimension)
from .whole_file import MARK, page_name, write_whole

N_FIELDS = 6  # at most so many fields are drawn
LIVE_BYTES = 500_000  # of a live page within the report, at most

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{mark}">
<title>{title}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 62em; margin: 2em auto; padding: 0 1em; }}
h1 {{ font-size: 1.5em; margin-bottom: 0.2em; }}
h2 {{ font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid #ddd; }}
.badge {{ display: inline-block; padding: 0.1em 0.7em; border-radius: 1em; color: #fff; font-weight: 600; }}
.good {{ background: #0072B2; }} .bad {{ background: #D55E00; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.15em 1.2em 0.15em 0; vertical-align: top; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
th, td:first-child {{ white-space: nowrap; }}
th {{ font-weight: 600; }}
.failed td {{ color: #D55E00; font-weight: 600; }} .reported td {{ color: #777; }}
code, pre {{ font: 13px/1.4 ui-monospace, monospace; }}
pre {{ background: #f6f6f6; padding: 1em; overflow-x: auto; }}
.figures {{ display: flex; flex-wrap: wrap; gap: 1em 2%; align-items: flex-end; }}
figure {{ margin: 0.6em 0; flex: 0 1 49%; min-width: 20em; }} figure.wide {{ flex-basis: 100%; }}
figure img {{ max-width: 100%; height: auto; }}
figcaption {{ color: #555; }}
iframe {{ width: 100%; height: 60em; border: 1px solid #ddd; }}
.warning {{ background: #fff4e5; padding: 0.4em 0.8em; margin: 0.5em 0; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_report(path, output):
    """Writes the page about the result file `path` to `output` and returns the name written.

    The page holds how the run ended and what it took, the fields, where it is short the live page (live.py), the
    verification, the decay of the coefficients, the Newton iterations and windows, statistics or branch where there are
    any, and the case. It refers to nothing outside of itself. Figures that a file has no data for are left out.
    """
    output = page_name(output, "report")
    run = open_run(path)
    body = "\n".join([_head(run, path), _fields(run, path), _live(path), _checks(path), _numerics(path), _case(run)])
    write_whole(output, PAGE.format(title=html.escape(_title(run)), mark=MARK, body=body).encode())
    return str(output)


def _title(run):
    return str(run.attrs.get("title", "")).strip() or "A run of gwrm"


def _head(run, path):
    attributes = {key: str(value) for key, value in run.attrs.items()}
    result = str(open_group(path, "verification").attrs["result"])
    good = result == "PASS" and attributes["status"] == "converged"
    verdict = {"PASS": "verification passed", "FAIL": "verification failed"}.get(result, result)
    if result == "NOT ESTIMATED":
        verdict = "NOT ESTIMATED: how large the error is could not be found out"
    status = attributes["status"] if attributes["status"] == "converged" else attributes["status"].upper()
    parts = [f"<h1>{html.escape(_title(run))}</h1>",
             f'<p><span class="badge {"good" if good else "bad"}">{html.escape(status)}, {verdict}</span></p>']
    if attributes.get("reason", "").strip("\0 "):
        parts.append(f'<p class="warning">{html.escape(attributes["reason"])}</p>')
    for warning in attributes.get("warnings", "").strip("\0 \n").splitlines():
        parts.append(f'<p class="warning">Warning: {html.escape(warning)}</p>')
    facts = [("unknowns", f'{int(run.attrs["n_unknowns"])} in the largest system'),
             ("iterations", f'{int(run.attrs["n_newton_iterations"])} of Newton, {int(run.attrs["n_linear_iterations"])} '
                            f'of the linear solver, {int(run.attrs["n_factorisations"])} factorisations'),
             ("linear solver", attributes["linear_solver"]),
             ("time", f'{float(run.attrs["wall_seconds"]):.3g} s on {attributes["device"]}'),
             ("program", f'gwrm {attributes["version"]} ({attributes["git_revision"]}), {attributes["build"]}'),
             ("run", attributes["history"])]
    parts.append("<table>" + "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in facts)
                 + "</table>")
    return "\n".join(parts)


def _picture(path, caption, *arguments, **options):
    """A figure element, or nothing where the file has no data for it."""
    try:
        figure = make_figure(path, *arguments, title="", **options)
    except ValueError:
        return ""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=130)
    plt.close(figure)
    text = html.escape(caption)
    source = base64.b64encode(data.getvalue()).decode("ascii")
    width, height = figure.get_size_inches()
    shape = ' class="wide"' if width > 1.8 * height else ""
    return (f'<figure{shape}><img alt="{text}" src="data:image/png;base64,{source}">'
            f"<figcaption>{text}</figcaption></figure>")


def _row(pictures):
    return '<div class="figures">\n' + "\n".join(filter(None, pictures)) + "\n</div>"


def _fields(run, path):
    parts = []
    if is_branch(run):
        parts.append(_picture(path, "The branch; circles are its folds.", "branch"))
    drawn = [str(key) for key, field in run.data_vars.items() if field.ndim > 0 and not is_error(field)]
    if is_branch(run):  # what lives on the branch alone is in its own picture
        drawn = [key for key in drawn if run[key].ndim > 1]
    elif drawn and curvilinear(run, run[drawn[0]]):
        drawn = [key for key in drawn if key not in ("x", "y")]
    if is_modes(run):
        parts.append(_picture(path, "The eigenvalues.", "eigenvalues"))
        shapes = [key for key in drawn if len(space_dimensions(run[key])) > 1]  # one of them counts the modes
        parts += [_picture(path, f"{key} of the first modes.", "modes", [key]) for key in shapes[:N_FIELDS]]
        drawn = []
    trajectories = False
    for key in drawn[:N_FIELDS]:
        field = run[key]
        n_space = len(space_dimensions(field))
        if time_dimension(field) and n_space == 0:
            if not trajectories:
                names = [other for other in drawn if run[other].dims == field.dims][:N_FIELDS]
                parts.append(_picture(path, f"{', '.join(names)} over time.", "trajectories", names))
                trajectories = True
        elif time_dimension(field) and n_space == 1:
            parts.append(_picture(path, f"{key} at several times.", "profiles", [key]))
            parts.append(_picture(path, f"{key} over space and time.", "map", [key]))
        else:
            when = " at several times" if time_dimension(field) else ""
            parts.append(_picture(path, f"{key}{when}.", None, [key]))
        if parameter_dimensions(field):
            parts.append(_picture(path, f"{key} over the parameter.", "parameter", [key]))
    parts.append(_picture(path, "Mean, deviation and Sobol indices over the parameters.", "statistics"))
    parts = ["<h2>Solution</h2>", _row(parts)]
    if len(drawn) > N_FIELDS:
        parts.append(f"<p>The file has more fields: {html.escape(', '.join(map(str, drawn[N_FIELDS:])))}.</p>")
    numbers = [(key, float(field)) for key, field in run.data_vars.items() if field.ndim == 0]
    if numbers:
        parts.append("<table>" + "".join(f"<tr><th>{html.escape(str(key))}</th><td>{value:.15g}</td></tr>"
                                         for key, value in numbers) + "</table>")
    return "\n".join(filter(None, parts))


def _live(path):
    """The page with sliders as a page within this one; nothing for files that have none, or a long one."""
    try:
        page = live_page(path, most_bytes=LIVE_BYTES, coarser=False)
    except ValueError:
        return ""
    return f'<h2>Anywhere</h2>\n<iframe title="the answer at any point" srcdoc="{html.escape(page)}"></iframe>'


def _checks(path):
    rows = []
    for row in check_rows(open_group(path, "verification")):
        kind = "reported" if not row["judged"] else "" if row["passed"] else "failed"
        verdict = {"reported": "reported", "": "ok", "failed": "FAIL"}[kind]
        allowed = row["tolerance_text"] if row["judged"] else ""
        rows.append(f'<tr class="{kind}"><td>{html.escape(row["label"])}</td>'
                    f'<td><code>{html.escape(row["subject"])}</code></td><td class="number">{row["judged_text"]}</td>'
                    f'<td class="number">{allowed}</td><td>{verdict}</td></tr>')
    return ("<h2>Verification</h2>\n<table><tr><th>check</th><th>of</th><th>value</th><th>allowed</th><th></th></tr>\n"
            + "\n".join(rows) + "\n</table>")


def _iterations(path):
    newton = open_group(path, "newton", optional=True)
    if newton is not None and is_of_linear_solver(newton):
        return "The linear solver: the bound on the error that each iteration leaves."
    return "Newton's method: the corrections, and the iterations in each window."


def _numerics(path):
    pictures = [
        _picture(path, "Size of the coefficients along each dimension, the largest over all windows and "
                       "subdomains.", "coefficients"),
        _picture(path, _iterations(path), "newton"),
        _picture(path, "The windows in time.", "windows"),
    ]
    return "<h2>How it was solved</h2>\n" + _row(pictures)


def _case(run):
    return f'<h2>The case</h2>\n<pre>{html.escape(str(run.attrs["case"]))}</pre>'
