"""Adapters of scholarly works against recorded responses of the real APIs.

Expected values are read from the same body with plain dictionary access or a text search.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from webquarry.errors import PayloadError, ProviderError, RateLimitError
from webquarry.models.works import OpenCopy, Work, WorkQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.arxiv import Arxiv
from webquarry.providers.core import Core
from webquarry.providers.crossref import Crossref
from webquarry.providers.doi import Doi
from webquarry.providers.exa import Exa
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.pubmed import PubMed
from webquarry.providers.semanticscholar import SemanticScholar
from webquarry.providers.unpaywall import Unpaywall

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
QUERY = WorkQuery(text="owls")
KEYS = {"OPENALEX_EMAIL": "a@b.org", "UNPAYWALL_EMAIL": "a@b.org", "EXA_API_KEY": "k"}
SEED = Work(title="x", url="", source="semanticscholar", ids={"s2": "abc"})

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.exists(), reason="the recorded answers are not here"),
]


class HttpByUrlPart:
    """`Http` that responds with recorded bodies, by a part of the URL."""

    def __init__(self, bodies: dict[str, str], status: int) -> None:
        self._bodies = bodies
        self._status = status

    async def send(self, request: ApiRequest) -> FetchedResponse:
        for part, name in self._bodies.items():
            if part in request.full_url:
                content = (FIXTURES / name).read_bytes()
                return FetchedResponse(status=self._status, headers=Headers(), content=content)
        raise AssertionError(f"no body for {request.full_url}")


def recorded_upstreams(name: str, status: int = 200, **more: str) -> Upstreams:
    return Upstreams(HttpByUrlPart({**more, "": name}, status), clock=FakeClock().clock())


def raw(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (FIXTURES / name).read_text(encoding="utf-8")


def bare_doi(doi: str | None) -> str | None:
    return doi.split("doi.org/")[-1] if doi else None


@pytest.mark.parametrize("name", ["works_list_200", "works_filter_title_search_200"])
async def test_openalex_lists(name: str) -> None:
    body = raw(f"openalex/{name}.json")

    found = await OpenAlex(recorded_upstreams(f"openalex/{name}.json"), KEYS).search_works(QUERY)

    assert found.total == body["meta"]["count"]
    assert len(found.items) == len(body["results"])
    for work, wire in zip(found.items, body["results"], strict=True):
        _check_openalex(work, wire)


@pytest.mark.parametrize("name", ["work_W2741809807_2025_200", "work_by_doi_200"])
async def test_openalex_works(name: str) -> None:
    work = await OpenAlex(recorded_upstreams(f"openalex/{name}.json"), KEYS).work_by_doi(
        "10.1000/x"
    )

    assert work
    _check_openalex(work, raw(f"openalex/{name}.json"))


def _check_openalex(work: Work, wire: dict[str, Any]) -> None:
    assert (work.title, work.doi, work.year, work.published, work.citationCount) == (
        wire["title"], bare_doi(wire["doi"]), wire["publication_year"], wire["publication_date"],
        wire["cited_by_count"],
    )  # fmt: skip
    assert list(work.authors) == [a["author"]["display_name"] for a in wire["authorships"]]
    assert work.openAccess == wire["open_access"]["is_oa"]
    assert bool(work.retraction) == wire["is_retracted"]
    index: dict[str, list[int]] = wire["abstract_inverted_index"] or {}
    words = {at: word for word, places in index.items() for at in places}
    assert (work.abstract or "").split() == " ".join(words[at] for at in sorted(words)).split()


async def test_openalex_responses_without_a_work_are_handled() -> None:
    absent = OpenAlex(recorded_upstreams("openalex/work_not_found_404.html", 404), KEYS)
    part = OpenAlex(recorded_upstreams("openalex/work_select_open_access_200.json"), KEYS)

    assert await absent.work_by_doi("10.1000/x") is None
    with pytest.raises(PayloadError):
        await part.work_by_doi("10.1000/x")


@pytest.mark.parametrize(
    "name",
    [
        "works_query_search_200",
        "works_query_rows2_200",
        "works_query_title_empty_200",
        "works_query_retracted_title_select_200",
        "works_select_200",
    ],
)
async def test_crossref_lists(name: str) -> None:
    body = raw(f"crossref/{name}.json")["message"]

    found = await Crossref(recorded_upstreams(f"crossref/{name}.json"), {}).search_works(QUERY)

    assert found.total == body["total-results"]
    assert len(found.items) == len(body["items"])
    for work, wire in zip(found.items, body["items"], strict=True):
        _check_crossref(work, wire)


@pytest.mark.parametrize("name", ["work_single_200", "work_single_updated_by_correction_200"])
async def test_crossref_works(name: str) -> None:
    body = raw(f"crossref/{name}.json")["message"]

    work = await Crossref(recorded_upstreams(f"crossref/{name}.json"), {}).work_by_doi("10.1000/x")

    assert work
    _check_crossref(work, body)
    kinds = [notice["type"] for notice in body.get("updated-by", [])]
    assert (work.retraction.kind if work.retraction else None) == (kinds[0] if kinds else None)
    assert not (work.retraction and work.retraction.retracted)


def _check_crossref(work: Work, wire: dict[str, Any]) -> None:
    assert (work.doi, work.citationCount, work.type) == (
        wire["DOI"], wire.get("is-referenced-by-count"), wire.get("type"),
    )  # fmt: skip
    assert work.title == wire["title"][0]
    names = [f"{a['given']} {a['family']}" for a in wire.get("author", [])]
    assert list(work.authors) == names
    date = wire.get("published", wire.get("issued", {})).get("date-parts", [[None]])[0]
    assert work.year == date[0]
    assert (work.published or "").count("-") == len(date) - 1
    if "abstract" in wire:
        plain = re.sub(r"<[^>]+>", " ", wire["abstract"]).split()
        assert (work.abstract or "").split()[-1] == plain[-1]


async def test_crossref_responses_without_a_work_are_handled() -> None:
    absent = Crossref(recorded_upstreams("crossref/work_not_found_404.txt", 404), {})
    refused = Crossref(recorded_upstreams("crossref/work_bad_params_400.json", 400), {})
    agency = Crossref(recorded_upstreams("crossref/work_agency_200.json"), {})

    assert await absent.work_by_doi("10.1000/x") is None
    assert await absent.notices(["10.1000/x"]) == {}
    assert await agency.work_by_doi("10.1000/x") is None
    with pytest.raises(ProviderError, match="field query parameters"):
        await refused.work_by_doi("10.1000/x")


@pytest.mark.parametrize(
    ("name", "kind", "retracted"),
    [
        ("retraction_watch_wakefield_lancet", "retraction", True),
        ("retraction_watch_eoc_only", "expression_of_concern", False),
        ("no_update_numpy", None, False),
    ],
)
async def test_crossref_notices_of_one_work(
    name: str, kind: str | None, *, retracted: bool
) -> None:
    body = raw(f"crossref_retraction/{name}.json")["message"]
    crossref = Crossref(recorded_upstreams(f"crossref_retraction/{name}.json"), {})

    found = (await crossref.notices([body["DOI"]]))[body["DOI"]]
    work = await crossref.work_by_doi(body["DOI"])

    assert (found.kind if found else None) == kind
    assert bool(found and found.retracted) is retracted
    assert work
    assert work.retraction == found
    if found:
        wanted = [n for n in body["updated-by"] if n["type"] == kind]
        assert found.noticeDoi in {n["DOI"] for n in wanted}


async def test_crossref_notices_in_one_batch() -> None:
    name = "crossref_retraction/journal_works_with_update_to_notices.json"
    dois = [item["DOI"].lower() for item in raw(name)["message"]["items"]]

    found = await Crossref(recorded_upstreams(name), {}).notices([*dois[:3], "10.1000/unknown"])

    # these works are themselves notices about other works, so none has a notice
    assert found == dict.fromkeys(dois[:3])


async def test_pubmed_articles() -> None:
    xml = text("pubmed/efetch_xml_200.xml")
    answers = recorded_upstreams(
        "pubmed/efetch_xml_200.xml", esearch="pubmed/esearch_json_200.json"
    )
    body = raw("pubmed/esearch_json_200.json")["esearchresult"]

    found = await PubMed(answers, {}).search_works(QUERY)

    assert found.total == int(body["count"])
    assert [work.ids["pmid"] for work in found.items] == body["idlist"]
    for work in found.items:
        start = xml.index(f">{work.ids['pmid']}</PMID>")
        part = xml[start : xml.index("</PubmedArticle>", start)]
        assert f"<ArticleTitle>{work.title}</ArticleTitle>" in part
        assert f'IdType="doi">{work.doi}<' in part
        assert f'IdType="pmc">{work.ids["pmcid"]}<' in part
        assert [a.split()[-1] for a in work.authors] == [
            name.split()[-1] for name in re.findall(r"<LastName>([^<]+)</LastName>", part)
        ]
        assert work.abstract
        assert work.abstract.split()[-1] in part


async def test_pubmed_responses_of_another_kind_are_handled() -> None:
    old = "pubmed/efetch_xml_book_or_old_11618220.xml"
    search = "pubmed/esearch_json_one_hit_200.json"

    found = await PubMed(recorded_upstreams(old, esearch=search), {}).search_works(QUERY)
    limited = PubMed(recorded_upstreams("pubmed/esummary_json_rate_limited.json"), {})
    legacy = PubMed(recorded_upstreams("pubmed/esearch_xml_legacy.xml"), {})
    summary = PubMed(
        recorded_upstreams("pubmed/esummary_xml_pubmed_legacy.xml", esearch=search), {}
    )

    assert found.items == ()  # the record is not the requested one
    with pytest.raises(RateLimitError):
        await limited.search_works(QUERY)
    with pytest.raises(PayloadError):
        await legacy.search_works(QUERY)
    with pytest.raises(PayloadError):
        await summary.search_works(QUERY)


async def test_pubmed_reads_a_record_without_month_or_abstract() -> None:
    from webquarry.providers.pubmed_wire import parse_articles

    (work,) = parse_articles(
        (FIXTURES / "pubmed/efetch_xml_book_or_old_11618220.xml").read_bytes(), "p"
    )

    assert (work.year, work.published, work.abstract, work.authors, work.doi, work.issue) == (
        1987, "1987", None, ("K McMahon",), "10.1163/156853287x00032", "4-5",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["paper_search_title_200", "paper_search_empty_200"])
async def test_semantic_scholar_searches(name: str) -> None:
    body = raw(f"semanticscholar/{name}.json")

    found = await SemanticScholar(
        recorded_upstreams(f"semanticscholar/{name}.json"), {}
    ).search_works(QUERY)

    assert found.total == body["total"]
    assert [(w.ids["s2"], w.title) for w in found.items] == [
        (each["paperId"], each["title"]) for each in body.get("data", [])
    ]


async def test_semantic_scholar_matches_and_batches() -> None:
    wire = raw("semanticscholar/search_match_200.json")["data"][0]
    batch = raw("semanticscholar/paper_batch_with_null_200.json")

    (work,) = await SemanticScholar(
        recorded_upstreams("semanticscholar/search_match_200.json"), {}
    ).works_by_title("x")
    many = await SemanticScholar(
        recorded_upstreams("semanticscholar/paper_batch_with_null_200.json"), {}
    ).works_by_dois([f"10.1000/{n}" for n in range(4)])

    ids = wire["externalIds"]
    assert (work.doi, work.year, work.citationCount, work.pdfUrl) == (
        ids["DOI"], wire["year"], wire["citationCount"], wire["openAccessPdf"]["url"],
    )  # fmt: skip
    assert work.ids == {
        "s2": wire["paperId"],
        "arxiv": ids["ArXiv"],
        "pmid": ids["PubMed"],
        "pmcid": f"PMC{ids['PubMedCentral']}",
    }
    assert {doi: each.title for doi, each in many.items()} == {
        f"10.1000/{n}": each["title"] for n, each in enumerate(batch) if each
    }
    assert batch[0] is None


@pytest.mark.parametrize(
    ("name", "side", "end"),
    [
        ("paper_citations_200", "citing", "citingPaper"),
        ("references_with_contexts_200", "cited", "citedPaper"),
    ],
)
async def test_semantic_scholar_edges(name: str, side: str, end: str) -> None:
    body = raw(f"semanticscholar/{name}.json")["data"]
    scholar = SemanticScholar(recorded_upstreams(f"semanticscholar/{name}.json"), {})

    found = await getattr(scholar, side)(SEED, 1000)

    assert [(w.title, w.isInfluential, list(w.citationIntents)) for w in found.items] == [
        (edge[end]["title"], edge.get("isInfluential"), edge.get("intents", [])) for edge in body
    ]


async def test_semantic_scholar_responses_without_a_paper_are_handled() -> None:
    for name in ("paper_by_doi_404", "paper_not_found_404"):
        absent = SemanticScholar(recorded_upstreams(f"semanticscholar/{name}.json", 404), {})
        assert await absent.seed("10.1000/x") is None
    refused = SemanticScholar(
        recorded_upstreams("semanticscholar/paper_bad_fields_400.json", 400), {}
    )
    with pytest.raises(ProviderError, match="unsupported fields"):
        await refused.search_works(QUERY)
    other = SemanticScholar(recorded_upstreams("semanticscholar/recommendations_200.json"), {})
    with pytest.raises(PayloadError):
        await other.search_works(QUERY)


@pytest.mark.parametrize("name", ["doi_200_b", "doi_nature12373_200", "doi_oa_200"])
async def test_unpaywall_copies(name: str) -> None:
    body = raw(f"unpaywall/{name}.json")
    places: list[dict[str, Any]] = [body["best_oa_location"] or {}, *body["oa_locations"]]

    found = await Unpaywall(recorded_upstreams(f"unpaywall/{name}.json"), KEYS).open_copy(
        body["doi"]
    )

    assert found is not None
    assert found.model_copy(update={"locations": ()}) == OpenCopy(
        open=body["is_oa"],
        pdfUrl=next((p["url_for_pdf"] for p in places if p.get("url_for_pdf")), None),
        landingUrl=next(
            (p["url_for_landing_page"] for p in places if p.get("url_for_landing_page")), None
        ),
    )
    assert len(found.locations) == len(body["oa_locations"])


async def test_an_unpaywall_search_response_is_rejected() -> None:
    with pytest.raises(PayloadError):
        await Unpaywall(recorded_upstreams("unpaywall/search_empty_200.json"), KEYS).open_copy(
            "10.1000/x"
        )


@pytest.mark.parametrize(
    "name",
    [
        "query_testing_m10_200",
        "id_list_two_one_bad_200",
        "id_old_style_astro-ph_200",
        "id_withdrawn_or_missing_200",
    ],
)
async def test_arxiv_feeds(name: str) -> None:
    xml = text(f"arxiv/{name}.xml")
    entries = re.findall(r"<entry>(.*?)</entry>", xml, re.DOTALL)

    found = await Arxiv(recorded_upstreams(f"arxiv/{name}.xml"), {}).search_works(QUERY)

    assert found.total == int(re.findall(r"totalResults>(\d+)<", xml)[0])
    assert len(found.items) == len(entries)
    for work, entry in zip(found.items, entries, strict=True):
        assert f"/abs/{work.ids['arxiv']}v" in entry
        assert len(work.authors) == entry.count("<author>")
        assert f"<published>{work.published}T" in entry
        assert work.pdfUrl
        assert work.pdfUrl in entry
        assert (f"<arxiv:doi>{work.doi}<" in entry) is bool(work.doi)


@pytest.mark.parametrize("status", [400, 200])
async def test_arxiv_errors_are_raised(status: int) -> None:
    with pytest.raises(ProviderError):
        await Arxiv(recorded_upstreams("arxiv/id_bad_format_400.xml", status), {}).search_works(
            QUERY
        )


@pytest.mark.parametrize("name", ["v2_no_results_200_legacy", "v2_search_200_legacy"])
async def test_a_response_of_an_older_core_version_is_an_error(name: str) -> None:
    with pytest.raises(PayloadError):
        await Core(recorded_upstreams(f"core/{name}.json"), {}).search_works(QUERY)


@pytest.mark.parametrize("name", ["search_contents_a", "search_contents_c"])
async def test_exa_pages(name: str) -> None:
    body = raw(f"exa/{name}.json")["results"]

    found = await Exa(recorded_upstreams(f"exa/{name}.json"), KEYS).search_works(QUERY)

    assert [(w.title, w.url, w.published, w.year) for w in found.items] == [
        (each["title"], each["url"], each["publishedDate"][:10], int(each["publishedDate"][:4]))
        for each in body
    ]


async def test_doi_content_negotiation() -> None:
    body = raw("doi_content_negotiation/csl_json_200.json")

    work = await Doi(
        recorded_upstreams("doi_content_negotiation/csl_json_200.json"), {}
    ).work_by_doi("10.1/x")

    assert work
    assert (work.title, work.doi, work.journal, work.year, work.pages, work.noticesKnown) == (
        body["title"], body["DOI"], body["container-title"], body["issued"]["date-parts"][0][0],
        body["page"], False,
    )  # fmt: skip
    for name, status in (
        ("bad_doi_400.html", 400),
        ("crossref_bibtex_transform_404_arxiv.txt", 404),
    ):
        assert (
            await Doi(
                recorded_upstreams(f"doi_content_negotiation/{name}", status), {}
            ).work_by_doi("x")
            is None
        )
    with pytest.raises(PayloadError):
        await Doi(
            recorded_upstreams("doi_content_negotiation/bibtex_after_redirect_200.txt"), {}
        ).work_by_doi("x")
