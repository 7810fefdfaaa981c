"""Tells which work a caller means: identifier, URL or title."""

import re
from urllib.parse import unquote, urlsplit

from webquarry.content.citations.identifiers import arxiv_id, clean_doi, is_preprint_doi
from webquarry.models.paper_text import PaperIds
from webquarry.models.works import Work

_VERSION = re.compile(r"v(\d{1,3})(?:\.pdf)?(?:[?#/].*)?$")
_PMC = re.compile(r"(?:PMCID:?\s*)?(PMC\d{1,9})", re.IGNORECASE)
_PMC_URL = re.compile(r"/(PMC\d{1,9})(?![\d.])", re.IGNORECASE)
_PMID = re.compile(r"(?:PMID:?\s*)?(\d{1,9})", re.IGNORECASE)
_PMID_URL = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|/pubmed|/article/MED)/(\d{1,9})")
_DOI_IN_URL = re.compile(r"10\.\d{4,9}/[^\s?#]+")
# what sites put behind a DOI, up to two of them: .full.pdf
_PAGE_ENDINGS = (
    ".full", ".abstract", ".short", ".full-text", ".pdf", ".html", ".article-info", "/full",
    "/pdf", "/abstract", "/epdf", "/html", "/fulltext", "/meta", "/references",
)  # fmt: skip
_PREPRINT_VERSION = re.compile(r"v\d{1,3}$")


def identify(text: str) -> PaperIds:
    """Return what a text names; one that is no identifier and no URL is a title."""
    text = " ".join(text.split())
    is_url = text.lower().startswith(("http://", "https://"))
    if number := arxiv_id(text):
        version = _VERSION.search(text)
        return PaperIds(arxiv=number, arxiv_version=f"v{version[1]}" if version else None)
    if ids := _of_url(text) if is_url else _of_name(text):
        return ids
    return PaperIds(url=text) if is_url else PaperIds(title=text)


def _of_name(text: str) -> PaperIds | None:
    if match := _PMC.fullmatch(text):
        return PaperIds(pmcid=match[1].upper())
    if match := _PMID.fullmatch(text):
        return PaperIds(pmid=match[1])
    doi = clean_doi(text)
    return PaperIds(doi=doi) if doi else None


def _of_url(url: str) -> PaperIds | None:
    if match := _PMC_URL.search(urlsplit(url).path):
        return PaperIds(pmcid=match[1].upper())
    if match := _PMID_URL.search(url):
        return PaperIds(pmid=match[1])
    if match := _DOI_IN_URL.search(unquote(url)):
        doi = _without_ending(_without_ending(match[0]))
        if is_preprint_doi(doi):  # the page of a version; the DOI is that of all versions
            doi = _PREPRINT_VERSION.sub("", doi)
        doi = clean_doi(doi) or ""
        return PaperIds(doi=doi, url=url) if doi else None
    return None


def _without_ending(doi: str) -> str:
    ending = next((each for each in _PAGE_ENDINGS if doi.lower().endswith(each)), "")
    return doi.removesuffix(doi[len(doi) - len(ending) :]) if ending else doi


def with_record(ids: PaperIds, work: Work) -> PaperIds:
    """Return the identifiers with those that a registry adds."""
    known = {
        "doi": work.doi,
        "arxiv": work.ids.get("arxiv"),
        "pmid": work.ids.get("pmid"),
        "pmcid": work.ids.get("pmcid"),
        "title": work.title,
    }
    missing = {name: value for name, value in known.items() if value and not getattr(ids, name)}
    found = ids.model_copy(update=missing)
    from_doi = arxiv_id(found.doi) if found.doi and not found.arxiv else None
    return found.model_copy(update={"arxiv": from_doi}) if from_doi else found
