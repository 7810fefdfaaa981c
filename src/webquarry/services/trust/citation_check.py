"""Checks one citation: a DOI, a URL, or a reference in free text."""

import re
from dataclasses import dataclass, replace

from webquarry.content.citations.doi_reader import doi_in, doi_in_url, doi_of
from webquarry.content.citations.identifiers import clean_doi, doi_url
from webquarry.content.citations.reference_kind import (
    is_listed_reference,
    is_official_document,
    may_be_book,
    named_thing,
    url_without_scheme,
)
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.models.trust import ClaimCheck, Existence, InputType, Standing
from webquarry.reading.service import ReadingService
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.cited_work import CitedWork
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker, invalid_doi
from webquarry.services.trust.named_things import NamedThingChecker

_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_DOI_LIKE = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)
_READ_BYTES = 20_000
_SCHOLARLY = frozenset({"peer_reviewed", "preprint"})


@dataclass(frozen=True)
class CitationCheck:
    """The result for one citation."""

    kind: InputType
    existence: Existence
    detected_doi: str | None = None
    link: LinkCheck | None = None
    claim: ClaimCheck | None = None


class CitationChecker:
    """Verifies citations one at a time."""

    def __init__(
        self,
        existing: ExistenceChecker,
        links: LinkChecker,
        reading: ReadingService,
        claims: ClaimChecker,
    ) -> None:
        self._existing = existing
        self._things = NamedThingChecker(existing)
        self._links = links
        self._reading = reading
        self._claims = claims

    async def verify(self, citation: str, claim: str | None, caller: Caller) -> CitationCheck:
        """Check a citation with the registries, its page and the archive."""
        text = " ".join(citation.split())
        kind, doi = citation_kind(text)
        if kind == "url":
            checked = await self._check_url(url_without_scheme(text) or text, caller)
        elif kind == "doi" and doi is None:
            checked = CitationCheck("doi", invalid_doi(text))
        elif doi:
            beside = text.replace(doi, " ")
            checked = CitationCheck("doi", await self._existing.check_doi(doi, other_text=beside))
        else:
            checked = CitationCheck("reference", await self._check_reference(text))
        if claim is None:
            return checked
        found = await self._claims.check(claim, _source_urls(checked), caller)
        return replace(checked, claim=found)

    async def _check_reference(self, text: str) -> Existence:
        """Ask those who know the kind of thing that a reference names."""
        if thing := named_thing(text):
            beside = text.replace(thing.value, " ")
            return await self._things.check(thing, CitedWork(beside))
        found = await self._existing.check_reference(text)
        if found.standing != "not_found":
            return found
        if is_official_document(text):
            return _unlisted(found, "They do not list laws, standards and patents.")
        listed = is_listed_reference(text)
        if not listed or may_be_book(text):
            book = await self._things.check_book(CitedWork(text))
            if book and (book.standing == "confirmed" or not listed):
                return book
        if listed:
            return found
        return _unlisted(found, "Books, reports and old works are often not listed.")

    async def _check_url(self, url: str, caller: Caller) -> CitationCheck:
        link = (await self._links.check([url]))[url]
        existence = _existence_of_link(link)
        if link.outcome != "live":
            return await self._check_doi_of_url(url, existence, link)
        try:
            page = (await self._reading.scrape(url, "full", _READ_BYTES, caller)).page
        except WebquarryError as error:
            provenance = (*existence.provenance, f"page: could not be read ({error})")
            existence = existence.model_copy(update={"provenance": provenance})
            return await self._check_doi_of_url(url, existence, link)
        doi = page.detectedDoi
        if not doi or page.sourceType not in _SCHOLARLY:
            return await self._check_doi_of_url(url, existence, link)
        title = page.citation.metadata.title
        found = await self._existing.check_doi(doi, other_text=title)
        merged = _with_page(found, existence, f"page: DOI {doi}")
        return CitationCheck("url", merged, detected_doi=doi, link=link)

    async def _check_doi_of_url(
        self, url: str, existence: Existence, link: LinkCheck
    ) -> CitationCheck:
        """Look up the DOI in a URL: publishers refuse to show their pages, or move them."""
        doi = doi_in_url(url)
        if doi is None:
            return CitationCheck("url", existence, link=link)
        found = await self._existing.check_doi(doi)
        if not found.exists:
            provenance = (*existence.provenance, *found.provenance)
            existence = existence.model_copy(update={"provenance": provenance})
            return CitationCheck("url", existence, detected_doi=doi, link=link)
        merged = _with_page(found, existence, f"URL: DOI {doi}")
        return CitationCheck("url", merged, detected_doi=doi, link=link)


def _unlisted(found: Existence, why: str) -> Existence:
    return found.model_copy(update={"standing": "unchecked", "reason": f"{found.reason} {why}"})


def _with_page(found: Existence, page: Existence, note: str) -> Existence:
    """Return the result for a DOI; the page exists whatever the registries say about its DOI."""
    return found.model_copy(
        update={
            "standing": "uncertain" if found.standing == "uncertain" else "confirmed",
            "reason": found.reason or page.reason,
            "provenance": (*page.provenance, note, *found.provenance),
        }
    )


def citation_kind(text: str) -> tuple[InputType, str | None]:
    """Return the kind of a citation and its DOI; a doi.org URL or a text with a DOI is a DOI."""
    if doi := clean_doi(text) and doi_of(text):
        return "doi", doi
    if _DOI_LIKE.fullmatch(text):
        return "doi", None  # a placeholder such as 10.1000/xxxx
    if _URL.fullmatch(text) or url_without_scheme(text):
        return "url", None
    doi = doi_in(text)
    return ("doi", doi) if doi else ("reference", None)


def _existence_of_link(link: LinkCheck) -> Existence:
    standings: dict[str, Standing] = {
        "live": "confirmed", "blocked": "confirmed", "unchecked": "unchecked",
    }  # fmt: skip
    outcome = f"link: {link.outcome}" + (f" ({link.reason})" if link.reason else "")
    standing = standings.get(link.outcome, "not_found")
    return Existence(standing=standing, reason=link.reason, provenance=(outcome,))


def _source_urls(checked: CitationCheck) -> list[str]:
    """Return the URLs where the cited text may be read, best first."""
    if checked.link:
        return checked.link.readable_urls
    record = checked.existence.record
    if record is None:
        return []
    urls = (record.pdfUrl or "", record.url, doi_url(record.doi) if record.doi else "")
    return list(dict.fromkeys(url for url in urls if url.startswith("http")))
