"""Rules for what differs on each visit and says nothing: stamps, counters, ids, notices."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from webquarry.content.changes.noise_words import any_of
from webquarry.content.changes.time_expressions import (
    CLOCK,
    COUNTDOWN,
    RELATIVE,
    WEEKDAY,
    FoundDate,
    dates_in,
    day_of,
)
from webquarry.models.changes import NoiseReason

_LABEL_CHARS = 48
_STAMP_LABEL = re.compile(
    rf"(?:{any_of('stamp')}|更新|发布|公開|掲載)[\s:]*+[^\W\d]{{0,12}}[\s:,./|·+-]{{0,6}}\Z",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"(?:by|von|par|por|di|door|av)\s\D{2,80}\Z", re.IGNORECASE)
_YEARS = "(?:19|20)\\d\\d(?:\\s?[-\u2013,]\\s?(?:19|20)?\\d\\d)?"
_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|copyright)[^\d\n]{{0,40}}({_YEARS})|(?<!\d)({_YEARS})\s?(?:©|\(c\))",
    re.IGNORECASE,
)
_COUNT = (
    r"(?<![\w.,$€£])(?:\d{1,3}(?:[.,'\u00a0\u202f ]\d{3}){1,4}|\d{1,12}(?:[.,]\d{1,2})?)(?!\d)"
    r"(?:\s?(?:k|m|mio|mn|tsd|thousand|million|mille|mil|tausend)\b\.?)?\+?"
)
_COUNTED = any_of("counted")
_PEOPLE = any_of("people")
COUNTERS = (
    # 1,234 views; 12 customer reviews; 7 people are viewing
    re.compile(
        rf"{_COUNT}\s(?:(?:{_PEOPLE}|(?:unique|total|new|customer|user|global|verified))\s)?"
        rf"(?:are\s|is\s|have\s)?(?:currently\s|also\s|just\s|now\s)?(?:{_COUNTED}|{any_of('presence')})",
        re.IGNORECASE,
    ),
    # Views: 1,234; you are visitor number 1,234
    re.compile(
        rf"(?:{_COUNTED}|(?<!\w)(?:counter|zähler|besucherzähler))"
        r"(?:\s(?:today|so\sfar|this\sweek|total|count|number|heute|gesamt))?\s?[:#(]?\s?"
        rf"{_COUNT}(?!\w|\s?%)",
        re.IGNORECASE,
    ),
    # generated in 0.34 s
    re.compile(
        r"(?<!\w)(?:generated|rendered|loaded|executed|took|query\stime|search\stime)\s?:?\s(?:in\s)?"
        r"\d{1,6}(?:[.,]\d{1,9})?\s?(?:s|ms|µs|sec|seconds|milliseconds|sekunden)\b",
        re.IGNORECASE,
    ),
)
_SESSION = re.compile(
    r"(?<!\w)(?:(?:request|session|ray|trace|correlation|transaction|visitor|visit|client|incident|"
    r"support|debug|anfrage|sitzungs?)[\s-]?(?:id|code|token|kennung)|nonce|csrf|token)\s?[:=#]\s?"
    r"([\w.+/=-]{6,200})"
    r"|(?<![\w-])([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])",
    re.IGNORECASE,
)
_HAS_DIGIT = re.compile(r"\d")
AD_LABEL = re.compile(rf"[\W_]*+(?:{any_of('advertisement')}|広告|广告)[\W_]*+", re.IGNORECASE)
_AD_START = re.compile(
    rf"[\[(]?(?:{any_of('advertisement')}|広告|广告)[\])]?\s?[:|·•\u2013—-]\s", re.IGNORECASE
)
_RELATED = re.compile(rf"[\W_]*+(?:{any_of('related')})", re.IGNORECASE)
_DAILY = re.compile(rf"(?:\w+\W{{1,3}}){{1,3}}(?:{any_of('daily')})\s?(:|\Z)", re.IGNORECASE)
_ONLY_RELATED = re.compile(rf"[\W_]*+(?:{any_of('related_only')})[\W_]*+", re.IGNORECASE)
_MAX_HEADING_WORDS = 8
_COOKIE_NOTICE = re.compile(any_of("cookie_notice"), re.IGNORECASE)
_MAX_NOTICE_CHARS = 600
_MAX_HEADING_CHARS = 80
_WORD = re.compile(r"[^\W_]+")
_MAX_LABEL_WORDS = 2
_MAX_WORDS_BESIDE_COUNTERS = 5  # a longer text is a sentence in which something was counted


class NoiseSpan(NamedTuple):
    """A part of a text that is noise by a rule."""

    start: int
    end: int
    reason: NoiseReason


def noise_spans(text: str, at: float = 0.0) -> list[NoiseSpan]:
    """Return what in a text is noise, in order; spans do not overlap."""
    taken: list[NoiseSpan] = []
    for span in _candidates(text, at):
        if not any(span.start < other.end and other.start < span.end for other in taken):
            taken.append(span)
    return sorted(taken)


def masked_text(text: str, spans: Iterable[NoiseSpan]) -> str:
    """Return the text with the name of the rule in the place of each span."""
    parts, end = list[str](), 0
    for span in spans:
        parts += [text[end : span.start], f"\u27e8{span.reason}\u27e9"]
        end = span.end
    return " ".join("".join([*parts, text[end:]]).split())


def is_only_noise(text: str, spans: list[NoiseSpan]) -> bool:
    """Tell whether a text says nothing but noise and its label."""
    if not spans:
        return False
    rest = text
    for span in reversed(spans):
        rest = f"{rest[: span.start]} {rest[span.end :]}"
    return len(_WORD.findall(rest)) <= _MAX_LABEL_WORDS


def relative_days(text: str, at: float) -> str:
    """Return the text with its dates as days from the time of the version."""
    parts, end = list[str](), 0
    for found in dates_in(text, at):
        if found.day is not None:
            offset = (found.day - day_of(at)).days
            parts += [text[end : found.start], f"\u27e8day{offset:+}\u27e9"]
            end = found.end
    return " ".join("".join([*parts, text[end:]]).split())


def noise_text(text: str, at: float) -> str:
    """Return the text without what differs on each visit: the same on all visits."""
    masked = masked_text(text, noise_spans(text, at))
    return relative_days(masked, at) if at else masked


def is_cookie_notice(text: str) -> bool:
    """Tell whether a passage asks for consent to cookies."""
    return len(text) <= _MAX_NOTICE_CHARS and _COOKIE_NOTICE.search(text) is not None


def is_advertisement(text: str) -> bool:
    """Tell whether a line says of itself that it is an advertisement."""
    return _AD_START.match(text) is not None or AD_LABEL.fullmatch(text) is not None


def is_related_heading(text: str) -> bool:
    """Tell whether a heading announces teasers of other pages."""
    if len(text) > _MAX_HEADING_CHARS or len(text.split()) > _MAX_HEADING_WORDS:
        return False
    return _RELATED.match(text) is not None or _ONLY_RELATED.fullmatch(text) is not None


def daily_label(text: str) -> str:
    """Return ":" if a line names something of the day, "all" if it is only its label, else ""."""
    match = _DAILY.match(text)
    return "" if match is None else match[1] or "all"


def _candidates(text: str, at: float) -> Iterator[NoiseSpan]:
    for match in _SESSION.finditer(text):
        group = 1 if match[1] else 2
        if _HAS_DIGIT.search(match[group]):
            yield NoiseSpan(match.start(group), match.end(group), "session_id")
    for pattern in (RELATIVE, COUNTDOWN):
        for match in pattern.finditer(text):
            yield NoiseSpan(match.start(), match.end(), "relative_time")
    for match in _COPYRIGHT.finditer(text):
        group = 1 if match[1] else 2
        yield NoiseSpan(match.start(group), match.end(group), "copyright_year")
    yield from _stamps(text, at)
    yield from _counters(text)


def _counters(text: str) -> list[NoiseSpan]:
    found = [match.span() for pattern in COUNTERS for match in pattern.finditer(text)]
    beside = len(text.split()) - sum(len(text[start:end].split()) for start, end in found)
    if beside > _MAX_WORDS_BESIDE_COUNTERS:
        return []
    return [NoiseSpan(start, end, "counter") for start, end in found]


def _stamps(text: str, at: float) -> Iterator[NoiseSpan]:
    """Yield dates and times of day that say when the page was made, not when something happens."""
    dates = list(dates_in(text, at))
    clocks = list(CLOCK.finditer(text))
    places = [(found.start, found.end) for found in dates] + [match.span() for match in clocks]
    for start, end in places:
        before = text[max(0, start - _LABEL_CHARS) : start]
        if _STAMP_LABEL.search(before) or _BYLINE.match(text[:start]):
            yield NoiseSpan(start, end, "date_stamp")
    if len(dates or clocks) == 1 and all(_is_past(found, at) for found in dates):
        start, end = places[0]
        if not _WORD.search(WEEKDAY.sub("", f"{text[:start]} {text[end:]}")):
            yield NoiseSpan(start, end, "date_stamp")


def _is_past(found: FoundDate, at: float) -> bool:
    """Tell whether a date may be that of the page: not after the page was read."""
    return not at or found.day is None or (found.day - day_of(at)).days <= 1
