"""A page of an executed notebook: its texts, its code, and what came out of it."""
import json


def fence(text, language):
    return f"```{language}\n{text.rstrip()}\n```"


def shown(output):
    """The richest form of an output that a page can show."""
    if output["output_type"] == "stream":
        return fence("".join(output["text"]), "text")
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{"".join(data["image/png"].split())}">'
    if "text/html" in data:
        return "<div>" + " ".join(data["text/html"].splitlines()) + "</div>"
    return fence(data["text/plain"], "text")


def page(path):
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else fence(source, "python"))
        parts += [shown(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"
