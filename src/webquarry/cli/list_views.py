"""The output of `webquarry tools`, `providers` and `config`."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webquarry.app import open_app
from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS
from webquarry.calls.tool import AnyTool
from webquarry.cli.output import Json, Note, grid
from webquarry.cli.terminal import OutputFormat, show
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.providers import PROVIDERS
from webquarry.providers.provider import Provider
from webquarry.serving import read_settings
from webquarry.settings import show as shown
from webquarry.settings.tree import ignored_note

# names for the methods of the provider capabilities (providers/capabilities_*.py)
_OFFERS = {
    "search_web": "web",
    "search_news": "news",
    "search_images": "images",
    "search_places": "places",
    "answer_question": "answers",
    "search_structured": "structured search",
    "search_works": "papers",
    "work_by_doi": "works by DOI",
    "work_by_identifier": "works by number",
    "books_by_title": "books",
    "is_registered": "DOI registration",
    "notices": "retractions",
    "open_copy": "open copies",
    "citing": "citation graph",
    "search_patents": "patents",
    "find_patent": "patents",
    "search_filings": "filings",
    "search_cases": "cases",
    "search_series": "economic data",
    "search_trials": "trials",
    "snapshot": "archived pages",
    "save": "archiving",
}


def tools(flags: Mapping[str, str], *, tokens: bool, form: OutputFormat) -> None:
    """Print the tools with what they do, or with their cost in context tokens."""
    offered = asyncio.run(_offered({"TOOLSETS": "all", **flags} if tokens else flags))
    if tokens:
        _show_costs(offered, form)
        return
    rows = [(t.name, t.toolset, t.description.split("\n\n")[0]) for t in offered]
    body = {"tools": [tool.definition() for tool in offered]} if form == "json" else {}
    show([grid(("tool", "toolset", "description"), rows)], body, form)


def providers(form: OutputFormat) -> None:
    """Print the providers, what they offer and which settings they lack."""
    ready = asyncio.run(_ready_names())
    listed = [_provider(cls, ready) for cls in PROVIDERS]
    rows = [
        (
            "ready" if provider["ready"] else "—",
            provider["name"],
            ", ".join(provider["offers"]),
            "" if provider["ready"] else f"set {' and '.join(provider['requires'])}",
        )
        for provider in listed
    ]
    count = sum(provider["ready"] for provider in listed)
    hint = "Set keys in the environment or in webquarry.env."
    parts = [
        grid(("state", "provider", "offers", "to enable it"), rows),
        Note(f"{count} of {len(listed)} providers are ready. {hint}"),
    ]
    show(parts, {"providers": listed}, form)


def settings(*, as_json: bool) -> str:
    """Return every setting with its value and source."""
    loaded = read_settings({})
    rows = shown.effective(loaded)
    if as_json:
        return json.dumps(shown.as_json(rows), indent=2) + "\n"
    note = ignored_note(loaded)
    return shown.render_text(rows) + (f"\n{note}\n" if note else "")


def token_cost(tools: Iterable[AnyTool]) -> int:
    """Return the tokens of a tools/list result with these tools."""
    return estimate_tokens(json_size({"tools": [tool.definition() for tool in tools]}))


async def _offered(flags: Mapping[str, str]) -> list[AnyTool]:
    async with open_app(read_settings(flags), "cli") as app:
        return app.path.registry.tools()


async def _ready_names() -> frozenset[str]:
    async with open_app(read_settings({}), "cli") as app:
        return frozenset(provider.about.name for provider in app.services.providers.ready)


def _provider(cls: type[Provider], ready: frozenset[str]) -> Json:
    about = cls.about
    return {
        "name": about.name,
        "ready": about.name in ready,
        "offers": _offers(cls),
        "requires": list(about.requires),
        "docs": about.docs,
    }


def _offers(cls: type[Any]) -> list[str]:
    return list(dict.fromkeys(text for name, text in _OFFERS.items() if hasattr(cls, name)))


def _show_costs(offered: Sequence[AnyTool], form: OutputFormat) -> None:
    """Print the context tokens of each tool, each toolset, the default toolsets and all tools."""
    per_tool = {tool.name: token_cost([tool]) for tool in offered}
    per_toolset = {name: token_cost(t for t in offered if t.toolset == name) for name in TOOLSETS}
    per_toolset["default"] = token_cost(t for t in offered if t.toolset in DEFAULT_TOOLSETS)
    per_toolset["all"] = token_cost(offered)
    parts = [
        grid(("tool", "tokens"), list(per_tool.items())),
        grid(("toolset", "tokens"), list(per_toolset.items())),
    ]
    show(parts, {"tools": per_tool, "toolsets": per_toolset}, form)
