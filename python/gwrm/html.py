"""Small pieces of HTML for notebooks: tables, pictures, and equations as MathML, which browsers draw by themselves."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping
from typing import Any

GOOD, BAD = "#0072B2", "#D55E00"

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S")
_SPACES = {"\\,": "0.17em", "\\;": "0.28em", "\\ ": "0.33em", "\\quad": "1em"}
_SIGNS = {"\\cdot": "⋅", "\\times": "×", "\\int": "∫", "\\partial": "∂", "\\nabla": "∇", "\\dots": "…", "\\pm": "±",
          "\\le": "≤", "\\ge": "≥", "-": "−", "\\infty": "∞", "\\hat": "^"}
_GREEK = dict(zip(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
    "αβγδϵζηθικλμνξπρστϕχψωΓΔΘΛΞΠΣΦΨΩ"))


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
        body += (f'<tr style="color:{colour}"><td style="text-align:left">{html.escape(row.kind)}</td>'
                 f'<td style="text-align:left"><code>{html.escape(row.subject)}</code></td><td>{row.value:.1e}</td>'
                 f"<td>{row.tolerance:.1e}</td><td>{verdict}</td></tr>")
    head = "<tr><th>check</th><th>of</th><th>relative</th><th>allowed</th><th></th></tr>"
    return f"<details><summary>verification</summary><table>{head}{body}</table></details>" if body else ""


def equations(system: Iterable[Any]) -> str:
    """A line for each of the objects with `name`, `text`, `latex`."""
    rows = "".join(f'<tr><td style="text-align:left;color:#777">{html.escape(one.name)}</td>'
                   f'<td style="text-align:left">{mathml(one.latex, one.text)}</td></tr>' for one in system)
    return f'<table style="border:none">{rows}</table>' if rows else ""


def mathml(latex: str, text: str = "") -> str:
    """The LaTeX that gwrm writes (src/expression/latex.cpp) as MathML; `text` stands for it where MathML is not drawn."""
    rows, _ = _row(_TOKEN.findall(latex), set())
    alternative = f' alttext="{html.escape(text)}"' if text else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{alternative}>{_group(rows)}</math>'


def _group(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _row(tokens: list[str], ends: set[str]) -> tuple[list[str], list[str]]:
    """The elements up to one of `ends`, and the tokens from there on."""
    parts: list[str] = []
    while tokens and tokens[0] not in ends:
        element, tokens = ("<mrow></mrow>", tokens) if tokens[0] in ("^", "_") else _one(tokens)
        scripts: dict[str, str] = {}
        while tokens and tokens[0] in ("^", "_") and tokens[0] not in scripts:
            sign = tokens[0]
            scripts[sign], tokens = _one(tokens[1:])
        if len(scripts) == 2:
            element = f"<msubsup>{element}{scripts['_']}{scripts['^']}</msubsup>"
        elif scripts:
            name = "msub" if "_" in scripts else "msup"
            element = f"<{name}>{element}{''.join(scripts.values())}</{name}>"
        parts.append(element)
    return parts, tokens


def _braced(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The raw tokens of {...}, and those behind it."""
    depth, place = 0, 0
    for place, token in enumerate(tokens):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth == 0:
            break
    return tokens[1:place], tokens[place + 1:]


def _one(tokens: list[str]) -> tuple[str, list[str]]:
    """One element, and the tokens behind it."""
    if not tokens:
        return "", tokens
    token, rest = tokens[0], tokens[1:]
    if token == "{":
        parts, rest = _row(rest, {"}"})
        return _group(parts), rest[1:]
    if token == "\\frac":
        above, rest = _one(rest)
        below, rest = _one(rest)
        return f"<mfrac>{above}{below}</mfrac>", rest
    if token == "\\sqrt":
        inner, rest = _one(rest)
        return f"<msqrt>{inner}</msqrt>", rest
    if token in ("\\mathrm", "\\operatorname", "\\mathbf", "\\text"):
        letters, rest = _braced(rest)
        word = "".join("_" if one == "\\_" else one for one in letters)
        return f'<mi mathvariant="normal">{html.escape(word)}</mi>', rest
    if token == "\\left":
        opening, (parts, rest) = _fence(rest[0]), _row(rest[1:], {"\\right"})
        closing = _fence(rest[1]) if len(rest) > 1 else ""
        return f"<mrow>{opening}{''.join(parts)}{closing}</mrow>", rest[2:]
    if token in _SPACES:
        return f'<mspace width="{_SPACES[token]}"></mspace>', rest
    if token in _SIGNS:
        return f"<mo>{_SIGNS[token]}</mo>", rest
    if token.startswith("\\"):
        return f"<mi>{html.escape(_GREEK.get(token[1:], token[1:]))}</mi>", rest
    if token[0].isdigit():
        return f"<mn>{token}</mn>", rest
    return (f"<mi>{token}</mi>" if token.isalpha() else f"<mo>{html.escape(token)}</mo>"), rest


def _fence(token: str) -> str:
    return "" if token == "." else f"<mo>{html.escape(token)}</mo>"
