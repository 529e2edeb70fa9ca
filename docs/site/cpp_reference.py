"""A page of a C++ header: its comments as text, its declarations as code."""
import re

from comments import markdown

HIDDEN = re.compile(r"\n^ (?:private|protected):\n.*?(?=^ public:|^\};)", re.M | re.S)
NAME = re.compile(r"^(?:template .*\n)?(?:(?:class|struct|enum class|enum) (?:GWRM_PUBLIC )?(\w+)|[\w:<>,&* ]*?(\w+)\()", re.M)


def prose(lines):
    """The text of comment lines; what is indented further stays code."""
    return "\n".join("    " + line[5:] if line.startswith("//   ") else markdown(line[3:]) for line in lines)


def pieces(text):
    """Declarations with the comment above each: outside braces a blank line ends one, and a comment begins the next."""
    piece, depth = [], 0
    for line in [*text.splitlines(), ""]:
        begins = line.startswith("//") and piece and not piece[-1].startswith("//")
        if piece and depth == 0 and (begins or not line.strip()):
            yield piece
            piece = []
        if line.strip() or depth:
            piece.append(line)
            depth += line.split("//")[0].count("{") - line.split("//")[0].count("}")


def page(header):
    text = header.read_text(encoding="utf-8")
    head, rest = re.match(r"((?://[^\n]*\n)+)(.*)", text, re.S).groups()
    space, body = re.search(r"^namespace ([\w:]+) \{\n(.*)^\}  // namespace", rest, re.M | re.S).groups()
    parts = [f"# C++: namespace {space}\n\n{prose(head.splitlines())}\n"]
    for piece in pieces(HIDDEN.sub("", body)):
        count = next((i for i, line in enumerate(piece) if not line.startswith("//")), len(piece))
        comment, code = piece[:count], "\n".join(piece[count:])
        name = NAME.search(code)
        if code and not re.fullmatch(r"(?:class|struct) \w+;", code):
            parts.append(f"## {name.group(1) or name.group(2)}\n\n{prose(comment)}\n\n```cpp\n{code}\n```\n")
    return "\n".join(parts)
