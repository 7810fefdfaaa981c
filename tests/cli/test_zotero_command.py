"""`webquarry zotero collections|audit|add` against a stand-in on loopback."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from tests.cli.stub import Stub, stub_web
from tests.cli.typing_in import Typist
from tests.cli.zotero_server import KEY, ZoteroServer, zotero_server

READING = {"tag": "to read", "type": 1}


def _items(home: str) -> list[dict[str, Any]]:
    return [
        {
            "key": "GOOD0001",
            "itemType": "journalArticle",
            "title": "Heat pumps in cold climates",
            "creators": [
                {"creatorType": "author", "firstName": "Ada", "lastName": "Lovelace"},
                {"creatorType": "author", "firstName": "Charles", "lastName": "Babbage"},
            ],
            "publicationTitle": "Journal of Warmth",
            "date": "2021-03",
            "DOI": "10.5555/heat.1",
            "tags": [READING],
            "collections": ["COLL0001"],
        },
        {
            "key": "BADD0001",
            "itemType": "webpage",
            "title": "A page that is gone",
            "url": f"{home}/gone",
            "tags": [READING],
            "collections": ["COLL0001"],
        },
        {"key": "NOTE0001", "itemType": "note", "note": "mine", "collections": ["COLL0001"]},
    ]


@pytest.fixture
def zotero(web: Stub, monkeypatch: pytest.MonkeyPatch) -> Generator[ZoteroServer]:
    library = ZoteroServer(_items(web.home), {"COLL0001": "Heat pumps", "COLL0002": "Empty"})
    with zotero_server(library):
        monkeypatch.setenv("ZOTERO_BASE_URL", library.home)
        monkeypatch.setenv("ZOTERO_LIBRARY", "user:12345")
        monkeypatch.setenv("ZOTERO_API_KEY", KEY)
        yield library


def test_collections_are_listed_by_name(typist: Typist, zotero: ZoteroServer) -> None:
    assert zotero.home
    listed = json.loads(typist.type("zotero", "collections", "--json").out)

    assert listed == {
        "collections": [
            {"key": "COLL0002", "name": "Empty", "parent": None},
            {"key": "COLL0001", "name": "Heat pumps", "parent": None},
        ]
    }


def test_an_audit_names_the_items_and_writes_nothing(typist: Typist, zotero: ZoteroServer) -> None:
    done = typist.type("zotero", "audit", "heat pumps", "--json")

    body = json.loads(done.out)
    assert done.status == 1
    assert [(e["zoteroKey"], e["flags"]) for e in body["entries"]] == [
        ("GOOD0001", []),
        ("BADD0001", ["dead_link", "unchecked"]),  # no registry could know it
    ]
    assert zotero.writes == []


def test_marks_are_written_once_and_keep_the_users_tags(
    typist: Typist, zotero: ZoteroServer
) -> None:
    first = typist.type("zotero", "audit", "--write")
    second = typist.type("zotero", "audit", "--write")

    notes = [item for item in zotero.items.values() if item.get("parentItem")]
    assert "Zotero: tags of 1 item changed, 1 note written." in first.out
    assert "Zotero: tags of 0 items changed, 0 notes written." in second.out
    assert len(zotero.writes) == 1
    assert zotero.items["BADD0001"]["tags"] == [READING, {"tag": "webquarry:dead-link"}]
    assert zotero.items["GOOD0001"]["tags"] == [READING]
    assert [note["parentItem"] for note in notes] == ["BADD0001"]
    assert "The link is dead" in notes[0]["note"]


def _retracted(path: str, query: dict[str, list[str]], home: str) -> tuple[int, str, bytes]:
    """Answer as Crossref does about a retracted article."""
    notice = {"DOI": "10.5555/heat.9", "type": "retraction", "source": "publisher"}
    work = {
        "DOI": "10.5555/heat.1",
        "title": ["Heat pumps in cold climates"],
        "author": [
            {"given": "Ada", "family": "Lovelace"},
            {"given": "Charles", "family": "Babbage"},
        ],
        "container-title": ["Journal of Warmth"],
        "issued": {"date-parts": [[2021, 3]]},
        "type": "journal-article",
        "updated-by": [notice],
    }
    many = path.endswith("/works")
    message = {"items": [work], "total-results": 1} if many else work
    return 200, "application/json", json.dumps({"message": message}).encode()


def test_a_retracted_article_is_tagged(
    typist: Typist, zotero: ZoteroServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub_web(_retracted) as crossref:
        monkeypatch.setenv("CROSSREF_BASE_URL", crossref.home)
        done = typist.type("zotero", "audit", "--write")

    assert (done.status, "1 retracted" in done.out) == (1, True)
    assert zotero.items["GOOD0001"]["tags"] == [READING, {"tag": "webquarry:retracted"}]


def test_a_conflict_is_tried_again_once(typist: Typist, zotero: ZoteroServer) -> None:
    zotero.conflicts = 1
    done = typist.type("zotero", "audit", "--write")
    zotero.conflicts = 2
    zotero.items["BADD0001"]["tags"] = []
    failed = typist.type("zotero", "audit", "--write")

    assert (done.status, len(zotero.writes)) == (1, 1)
    assert "Somebody else is changing this Zotero library" in failed.err


def test_the_desktop_app_is_read_but_not_written(
    typist: Typist, zotero: ZoteroServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZOTERO_LIBRARY", "local")

    read = typist.type("zotero", "audit", "Heat pumps")
    written = typist.type("zotero", "audit", "--write")

    assert "2 references: 1 dead link, 1 could not be checked, 1 OK." in read.out
    assert "the Zotero app can only be read" in written.err
    assert zotero.writes == []


def test_a_rejected_key_names_its_setting(
    typist: Typist, zotero: ZoteroServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZOTERO_API_KEY", "wrong")

    done = typist.type("zotero", "audit", "--write")

    assert "Check ZOTERO_API_KEY and its permissions" in done.err
    assert zotero.writes == []


def test_an_unknown_collection_lists_the_known_ones(typist: Typist, zotero: ZoteroServer) -> None:
    assert zotero.home
    done = typist.type("zotero", "audit", "Cold pumps")

    assert "No collection is called 'Cold pumps'. There are: Empty, Heat pumps." in done.err


def test_an_empty_collection_says_so(typist: Typist, zotero: ZoteroServer) -> None:
    assert zotero.home
    done = typist.type("zotero", "audit", "Empty")

    assert (done.status, done.out) == (
        0,
        "There are no references in this library or collection.\n",
    )


def test_without_a_library_the_setting_is_named(typist: Typist) -> None:
    assert "set ZOTERO_LIBRARY" in typist.type("zotero", "collections").err


def test_the_sources_of_a_session_are_added_once(
    typist: Typist, web: Stub, zotero: ZoteroServer
) -> None:
    zotero.items["HAVE0001"] = {
        "key": "HAVE0001", "itemType": "webpage", "url": f"{web.home}/a", "collections": [],
    }  # fmt: skip
    step = {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "Heat?"}
    begun = json.loads(typist.type("call", "sequential_search", json.dumps(step)).out)
    typist.type("search", "heat pumps", "--session", begun["sessionId"])
    words = ("zotero", "add", begun["sessionId"][:8], "--collection", "Empty")

    first, second = typist.type(*words), typist.type(*words)

    assert first.out == "2 sources added, 1 already in the library.\n"
    assert second.out == "0 sources added, 3 already in the library.\n"
    assert len(zotero.writes) == 1
    assert zotero.items["HAVE0001"]["collections"] == ["COLL0002"]
    added = [item for item in zotero.items.values() if item["key"].startswith("NEW")]
    assert [(item["itemType"], item["url"], item["collections"]) for item in added] == [
        ("webpage", f"{web.home}/b", ["COLL0002"]),
        ("webpage", f"{web.home}/c", ["COLL0002"]),
    ]
