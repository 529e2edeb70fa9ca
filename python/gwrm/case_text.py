"""Cases and overrides as YAML text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def value_text(value: Any) -> str:
    """One line of YAML that reads back to the value: a number, text, list, mapping, array of numpy."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key), ensure_ascii=False)}: {value_text(one)}"
                               for key, one in value.items()) + "}"
    if hasattr(value, "__array__"):  # arrays and numbers of numpy, arrays of xarray
        value = np.asarray(value).tolist()
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    if value is None or isinstance(value, (bool, int, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} cannot stand in a case")
        return repr(value)
    if hasattr(value, "__fspath__"):
        return json.dumps(str(value), ensure_ascii=False)
    raise TypeError(f"a case holds numbers, texts, lists and mappings, not {type(value).__name__}")


def case_text(case: Mapping[str, Any]) -> str:
    """A case written as a mapping: a key a line, so that messages can point to it."""
    return "\n".join(_lines(case, "")) + "\n"


def _lines(mapping: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in mapping.items():
        name = key if key.isidentifier() else json.dumps(str(key), ensure_ascii=False)
        if isinstance(value, Mapping) and value:
            yield f"{indent}{name}:"
            yield from _lines(value, indent + "  ")
        elif isinstance(value, (list, tuple)) and any(isinstance(one, str) for one in value):
            yield f"{indent}{name}:"
            yield from (f"{indent}  - {value_text(one)}" for one in value)
        else:
            yield f"{indent}{name}: {value_text(value)}"


def overrides_of(given: Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Keys of the case with their new values: `given` by path, {"resolution.degree.x": 48}; keywords with two underscores
    for each point, resolution__degree__x=48. A mapping changes the keys that it has and leaves the others."""
    changes = list(_flat(given or {}, ""))
    for key, value in keywords.items():
        changes += _flat({key.replace("__", "."): value}, "")
    return changes


def _flat(mapping: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, value in mapping.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value_text(value)
