"""`webquarry tools`, `providers` and `config`: what is on offer, and what is set."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webquarry.app import App, open_app
from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS
from webquarry.calls.tool import AnyTool
from webquarry.cli.output import Json, Note, grid
from webquarry.cli.terminal import Form, show
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.providers import PROVIDERS
from webquarry.providers.provider import Provider
from webquarry.serving import read_settings
from webquarry.settings import show as shown

# the methods of the capabilities (providers/capabilities_*.py), as people call them
_OFFERS = {
    "search_web": "web",
    "search_news": "news",
    "search_images": "images",
    "search_places": "places",
    "answer_question": "answers",
    "search_structured": "structured search",
    "search_works": "papers",
    "work_by_doi": "works by DOI",
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


def tools(flags: Mapping[str, str], *, tokens: bool, form: Form) -> None:
    """Print the tools on offer, with their cost in context when asked."""
    offered = asyncio.run(_offered({"TOOLSETS": "all", **flags} if tokens else flags))
    if tokens:
        _show_costs(offered, form)
        return
    rows = [(t.name, t.toolset, t.description.split("\n\n")[0]) for t in offered]
    head = ("tool", "toolset", "what it does")
    body = {"tools": [tool.definition() for tool in offered]} if form == "json" else {}
    show([grid(head, rows)], body, form)


def providers(form: Form) -> None:
    """Print who can be asked for what."""
    ready = asyncio.run(_ready())
    listed = [_provider(cls, ready) for cls in PROVIDERS]
    rows = [
        (
            "ready" if each["ready"] else "—",
            each["name"],
            ", ".join(each["offers"]),
            "" if each["ready"] else f"set {' and '.join(each['requires'])}",
        )
        for each in listed
    ]
    count = sum(each["ready"] for each in listed)
    parts = [
        grid(("", "provider", "offers", "to do"), rows),
        Note(f"{count} of {len(listed)} are ready. Keys go into the environment or a .env file."),
    ]
    show(parts, {"providers": listed}, form)


def settings(*, as_json: bool) -> str:
    """Return every setting with its value and source."""
    rows = shown.effective(read_settings({}))
    if as_json:
        return json.dumps(shown.as_json(rows), indent=2) + "\n"
    return shown.render_text(rows)


def cost(tools: Iterable[AnyTool]) -> int:
    """Return the tokens of a tools/list result with these tools."""
    return estimate_tokens(json_size({"tools": [tool.definition() for tool in tools]}))


async def _offered(flags: Mapping[str, str]) -> list[AnyTool]:
    async with open_app(read_settings(flags), "cli") as app:
        return app.offer.path.registry.tools()


async def _ready() -> frozenset[str]:
    async with open_app(read_settings({}), "cli") as app:
        return _names(app)


def _names(app: App) -> frozenset[str]:
    return frozenset(provider.about.name for provider in app.offer.services.choices.ready)


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
    """Return what a provider can be asked for."""
    return list(dict.fromkeys(what for name, what in _OFFERS.items() if hasattr(cls, name)))


def _show_costs(offered: Sequence[AnyTool], form: Form) -> None:
    """Print what each tool, each toolset and the usual choices add to a model's context."""
    per_tool = {tool.name: cost([tool]) for tool in offered}
    per_toolset = {name: cost(t for t in offered if t.toolset == name) for name in TOOLSETS}
    per_toolset["default"] = cost(t for t in offered if t.toolset in DEFAULT_TOOLSETS)
    per_toolset["all"] = cost(offered)
    parts = [
        grid(("tool", "tokens"), list(per_tool.items())),
        grid(("toolset", "tokens"), list(per_toolset.items())),
    ]
    show(parts, {"tools": per_tool, "toolsets": per_toolset}, form)
