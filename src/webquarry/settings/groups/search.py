"""Which providers search, in which order, and what is remembered for searching."""

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, cast

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, PATH, TEXT, ValueType, whole
from webquarry.settings.variable import Variable

KINDS = ("web", "images", "news", "places", "academic", "patents", "default")
Routing = Mapping[str, tuple[str, ...]]


def _names(text: object) -> tuple[str, ...]:
    listed = text.split(",") if isinstance(text, str) else ()
    names = tuple(name.strip().lower() for name in listed if name.strip())
    if not names or len(set(names)) < len(names):
        raise ValueError("empty, or a name twice")
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

    provider: Annotated[
        str,
        Variable(
            "SEARCH_PROVIDER",
            "The provider that searches; without it the first that is configured.",
            TEXT,
        ),
    ] = ""
    routing: Annotated[
        Routing,
        Variable(
            "SEARCH_ROUTING",
            "Providers to fall back on, in this order, in place of SEARCH_PROVIDER.",
            _ROUTING,
        ),
    ] = field(default_factory=dict[str, tuple[str, ...]])
    thin_threshold: Annotated[
        int,
        Variable(
            "SEARCH_THIN_THRESHOLD",
            "With so few results or fewer, ask again without filler words; 0 = never.",
            whole(0, 10),
        ),
    ] = 1
    custom_lenses_path: Annotated[
        Path | None,
        Variable("CUSTOM_LENSES_PATH", "Directory of lenses of your own (*.json).", PATH),
    ] = None
    local_index: Annotated[
        bool,
        Variable("LOCAL_INDEX", "Keep read pages searchable, as provider `local`.", FLAG),
    ] = True
    local_index_pages: Annotated[
        int,
        Variable(
            "LOCAL_INDEX_PAGES", "Most pages in the local index; the oldest go.", whole(1, 10**7)
        ),
    ] = 100_000
