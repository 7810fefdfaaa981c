"""Recognises what kind of thing a citation in free text names."""

import re
from typing import Literal, NamedTuple

from webquarry.content.citations.identifiers import arxiv_id
from webquarry.content.citations.known_venues import known_venues

IdentifierKind = Literal["arxiv", "pmid", "pmcid", "isbn", "case"]

_PMID = re.compile(
    r"\bPMID:?\s*(\d{1,9})\b|pubmed(?:\.ncbi\.nlm\.nih\.gov|/)/?(\d{1,9})\b", re.IGNORECASE
)
_PMCID = re.compile(r"\bPMCID:?\s*(?:PMC)?(\d{3,9})\b|\bPMC(\d{5,9})\b", re.IGNORECASE)
_ISBN = re.compile(
    r"\bISBN(?:-1[03])?:?\s*([\dX][\dX\s\u2010-\u2013-]{8,20}[\dX])\b", re.IGNORECASE
)
_BARE_ISBN = re.compile(r"97[89][-\s]?(?:\d[-\s]?){9}\d|(?:\d[-\s]?){9}[\dX]", re.IGNORECASE)
_CASE = re.compile(
    r"^(?P<name>[^,]{2,100}?\bv(?:s)?\.?\s[^\d]{2,100}?),\s*"
    r"(?P<report>\d{1,4}\s+(?:U\.?\s?S\.?|S\.?\s?Ct\.?|L\.?\s?Ed\.?(?:\s?2d)?|F\.(?:\s?[2-4]d|\s?4th"
    r"|\s?Supp\.?(?:\s?[23]d)?|\s?App'?x\.?)?|[A-Z][\w.]{0,8}\.?\s?(?:[23]d|4th)?)\s+\d{1,5})\b"
    r"(?:.*?\((?:[^()]*?)(?P<year>1[7-9]\d\d|20\d\d)\))?",
)
_SCHEMELESS = re.compile(
    r"(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?::\d{2,5})?(?:[/?#]\S*)?", re.I
)
_YEAR = re.compile(r"(?<![\d/.:\u2013-])(1[5-9]\d\d|20\d\d)(?![\d/]|\s?[-\u2013]\d)")
# of articles: volume and issue, pages, the words of journals and proceedings
_ARTICLE = re.compile(
    r"\b\d{1,4}\s?\(\d{1,4}(?:[-\u2013]\d+)?\)|\b\d{1,4}\s?[:,]\s*(?:pp?\.?\s*)?[A-Ze]?\d+\s?[-\u2013]"
    r"|\bpp?\.\s?\d|\bvol\.?\s?\d|\bno\.\s?\d|[;:]\s?\d+[-\u2013]\d+|\bet al\b|\barxiv\b|preprint"
    r"|\b(?:journal|proceedings|proc\.|transactions|trans\.|conference|symposium|letters|annals"
    r"|revue|zeitschrift|revista|rivista)\b|\bj\.\s[A-Z]",
    re.IGNORECASE,
)
_OTHER_KIND = re.compile(
    r"\b(?:press|verlag|publishers?|publishing|books|edition|\d(?:st|nd|rd|th) ed\b|thesis"
    r"|dissertation|report|white ?paper|manual|standard|iso \d|rfc ?\d|patent|u\.s\.c\."
    r"|c\.f\.r\.|act of"
    r"|retrieved|accessed|blog|website|newspaper|times|guardian|magazine|wikipedia|github|software"
    r"|dataset|interview|film|directive|regulation)\b",
    re.IGNORECASE,
)
# laws, regulations, standards and patents by their numbers
_OFFICIAL = re.compile(
    r"\b(?:directive|regulation|decision)\s+(?:\(\w{2,8}(?:,\s?\w{2,8})?\)\s+)?(?:no\.?\s*)?\d{2,4}/\d"
    r"|\b\d{1,3}\s+(?:u\.?\s?s\.?\s?c\.?|c\.?\s?f\.?\s?r\.?|fed\.\s?reg\.|stat\.)\s*(?:\u00a7|\d)"
    r"|\bpub(?:lic|\.)\s+l(?:aw|\.)\s+(?:no\.\s*)?\d|\brfc\s?\d{1,5}\b"
    r"|\b(?:iso|iec|din|nist|ansi)(?:/(?:iec|ieee))?\s(?:sp\s)?\d{3,5}|\bieee\sstd\.?\s\d"
    r"|\bpatent\s(?:no\.?\s*)?(?:[a-z]{2}\s?)?\d[\d,]{5}",
    re.IGNORECASE,
)
_LISTED_SINCE = 1980  # registries list few works that are older
_ISBN_10, _ISBN_13 = 10, 13


class NamedThing(NamedTuple):
    """What an identifier in a citation names."""

    kind: IdentifierKind
    value: str  # the number; of a case its name
    report: str = ""  # of a case: 347 U.S. 483
    year: int | None = None


def named_thing(text: str) -> NamedThing | None:
    """Return the arXiv work, article, book or court case that a citation identifies."""
    if "arxiv" in text.lower() and (number := arxiv_id(text)):
        return NamedThing("arxiv", number)
    if pmid := _PMID.search(text):
        return NamedThing("pmid", pmid[1] or pmid[2])
    if pmcid := _PMCID.search(text):
        return NamedThing("pmcid", f"PMC{pmcid[1] or pmcid[2]}")
    isbn = _ISBN.search(text) or (_BARE_ISBN.fullmatch(text.strip()) if text else None)
    if isbn:
        return NamedThing("isbn", re.sub(r"[^\dXx]", "", isbn[isbn.lastindex or 0]).upper())
    if case := _CASE.match(text):
        year = case["year"]
        return NamedThing("case", case["name"], case["report"], int(year) if year else None)
    return NamedThing("arxiv", number) if (number := _bare_arxiv(text)) else None


def is_isbn(digits: str) -> bool:
    """Tell whether an ISBN has the right check digit."""
    if len(digits) == _ISBN_13 and digits.isdecimal():
        return sum(int(d) * (3 if at % 2 else 1) for at, d in enumerate(digits)) % 10 == 0
    if len(digits) != _ISBN_10 or not digits[:9].isdecimal():
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - at) for at, value in enumerate(values)) % 11 == 0


def url_without_scheme(text: str) -> str | None:
    """Return the URL for a text such as `www.example.org/page`; None if it is none."""
    if not _SCHEMELESS.fullmatch(text) or not ("/" in text or text.lower().startswith("www.")):
        return None
    return f"https://{text}"


def is_listed_reference(text: str) -> bool:
    """Tell whether registries of papers would list the work: a recent article or paper."""
    years = [int(year) for year in _YEAR.findall(text)]
    if is_official_document(text) or (years and max(years) < _LISTED_SINCE):
        return False
    return bool(_ARTICLE.search(text) or known_venues(text))


def is_official_document(text: str) -> bool:
    """Tell whether a reference is to a law, a standard or a patent, by its number."""
    return bool(_OFFICIAL.search(text))


def may_be_book(text: str) -> bool:
    """Tell whether a reference may be that of a book: not one of an article or a paper."""
    return not _ARTICLE.search(text) or bool(_OTHER_KIND.search(text))


def _bare_arxiv(text: str) -> str | None:
    return arxiv_id(text) if re.fullmatch(r"\d{4}\.\d{4,5}(?:v\d+)?", text.strip()) else None
