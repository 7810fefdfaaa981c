"""Scholarly works by a web search over the sites of publishers and repositories."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from webquarry.content.citations.doi_reader import doi_in_url
from webquarry.content.citations.identifiers import (
    arxiv_id,
    pmc_id,
    preprint_id,
    pubmed_id,
)
from webquarry.content.ranking.result_urls import host_of
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.works import Work, WorkQuery
from webquarry.net.url import in_domains
from webquarry.providers.works_wire import is_pdf, present_ids, year_of
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.scholarship.work_filters import ACADEMIC_SITES, SITES, newest_first
from webquarry.services.searching.service import SearchService

WEB = "web_search"
_OPEN_ACCESS_SITES = (
    "arxiv.org",
    "plos.org",
    "frontiersin.org",
    "mdpi.com",
    "biorxiv.org",
    "medrxiv.org",
)
_PUBMED = ("pubmed.ncbi.nlm.nih.gov",)


@dataclass(frozen=True)
class WebWorks:
    """Works found by a web search."""

    works: list[Work]
    unhonoured: list[str]
    trust: Mapping[str, Collection[str]]  # filters that were applied, by provider


class WebWorkSearch:
    """Finds works on the sites where they are published."""

    def __init__(self, searching: SearchService) -> None:
        self._searching = searching

    async def find(self, query: WorkQuery, *, only: str | None, trace: RoutingTrace) -> WebWorks:
        """Return works as far as the URLs and snippets of the results describe them."""
        web_query = WebQuery(
            text=query.text,
            count=10,
            sites=SITES[query.source] if query.source else ACADEMIC_SITES,
        )
        found = await self._searching.web.search(web_query, only=only, trace=trace)
        works = [_work(item, found.provider) for item in found.items]
        dated = all(work.year for work in works)
        years = [name for name in ("year_from", "year_to") if getattr(query, name) and not dated]
        unhonoured = ["source" if name == "sites" else name for name in found.unhonoured]
        # results rarely have a date: they stay, and the year filter is reported as not applied
        return WebWorks(
            works=newest_first(works) if query.newest else works,
            unhonoured=[*unhonoured, *years],
            trust=dict.fromkeys((*years, "source"), (found.provider,)),
        )


def _work(item: WebResult, provider: str) -> Work:
    url = item.url
    host = host_of(url)
    doi = doi_in_url(url)
    arxiv = arxiv_id(url)
    free = True if in_domains(host, _OPEN_ACCESS_SITES) else None
    return Work(
        title=item.title,
        url=url,
        source=provider,
        doi=doi,
        year=year_of(item.published),
        published=(item.published or "")[:10],
        abstract=item.snippet,
        openAccess=free,
        pdfUrl=f"https://arxiv.org/pdf/{arxiv}" if arxiv else url if is_pdf(url) else None,
        ids=present_ids(
            arxiv=arxiv,
            pmid=pubmed_id(url) if in_domains(host, _PUBMED) else None,
            pmcid=pmc_id(url) if "/articles/PMC" in url else None,
            biorxiv=preprint_id(doi, host),
        ),
    )
