"""Patent adapters against answers recorded from the real APIs, kept outside this repository."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.replay import StillClock
from webquarry.errors import AccessError, ProviderError, WebquarryError
from webquarry.models.patents import PatentQuery
from webquarry.net.client.headers import Headers
from webquarry.net.upstream.http_port import Request, Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.epo import Epo
from webquarry.providers.lens import LensOrg
from webquarry.providers.patentsview import PatentsView
from webquarry.providers.uspto import Uspto

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the recorded answers are not here"),
]
KEYS = {
    "EPO_OPS_CONSUMER_KEY": "k",
    "EPO_OPS_CONSUMER_SECRET": "s",
    "LENS_API_TOKEN": "k",
    "USPTO_API_KEY": "k",
    "PATENTSVIEW_API_KEY": "k",
}
MANY = PatentQuery(text="x", count=100)
X = "{http://www.epo.org/exchange}"


@dataclass
class Recorded:
    """Answers every request with one body; the token of the EPO is the recorded one."""

    name: str
    status: int = 200

    async def send(self, request: Request) -> Response:
        token = request.url.endswith("/accesstoken")
        name = "epo_ops/auth_token_200.json" if token else self.name
        return Response(
            status=200 if token else self.status,
            headers=Headers.of({}),
            content=(FIXTURES / name).read_bytes(),
            url=request.target,
        )


def upstreams(name: str, status: int = 200) -> Upstreams:
    return Upstreams(Recorded(name, status), clock=StillClock().clock())


def data(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


async def test_epo_documents_are_read_like_by_another_parser() -> None:
    name = "epo_ops/biblio_200.xml"
    root = ElementTree.parse(FIXTURES / name).getroot()  # noqa: S314  # a file of our own

    found = await Epo(upstreams(name), KEYS).search_patents(MANY)

    assert len(found) == len(root.findall(f".//{X}exchange-document")) > 0
    first, document = found[0], next(root.iter(f"{X}exchange-document"))
    titles = {t.get("lang"): t.text for t in document.iter(f"{X}invention-title")}
    dates = [d.text or "" for d in document.findall(f".//{X}application-reference//{X}date")]
    assert first.number == "".join(
        document.get(part) or "" for part in ("country", "doc-number", "kind")
    )
    assert first.title == titles["en"]
    assert (first.filed or "").replace("-", "") == dates[0]
    assert first.granted is None  # an A1 is an application
    assert first.classes


@pytest.mark.parametrize(
    "name", ["epo_ops/search_200.xml", "epo_ops/search_plastic_range1-100_200.xml"]
)
async def test_an_epo_list_without_documents_is_empty(name: str) -> None:
    assert await Epo(upstreams(name), KEYS).search_patents(MANY) == []


@pytest.mark.parametrize(
    "name",
    [
        "epo_ops/abstract_200.xml",
        "epo_ops/claims_200.xml",
        "epo_ops/family_200.xml",
        "epo_ops/published_equivalents_200.xml",
    ],
)
async def test_other_epo_answers_do_no_harm(name: str) -> None:
    found = await Epo(upstreams(name), KEYS).search_patents(MANY)

    assert all(patent.number and patent.title for patent in found)


async def test_a_refused_epo_token_is_an_error() -> None:
    with pytest.raises(ProviderError):
        await Epo(upstreams("epo_ops/invalid_access_token_400.xml", 400), KEYS).search_patents(MANY)


async def test_lens_rows_say_what_the_body_says() -> None:
    name = "lens/patent_search_sample_docs.json"

    found = await LensOrg(upstreams(name), KEYS).search_patents(MANY)

    rows = data(name)["data"]
    assert [(p.number, p.filed, p.granted) for p in found] == [
        (
            row["jurisdiction"] + row["doc_number"] + row["kind"],
            row["biblio"]["application_reference"]["date"],
            row.get("legal_status", {}).get("grant_date"),
        )
        for row in rows
    ]
    assert all(patent.title != patent.number for patent in found)


async def test_uspto_rows_say_what_the_body_says() -> None:
    name = "uspto_odp/search_patents_200.json"

    found = await Uspto(upstreams(name), KEYS).search_patents(MANY)

    rows = [row["applicationMetaData"] for row in data(name)["patentFileWrapperDataBag"]]
    assert [(p.title, p.filed, p.inventor, p.status) for p in found] == [
        (
            row["inventionTitle"],
            row["filingDate"],
            row["firstInventorName"],
            row["applicationStatusDescriptionText"],
        )
        for row in rows
    ]


async def test_the_older_uspto_form_is_read_too() -> None:
    name = "uspto_odp/search_get_200_raw.json"

    found = await Uspto(upstreams(name), KEYS).search_patents(MANY)

    assert [p.title for p in found] == [r["inventionTitle"] for r in data(name)["patentBag"]]


async def test_nothing_found_at_the_uspto_is_empty() -> None:
    name = "uspto_odp/transactions_404_raw.json"

    assert await Uspto(upstreams(name, 404), KEYS).search_patents(MANY) == []


@pytest.mark.parametrize(
    "name",
    [
        "patentsview/patent_by_id_200.json",
        "patentsview/search_text_phrase_empty_or_small.json",
    ],
)
async def test_patentsview_rows_say_what_the_body_says(name: str) -> None:
    found = await PatentsView(upstreams(name), KEYS).search_patents(MANY)

    def inventor(row: Any) -> str | None:
        people = row.get("inventors") or [None]
        first = people[0]
        return first and f"{first['inventor_name_first']} {first['inventor_name_last']}"

    rows = data(name)["patents"]
    assert len(found) == len(rows) > 0
    for patent, row in zip(found, rows, strict=True):
        assert patent.number == f"US{row['patent_id']}{row.get('wipo_kind') or ''}"
        assert patent.title == (row.get("patent_title") or patent.number)
        assert patent.granted == row.get("patent_date")
        assert patent.inventor == inventor(row)


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        ("patentsview/ipc_500.html", 500, ProviderError),
        ("patentsview/ipc_500.html", 403, AccessError),
        ("patentsview/ipc_500.html", 200, WebquarryError),
        ("patentsview/assignee_200.json", 200, WebquarryError),
        ("patentsview/g_claim_200.json", 200, WebquarryError),
    ],
)
async def test_other_answers_are_errors(
    name: str, status: int, error: type[WebquarryError]
) -> None:
    with pytest.raises(error, match="patentsview"):
        await PatentsView(upstreams(name, status), KEYS).search_patents(MANY)


def test_every_body_of_patents_is_looked_at() -> None:
    looked_at = Path(__file__).read_text(encoding="utf-8")
    bodies = [
        path.relative_to(FIXTURES).as_posix()
        for folder in ("epo_ops", "lens", "patentsview", "uspto_odp")
        for path in sorted((FIXTURES / folder).iterdir())
    ]
    # of one application, which nothing of ours asks for
    others = {f"uspto_odp/get_patent_{kind}_200.json" for kind in
              ("assignment", "continuity", "meta_data")}  # fmt: skip

    assert [body for body in bodies if body not in looked_at and body not in others] == []
