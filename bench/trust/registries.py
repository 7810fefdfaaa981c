"""Fakes of five registries on loopback, with their real formats."""

import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import log
from random import Random
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from bench.trust.works import Entry, entries

_WORD = re.compile(r"[^\W_]+")
_CLOSE = 0.6
Response = tuple[int, str, bytes]


class Registries:
    """Responds like the five registries; a share of the requests fails at random."""

    def __init__(self, works: Sequence[Entry], failing: float = 0.0, seed: int = 1) -> None:
        self.works = works
        self._failing = failing
        self._random = Random(seed)
        self._lock = threading.Lock()

    def respond(self, target: str) -> Response:
        """Return status, media type and body for a request."""
        parts = urlsplit(target)
        name, _, path = parts.path.lstrip("/").partition("/")
        params = {key: values[0] for key, values in parse_qs(parts.query).items()}
        with self._lock:
            fails = self._random.random() < self._failing
            # a 200 with an HTML page instead of JSON is a failure too
            status = self._random.choice((200, 500, 502, 503))
        if fails:
            return status, "text/html", b"<html><h1>Service unavailable</h1></html>"
        return getattr(self, f"_{name}")(unquote(path), params)

    def _crossref(self, path: str, params: dict[str, str]) -> Response:
        _, _, doi = path.partition("/")
        if doi:
            work = self._by_doi.get(doi.lower())
            if work is None or work.agency != "crossref":
                return 404, "text/plain", b"Resource not found."
            return _json({"status": "ok", "message-type": "work", "message": _crossref_work(work)})
        known = [work for work in self.works if work.agency == "crossref"]
        matches = self._closest(params.get("query.title", ""), known)[: int(params.get("rows", 20))]
        items = [_crossref_work(work) for work in matches]
        message: dict[str, Any] = {"total-results": len(known), "items": items, "facets": {}}
        return _json({"status": "ok", "message-type": "work-list", "message": message})

    def _openalex(self, path: str, params: dict[str, str]) -> Response:
        _, _, name = path.partition("/")
        if name:
            work = self._by_doi.get(name.removeprefix("doi:").lower())
            if work is None:
                return 404, "text/html", b"<!doctype html><title>404 Not Found</title>"
            return _json(self._openalex_work(work))
        words = _WORD.findall(params.get("filter", "").removeprefix("title.search:").lower())
        # OpenAlex requires every word in the title
        having_all = [
            work for work in self.works if all(word in _words(work.title) for word in words)
        ]
        matches = [
            self._openalex_work(work) for work in having_all[: int(params.get("per_page", 25))]
        ]
        return _json({"meta": {"count": len(having_all), "page": 1}, "results": matches})

    def _semantic_scholar(self, path: str, params: dict[str, str]) -> Response:
        missing = 404, "application/json", b'{"error": "Title match not found"}'
        if path == "paper/search/match":
            words = _words(params.get("query", ""))
            work = self._closest(params.get("query", ""), self.works)[0]
            # only a title that is close enough matches
            close = len(words & _words(work.title)) >= _CLOSE * len(words)
            return _json({"data": [self._s2_work(work)]}) if close else missing
        found = self._by_doi.get(path.removeprefix("paper/DOI:").lower())
        return missing if found is None else _json(self._s2_work(found))

    def _s2_work(self, work: Entry) -> dict[str, Any]:
        return {
            "paperId": f"{self.works.index(work):040x}",
            "title": work.title,
            "year": work.year,
            "venue": work.venue.name,
            "journal": {"volume": str(work.volume), "pages": f"{work.first} - {work.last}"},
            "externalIds": {"DOI": work.doi} if work.doi else {},
            "authors": [{"name": f"{given} {family}"} for given, family in work.authors],
        }

    def _datacite(self, path: str, _: dict[str, str]) -> Response:
        work = self._by_doi.get(path.partition("/")[2].lower())
        if work is None or work.agency != "datacite":
            error = {"errors": [{"status": "404", "title": "The resource doesn't exist."}]}
            return 404, "application/json", json.dumps(error).encode()
        attributes = {
            "doi": work.doi,
            "titles": [{"title": work.title}],
            "creators": [
                {"name": f"{family}, {given}", "givenName": given, "familyName": family}
                for given, family in work.authors
            ],
            "publicationYear": work.year,
            "publisher": "Zenodo",
            "container": {"title": work.venue.name},
            "types": {"resourceTypeGeneral": "Text"},
        }
        return _json({"data": {"id": work.doi, "type": "dois", "attributes": attributes}})

    def _doi(self, path: str, _: dict[str, str]) -> Response:
        doi = path.removeprefix("api/handles/")
        work = self._by_doi.get(doi.lower())
        if path == doi:  # content negotiation
            return (404, "text/html", b"") if work is None else _json(_csl(work))
        code = {"responseCode": 1 if work else 100, "handle": doi}
        return (200 if work else 404), "application/json", json.dumps(code).encode()

    @cached_property
    def _by_doi(self) -> dict[str, Entry]:
        return {work.doi.lower(): work for work in self.works if work.doi}

    @cached_property
    def _weights(self) -> dict[str, float]:
        counts = Counter(word for work in self.works for word in _words(work.title))
        return {word: log(1 + len(self.works) / count) for word, count in counts.items()}

    def _closest(self, title: str, known: Sequence[Entry]) -> list[Entry]:
        query_words = set(_WORD.findall(title.lower()))

        def score(work: Entry) -> float:
            words = _words(work.title)
            return sum(self._weights[word] for word in words & query_words) / (len(words) + 6)

        return sorted(known, key=score, reverse=True)

    def _openalex_work(self, work: Entry) -> dict[str, Any]:
        number = self.works.index(work)
        return {
            "id": f"https://openalex.org/W{4_000_000 + number}",
            "doi": f"https://doi.org/{work.doi}" if work.doi else None,
            "display_name": work.title,
            "publication_year": work.year,
            "publication_date": f"{work.year}-03-01",
            "authorships": [
                {"author": {"display_name": f"{given} {family}"}} for given, family in work.authors
            ],
            "primary_location": {"source": {"display_name": work.venue.name}},
            "biblio": {"first_page": str(work.first), "last_page": str(work.last)},
            "is_retracted": False,
        }


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.lower()))


