"""Compares the fields that were read from a written reference with the work it was written of."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

from webquarry.content.citations.author_names import PARTICLES, split_name
from webquarry.content.citations.reference_fields import ReferenceFields

_PARTS = ("container", "year", "volume", "issue", "pages", "publisher", "doi", "url")


class FieldResult(NamedTuple):
    """One field of an entry: what is right, and what was read."""

    field: str
    expected: str
    found: str
    right: bool


def score_fields(work: dict[str, Any], text: str, read: ReferenceFields) -> Iterator[FieldResult]:
    """Yield the fields that the text has, and those that were read though it has them not."""
    yield _authors(work, text, read)
    title = work["title"]
    yield FieldResult("title", title, read.title, key(title) == key(read.title))
    known = _known(work, text)
    numbers = re.sub(r"^(?:\[1\]|1\.) ", "", text)  # the number of the entry
    numbers = re.sub(re.escape(title), "", numbers, flags=re.IGNORECASE)
    for part in _PARTS:
        expected, found = known[part], getattr(read, part)
        where = numbers if part in ("volume", "issue", "pages") else text
        printed = [value for value in expected if _is_printed(part, value, where)]
        if printed:
            right = any(_same(part, value, found) for value in printed)
            yield FieldResult(part, printed[0], found, right)
        elif found:
            yield FieldResult(part, "", found, right=False)


def key(text: str) -> str:
    """Return letters and digits only, without case and accents."""
    flat = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def _known(work: dict[str, Any], text: str) -> dict[str, tuple[str, ...]]:
    publisher = work.get("publisher", "")
    names = [work.get(name, "") for name in ("container-title", "container-title-short")]
    if work["type"] == "article":  # a preprint server is where the work is found
        names, publisher = [publisher], ""
    if work["type"] == "report" and key(text).count(key(publisher)) < 2:
        publisher = ""  # named as the author only
    return {
        "container": tuple(filter(None, names)),
        "year": (str(work["issued"]["date-parts"][0][0]),),
        "volume": (work.get("volume", ""),),
        "issue": (work.get("issue", ""),),
        "pages": (work.get("page", ""),),
        "publisher": (publisher,),
        "doi": (work.get("DOI", ""),),
        "url": (work.get("URL", ""),),
    }


def _is_printed(part: str, value: str, text: str) -> bool:
    if not value:
        return False
    if part == "pages":
        first = value.split("-", maxsplit=1)[0]
        return bool(re.search(rf"(?<![\w.]){first}(?:\u2013|(?!\w))", text))
    if part in ("volume", "issue"):
        return bool(re.search(rf"(?<![\w.]){value}(?!\w)", text.replace("vol. ", "vol ")))
    return key(value) in key(text)


def _same(part: str, expected: str, found: str) -> bool:
    if part == "pages":
        return _full(expected) == _full(found)
    if part in ("doi", "url"):
        return expected.lower() == found.lower()
    return key(expected) == key(found)


def _full(pages: str) -> tuple[str, str]:
    first, _, last = pages.partition("-")
    return first, first[: len(first) - len(last)] + last


def _authors(work: dict[str, Any], text: str, read: ReferenceFields) -> FieldResult:
    """Compare the names that are printed: family names and first initials, in order."""
    people = [_person(author) for author in work["author"]]
    is_cut = "et al" in text or "\u2026" in text
    printed = [
        person for person in people if not is_cut or key(person.partition(",")[0]) in key(text)
    ]
    found = [_initialled(name) for name in read.authors]
    expected = printed if not is_cut else printed[: max(1, len(found))]
    right = [key(name) for name in expected] == [key(name) for name in found] and read.cut == is_cut
    return FieldResult("authors", "; ".join(printed), "; ".join(read.authors), right)


def _person(author: dict[str, str]) -> str:
    if "literal" in author:
        return author["literal"]
    return f"{_without_particles(author['family'])}, {author['given'][:1]}"


def _initialled(name: str) -> str:
    parts = split_name(name)
    return f"{_without_particles(parts.family)}, {parts.given[:1]}" if parts.given else name


def _without_particles(family: str) -> str:
    """Return a family name without particles: sources count them to either name."""
    words = [word for word in family.split() if word.lower() not in PARTICLES]
    return " ".join(words) or family
