"""The output of `webquarry providers` and `config`."""

import asyncio
import json
from typing import Any

from webquarry.app import open_app
from webquarry.cli.output import Json, Note, grid
from webquarry.cli.terminal import OutputFormat, show
from webquarry.providers.all_providers import PROVIDERS
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
