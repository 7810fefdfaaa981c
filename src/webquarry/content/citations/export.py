"""References as BibTeX, RIS and CSL-JSON, the formats that reference managers import."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import count, product
from string import ascii_lowercase
from typing import Any, NamedTuple
from urllib.parse import quote

from webquarry.content.citations.author_names import Name, split_name
from webquarry.content.ranking.result_urls import host_of
from webquarry.content.text.dates import iso_date
from webquarry.content.text.token_count import compact_json

_YEAR_AND_MONTH = re.compile(r"(?<!\d)(\d{4})(?:[-/](\d{1,2}))?(?!\d)")
_CONTROL = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ud800-\udfff]+")
_NOT_IN_URL = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TEX_SPECIAL = re.compile(r"[\\{}&%$#_~^]")
_TEX_COMMANDS = {"\\": "textbackslash{}", "~": "textasciitilde{}", "^": "textasciicircum{}"}
_WORD = re.compile(r"[^\W_]+")
_NOT_IN_KEY = re.compile(r"[^A-Za-z0-9]+")
_ARTICLE = re.compile(r"(a|an|the|der|die|das|le|la|les|el|los|las|il)$", re.IGNORECASE)


class Reference(NamedTuple):
    """Metadata of one source; the DOI has no prefix."""

    url: str
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    published: str = ""
    doi: str = ""


class KeyedReference(NamedTuple):
    """A reference with a citation key that is unique in its list."""

    key: str
    reference: Reference


def clean_reference(reference: Reference) -> Reference:
    """Return the reference with every field on one line: a line break would start a new record."""
    authors = (_one_line(author) for author in reference.authors)
    return Reference(
        url=_NOT_IN_URL.sub(lambda match: quote(match[0]), reference.url.strip()),
        title=_one_line(reference.title),
        authors=tuple(author for author in authors if author.strip(" ,")),
        site=_one_line(reference.site),
        published=_one_line(reference.published),
        doi=_one_line(reference.doi).partition(" ")[0],
    )


def with_keys(references: Iterable[Reference]) -> list[KeyedReference]:
    """Return one reference for each URL, sorted by key; the same list always gets the same keys."""
    cleaned = [clean_reference(reference) for reference in references]
    by_url = {reference.url: reference for reference in reversed(cleaned)}
    # sorting equal keys by URL makes their suffixes independent of the input order
    ordered = sorted(by_url.values(), key=lambda reference: (base_key(reference), reference.url))
    base_keys = [base_key(reference) for reference in ordered]
    uses = Counter(base_keys)
    taken = set(base_keys)  # a suffix must not produce the key of another reference
    suffixes = {key: alphabetic_suffixes() for key, count in uses.items() if count > 1}
    keyed: list[KeyedReference] = []
    for key, reference in zip(base_keys, ordered, strict=True):
        suffixed = (f"{key}{suffix}" for suffix in suffixes.get(key, ("",)))
        unique = next(each for each in suffixed if each not in taken) if uses[key] > 1 else key
        taken.add(unique)
        keyed.append(KeyedReference(unique, reference))
    return keyed


def bibtex(references: Sequence[KeyedReference]) -> str:
    """Return the references as a BibTeX file."""
    return "\n\n".join(bibtex_entry(key, reference) for key, reference in references)


def bibtex_entry(key: str, reference: Reference, accessed: date | None = None) -> str:
    """Return one BibTeX entry, with a note of the day of access if it is given."""
    published = published_parts(reference)
    fields = {
        "author": " and ".join(map(_bibtex_author, names_of(reference))),
        "title": f"{{{_escape_tex(_title(reference))}}}",
        "journal" if reference.doi else "organization": _escape_tex(reference.site),
        "year": str(published[0]) if published else "",
        "month": _MONTHS[published[1] - 1] if len(published) > 1 else "",
        "date": _iso_date(published),
        "doi": _escape_tex_url(reference.doi),
        "url": _escape_tex_url(reference.url),
        "note": f"Accessed: {accessed.isoformat()}" if accessed else "",
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    entry_type = "article" if reference.doi else "misc"
    return f"@{entry_type}{{{key},\n" + ",\n".join(lines) + "\n}"


def ris(references: Sequence[KeyedReference]) -> str:
    """Return the references as a RIS file."""
    return "\n\n".join(_ris_record(key, reference) for key, reference in references)


def csl_json(references: Sequence[KeyedReference], *, literal_names: bool = False) -> str:
    """Return the references as a CSL-JSON array."""
    return compact_json(csl_items(references, literal_names=literal_names))


def csl_items(
    references: Sequence[KeyedReference], *, literal_names: bool = False
) -> list[dict[str, Any]]:
    """Return the references as CSL items; literal names are not split into family and given."""
    return [_csl_item(key, each, literal_names=literal_names) for key, each in references]


def date_parts(published: str) -> tuple[int, ...]:
    """Return year, month and day as far as a date states them clearly."""
    if stated := iso_date(published)[:10]:
        return tuple(int(part) for part in stated.split("-"))
    match = _YEAR_AND_MONTH.search(published)
    year, month = (int(part or 0) for part in match.groups()) if match else (0, 0)
    if not year:
        return ()
    return (year, month) if 1 <= month <= 12 else (year,)


# the formats of one reference are written one after the other
@lru_cache(8)
def published_parts(reference: Reference) -> tuple[int, ...]:
    """Return year, month and day of publication as far as they are stated clearly."""
    return date_parts(reference.published)


@lru_cache(8)
def names_of(reference: Reference) -> tuple[Name, ...]:
    """Return the authors as family and given names."""
    names = map(split_name, reference.authors)
    return tuple(name for name in names if name.family or name.given)


def _title(reference: Reference) -> str:
    return reference.title or reference.url


def base_key(reference: Reference) -> str:
    """Return author, year and first title word in ASCII, e.g. `vaswani2017attention`."""
    year = "".join(map(str, published_parts(reference)[:1]))
    families = [name.family for name in names_of(reference)[:1] if name.family]
    author = families[0].split()[-1] if families else reference.site
    words = _WORD.findall(reference.title or host_of(reference.url))
    first_word = next((word for word in words if not _ARTICLE.match(word)), "page")
    decomposed = unicodedata.normalize("NFKD", f"{author}{year}{first_word}")
    return _NOT_IN_KEY.sub("", decomposed).lower() or "source"


def alphabetic_suffixes() -> Iterator[str]:
    """Yield a, b, …, z, aa, ab and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def _escape_tex(text: str) -> str:
    return _TEX_SPECIAL.sub(lambda match: f"\\{_TEX_COMMANDS.get(match[0], match[0])}", text)


