"""Patent adapters against recorded responses of the real APIs, stored outside this repository."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.replay import FakeClock
from webquarry.errors import AccessError, ProviderError, WebquarryError
from webquarry.models.patents import PatentQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
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
class RecordedHttp:
    """Responds to every request with one recorded body; EPO token requests get a recorded token."""

    name: str
    status: int = 200

    async def send(self, request: ApiRequest) -> FetchedResponse:
        token = request.url.endswith("/accesstoken")
        name = "epo_ops/auth_token_200.json" if token else self.name
        return FetchedResponse(
            status=200 if token else self.status,
            headers=Headers(),
            content=(FIXTURES / name).read_bytes(),
            url=request.full_url,
        )


def upstreams(name: str, status: int = 200) -> Upstreams:
    return Upstreams(RecordedHttp(name, status), clock=FakeClock().clock())


def data(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


async def test_epo_documents_match_an_independent_parser() -> None:
    name = "epo_ops/biblio_200.xml"
    root = ElementTree.parse(FIXTURES / name).getroot()  # noqa: S314  # a trusted file

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
async def test_other_epo_documents_cause_no_error(name: str) -> None:
    found = await Epo(upstreams(name), KEYS).search_patents(MANY)

    assert all(patent.number and patent.title for patent in found)


async def test_a_rejected_epo_token_is_an_error() -> None:
    with pytest.raises(ProviderError):
        await Epo(upstreams("epo_ops/invalid_access_token_400.xml", 400), KEYS).search_patents(MANY)


async def test_lens_results_match_the_response() -> None:
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


async def test_uspto_results_match_the_response() -> None:
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


async def test_the_older_uspto_format_is_parsed_too() -> None:
    name = "uspto_odp/search_get_200_raw.json"

    found = await Uspto(upstreams(name), KEYS).search_patents(MANY)

    assert [p.title for p in found] == [r["inventionTitle"] for r in data(name)["patentBag"]]


async def test_a_uspto_response_without_hits_is_empty() -> None:
    name = "uspto_odp/transactions_404_raw.json"

    assert await Uspto(upstreams(name, 404), KEYS).search_patents(MANY) == []


@pytest.mark.parametrize(
    "name",
    [
        "patentsview/patent_by_id_200.json",
        "patentsview/search_text_phrase_empty_or_small.json",
    ],
)
async def test_patentsview_results_match_the_response(name: str) -> None:
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
async def test_patentsview_responses_of_another_kind_are_errors(
    name: str, status: int, error: type[WebquarryError]
) -> None:
    with pytest.raises(error, match="patentsview"):
        await PatentsView(upstreams(name, status), KEYS).search_patents(MANY)


def test_every_recorded_patent_response_is_tested() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    bodies = [
        path.relative_to(FIXTURES).as_posix()
        for folder in ("epo_ops", "lens", "patentsview", "uspto_odp")
        for path in sorted((FIXTURES / folder).iterdir())
    ]
    # endpoints that the adapter does not use
    unused = {f"uspto_odp/get_patent_{kind}_200.json" for kind in
              ("assignment", "continuity", "meta_data")}  # fmt: skip

    assert [body for body in bodies if body not in source and body not in unused] == []
