# What is compiled (python/bindings/module.cpp); for the modules beside it alone.
from typing import Any

def __getattr__(name: str) -> Any: ...
