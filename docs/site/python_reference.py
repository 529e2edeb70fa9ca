"""A page of a Python package: signatures and docstrings of what its __all__ names, read without importing it."""
import ast
import re

from comments import markdown


def definitions(folder):
    """Name -> node of the classes and functions of the package's modules."""
    return {node.name: node for path in sorted(folder.glob("*.py"))
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def is_property(node):
    return any(isinstance(mark, ast.Name) and mark.id in ("property", "cached_property") for mark in node.decorator_list)


def signature(node, name):
    arguments, returns = ast.unparse(node.args), f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}{returns}" if is_property(node) else f"{name}({arguments}){returns}"


def text(node):
    """The docstring as it is set: lists of names need their columns."""
    docstring = re.sub(r" +# doctest: .*", "", ast.get_docstring(node) or "")
    parts = docstring.split("\n\n")
    return "\n\n".join(markdown(part) if is_prose(part) else f"```text\n{part}\n```" for part in parts if part)


def is_prose(part):
    return not part.startswith(">>>") and not any("  " in line.strip() or line.startswith(" ") for line in part.splitlines())


def entry(level, name, node):
    heading = f"{'#' * level} {name}\n"
    if isinstance(node, ast.FunctionDef):
        return [f"{heading}\n```python\n{signature(node, name)}\n```\n\n{text(node)}\n"]
    bases = ", ".join(map(ast.unparse, node.bases))
    members = [member for member in node.body if isinstance(member, ast.FunctionDef) and not member.name.startswith("_")]
    plain = "".join(f"\n    {signature(member, member.name)}" for member in members if not ast.get_docstring(member))
    found = [f"{heading}\n```python\nclass {name}{f'({bases})' if bases else ''}{plain}\n```\n\n{text(node)}\n"]
    for member in members:
        if ast.get_docstring(member):
            found += entry(level + 1, f"{name}.{member.name}", member)
    return found


def page(folder):
    package = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    names = next(ast.literal_eval(node.value) for node in package.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    defined = definitions(folder)
    parts = [f"# Python: package {folder.name}\n\n{text(package)}\n"]
    for name in names:
        if name in defined:
            parts += entry(2, name, defined[name])
    return "\n".join(parts)
