"""Search providers, lenses and the local index."""

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, cast

from webquarry.settings.groups.group import VARIABLE, SettingsGroup, flag, setting
from webquarry.settings.value_types import PATH, ValueType, whole
from webquarry.settings.variable import Variable

KINDS = ("web", "images", "news", "places", "academic", "patents", "default")
Routing = Mapping[str, tuple[str, ...]]


def _names(text: object) -> tuple[str, ...]:
    listed = text.split(",") if isinstance(text, str) else ()
    names = tuple(name.strip().lower() for name in listed if name.strip())
    if not names or len(set(names)) < len(names):
        raise ValueError("empty, or a repeated name")
    return names


def _routing(text: str) -> Routing:
    if not text.startswith("{"):
        return {"default": _names(text)}
    table: Any = json.loads(text)
    lists = {str(kind): _names(names) for kind, names in cast("dict[Any, Any]", table).items()}
    if unknown := set(lists) - set(KINDS):
        raise ValueError(f"no such kind: {unknown}")
    return lists


def _show_routing(routing: Routing) -> str:
    if not routing:
        return ""
    if set(routing) == {"default"}:
        return ",".join(routing["default"])
    return json.dumps({kind: ",".join(names) for kind, names in routing.items()})


_ROUTING: ValueType[Routing] = ValueType(
    'providers in order, "brave,duckduckgo", or a JSON object of such lists by kind '
    f"({', '.join(KINDS)})",
    _routing,
    _show_routing,
    (list,),
)


class SearchSettings(SettingsGroup):
    """Search providers, lenses and the local index."""

    provider: str = setting(
        "SEARCH_PROVIDER", "Search provider to use; otherwise the first configured one.", default=""
    )
    routing: Routing = field(
        default_factory=dict[str, tuple[str, ...]],
        metadata={
            VARIABLE: Variable(
                "SEARCH_ROUTING",
                "Providers to try in this order, instead of SEARCH_PROVIDER.",
                _ROUTING,
            )
        },
    )
    thin_threshold: int = setting(
        "SEARCH_THIN_THRESHOLD",
        "Repeat a query without filler words if it has at most this many results; 0 = never.",
        whole(0, 10),
        default=1,
    )
    custom_lenses_path: Path | None = setting(
        "CUSTOM_LENSES_PATH", "Directory with your own lenses (*.json).", PATH, default=None
    )
    local_index: bool = flag(
        "LOCAL_INDEX",
        "Index pages that were read, so that provider `local` can search them.",
        default=True,
    )
    local_index_pages: int = setting(
        "LOCAL_INDEX_PAGES",
        "Maximum number of pages in the local index; the oldest are deleted.",
        whole(1, 10**7),
        default=100_000,
    )
