"""Takes identifiers, links, dates of access and notes on the medium out of a reference."""

import re
from typing import NamedTuple

from webquarry.content.citations.bib_entry import WorkKind, url_in
from webquarry.content.citations.doi_reader import doi_in
from webquarry.content.citations.identifiers import arxiv_id
from webquarry.content.citations.reference_kind import named_thing

_MONTH = r"(?:[A-Z][a-z]{2,8}\.?|\d{1,2})"
_DATE = (
    rf"(?:\d{{1,2}}\.?\s{_MONTH}\s\d{{4}}|{_MONTH}\s\d{{1,2}},\s\d{{4}}"
    rf"|\d{{4}}\s{_MONTH}(?:\s\d{{1,2}})?|\d{{4}}-\d\d-\d\d)"
)
_ACCESS = re.compile(
    rf"[(\[]?\b(?:last\s)?(?:accessed|retrieved|cited|viewed|abgerufen|consulted)(?:\son|\sam|:)?\s"
    rf"{_DATE}(?:,?\sfrom:?)?[)\]]?",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"(?:\bRetrieved\sfrom|\bAvailable(?:\s(?:at|from|online|via))?|\bPreprint\sat|\bURL|\bLink)\b:?"
    r"(?=\s?(?:$|[.,;()\ue000]))",
    re.IGNORECASE,
)
_MEDIUM = re.compile(r"\[(?:Internet|Online|Electronic|Video|Preprint|PDF|Web ?page)\]", re.I)
_LINK = re.compile(
    r"(?:\bdoi:?\s?(?=10\.))?(?:https?://|www\.|\b10\.\d{4,9}/)[^\s<>\"\u201c\u201d]+",
    re.IGNORECASE,
)
_DOI_LINK = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/[^\s<>\"\u201c\u201d]+", re.IGNORECASE)
_ARXIV = re.compile(
    r"\(?(?:\barXiv:\s?)?\barXiv[:\s]\s?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
    r"(?:\s?\[[\w.-]+\])?\)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:PMID|PMCID|ISSN)\s?:?\s?(?:PMC)?[\dXx-]{1,12}"
    r"|\bISBN(?:-1[03])?:?\s?[\dXx][\dXx \u2010-\u2013-]{8,20}[\dXx]",
    re.IGNORECASE,
)
_THESIS = re.compile(
    r"[\[(]?\b(?:unpublished )?(?:doctoral|ph\.?\s?d\.?|master[\u2019']?s|diploma"
    r"|bachelor[\u2019']?s|m\.?sc\.?)\s(?:thesis|dissertation)\b[\])]?",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"[\[(]\s?(?:technical |white |working )?(?:report|paper)[\])]"
    r"|\b(?:tech(?:nical|\.) rep(?:ort|\.)|working paper)\b(?:\s(?:no\.\s?)?[\w-]{1,12})?",
    re.IGNORECASE,
)
_PREPRINT = re.compile(r"\bpreprint\b(?=\s?(?:[.,;\ue000]|$))", re.IGNORECASE)
_KINDS: tuple[tuple[WorkKind, re.Pattern[str]], ...] = (
    ("thesis", _THESIS),
    ("report", _REPORT),
    ("preprint", _PREPRINT),
)
_MARK = "\ue000"  # stands where a part was
_EMPTY = re.compile(rf"[(\[]\s?{_MARK}[\s.,;:{_MARK}]{{0,9}}[)\]]")
_AROUND = re.compile(rf"[.,;:?!]?\s?{_MARK}[\s.,;:{_MARK}]*+")


class ReferenceIds(NamedTuple):
    """The identifiers of a reference, and the rest of its text."""

    rest: str
    doi: str = ""
    url: str = ""
    arxiv: str = ""
    pmid: str = ""
    isbn: str = ""
    kind: WorkKind = ""
    has_link: bool = False


def take_ids(text: str) -> ReferenceIds:
    """Return the identifiers of a reference, and its text without them."""
    doi = doi_in(text) or ""
    thing = named_thing(" ".join(_NUMBERED.findall(text))) if _NUMBERED.search(text) else None
    number = arxiv_id(text) if "arxiv" in text.lower() else None
    url = url_in(_DOI_LINK.sub(" ", text) if doi else text)
    kind, rest = _take_kind(_ACCESS.sub(_MARK, _MEDIUM.sub(_MARK, text)))
    for pattern in (_ARXIV, _LINK, _NUMBERED):
        rest = pattern.sub(_MARK, rest)
    rest = _LEAD_IN.sub(_MARK, _EMPTY.sub(_MARK, rest))
    return ReferenceIds(
        rest=_tidy(rest),
        doi=doi,
        url=url,
        arxiv=number or "",
        pmid=thing.value if thing and thing.kind == "pmid" else "",
        isbn=thing.value if thing and thing.kind == "isbn" else "",
        kind=kind or ("preprint" if number else ""),
        has_link=bool(url),
    )


def _take_kind(text: str) -> tuple[WorkKind, str]:
    """Return what kind of work the text says it is, and the text without that."""
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind, pattern.sub(_MARK, text)
    return "", text


def _tidy(text: str) -> str:
    """Return the text without the punctuation that removed parts leave behind."""
    return " ".join(_AROUND.sub(_stop, _EMPTY.sub(_MARK, text)).split()).strip(" ,;:")


def _stop(match: re.Match[str]) -> str:
    """Return the first punctuation mark around removed parts."""
    return next((f"{char} " for char in match[0] if char in ".,;:?!"), " ")
