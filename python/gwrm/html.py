"""Small pieces of HTML for notebooks: tables, pictures, and equations as MathML."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping
from typing import Any

from gwrm_post.mathml import mathml

GOOD, BAD = "#0072B2", "#D55E00"


def block(*parts: str) -> str:
    return '<div class="gwrm">' + "".join(filter(None, parts)) + "</div>"


def heading(text: str) -> str:
    return f'<div style="font-weight:600;margin:0.3em 0">{html.escape(text)}</div>'


def badge(text: str, good: bool) -> str:
    return (f'<span style="background:{GOOD if good else BAD};color:#fff;border-radius:1em;padding:0.1em 0.7em;'
            f'font-weight:600">{html.escape(text)}</span>')


def preformatted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def picture(png: bytes, text: str) -> str:
    return f'<img alt="{html.escape(text)}" src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'


def facts(rows: Mapping[str, str]) -> str:
    """A folded table of names and texts."""
    body = "".join(f'<tr><td style="text-align:left">{html.escape(name)}</td>'
                   f'<td style="text-align:left">{html.escape(text)}</td></tr>' for name, text in rows.items())
    return f"<details><summary>how it is solved</summary><table>{body}</table></details>" if body else ""


def checks(rows: Iterable[Any]) -> str:
    """A folded table of checks."""
    body = ""
    for row in rows:
        colour = "#777" if not row.judged else "inherit" if row.ok else BAD
        verdict = "" if not row.judged else "ok" if row.ok else "FAIL"
        kind = f"1.5 x {row.kind}" if row.judged and row.kind in ("estimate", "goal") else row.kind
        body += (f'<tr style="color:{colour}"><td style="text-align:left">{html.escape(kind)}</td>'
                 f'<td style="text-align:left"><code>{html.escape(row.subject)}</code></td><td>{row.judged_text}</td>'
                 f"<td>{row.tolerance_text}</td><td>{verdict}</td></tr>")
    head = "<tr><th>check</th><th>of</th><th>relative</th><th>allowed</th><th></th></tr>"
    return f"<details><summary>verification</summary><table>{head}{body}</table></details>" if body else ""


def equations(system: Iterable[Any]) -> str:
    """A line for each of the objects with `name`, `text`, `latex`."""
    rows = "".join(f'<tr><td style="text-align:left;color:#777">{html.escape(one.name)}</td>'
                   f'<td style="text-align:left">{mathml(one.latex, one.text)}</td></tr>' for one in system)
    return f'<table style="border:none">{rows}</table>' if rows else ""
