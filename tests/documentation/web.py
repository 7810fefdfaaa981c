"""Everybody the documents' commands ask, on loopback: pages, search engines, registers."""

import json
from typing import Any

from tests.cli.stub import Stub, answer
from tests.replay import RECORDED
from webquarry.settings.tree import BASE_URLS, declarations
from webquarry.wiring.declared_settings import declared_variables

_WORK = {
    "DOI": "10.1038/nature12373",
    "title": ["Nanometre-scale thermometry in a living cell"],
    "author": [{"given": "G.", "family": "Kucsko"}],
    "container-title": ["Nature"],
    "issued": {"date-parts": [[2013, 7, 31]]},
    "type": "journal-article",
}


def settings(web: Stub) -> dict[str, str]:
    """Return settings under which nobody but the stub is asked, and every tool is offered."""
    places = {
        name: f"{web.home}/{declared.key.replace('semantic_', 'semantic')}"
        for name, declared in declarations(declared_variables()).items()
        if declared.group == BASE_URLS
    }
    return {
        **web.settings("brave", "edgar"),
        **places,
        "SEARXNG_URL": f"{web.home}/searxng",
        "SEARXNG_CATALOGUE": "off",
        "MEMORY_ENABLED": "true",
        "USER_ANALYTICS_ENABLED": "true",
        "WORKSPACES_ENABLED": "true",
    }


def respond(path: str, query: dict[str, list[str]], home: str) -> tuple[int, str, bytes]:
    """Answer as the command line's stub does, but for what the documents' examples need."""
    if query.get("result_filter") == ["locations"]:
        return _json(_recorded("brave/places.json", 0))
    if path.endswith("/paper/DOI:10.1038/nature12373"):
        return _json(_recorded("semanticscholar/seeds.json", 0) | {"paperId": "abc"})
    if path.endswith("/works/10.1038/nature12373"):
        return _json({"message": _WORK})
    return answer(path, query, home)


def _recorded(name: str, place: int) -> Any:
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))[place]["body"]


def _json(body: Any) -> tuple[int, str, bytes]:
    return 200, "application/json", json.dumps(body).encode()
