"""Handwritten tables in the documents match the code."""

import re

from tests.documentation.blocks import ROOT
from webquarry import errors
from webquarry.net.upstream import status_errors
from webquarry.reading.documents import document_errors
from webquarry.reading.tiers import read_errors
from webquarry.server.problem_details import STATUS
from webquarry.storage import key_namespaces


def _rows(document: str, width: int) -> list[list[str]]:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == width and set(row[0]) != {"-"}]


def _spans(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_the_error_table_matches_the_error_classes() -> None:
    documented = {
        kind: (row[2], _spans(row[3]), row[4])
        for row in _rows("errors.md", 5)
        for kind in _spans(row[0])
    }
    modules = (errors, status_errors, read_errors, document_errors)
    classes = [each for module in modules for each in vars(module).values() if _is_error(each)]
    actual = {
        each.advice.kind: (
            _retryable(classes, each.advice.kind),
            {other.advice.action for other in classes if other.advice.kind == each.advice.kind},
            str(STATUS[each.advice.kind]),
        )
        for each in classes
    }

    assert documented == actual


def _retryable(classes: list[type[errors.WebquarryError]], kind: str) -> str:
    advice = [each.advice for each in classes if each.advice.kind == kind]
    return " or ".join(sorted({"yes" if each.retryable else "no" for each in advice}, reverse=True))


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.WebquarryError)


def test_the_privacy_page_lists_every_kind_of_stored_data() -> None:
    text = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    # the key namespaces of the store and the phrase for each on the page
    phrases = {
        "analytics": "usage counts per tool", "answer": "generated answers",
        "apikey": "API keys", "artifact": "large results", "capture": "captures of quoted pages",
        "consent": "consents, memberships", "contribution": "findings shared in a workspace",
        "limit": "rate-limit counters", "login": "cookies and local storage of a host",
        "member": "consents, memberships",
        "session": "research sessions", "memory": "saved findings",
        "owned": "linked to the users whose calls created it",
        "brand": "brand results", "cache": "cached tool results",
        "catalogue": "catalogues of data sources",
        "found": "search results", "history": "call history", "link": "link checks",
        "llm": "language-model usage", "page": "pages that were read",
        "ranked": "result lists", "searxng": "health of SearXNG instances",
        "exchange": "captured requests", "payload": "captured requests and responses",
        "task": "calls that run as [tasks]", "check": "checked documents",
    }  # fmt: skip
    without_data = {"health", "pace"}  # a probe key of the readiness check, and a timestamp

    assert {*key_namespaces.PERSONAL, *key_namespaces.IMPERSONAL} - without_data == phrases.keys()
    assert [phrase for phrase in phrases.values() if phrase not in text] == []
    assert [
        name for name in key_namespaces.FILES if name not in text and name != "store.sqlite3"
    ] == []
