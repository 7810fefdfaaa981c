"""Checks one citation: a DOI, an address, or a reference in free text."""

import re
from dataclasses import dataclass

from webquarry.content.citations.identifiers import clean_doi, doi_url
from webquarry.content.citations.reference_parser import doi_in
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.links import LinkCheck
from webquarry.models.trust import ClaimCheck, Existence, InputType
from webquarry.reading.service import ReadingService
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker, no_doi

_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_LIKE_A_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)
_READ_BYTES = 20_000
_SCHOLARLY = frozenset({"peer_reviewed", "preprint"})


@dataclass(frozen=True)
class CitationCheck:
    """Everything found out about one citation."""

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
        self._links = links
        self._reading = reading
        self._claims = claims

    async def verify(self, citation: str, claim: str | None, caller: Caller) -> CitationCheck:
        """Return what the registries, the page and the archive say about a citation."""
        text = " ".join(citation.split())
        kind, doi = kind_of(text)
        if kind == "url":
            checked = await self._url(text, caller)
        elif kind == "doi" and doi is None:
            checked = CitationCheck("doi", no_doi(text))
        elif doi:
            checked = CitationCheck(
                "doi", await self._existing.doi(doi, beside=text.replace(doi, " "))
            )
        else:
            checked = CitationCheck("reference", await self._existing.reference(text))
        if claim is None:
            return checked
        found = await self._claims.check(claim, _sources(text, checked), caller)
        return CitationCheck(
            checked.kind, checked.existence, checked.detected_doi, checked.link, found
        )

    async def _url(self, url: str, caller: Caller) -> CitationCheck:
        link = (await self._links.check([url]))[url]
        existence = _of_link(link)
        if link.outcome != "live":
            return CitationCheck("url", existence, link=link)
        try:
            page = (await self._reading.scrape(url, "full", _READ_BYTES, caller)).page
        except WebquarryError as error:
            told = (*existence.provenance, f"page: could not be read ({error})")
            return CitationCheck(
                "url", existence.model_copy(update={"provenance": told}), link=link
            )
        doi = page.detectedDoi
        if not doi or page.sourceType not in _SCHOLARLY:
            return CitationCheck("url", existence, link=link)
        title = page.citation.metadata.title
        found = await self._existing.doi(doi, beside=title)
        # the page is there whatever the registries say about its DOI
        merged = found.model_copy(
            update={
                "standing": "uncertain" if found.standing == "uncertain" else "confirmed",
                "provenance": (*existence.provenance, f"page: DOI {doi}", *found.provenance),
            }
        )
        return CitationCheck("url", merged, detected_doi=doi, link=link)


def kind_of(text: str) -> tuple[InputType, str | None]:
    """Return what a citation is: an address of doi.org is a DOI, a text with one is too."""
    whole = clean_doi(text)
    if whole:
        return "doi", whole
    if _LIKE_A_DOI.fullmatch(text):
        return "doi", None  # a form that was filled with xxxx
    if _URL.fullmatch(text):
        return "url", None
    inside = doi_in(text)
    return ("doi", inside) if inside else ("reference", None)


def _of_link(link: LinkCheck) -> Existence:
    told = f"link: {link.outcome}" + (f" ({link.reason})" if link.reason else "")
    if link.outcome in ("live", "blocked"):
        return Existence(standing="confirmed", reason=link.reason, provenance=(told,))
    if link.outcome == "unchecked":
        return Existence(standing="unchecked", reason=link.reason, provenance=(told,))
    return Existence(standing="not_found", reason=link.reason, provenance=(told,))


def _sources(text: str, checked: CitationCheck) -> list[str]:
    """Return where the cited text may be read, best first."""
    link, existence = checked.link, checked.existence
    if link:
        archived = [link.snapshot.url] if link.snapshot else []
        return archived if link.lost else [link.url, *archived]
    record = existence.record
    if record is None:
        return []
    doi = [doi_url(record.doi)] if record.doi else []
    found = [*([record.pdfUrl] if record.pdfUrl else []), record.url, *doi]
    return list(dict.fromkeys(url for url in found if url.startswith("http")))
