"""A reference as a bibliography file writes it."""

import re
from typing import Literal, NamedTuple

from webquarry.content.citations.doi_reader import doi_in
from webquarry.content.citations.identifiers import arxiv_id

WorkKind = Literal["", "article", "proceedings", "preprint", "book", "thesis", "report", "webpage"]
_PMID = re.compile(r"\bPMID:?\s*(\d{1,9})\b", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>{}\"|\\^`]+", re.IGNORECASE)


class BibEntry(NamedTuple):
    """One reference; fields that its entry does not have are empty."""

    line: int  # where the entry begins, from 1; in CSL-JSON the number of the entry
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    venue: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""
    kind: WorkKind = ""
    volume: str = ""
    arxiv: str = ""
    pmid: str = ""
    isbn: str = ""


class BadEntry(NamedTuple):
    """An entry that could not be parsed."""

    line: int
    problem: str


def url_in(*texts: str) -> str:
    """Return the first URL in fields that may contain one."""
    found = (match[0].rstrip(".,;:)]'") for text in texts if (match := _URL.search(text)))
    return next(found, "")


def noted_doi(doi: str, *notes: str) -> str:
    """Return the DOI, or else one in the notes."""
    return doi or next(filter(None, map(doi_in, notes)), "") or ""


def noted_pmid(pmid: str, *notes: str) -> str:
    """Return the PubMed number, or else one in the notes."""
    found = (match[1] for note in notes if (match := _PMID.search(note)))
    return pmid or next(found, "")


def arxiv_number(eprint: str, archive: str, *others: str) -> str:
    """Return the arXiv number of an `eprint` field, or of a field that names arXiv."""
    if eprint and archive.lower() in ("", "arxiv") and (number := arxiv_id(eprint)):
        return number
    named = (arxiv_id(text) for text in others if "arxiv" in text.lower())
    return next(filter(None, named), "")
