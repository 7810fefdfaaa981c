"""Reads the part of a reference after its title: venue, publisher and numbers."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from webquarry.content.citations.reference_ids import ReferenceIds
from webquarry.content.citations.reference_numbers import MARK, take_numbers

_IN = re.compile(r"(?:In|in)(?::\s?|\s)(?=\S)")
_NAME = r"(?:(?:[^\W\d_]\.(?:-?[^\W\d_]\.)*)|[^\W\d_][\w\u2019'-]*)"
_PERSON = rf"{_NAME}(?:\s{_NAME}){{0,4}}"
_PEOPLE = rf"{_PERSON}(?:(?:,\s{_PERSON}){{0,8}},?\sand\s{_PERSON})?"
_EDITORS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^{_PERSON}(?:,\s{_PERSON}){{0,8}}(?:,?\s(?:and|&)\s{_PERSON})?,?\s\((?:Eds?|eds?|Hrsg)\.?\)[,.]?\s",
        rf"^{_NAME}\s[^\W\d_a-z]{{1,3}}(?:,\s{_PERSON}){{0,8}},\s(?:editors?|eds?)[.,]\s",
        rf"[,.]?\s(?:edited\sby|[Ee]ds?\.(?:\sby)?)\s{_PEOPLE}(?=\s?[,.(\ue000]|$)",
        rf",\s(?:[^\W\d_]\.[\s-]?){{1,4}}{_PEOPLE},\sEds?\.",  # , J. M. Okafor, Ed.,
        r"\s?\(eds?\.\s[^()]{2,120}\)",  # (ed. Okafor, J. M.)
    )
)
_EDITION = re.compile(
    r"[,.(]?\s?\b(?:\d{1,2}(?:st|nd|rd|th)|[Rr]ev(?:ised|\.)|[Ss]econd|[Tt]hird)\sed(?:n|ition)?\b\.?\)?",
)
_SERIES = re.compile(r"\([\ue000,;\s]{0,9}\)")
_PLACE = re.compile(r"^([^:]{2,40}):\s(.+)$")
_BRACKETS = re.compile(r"\s?\[[^\[\]]*\]")
_WITH_PLACE = re.compile(
    r"^(.{5,}?),\s([^,:]{2,30}(?:,\s[A-Z][\w.]{1,6})?:\s.+)$"
)  # …, London: Penguin
_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_SPLIT = re.compile(
    r"\s?[;\ue000]\s?|(?<!Proc)(?<!Conf)(?<!Symp)(?<!Trans)(?<=[^\W\d_]{3})\.\s|\.\s?\ue000|\.$"
    r"|,\s?\ue000|(?<=[)])[.,]\s"
)
_COMMA = re.compile(r",\s+")
_PUBLISHER = re.compile(
    r"\b(?:press|publish\w*|books|verlag|wiley|springer|elsevier|routledge|norton|sage|academic|"
    r"house|editions?|presses|university|universit\w+|institut\w*|association|society|"
    r"macmillan|penguin|harper\w*|random|mcgraw|pearson|blackwell|kluwer|ieee|acm|usenix)\b",
    re.IGNORECASE,
)  # fmt: skip
_STATE = re.compile(r"[A-Z]{2}|[A-Z]\.[A-Z]\.|USA|UK|D\.?C\.?")


class ReferenceVenue(NamedTuple):
    """Where a work was published; unknown parts are empty."""

    container: str = ""
    publisher: str = ""
    year: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""


def read_venue(
    tail: str, ids: ReferenceIds, *, year: str, authors: Sequence[str], quoted: bool
) -> ReferenceVenue:
    """Return the venue of a work from the text after its title."""
    inside = _IN.match(tail)
    text = tail[inside.end() :] if inside else tail
    text = _EDITION.sub(f" {MARK} ", text)
    for pattern in _EDITORS:
        text = pattern.sub(" " if pattern.pattern.startswith("^") else f" {MARK} ", text, count=1)
    numbers = take_numbers(text, year=year)
    before, after = _around_volume(numbers.rest, has_volume=bool(numbers.volume))
    parts = [_journal(before)] if numbers.volume else _parts(before)
    venue = ReferenceVenue(
        year=numbers.year, volume=numbers.volume, issue=numbers.issue, pages=numbers.pages
    )
    if numbers.volume or inside:
        container, *others = _by_place(parts) or [""]
        others += _parts(after)
        return venue._replace(container=_name(container), publisher=_publisher(others))
    return _without_volume(venue, parts, ids, authors, quoted=quoted)


def _without_volume(
    venue: ReferenceVenue,
    parts: list[str],
    ids: ReferenceIds,
    authors: Sequence[str],
    *,
    quoted: bool,
) -> ReferenceVenue:
    """Tell venue and publisher apart where neither volume nor `In` marks the venue."""
    if ids.kind == "preprint":
        server = "arXiv" if ids.arxiv else ""
        return venue._replace(container=_name(parts[0]) if parts else server)
    if not parts:
        return venue
    if ids.kind in ("thesis", "report") or _same_name(parts[0], authors):
        # the name of a university may have a comma
        is_thesis = ids.kind == "thesis"
        return venue._replace(publisher=parts[0].strip(" .,") if is_thesis else _publisher(parts))
    if quoted or venue.pages:
        first, *others = _by_comma(parts)
        return venue._replace(container=_name(first), publisher=_publisher(others))
    if ids.has_link and not _PUBLISHER.search(parts[0]):
        return venue._replace(container=_name(parts[0]))
    return venue._replace(publisher=_publisher(parts))


def _around_volume(text: str, *, has_volume: bool) -> tuple[str, str]:
    """Return the text before and after the first mark when there is a volume."""
    if not has_volume:
        return text, ""
    before, _, after = text.partition(MARK)
    return before, after


def _journal(text: str) -> str:
    """Return the name before a volume, without a sentence that is a part of the title."""
    *sentences, last = re.split(r"(?<=[^\W\d_]{4})[.?!]\s+(?=[^\W\d_a-z])", text)
    is_title = any(len(re.findall(r"\b[a-z]{3,}", sentence)) > 2 for sentence in sentences)
    return _trimmed(last if is_title else text)


def _parts(text: str) -> list[str]:
    """Return the parts of a text between marks, full stops and semicolons."""
    text = _BRACKETS.sub(MARK, _SERIES.sub(MARK, text))
    text = _PARENTHESIS.sub(_opened, text)
    parts = (_trimmed(part) for part in _SPLIT.split(" ".join(text.split())))
    return [part for part in parts if re.search(r"[^\W\d_]{2,}", part)]


def _opened(match: re.Match[str]) -> str:
    """Return a parenthesis as a part of its own; an acronym stays, `(CVPR)`, and a place goes."""
    inner = match[1]
    if MARK in inner or _PUBLISHER.search(inner):
        return f"{MARK}{inner}{MARK}"
    return match[0] if _is_acronym(inner) else MARK


def _is_acronym(text: str) -> bool:
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return len(text) <= 14 and len(text.split()) <= 2 and sum(map(str.isupper, first)) > 1


def _trimmed(text: str) -> str:
    return text.lstrip(f" .,;:(){MARK}").rstrip(f" ,;:({MARK}")


def _by_place(parts: list[str]) -> list[str]:
    """Split place and publisher off the venue: `Proceedings of the …, London: Penguin`."""
    match = _WITH_PLACE.match(parts[0]) if parts else None
    return [match[1], match[2], *parts[1:]] if match else parts


def _by_comma(parts: list[str]) -> list[str]:
    """Split a publisher off the venue: `Proceedings of the …, Springer`."""
    if len(parts) > 1:
        return parts
    before, comma, after = parts[0].rpartition(", ")
    if comma and _PUBLISHER.search(after) and before:
        return [before, after]
    return parts


def _name(part: str) -> str:
    """Return the name of a venue; the stop of an abbreviation stays."""
    trimmed = _trimmed(part)
    return trimmed if part.endswith(".") else trimmed.strip(" .,")


def _publisher(parts: Sequence[str]) -> str:
    """Return the publisher without its place."""
    text = next((part for part in parts if _PUBLISHER.search(part)), parts[0] if parts else "")
    if place := _PLACE.match(text):
        return place[2].strip(" .,")
    first, *others = _COMMA.split(text)
    if others and (len(others) > 1 or not _PUBLISHER.search(text.rpartition(", ")[2])):
        return first.strip(" .")
    return text.strip(" .,")


def _same_name(part: str, authors: Sequence[str]) -> bool:
    return any(part.strip(" .,").lower() == author.lower() for author in authors)
