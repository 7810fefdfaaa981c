"""Lists of references in the formats that reference managers import."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, NamedTuple

from webquarry.content.citations.bibtex_text import tex, tex_url
from webquarry.content.citations.page_citation import Name, split_name
from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.token_count import compact_json

_DATE = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ARTICLE = re.compile(r"(a|an|the|der|die|das|le|la|les|el|los|las|il)$", re.IGNORECASE)


_BETWEEN = re.compile(r"\s*;\s*|\s+and\s+")


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in a text that separates them with `;` or `and`."""
    return tuple(name.strip() for name in _BETWEEN.split(text) if name.strip())


class Reference(NamedTuple):
    """What is known about one source; a DOI is bare."""

    url: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    published: str = ""
    doi: str = ""


class KeyedReference(NamedTuple):
    """A reference with a key that no other in the list has."""

    key: str
    reference: Reference


def keyed(references: Iterable[Reference]) -> list[KeyedReference]:
    """Return each address once, by key; the same list always gets the same keys."""
    unique = {reference.url: reference for reference in reversed(list(references))}
    # the first of an address wins, and equal keys are told apart by address, not by chance
    ordered = sorted(unique.values(), key=lambda reference: (_key(reference), reference.url))
    keys = [_key(reference) for reference in ordered]
    twins = Counter(keys)
    taken = set(keys)  # a letter more may make a key that another reference has
    named: list[KeyedReference] = []
    for key, reference in zip(keys, ordered, strict=True):
        longer = (f"{key}{_letters(place)}" for place in count())
        name = next(new for new in longer if new not in taken) if twins[key] > 1 else key
        taken.add(name)
        named.append(KeyedReference(name, reference))
    return named


def bibtex(references: Sequence[KeyedReference]) -> str:
    """Return the references as a BibTeX file."""
    return "\n\n".join(_bibtex(key, reference) for key, reference in references)


def ris(references: Sequence[KeyedReference]) -> str:
    """Return the references as a RIS file."""
    return "\n\n".join(_ris(key, reference) for key, reference in references)


def csl_json(references: Sequence[KeyedReference]) -> str:
    """Return the references as a CSL-JSON array."""
    return compact_json([_csl(key, reference) for key, reference in references])


def date_parts(published: str) -> tuple[int, ...]:
    """Return year, month and day as far as a date has them."""
    found = _DATE.search(published)
    if not found:
        return ()
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if not 1 <= month <= 12:
        return (year,)
    return (year, month, day) if 1 <= day <= 31 else (year, month)


def _names(reference: Reference) -> list[Name]:
    names = (split_name(_line(author)) for author in reference.authors)
    return [name for name in names if name.family or name.given]  # a comma alone is nobody


def _title(reference: Reference) -> str:
    return _line(reference.title) or reference.url


def _key(reference: Reference) -> str:
    names, date = _names(reference), date_parts(reference.published)
    who = names[0].family.split()[-1] if names and names[0].family else reference.site
    words = re.findall(r"[^\W_]+", _line(reference.title) or host_of(reference.url))
    first = next((word for word in words if not _ARTICLE.match(word)), "page")
    text = f"{who}{date[0] if date else ''}{first}"
    plain = unicodedata.normalize("NFKD", text)
    return re.sub(r"[^A-Za-z0-9]", "", plain).lower() or "source"


def _letters(place: int) -> str:
    """Return a, b, …, z, aa, ab and so on."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _bibtex(key: str, reference: Reference) -> str:
    date = date_parts(reference.published)
    authors = " and ".join(
        f"{tex(name.family)}, {tex(name.given)}" if name.given else f"{{{tex(name.family)}}}"
        for name in _names(reference)
    )
    fields = {
        "author": authors,
        "title": f"{{{tex(_title(reference))}}}",
        "journal" if reference.doi else "organization": tex(_line(reference.site)),
        "year": str(date[0]) if date else "",
        "month": _MONTHS[date[1] - 1] if len(date) > 1 else "",
        "date": _iso(date),
        "doi": tex_url(reference.doi),
        "url": tex_url(reference.url),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    kind = "article" if reference.doi else "misc"
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}"


def _ris(key: str, reference: Reference) -> str:
    date = date_parts(reference.published)
    rows = [("TY", "JOUR" if reference.doi else "ELEC"), ("ID", key), ("TI", _title(reference))]
    rows += [("AU", _inverted(name)) for name in _names(reference)]
    rows += [
        ("PY", f"{date[0]:04d}" if date else ""),
        ("DA", _iso(date).replace("-", "/")),
        ("T2", _line(reference.site)),
        ("DO", reference.doi),
        ("UR", reference.url),
    ]
    lines = [f"{tag}  - {_line(value)}" for tag, value in rows if value]
    return "\n".join([*lines, "ER  - "])


def _csl(key: str, reference: Reference) -> dict[str, Any]:
    date = date_parts(reference.published)
    entry: dict[str, Any] = {
        "id": key,
        "type": "article-journal" if reference.doi else "webpage",
        "title": _title(reference),
        "author": [
            {"family": name.family, "given": name.given} if name.given else {"literal": name.family}
            for name in _names(reference)
        ],
        "issued": {"date-parts": [list(date)]} if date else None,
        "container-title": _line(reference.site),
        "DOI": reference.doi,
        "URL": reference.url,
    }
    return {name: value for name, value in entry.items() if value}


def _inverted(name: Name) -> str:
    return f"{name.family}, {name.given}" if name.given else name.family


def _iso(date: tuple[int, ...]) -> str:
    return "-".join(f"{part:02d}" if place else f"{part:04d}" for place, part in enumerate(date))


def _line(text: str) -> str:
    """Return the text on one line: a line break would start a new field."""
    return " ".join(text.split())