def _escape_tex_url(url: str) -> str:
    """Percent-encode braces and backslashes, which would end the field."""
    return url.replace("\\", "%5C").replace("{", "%7B").replace("}", "%7D")


def _bibtex_author(name: Name) -> str:
    escaped = _escape_tex(", ".join(filter(None, (name.family, name.suffix, name.given))))
    return escaped if name.given else f"{{{escaped}}}"


def _ris_record(key: str, reference: Reference) -> str:
    published = published_parts(reference)
    rows = [
        ("TY", "JOUR" if reference.doi else "ELEC"),
        ("ID", key),
        ("TI", _title(reference)),
        *(("AU", name.inverted) for name in names_of(reference)),
        ("PY", f"{published[0]:04d}" if published else ""),
        ("DA", _iso_date(published).replace("-", "/")),
        ("T2", reference.site),
        ("DO", reference.doi),
        ("UR", reference.url),
    ]
    lines = [f"{tag}  - {value}" for tag, value in rows if value]
    return "\n".join([*lines, "ER  - "])


def _csl_item(key: str, reference: Reference, *, literal_names: bool) -> dict[str, Any]:
    published = published_parts(reference)
    authors = [
        {"family": name.family, "given": name.given}
        | ({"suffix": name.suffix} if name.suffix else {})
        if name.given and not literal_names
        else {"literal": name.natural}
        for name in names_of(reference)
    ]
    item: dict[str, Any] = {
        "id": key,
        "type": "article-journal" if reference.doi else "webpage",
        "title": _title(reference),
        "author": authors,
        "issued": {"date-parts": [list(published)]} if published else None,
        "container-title": reference.site,
        "DOI": reference.doi,
        "URL": reference.url,
    }
    return {name: value for name, value in item.items() if value}


def _iso_date(parts: Sequence[int]) -> str:
    return "-".join(f"{part:02d}" if index else f"{part:04d}" for index, part in enumerate(parts))


def _one_line(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()
