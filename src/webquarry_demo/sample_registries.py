"""Stand-ins for Crossref, OpenAlex, DataCite, doi.org and others, in their real formats."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from webquarry_demo.sample_pages import page_url

JOURNAL, PUBLISHER = "Journal of Farmland Ornithology", "Webquarry demo"
_WORD = re.compile(r"[^\W_]+")
QueryParams = Mapping[str, str]
StatusAndBody = tuple[int, Any]  # a string is sent as text, everything else as JSON


@dataclass(frozen=True, kw_only=True)
class SampleWork:
    """A work of the sample journal, or a registered dataset."""

    doi: str
    agency: str
    number: int
    page: str
    title: str
    authors: tuple[tuple[str, str], ...]
    date: tuple[int, ...]
    abstract: str
    cited: int
    volume: str = ""
    issue: str = ""
    pages: str = ""
    retracted_by: str = ""
    retracted_on: tuple[int, ...] = ()
    retracts: str = ""

    @property
    def day(self) -> str:
        """Return the date of publication."""
        return "-".join(f"{part:02d}" for part in self.date)


def sample_works() -> tuple[SampleWork, ...]:
    """Return all works."""
    data: list[dict[str, Any]] = json.loads(
        files("webquarry_demo").joinpath("works.json").read_text("utf-8")
    )
    return tuple(SampleWork(**work) for work in data)


class Registries:
    """Responds for all registries; none of them knows an unregistered DOI."""

    def __init__(self, works: Sequence[SampleWork], port: int) -> None:
        self._works = works
        self._port = port
        self._known = {work.doi.lower(): work for work in works}
        self._handlers: Mapping[str, Callable[[str, QueryParams], StatusAndBody]] = {
            "crossref": self._crossref,
            "openalex": self._openalex,
            "datacite": self._datacite,
            "semantic_scholar": self._semantic_scholar,
            "doi": self._doi,
            "unpaywall": lambda path, _: (404, {"error": True, "message": f"{path} is not known"}),
            "wayback": lambda _, params: (
                200,
                {"url": params.get("url"), "archived_snapshots": {}},
            ),
            "wikidata": lambda _, params: (200, {"search": [], "searchinfo": dict(params)}),
        }

    def respond(self, name: str, path: str, params: QueryParams) -> StatusAndBody:
        """Return status and body; 503 for providers without a stand-in."""
        handler = self._handlers.get(name)
        if handler is None:
            return 503, f"The demo has no stand-in for {name}."
        return handler(path, params)

    def _crossref(self, path: str, params: QueryParams) -> StatusAndBody:
        own = [work for work in self._works if work.agency == "crossref"]
        _, _, doi = path.partition("/")
        if doi:
            work = self._known.get(doi.lower())
            if work is None or work not in own:
                return 404, "Resource not found."
            return 200, {
                "status": "ok",
                "message-type": "work",
                "message": self._crossref_work(work),
            }
        found = self._search(own, params)[: int(params.get("rows", "20"))]
        items = [self._crossref_work(work) for work in found]
        message: dict[str, Any] = {"facets": {}, "total-results": len(items), "items": items}
        return 200, {"status": "ok", "message-type": "work-list", "message": message}

    def _search(self, own: list[SampleWork], params: QueryParams) -> list[SampleWork]:
        named = re.findall(r"doi:([^,]+)", params.get("filter", ""))
        if named:
            return [work for work in own if work.doi.lower() in {doi.lower() for doi in named}]
        return best_matches(params.get("query.title") or params.get("query", ""), own)

    def _openalex(self, path: str, params: QueryParams) -> StatusAndBody:
        _, _, name = path.partition("/")
        if name:
            work = self._known.get(name.removeprefix("doi:").lower())
            if work is None:
                return 404, "<!doctype html><title>404 Not Found</title>"
            return 200, self._openalex_work(work)
        titles = params.get("filter", "").partition("title.search:")[2]
        found = best_matches(titles or params.get("search", ""), self._works)
        if titles:  # OpenAlex requires every word in the title
            query_words = _words(titles)
            found = [work for work in found if query_words <= _words(work.title)]
        results = [self._openalex_work(work) for work in found[: int(params.get("per_page", "25"))]]
        return 200, {"meta": {"count": len(results), "page": 1}, "results": results}

    def _semantic_scholar(self, path: str, params: QueryParams) -> StatusAndBody:
        name = path.removeprefix("paper/")
        if name in {"search", "search/match"}:
            found = best_matches(params.get("query", ""), self._works)[
                : int(params.get("limit", "1"))
            ]
            records = [self._semantic_scholar_work(work) for work in found]
            return 200, {"total": len(records), "offset": 0, "data": records}
        work = self._known.get(name.removeprefix("DOI:").lower())
        if work is None:
            return 404, {"error": f"Paper with id {name} not found"}
        return 200, self._semantic_scholar_work(work)

    def _datacite(self, path: str, _: QueryParams) -> StatusAndBody:
        work = self._known.get(path.partition("/")[2].lower())
        if work is None or work.agency != "datacite":
            title = "The resource you are looking for doesn't exist."
            return 404, {"errors": [{"status": "404", "title": title}]}
        data = {
            "doi": work.doi,
            "titles": [{"title": work.title}],
            "creators": [
                {"name": f"{family}, {given}", "givenName": given, "familyName": family}
                for given, family in work.authors
            ],
            "publicationYear": work.date[0],
            "publisher": PUBLISHER,
            "descriptions": [{"description": work.abstract, "descriptionType": "Abstract"}],
            "types": {"resourceTypeGeneral": "Dataset"},
            "citationCount": work.cited,
            "url": self._landing(work),
        }
        return 200, {"data": {"id": work.doi, "type": "dois", "attributes": data}}

    def _doi(self, path: str, _: QueryParams) -> StatusAndBody:
        doi = path.removeprefix("api/handles/")
        work = self._known.get(doi.lower())
        if path == doi:  # content negotiation
            return (200, _csl(self._crossref_work(work))) if work else (404, "DOI Not Found")
        if work is None:
            return 404, {"responseCode": 100, "handle": doi}
        landing = {"index": 1, "type": "URL", "data": {"value": self._landing(work)}}
        return 200, {"responseCode": 1, "handle": doi, "values": [landing]}

    def _landing(self, work: SampleWork) -> str:
        site, _, path = work.page.partition("/")
        return page_url(site, f"/{path}", self._port)

    def _crossref_work(self, work: SampleWork) -> dict[str, Any]:
        date = {"date-parts": [list(work.date)]}
        record: dict[str, Any] = {
            "DOI": work.doi,
            "URL": f"https://doi.org/{work.doi}",
            "type": "journal-article",
            "title": [work.title],
            "author": [{"given": given, "family": family} for given, family in work.authors],
            "container-title": [JOURNAL],
            "publisher": PUBLISHER,
            "issued": date,
            "published": date,
            "volume": work.volume,
            "issue": work.issue,
            "page": work.pages,
            "abstract": f"<jats:p>{work.abstract}</jats:p>",
            "is-referenced-by-count": work.cited,
            "resource": {"primary": {"URL": self._landing(work)}},
        }
        if work.retracted_by:
            record["updated-by"] = [_notice(work.retracted_by, work.retracted_on)]
        if work.retracts:
            record["update-to"] = [_notice(work.retracts, work.date)]
        return record

    def _openalex_work(self, work: SampleWork) -> dict[str, Any]:
        first, _, last = work.pages.partition("-")
        return {
            "id": f"https://openalex.org/W{work.number}",
            "doi": f"https://doi.org/{work.doi}",
            "display_name": work.title,
            "publication_year": work.date[0],
            "publication_date": work.day,
            "ids": {"openalex": f"https://openalex.org/W{work.number}"},
            "primary_location": {
                "landing_page_url": self._landing(work),
                "source": {"display_name": JOURNAL, "host_organization_name": PUBLISHER},
            },
            "open_access": {"is_oa": True, "oa_url": self._landing(work)},
            "authorships": [
                {"author": {"display_name": f"{given} {family}"}} for given, family in work.authors
            ],
            "cited_by_count": work.cited,
            "type": "article" if work.agency == "crossref" else "dataset",
            "is_retracted": bool(work.retracted_by),
            "biblio": {
                "volume": work.volume or None,
                "issue": work.issue or None,
                "first_page": first or None,
                "last_page": last or None,
            },
            "abstract_inverted_index": _inverted_index(work.abstract),
        }

    def _semantic_scholar_work(self, work: SampleWork) -> dict[str, Any]:
        return {
            "paperId": f"{work.number:040x}",
            "url": self._landing(work),
            "title": work.title,
            "abstract": work.abstract,
            "year": work.date[0],
            "publicationDate": work.day,
            "journal": {"name": JOURNAL, "volume": work.volume, "pages": work.pages},
            "externalIds": {"DOI": work.doi},
            "citationCount": work.cited,
            "isOpenAccess": True,
            "authors": [{"name": f"{given} {family}"} for given, family in work.authors],
        }


def best_matches(text: str, works: Sequence[SampleWork]) -> list[SampleWork]:
    """Return the works that share words with a text, the best match first."""
    query_words = _words(text)

    def shared(work: SampleWork) -> float:
        title = _words(work.title)
        return (
            len(query_words & title) / len(title) + len(query_words & _words(work.abstract)) / 100
        )

    return [work for work in sorted(works, key=shared, reverse=True) if shared(work) > 0]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _notice(doi: str, day: Sequence[int]) -> dict[str, Any]:
    return {
        "DOI": doi,
        "type": "retraction",
        "label": "Retraction",
        "source": "publisher",
        "updated": {"date-parts": [list(day)]},
    }


def _csl(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"title": record["title"][0], "container-title": record["container-title"][0]}


def _inverted_index(text: str) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for index, word in enumerate(text.split()):
        positions.setdefault(word, []).append(index)
    return positions
