"""Compares a reference with the record of a work: title, authors, year, venue and pages.

The record's title is searched in the reference: the text before it should hold the authors, the
text after it venue and pages. Small differences still match: typos, accents, transliterations,
abbreviations, and a year between online and print publication.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import starmap
from typing import Literal, NamedTuple

from webquarry.content.citations.author_match import family_names, same_authors
from webquarry.content.citations.venue_match import same_venue
from webquarry.content.text.spelling import (
    SpellingToken,
    normalized_words,
    same_name,
    same_word,
    tokens_of,
)
from webquarry.content.text.word_list import word_set

Verdict = Literal["match", "mismatch", "not_checked"]

_YEAR = re.compile(r"(?<![\d/.:-])(1[5-9]\d\d|20\d\d)(?![\d/]|[-\u2013]\d)")
_PAGES = re.compile(
    r"(?<![\d.\-\u2013(])([A-Za-z]?\d{1,6})\s*[-\u2013\u2014]{1,2}\s*([A-Za-z]?\d{1,6})"
    r"(?![\d\-\u2013)]|\.\d)"
)
_URL_OR_DOI = re.compile(r"(?:https?://|doi:|10\.\d{4,9}/)\S+", re.IGNORECASE)
_FUNCTION_WORDS = word_set(
    "a an and as at by der des die das ein eine for from in into la le les el los las un une "
    "of on or the to und van von with de du et en y del di e sur pour zur zum dans l d"
)
_SUBTITLE = re.compile(r"(?:(?<!\s)\s++)?[:\u2013\u2014]\s+|(?<!\s)\s+-\s+|(?<=[?!.])\s+")
_MIN_MAIN_TITLE_WORDS = 3  # words that a title without its subtitle must have
_TITLE_THRESHOLD = 0.8


class ReferenceParts(NamedTuple):
    """The parts of a reference or record; unknown parts are empty."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    pages: str = ""
    volume: str = ""
    doi: str = ""


class Comparison(NamedTuple):
    """The verdict for each part of a reference."""

    similarity: float  # of the titles, from 0 to 1
    title: Verdict
    authors: Verdict = "not_checked"
    year: Verdict = "not_checked"
    venue: Verdict = "not_checked"
    pages: Verdict = "not_checked"
    volume: Verdict = "not_checked"

    @property
    def mismatches(self) -> tuple[str, ...]:
        """The names of the parts that do not match."""
        return tuple(name for name in PARTS if getattr(self, name) == "mismatch")

    @property
    def fits(self) -> bool:
        """Whether the title matches and no part mismatches."""
        return self.title == "match" and not self.mismatches


PARTS = ("title", "authors", "year", "venue", "pages", "volume")


class _TitleMatch(NamedTuple):
    """The token range of a title in a text, and how well it matches."""

    similarity: float = 0.0
    start: int = 0
    end: int = 0
    fits: bool = False


def compare(reference: str, record: ReferenceParts) -> Comparison:
    """Compare a reference in free text with a record."""
    text = _URL_OR_DOI.sub(" ", unicodedata.normalize("NFC", reference))
    tokens = tokens_of(text)
    title = _find_title(text, tokens, record)
    if not title.fits:
        return Comparison(title.similarity, "mismatch" if tokens else "not_checked")
    start, after = tokens[title.start].start, text[tokens[title.end - 1].end :]
    return Comparison(
        title.similarity,
        "match",
        _compare_authors(tokens[: title.start], tokens[title.end :], record.authors),
        _compare_years(_YEAR.findall(f"{text[:start]} ; {after}"), record.year),
        same_venue(_YEAR.sub(" ", _without_authors(after, record.authors)), record.venue),
        compare_pages(after, record.pages),
    )


def _without_authors(text: str, authors: Sequence[str]) -> str:
    """Return the text after a title without author names, which some styles put there."""
    name_words = {word for name in authors for word in normalized_words(name) if len(word) > 1}
    names = [token.raw for token in tokens_of(text) if token.word in name_words]
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", " ", text) if names else text


def _verdict(*, matches: bool) -> Verdict:
    return "match" if matches else "mismatch"


def _main_title_words(title: str) -> list[str]:
    """Return the words before the subtitle; none when there is no subtitle."""
    first, *rest = _SUBTITLE.split(title, maxsplit=1)
    main = normalized_words(first)
    has_subtitle = rest and normalized_words(rest[0])
    return main if has_subtitle and len(main) >= _MIN_MAIN_TITLE_WORDS else []