def _crossref_work(work: Entry) -> dict[str, Any]:
    return {
        "DOI": work.doi,
        "title": [work.title],
        "author": [{"given": given, "family": family} for given, family in work.authors],
        "container-title": [work.venue.name],
        "issued": {"date-parts": [[work.year, 3]]},
        "published": {"date-parts": [[work.year, 3]]},
        "volume": str(work.volume),
        "issue": str(work.issue),
        "page": f"{work.first}-{work.last}",
        "type": "journal-article",
    }


def _csl(work: Entry) -> dict[str, Any]:
    return _crossref_work(work) | {"title": work.title, "container-title": work.venue.name}


def _json(value: Any) -> Response:
    return 200, "application/json", json.dumps(value).encode()


class _Server(ThreadingHTTPServer):
    """Says nothing about clients that hang up: a client that waited too long does so."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve_registries(failing: float = 0.0) -> Generator[dict[str, str]]:
    """Serve the registries on a free port; yield the settings with their base URLs."""

    class Handler(BaseHTTPRequestHandler):
        registries: ClassVar = Registries(entries(), failing)
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, kind, body = self.registries.respond(self.path)
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        # the base class prescribes the parameter name
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    server = _Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    names = ("crossref", "openalex", "semantic_scholar", "datacite", "doi")
    try:
        yield {f"{name.upper()}_BASE_URL": f"{base}/{name}" for name in names} | {
            "OPENALEX_EMAIL": "eval@example.org",
            "TOOLSETS": "trust",
        }
    finally:
        server.shutdown()
        server.server_close()
