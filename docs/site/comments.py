"""Texts of comments and docstrings as Markdown for the pages of reference, which lie in docs/."""
import re

CODE = re.compile(r"(`[^`\n]*`)")
PAGE = re.compile(r"\bdocs/([\w-]+\.md)\b")


def markdown(text):
    """What is no code: <header> is no tag, and a page that is named becomes a link."""
    return "".join(part if i % 2 else PAGE.sub(r"[docs/\1](\1)", part.replace("<", "&lt;"))
                   for i, part in enumerate(CODE.split(text)))