def _find_title(text: str, tokens: Sequence[SpellingToken], record: ReferenceParts) -> _TitleMatch:
    """Return the best match of the title in the text, with or without its subtitle."""
    title = normalized_words(record.title)
    matches = [
        match._replace(
            fits=match.fits and _stands_alone(text, tokens, match, record, has_subtitle=True)
        )
        for match in _title_matches(tokens, title)
    ]
    best = max(matches, key=_match_rank, default=_TitleMatch())
    if best.fits:
        return best
    main_matches = [
        match
        for match in _title_matches(tokens, _main_title_words(record.title))
        if match.fits and _stands_alone(text, tokens, match, record, has_subtitle=False)
    ]
    return max(main_matches, key=_match_rank, default=best)


def _match_rank(match: _TitleMatch) -> tuple[bool, float]:
    return match.fits, match.similarity


def _title_matches(tokens: Sequence[SpellingToken], title: Sequence[str]) -> Iterable[_TitleMatch]:
    """Yield token ranges that may be the title: those that start at one of its first words."""
    words = [token.word for token in tokens]
    for start in _title_starts(words, title):
        for length in range(max(1, len(title) - 2), len(title) + 3):
            if start + length <= len(words):
                similarity, fits = _compare_words(words[start : start + length], title)
                yield _TitleMatch(similarity, start, start + length, fits)


def _title_starts(words: Sequence[str], title: Sequence[str]) -> list[int]:
    starts = {
        index - offset
        for offset, title_word in enumerate(title[:3])
        for index, word in enumerate(words)
        if same_word(word, title_word)
    }
    return sorted(start for start in starts if start >= 0)


def _compare_words(given: Sequence[str], title: Sequence[str]) -> tuple[float, bool]:
    """Return the similarity of two titles and whether they differ only in function words."""
    if not given or not title:
        return 0.0, False
    respelled = [_closest_word(word, title) for word in given]
    matcher = SequenceMatcher(None, respelled, list(title), autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    similarity = 2 * common / (len(given) + len(title))
    differing = Counter(title) - Counter(respelled) | Counter(respelled) - Counter(title)
    return similarity, similarity > _TITLE_THRESHOLD and _FUNCTION_WORDS.issuperset(differing)


def _closest_word(word: str, choices: Sequence[str]) -> str:
    if word in choices:
        return word
    return next((choice for choice in choices if same_word(word, choice)), word)


def _stands_alone(
    text: str,
    tokens: Sequence[SpellingToken],
    title: _TitleMatch,
    record: ReferenceParts,
    *,
    has_subtitle: bool,
) -> bool:
    """Tell whether the match is a complete title: Sleep is not Sleep in Old Age."""
    families = family_names(record.authors)
    if title.start:
        before, first = tokens[title.start - 1], tokens[title.start]
        may_precede = len(before.word) <= 2 or before.word in ("see", "title")
        joined = _is_word_joint(text[before.end : first.start])
        if joined and not may_precede and not _is_number_or_name(before.word, families):
            return False
    if title.end == len(tokens):
        return True
    last, after = tokens[title.end - 1], tokens[title.end]
    gap = text[last.end : after.start]
    if not has_subtitle and re.search(r"[:\u2013\u2014?]|\s-\s", gap):
        return False  # another subtitle follows
    may_follow = after.raw in ("In", "IN") or after.word in normalized_words(record.venue)[:2]
    return not _is_word_joint(gap) or may_follow or _is_number_or_name(after.word, families)


def _is_word_joint(gap: str) -> bool:
    return gap.strip() in ("", "'", "\u2019") or gap in ("-", "/", "\u2010", "\u2011")


def _is_number_or_name(word: str, names: Sequence[str]) -> bool:
    return word[0].isdecimal() or any(same_name(word, name) for name in names)


def _compare_authors(
    before: Sequence[SpellingToken], after: Sequence[SpellingToken], authors: Sequence[str]
) -> Verdict:
    """Compare the names before a title; without any, look for an author after it."""
    if not authors:
        return "not_checked"
    if any(len(token.word) > 1 and not token.word[0].isdecimal() for token in before):
        return _verdict(matches=same_authors(before, authors))
    families = family_names(authors)
    named = any(same_name(token.word, family) for family in families for token in after)
    return "match" if named else "not_checked"


def _compare_years(given: Sequence[str], known: int | None) -> Verdict:
    if known is None or not given:
        return "not_checked"
    # online and print publication may be a year apart
    return _verdict(matches=any(abs(int(year) - known) <= 1 for year in given))


def compare_pages(text: str, known: str) -> Verdict:
    """Compare the ranges of pages in a text with those of a record."""
    record_pages = _PAGES.search(known)
    given = _PAGES.findall(text)
    if record_pages is None or not given:
        return "not_checked"
    return _verdict(matches=_page_range(*record_pages.groups()) in starmap(_page_range, given))


def _page_range(start: str, end: str) -> tuple[str, str]:
    """Return both pages in full: 123-9 is short for 123-129."""
    return start.lower(), f"{start[: -len(end)]}{end}".lower()
