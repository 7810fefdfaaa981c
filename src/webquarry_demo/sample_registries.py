"""Stand-ins for Crossref, OpenAlex, DataCite, doi.org and others, in their real shapes."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from webquarry_demo.sample_pages import located

JOURNAL, PUBLISHER = "Journal of Farmland Ornithology", "Webquarry demo"
_WORD = re.compile(r"[^\W_]+")
Asked = Mapping[str, str]
Reply = tuple[int, Any]  # a text is sent as it is, everything else as JSON


@dataclass(frozen=True, kw_only=True)
class SampleWork:
    """A work of the made-up journal, or data that somebody registered."""

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
        """Return when it appeared."""
        return "-".join(f"{part:02d}" for part in self.date)


def sample_works() -> tuple[SampleWork, ...]:
    """Return every work there is."""
    told: list[dict[str, Any]] = json.loads(
        files("webquarry_demo").joinpath("works.json").read_text("utf-8")
    )
    return tuple(SampleWork(**work) for work in told)


class Registries:
    """Answers questions about works; a DOI nobody registered is unknown to all of them."""

    def __init__(self, works: Sequence[SampleWork], port: int) -> None:
        self._works = works
        self._port = port
        self._known = {work.doi.lower(): work for work in works}
        self._desks: Mapping[str, Callable[[str, Asked], Reply]] = {
            "crossref": self._crossref,
            "openalex": self._openalex,
            "datacite": self._datacite,
            "semantic_scholar": self._semantic_scholar,
            "doi": self._doi,
            "unpaywall": lambda path, _: (404, {"error": True, "message": f"{path} is not known"}),
            "wayback": lambda _, asked: (200, {"url": asked.get("url"), "archived_snapshots": {}}),
            "wikidata": lambda _, asked: (200, {"search": [], "searchinfo": dict(asked)}),
        }

    def answer(self, name: str, path: str, asked: Asked) -> Reply:
        """Return status and body; providers that the demo has no stand-in for are closed."""
        desk = self._desks.get(name)
        if desk is None:
            return 503, f"The demo has no stand-in for {name}."
        return desk(path, asked)

    def _crossref(self, path: str, asked: Asked) -> Reply:
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
        found = self._listed(own, asked)[: int(asked.get("rows", "20"))]
        items = [self._crossref_work(work) for work in found]
        message: dict[str, Any] = {"facets": {}, "total-results": len(items), "items": items}
        return 200, {"status": "ok", "message-type": "work-list", "message": message}

    def _listed(self, own: list[SampleWork], asked: Asked) -> list[SampleWork]:
        named = re.findall(r"doi:([^,]+)", asked.get("filter", ""))
        if named:
            return [work for work in own if work.doi.lower() in {doi.lower() for doi in named}]
        return closest(asked.get("query.title") or asked.get("query", ""), own)

    def _openalex(self, path: str, asked: Asked) -> Reply:
        _, _, name = path.partition("/")
        if name:
            work = self._known.get(name.removeprefix("doi:").lower())
            if work is None:
                return 404, "<!doctype html><title>404 Not Found</title>"
            return 200, self._openalex_work(work)
        titles = asked.get("filter", "").partition("title.search:")[2]
        found = closest(titles or asked.get("search", ""), self._works)
        if titles:  # OpenAlex wants every word in the title
            wanted = _words(titles)
            found = [work for work in found if wanted <= _words(work.title)]
        results = [self._openalex_work(work) for work in found[: int(asked.get("per_page", "25"))]]
        return 200, {"meta": {"count": len(results), "page": 1}, "results": results}

    def _semantic_scholar(self, path: str, asked: Asked) -> Reply:
        name = path.removeprefix("paper/")
        if name in {"search", "search/match"}:
            found = closest(asked.get("query", ""), self._works)[: int(asked.get("limit", "1"))]
            records = [self._semantic_scholar_work(work) for work in found]
            return 200, {"total": len(records), "offset": 0, "data": records}
        work = self._known.get(name.removeprefix("DOI:").lower())
        if work is None:
            return 404, {"error": f"Paper with id {name} not found"}
        return 200, self._semantic_scholar_work(work)

    def _datacite(self, path: str, _: Asked) -> Reply:
        work = self._known.get(path.partition("/")[2].lower())
        if work is None or work.agency != "datacite":
            title = "The resource you are looking for doesn't exist."
            return 404, {"errors": [{"status": "404", "title": title}]}
        told = {
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
        return 200, {"data": {"id": work.doi, "type": "dois", "attributes": told}}

    def _doi(self, path: str, _: Asked) -> Reply:
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
        return located(site, f"/{path}", self._port)

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
            "abstract_inverted_index": _inverted(work.abstract),
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


def closest(text: str, works: Sequence[SampleWork]) -> list[SampleWork]:
    """Return the works that share words with a text, those that share most first."""
    wanted = _words(text)

    def shared(work: SampleWork) -> float:
        title = _words(work.title)
        return len(wanted & title) / len(title) + len(wanted & _words(work.abstract)) / 100

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


def _inverted(text: str) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(text.split()):
        places.setdefault(word, []).append(at)
    return places
