"""`audit FILE`, `cite`, `extract` and `brand`."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from webquarry.cli import audit_command
from webquarry.cli.audit_command import audit_exit_code
from webquarry.cli.brand_view import brand
from webquarry.cli.output import Grid, Note
from webquarry.cli.result_views import citation_exit_code, retraction
from webquarry.cli.tool_calls import ToolRequest

BIB = (
    "@article{a, title={Heat pumps in cold climates}, doi={10.5555/heat.1}, year={2021}, "
    "author={Lovelace, Ada and Babbage, Charles}}\n@book{b, title={No such book}}\n"
)


@pytest.fixture
def refs(home: Path) -> Path:
    path = home / "refs.bib"
    path.write_text(BIB)
    return path


def test_an_audit_lists_unchecked_references_first_and_ends_with_a_summary(
    typist: Typist, refs: Path
) -> None:
    done = typist.type("audit", str(refs))

    lines = done.out.splitlines()
    assert done.status == 3
    assert lines[0].split() == ["#", "reference", "status", "reason"]
    assert lines[1].startswith("2  No such book                 unchecked")
    assert lines[2] == "1  Heat pumps in cold climates  OK"
    assert lines[-1] == "2 references: 1 could not be checked, 1 OK."


def test_a_missing_file_and_broken_text_are_one_sentence(typist: Typist, home: Path) -> None:
    (home / "x.bib").write_bytes(b"\xff\xfe")

    missing, broken = typist.type("audit", "no.bib"), typist.type("audit", "x.bib")

    assert (missing.status, missing.err) == (
        2,
        "webquarry: Cannot read no.bib: No such file or directory.\n",
    )
    assert (broken.status, broken.err) == (
        2,
        "webquarry: x.bib is not UTF-8 text. Convert it to UTF-8 first.\n",
    )


@pytest.mark.anyio
async def test_an_audit_goes_on_until_every_reference_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = {"index": 1, "flags": ["unchecked"]}
    summary = {"total": 2, "deadLink": 0, "unchecked": 1, "ok": 1}
    first: dict[str, Any] = {
        "entries": [{"index": 0, "flags": []}, late],
        "summary": summary,
        "nextCursor": 1,
        "skipped": 1,
        "skippedNote": "more",
        "checkedAt": "1",
    }
    rest: list[Any] = [{"index": 1, "flags": ["dead_link"]}, {"index": 2, "flags": []}]
    last: dict[str, Any] = {"entries": rest, "summary": summary, "checkedAt": "2"}
    asked: list[int] = []

    async def answer(_: Any, request: ToolRequest, *, verbose: int) -> dict[str, Any]:
        asked.append(request.arguments["cursor"])
        return [first, last][len(asked) - 1]

    monkeypatch.setattr(audit_command, "call_tool", answer)
    library: Any = None

    assert await audit_command.audit_all(library, {"bibliography": "x"}, 0) == {
        "entryCount": 3,
        "entries": [{"index": 0, "flags": []}, *rest],
        "summary": {"total": 3, "deadLink": 1, "unchecked": 0, "ok": 2},
        "checkedAt": "2",
    }
    assert asked == [0, 1]


@pytest.mark.parametrize(
    ("flags", "status"),
    [([["unchecked"]], 3), ([["unchecked"], ["retracted"]], 1), ([["dead_link"]], 1)],
)
def test_evidence_weighs_more_than_doubt(flags: list[list[str]], status: int) -> None:
    assert audit_exit_code({"entries": [{"flags": each} for each in flags]}) == status


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ({"verificationStatus": "confirmed"}, 0),
        ({"verificationStatus": "confirmed", "retractionStatus": {"retracted": True}}, 1),
        ({"verificationStatus": "confirmed", "mismatches": ["year"]}, 1),
        ({"verificationStatus": "not_found"}, 1),
        ({"verificationStatus": "unchecked"}, 3),
        ({"verificationStatus": "uncertain"}, 3),
    ],
)
def test_only_a_confirmed_citation_exits_with_0(found: dict[str, object], status: int) -> None:
    assert citation_exit_code(found) == status


def test_a_retraction_is_said_with_its_notice() -> None:
    status = {"retracted": True, "kind": "retraction", "date": "2020", "noticeDoi": "10.1/n"}

    assert retraction({"retractionStatus": status}) == "RETRACTED 2020, see doi:10.1/n"


def test_pages_works_and_files_are_cited_in_one_list(typist: Typist, web: Stub, refs: Path) -> None:
    done = typist.type("cite", f"{web.home}/a", "10.5555/heat.1", str(refs))

    assert done.status == 0
    assert "Lovelace, A. (n.d.). How heat pumps work." in done.out
    assert "Lovelace, A., & Babbage, C. (2021). Heat pumps in cold climates." in done.out
    assert "! skipped because it has no URL or DOI: No such book" in done.out


def test_what_cannot_be_cited_is_named(typist: Typist) -> None:
    done = typist.type("cite", "heat pumps")

    assert (done.status, done.err) == (
        2,
        "webquarry: 'heat pumps' is not a URL, a DOI or an existing file.\n",
    )
    assert typist.type("cite").status == 2


def test_fields_come_with_the_text_they_were_read_from(typist: Typist, web: Stub) -> None:
    done = typist.type("extract", f"{web.home}/a", "--prompt", "title and author")

    assert done.status == 0
    assert done.out.splitlines() == [
        f"{web.home}/a",
        "",
        "field   value                read from             method",
        "title   How heat pumps work  How heat pumps work   heading",
        "author  Ada Lovelace         author: Ada Lovelace  meta",
    ]


def test_a_schema_is_read_from_its_file(typist: Typist, web: Stub, home: Path) -> None:
    wanted = {"type": "object", "properties": {"author": {"type": "string"}}}
    (home / "wanted.json").write_text(json.dumps(wanted))

    done = typist.type("extract", f"{web.home}/a", "--schema", "wanted.json", "--json")

    assert json.loads(done.out)["results"][0]["data"] == {"author": "Ada Lovelace"}


def test_an_extraction_needs_fields_and_a_readable_page(typist: Typist, web: Stub) -> None:
    no_fields = typist.type("extract", f"{web.home}/a")
    no_page = typist.type("extract", f"{web.home}/nope", "--prompt", "title")

    assert (no_fields.status, no_page.status) == (2, 1)
    assert "choose what to extract with --prompt, --schema or both" in no_fields.err


def test_a_brand_is_a_table_of_what_its_owner_states() -> None:
    body = {
        "identity": {"name": "Heron"},
        "colors": {"primary": "#0af", "palette": [{"hex": "#0af", "brightness": 9}]},
        "sources": [{"name": "homepage", "url": "https://heron.example", "fields": ["colors"]}],
        "unchecked": ["logos"],
    }

    assert list(brand(body)) == [
        Grid(("", "property", "value"),
             (("identity", "name", "Heron"), ("colors", "primary", "#0af"),
              ("", "palette", "#0af"))),
        Note("colors: https://heron.example"),
        Note("Could not be checked: logos", warning=True),
    ]  # fmt: skip
