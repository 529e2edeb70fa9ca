"""What MkDocs does with the repository (mkdocs.yml): the site is laid out as the repository is, so that the links between its
pages are right as they stand and no text is there twice.

A file that a page links to and that is no page - a case of inputs/, a header - becomes a page that shows it, a notebook as it
was executed (notebook.py). The two pages of reference are made of the comments of src/api/gwrm.hpp and the docstrings of
python/gwrm (cpp_reference.py, python_reference.py).
Fences ```math hold LaTeX and become MathML, which browsers draw without a script.
"""
import pathlib
import posixpath
import re
import sys

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import cpp_reference
import notebook
import python_reference

PAGES = ["*.md", "docs/*.md", "docs/decisions/*.md", "docs/site/*.md", "bench/*.md", "bench/peers/*.md",
         "postprocess/*.md", "tests/verdict/*.md"]
STYLE = "docs/site/site.css"
MEDIA = [".png", ".gif", ".svg", ".jpg"]
LANGUAGES = {".yaml": "yaml", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".txt": "cmake", ".cff": "yaml", ".json": "json"}
LINK = re.compile(r"(\]\()([^)#\s:]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.S)


def heading_id(title, separator):
    """As git hosts make it, and tests/docs_test.py: "A, and B" is a-and-b."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", separator)


def mathematics(source, language, css_class, options, md, **kwargs):
    return convert(source.strip(), display="block")


def outside_code(text, change):
    """The text with change(part) for each part that is no code."""
    return "".join(part if i % 2 else change(part) for i, part in enumerate(CODE.split(text)))


def targets(page, text):
    """Paths in the repository of what a page links to."""
    found = []
    outside_code(text, lambda part: found.extend(match.group(2) for match in LINK.finditer(part)) or part)
    return [posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) for target in found]


def is_shown(path):
    """Whether a file becomes a page that shows its text."""
    return (ROOT / path).is_file() and pathlib.Path(path).suffix not in [".md", *MEDIA]


def page_of(path):
    if path.endswith(".ipynb"):
        return notebook.page(ROOT / path)
    text = (ROOT / path).read_text(encoding="utf-8")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"# {path}\n\n{fence}{LANGUAGES.get(pathlib.Path(path).suffix, '')}\n{text.rstrip()}\n{fence}\n"


def on_config(config):
    config.mdx_configs.setdefault("toc", {})["slugify"] = heading_id
    config.mdx_configs["pymdownx.superfences"] = {
        "custom_fences": [{"name": "math", "class": "math", "format": mathematics}]}
    return config


def on_files(files, config):
    own = [file for file in files if file.src_dir != config.docs_dir]  # the theme's
    pages = sorted({path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern)})
    linked = sorted({target for page in pages for target in targets(page, (ROOT / page).read_text(encoding="utf-8"))})
    laid_out = [File(path, str(ROOT), config.site_dir, config.use_directory_urls)
                for path in [*pages, STYLE, *(path for path in linked if path.endswith(tuple(MEDIA)))]]
    shown = [File.generated(config, path + ".md", content=page_of(path), inclusion=InclusionLevel.NOT_IN_NAV)
             for path in linked if is_shown(path)]
    reference = [File.generated(config, "docs/api-cpp.md", content=cpp_reference.page(ROOT / "src/api/gwrm.hpp")),
                 File.generated(config, "docs/api-python.md", content=python_reference.page(ROOT / "python/gwrm"))]
    return Files([*own, *laid_out, *shown, *reference])


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def link(match):
        path = posixpath.normpath(posixpath.join(folder, match.group(2)))
        return match.group(1) + match.group(2) + (".md" if is_shown(path) else "") + (match.group(3) or "")

    return outside_code(markdown, lambda part: LINK.sub(link, part))
