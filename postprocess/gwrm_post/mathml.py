"""The LaTeX that gwrm writes as MathML, which browsers draw by themselves."""

import html
import re

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S")
_SPACES = {"\\,": "0.17em", "\\;": "0.28em", "\\ ": "0.33em", "\\quad": "1em"}
_SIGNS = {"\\cdot": "⋅", "\\times": "×", "\\int": "∫", "\\partial": "∂", "\\nabla": "∇", "\\dots": "…", "\\pm": "±",
          "\\le": "≤", "\\ge": "≥", "-": "−", "\\infty": "∞", "\\hat": "^"}
_GREEK = dict(zip(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
    "αβγδϵζηθικλμνξπρστϕχψωΓΔΘΛΞΠΣΦΨΩ"))


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
