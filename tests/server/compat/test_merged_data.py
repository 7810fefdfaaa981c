"""The data of several pages as one object."""

from typing import Any

from webquarry.server.compat.firecrawl.merged_data import merged, sources_of


def test_objects_are_joined_field_by_field() -> None:
    first = {"name": None, "tags": ["a"], "seller": {"city": "Ulm"}}
    second = {"name": "Owl", "tags": ["a", "b"], "seller": {"zip": "89073"}}

    assert merged([None, first, second]) == {
        "name": "Owl",
        "tags": ["a", "b"],
        "seller": {"city": "Ulm", "zip": "89073"},
    }


def test_what_no_page_has_stays_empty() -> None:
    assert merged([None, None]) is None
    assert merged([{"name": None}, {"name": None}]) == {"name": None}
    assert merged([[], None]) == []


def test_sources_are_the_pages_of_each_field() -> None:
    rows: list[dict[str, Any]] = [
        {"url": "https://a.test/", "sources": {"/title": {}}},
        {"url": "https://b.test/", "sources": {"/title": {}, "/price": {}}},
        {"url": "https://c.test/", "error": {}},
    ]

    assert sources_of(rows) == {
        "title": ["https://a.test/", "https://b.test/"],
        "price": ["https://b.test/"],
    }
