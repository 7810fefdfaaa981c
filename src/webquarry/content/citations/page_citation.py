"""How to cite a page: APA, MLA and BibTeX."""

import re
from datetime import date
from typing import NamedTuple

from webquarry.content.citations.bibtex_text import tex
from webquarry.content.text.word_list import words
from webquarry.models.page import Citation, CitationFormats, CitationMetadata, PageMetadata

_MONTHS = words(
    "January February March April May June July August September October November December"
)
_PARTICLES = frozenset(words("van von der den de del della di da la le du ter ten bin ibn al el"))
_GROUP = re.compile(
    r"\b(inc|ltd|llc|gmbh|corp|staff|team|editors?|editorial|university|institute|agency|ministry|"
    r"department|foundation|association|society|press|news|organi[sz]ation|committee|group|"
    r"reuters|wikipedia|bbc|contributors?)\b",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"\w{4,}")
_NO_KEY = re.compile(r"[^A-Za-z0-9]")


class Name(NamedTuple):
    """A person's name; an organisation has a family name only."""

    family: str
    given: str


def cite(metadata: PageMetadata, url: str, accessed: date) -> Citation:
    """Return the citation of a page read on the day `accessed`."""
    names = [split_name(author) for author in metadata.authors]
    title = metadata.title or url
    parts = _Parts(names, title, metadata.site, metadata.published, url, accessed, metadata.doi)
    return Citation(
        url=url,
        accessedDate=accessed.isoformat(),
        metadata=CitationMetadata(
            title=metadata.title,
            author=", ".join(metadata.authors),
            site=metadata.site,
            date=metadata.published,
        ),
        formatted=CitationFormats(apa=_apa(parts), mla=_mla(parts), bibtex=_bibtex(parts)),
    )


def split_name(name: str) -> Name:
    """Return family and given name; organisations and single names stay whole."""
    if "," in name:
        family, _, given = name.partition(",")
        return Name(family.strip(), given.strip())
    words = name.split()
    if len(words) < 2 or len(words) > 5 or _GROUP.search(name) or not name[0].isalpha():
        return Name(name, "")
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return Name(" ".join(words[start:]), " ".join(words[:start]))


class _Parts(NamedTuple):
    names: list[Name]
    title: str
    site: str
    published: str
    url: str
    accessed: date
    doi: str


def _apa(parts: _Parts) -> str:
    authors = _apa_authors(parts.names)
    when = _apa_date(parts.published)
    title = parts.title if parts.title[-1:] in ".?!" else f"{parts.title}."
    lead = f"{authors} ({when}). {title}" if authors else f"{title} ({when})."
    site = f" {parts.site}." if parts.site and parts.site != authors else ""
    if parts.doi:
        return f"{lead}{site} https://doi.org/{parts.doi}"
    seen = f"{_MONTHS[parts.accessed.month - 1]} {parts.accessed.day}, {parts.accessed.year}"
    return f"{lead}{site} Retrieved {seen}, from {parts.url}"


def _apa_authors(names: list[Name]) -> str:
    written = [
        f"{name.family}, {_initials(name.given)}" if name.given else name.family for name in names
    ]
    if len(written) > 20:
        written = [*written[:19], f"… {written[-1]}"]
        return ", ".join(written)
    if len(written) < 2:
        return "".join(written)
    return f"{', '.join(written[:-1])}, & {written[-1]}"


def _initials(given: str) -> str:
    parts = [
        "-".join(f"{piece[0].upper()}." for piece in word.split("-") if piece)
        for word in given.split()
        if word
    ]
    return " ".join(parts)


def _apa_date(published: str) -> str:
    year, month, day = _split(published)
    if not year:
        return "n.d."
    if not month:
        return year
    return f"{year}, {_MONTHS[month - 1]}" + (f" {day}" if day else "")


def _mla(parts: _Parts) -> str:
    authors = _mla_authors(parts.names)
    title = parts.title if parts.title[-1:] in ".?!" else f"{parts.title}."
    year, month, day = _split(parts.published)
    when = " ".join(part for part in (str(day or ""), _short_month(month), year) if part)
    address = f"https://doi.org/{parts.doi}" if parts.doi else parts.url
    where = ", ".join(part for part in (parts.site, when, address) if part)
    seen = f"{parts.accessed.day} {_short_month(parts.accessed.month)} {parts.accessed.year}"
    lead = f"{authors.rstrip('.')}. " if authors else ""
    return f"{lead}“{title}” {where}. Accessed {seen}."


def _mla_authors(names: list[Name]) -> str:
    if not names:
        return ""
    first = f"{names[0].family}, {names[0].given}" if names[0].given else names[0].family
    if len(names) == 1:
        return first
    if len(names) > 2:
        return f"{first}, et al."
    return f"{first}, and {f'{names[1].given} {names[1].family}'.strip()}"


def _short_month(month: int) -> str:
    if not month:
        return ""
    name = _MONTHS[month - 1]
    if len(name) <= 4:
        return name
    return "Sept." if month == 9 else f"{name[:3]}."


def _split(published: str) -> tuple[str, int, int]:
    year, month, day = (*published[:10].split("-"), "", "")[:3]
    return year, int(month or 0), int(day or 0)


def _bibtex(parts: _Parts) -> str:
    year, month, _ = _split(parts.published)
    authors = " and ".join(
        f"{name.family}, {name.given}" if name.given else f"{{{name.family}}}"
        for name in parts.names
    )
    fields = {
        "author": authors,
        "title": f"{{{tex(parts.title)}}}",
        "journal" if parts.doi else "organization": tex(parts.site),
        "year": year,
        "month": _MONTHS[month - 1][:3].lower() if month else "",
        "doi": parts.doi,
        "url": parts.url,
        "note": f"Accessed: {parts.accessed.isoformat()}",
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    kind = "article" if parts.doi else "misc"
    return f"@{kind}{{{_key(parts, year)},\n" + ",\n".join(lines) + "\n}"


def _key(parts: _Parts, year: str) -> str:
    found = _LONG_WORD.search(parts.title)
    word = found[0] if found else "page"
    name = (
        parts.names[0].family.split()[-1] if parts.names and parts.names[0].family else parts.site
    )
    return _NO_KEY.sub("", f"{name}{year}{word}").lower() or "page"
