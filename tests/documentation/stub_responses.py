"""Stub responses for the commands of the documents: pages, search engines, registries."""

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
    """Return settings that enable every tool and send all requests to the stub."""
    base_urls = {
        name: f"{web.home}/{declared.key.replace('semantic_', 'semantic')}"
        for name, declared in declarations(declared_variables()).items()
        if declared.group == BASE_URLS
    }
    return {
        **web.settings("brave", "edgar"),
        **base_urls,
        "SEARXNG_URL": f"{web.home}/searxng",
        "SEARXNG_CATALOGUE": "off",
        "MEMORY_ENABLED": "true",
        "USER_ANALYTICS_ENABLED": "true",
        "WORKSPACES_ENABLED": "true",
    }


def respond(path: str, query: dict[str, list[str]], home: str) -> tuple[int, str, bytes]:
    """Respond like the stub of the command-line tests, with extra data for the examples."""
    if query.get("result_filter") == ["locations"]:
        return _json(_recorded("brave/places.json", 0))
    if path.endswith("/paper/DOI:10.1038/nature12373"):
        return _json(_recorded("semanticscholar/seeds.json", 0) | {"paperId": "abc"})
    if path.endswith("/works/10.1038/nature12373"):
        return _json({"message": _WORK})
    return answer(path, query, home)


def _recorded(name: str, index: int) -> Any:
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))[index]["body"]


def _json(body: Any) -> tuple[int, str, bytes]:
    return 200, "application/json", json.dumps(body).encode()
