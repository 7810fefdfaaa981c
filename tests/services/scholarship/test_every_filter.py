"""Every filter on every provider, even on one whose upstream ignores what it is told."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.replay import FakeClock
from tests.services.scholarship.five import Fake
from webquarry.models.works import Work, WorkQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.arxiv import Arxiv
from webquarry.providers.core import Core
from webquarry.providers.crossref import Crossref
from webquarry.providers.europepmc import EuropePmc
from webquarry.providers.exa import Exa
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.provider import Provider
from webquarry.providers.pubmed import PubMed
from webquarry.providers.semanticscholar import SemanticScholar
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.work_search import WorkSearch
from webquarry.services.searching.service import SearchService

pytestmark = pytest.mark.anyio
KEYS = {"OPENALEX_EMAIL": "me@example.org", "EXA_API_KEY": "k"}
# DOI, year, month, free
WORKS = (
    ("10.1109/old", 2010, "01", True),
    ("10.1109/new", 2021, "02", True),
    ("10.1000/closed", 2022, "03", False),
    ("10.1109/newest", 2023, "04", True),
)
_ATOM = 'xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"'


def _pdf(doi: str, *, free: bool) -> str | None:
    return f"https://example.org/{doi}.pdf" if free else None


def _openalex() -> dict[str, str]:
    works = [
        {
            "id": f"https://openalex.org/W{n}",
            "doi": f"https://doi.org/{doi}",
            "display_name": f"Owls of the forest {n}",
            "publication_year": year,
            "publication_date": f"{year}-{month}-01",
            "open_access": {"is_oa": free},
            "best_oa_location": {"pdf_url": _pdf(doi, free=free)},
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"works": json.dumps({"meta": {"count": 4}, "results": works})}


def _crossref() -> dict[str, str]:
    items = [
        {
            "DOI": doi,
            "title": [f"Owls of the forest {n}"],
            "published": {"date-parts": [[year, int(month)]]},
            "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/"}] if free else [],
            "link": [{"URL": f"https://example.org/{doi}.pdf", "content-type": "application/pdf"}]
            if free
            else [],
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"works": json.dumps({"message": {"total-results": 4, "items": items}})}


def _pubmed() -> dict[str, str]:
    articles = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{n + 1}</PMID><Article><Journal><JournalIssue>"
        f"<PubDate><Year>{year}</Year><Month>{month}</Month></PubDate></JournalIssue></Journal>"
        f"<ArticleTitle>Owls of the forest {n}</ArticleTitle></Article></MedlineCitation>"
        f'<PubmedData><ArticleIdList><ArticleId IdType="doi">{doi}</ArticleId></ArticleIdList>'
        "</PubmedData></PubmedArticle>"
        for n, (doi, year, month, _) in enumerate(WORKS)
    )
    found = {"esearchresult": {"count": "4", "idlist": ["1", "2", "3", "4"]}}
    return {
        "esearch": json.dumps(found),
        "efetch": f"<PubmedArticleSet>{articles}</PubmedArticleSet>",
    }


def _scholar() -> dict[str, str]:
    data = [
        {
            "paperId": f"p{n}",
            "title": f"Owls of the forest {n}",
            "year": year,
            "publicationDate": f"{year}-{month}-01",
            "isOpenAccess": free,
            "openAccessPdf": {"url": _pdf(doi, free=free)},
            "externalIds": {"DOI": doi},
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"search": json.dumps({"total": 4, "data": data})}


def _arxiv() -> dict[str, str]:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2101.0000{n}</id><title>Owls of the forest {n}</title>"
        f"<published>{year}-{month}-01T00:00:00Z</published><arxiv:doi>{doi}</arxiv:doi></entry>"
        for n, (doi, year, month, _) in enumerate(WORKS)
    )
    return {"query": f"<feed {_ATOM}>{entries}</feed>"}


def _core() -> dict[str, str]:
    results = [
        {
            "id": n,
            "title": f"Owls of the forest {n}",
            "doi": doi,
            "yearPublished": year,
            "publishedDate": f"{year}-{month}-01",
            "downloadUrl": _pdf(doi, free=free),
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"search": json.dumps({"totalHits": 4, "results": results})}


def _europepmc() -> dict[str, str]:
    results = [
        {
            "id": str(n),
            "source": "MED",
            "title": f"Owls of the forest {n}",
            "doi": doi,
            "pubYear": str(year),
            "firstPublicationDate": f"{year}-{month}-01",
            "isOpenAccess": "Y" if free else "N",
            "fullTextUrlList": {
                "fullTextUrl": [
                    {"documentStyle": "pdf", "availabilityCode": "OA", "url": "https://e.org/x.pdf"}
                ]
                if free
                else []
            },
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"search": json.dumps({"hitCount": 4, "resultList": {"result": results}})}


def _exa() -> dict[str, str]:
    results = [
        {
            "title": f"Owls of the forest {n}",
            "url": f"https://example.org/{doi}" + (".pdf" if free else ""),
            "publishedDate": f"{year}-{month}-01T00:00:00.000Z",
        }
        for n, (doi, year, month, free) in enumerate(WORKS)
    ]
    return {"search": json.dumps({"results": results})}


PROVIDERS: dict[str, tuple[type[Provider], Callable[[], dict[str, str]]]] = {
    "openalex": (OpenAlex, _openalex),
    "crossref": (Crossref, _crossref),
    "pubmed": (PubMed, _pubmed),
    "semanticscholar": (SemanticScholar, _scholar),
    "arxiv": (Arxiv, _arxiv),
    "core": (Core, _core),
    "europepmc": (EuropePmc, _europepmc),
    "exa": (Exa, _exa),
}
ALWAYS_FREE = {"arxiv", "core"}
WITHOUT_PDFS = {"pubmed"}


async def found(name: str, **wish: Any) -> list[str]:
    """Return the DOIs that are left when the upstream ignores every filter."""
    kind, bodies = PROVIDERS[name]
    upstreams = Upstreams(Fake(**bodies()), clock=FakeClock().clock())
    choices = ProviderDirectory([kind(upstreams, KEYS)], [kind])
    query = WorkQuery(text="owls", count=4, **wish)

    finding = await WorkSearch(choices, SearchService(choices)).find(query, only=name)

    assert finding.unhonoured == []
    return [_doi(work) for work in finding.works]


def _doi(work: Work) -> str:
    return (work.doi or "").removeprefix("10.1109/").removeprefix("10.1000/").removesuffix(".pdf")


@pytest.mark.parametrize("name", PROVIDERS)
async def test_years_hold(name: str) -> None:
    assert sorted(await found(name, year_from=2020, year_to=2022)) == ["closed", "new"]
    assert sorted(await found(name, year_to=2011)) == ["old"]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_source_holds(name: str) -> None:
    assert sorted(await found(name, source="ieee")) == ["new", "newest", "old"]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_newest_come_first(name: str) -> None:
    assert await found(name, newest=True) == ["newest", "closed", "new", "old"]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_open_access_holds(name: str) -> None:
    everything, free = ["closed", "new", "newest", "old"], ["new", "newest", "old"]
    # PubMed was told, and its records say nothing else; Exa's never say it
    wanted = everything if name in {"pubmed", *ALWAYS_FREE} else [] if name == "exa" else free

    assert sorted(await found(name, open_access=True)) == wanted


@pytest.mark.parametrize("name", PROVIDERS)
async def test_pdf_only_holds(name: str) -> None:
    everything, free = ["closed", "new", "newest", "old"], ["new", "newest", "old"]
    wanted = everything if name == "arxiv" else [] if name in WITHOUT_PDFS else free

    assert sorted(await found(name, pdf_only=True)) == wanted
