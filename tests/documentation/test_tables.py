"""Tables that people wrote say what the code says."""

import re

from tests.documentation.blocks import ROOT
from webquarry import errors
from webquarry.providers import PROVIDERS
from webquarry.server.problem_details import STATUS
from webquarry.storage import key_namespaces

_SEARCHES = ("web", "news", "images", "places")


def _rows(document: str, width: int) -> list[list[str]]:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == width and set(row[0]) != {"-"}]


def _spans(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_errors_are_as_the_table_says() -> None:
    told = {
        kind: (row[2], _spans(row[3]), row[4])
        for row in _rows("errors.md", 5)
        for kind in _spans(row[0])
    }
    raised = [each for each in vars(errors).values() if _is_error(each)]
    real = {
        each.advice.kind: (
            "yes" if each.advice.retryable else "no",
            {other.advice.action for other in raised if other.advice.kind == each.advice.kind},
            str(STATUS[each.advice.kind]),
        )
        for each in raised
    }

    assert told == real


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.WebquarryError)


def test_providers_search_what_the_table_says() -> None:
    told = {
        name.strip(): {kind for kind, cell in zip(_SEARCHES, row[1:5], strict=True) if cell}
        for row in _rows("searching.md", 6)[1:]
        for name in row[0].split(",")
    }
    real = {
        each.about.name: {kind for kind in _SEARCHES if hasattr(each, f"search_{kind}")}
        for each in PROVIDERS
    }

    assert told == {name: does for name, does in real.items() if does}


def test_everything_that_is_stored_is_in_the_page_about_privacy() -> None:
    text = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    # the kinds of the store and the words that the page has for them
    words = {
        "analytics": "how often which tool was used", "answer": "answers made from pages",
        "apikey": "API keys", "artifact": "large results", "capture": "texts of quoted pages",
        "consent": "consents, memberships", "contribution": "findings shared in a workspace",
        "limit": "counts for limits", "member": "consents, memberships",
        "session": "research sessions", "memory": "findings to recall",
        "owned": "a mark says whose calls made it", "brand": "brands, whether links were alive",
        "cache": "results of tools", "catalogue": "lists of what sources have",
        "found": "search results", "link": "brands, whether links were alive",
        "llm": "use of a language model", "page": "pages that were read",
        "searxng": "health of SearXNG instances",
    }  # fmt: skip
    of_nobody = {"health", "pace"}  # the name that readiness asks for, and a moment

    assert {*key_namespaces.PERSONAL, *key_namespaces.IMPERSONAL} - of_nobody == words.keys()
    assert [word for word in words.values() if word not in text] == []
    assert [
        name for name in key_namespaces.FILES if name not in text and name != "store.sqlite3"
    ] == []
