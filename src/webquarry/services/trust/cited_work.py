"""Compares what a citation says about a work with the records of registries."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.citations.author_compare import same_author
from webquarry.content.citations.known_venues import is_container, is_preprint_server
from webquarry.content.citations.part_match import (
    compare_parts,
    is_complete,
    is_preprint,
    merge_comparisons,
)
from webquarry.content.citations.reference_match import Comparison, ReferenceParts, compare
from webquarry.content.citations.reference_parser import cited_parts, title_in, without_urls
from webquarry.content.text.spelling import normalized_words, same_word
from webquarry.models.trust import Difference
from webquarry.models.works import Paper, Work

_SAME_WORK_YEARS = 3  # between the preprint and the publication of a work
_MAX_VALUE = 160  # characters of a value in a sentence
_ALTERED_TITLE = 0.6  # similarity of a title with some words changed
_OTHER_WORDS = 2  # words that make another title
_MIN_REGISTRIES = 2
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class CitedWork:
    """A reference: its parts, or its text when they are not known apart."""

    text: str = ""
    parts: ReferenceParts | None = None

    @property
    def has_text(self) -> bool:
        """Whether there is something to compare with a record."""
        if self.parts:
            return bool(self.parts.title)
        words = normalized_words(without_urls(self.text))
        return sum(len(word) > 3 for word in words) > 1

    def compared_with(self, work: Work) -> Comparison:
        """Compare the reference with a record."""
        record = work_parts(work)
        if not work.subtitle:
            return self._compared(record)
        # a subtitle of its own may be part of the title, or a teaser
        full = record._replace(title=f"{work.title}: {work.subtitle}")
        return min((self._compared(full), self._compared(record)), key=_rank)

    def _compared(self, record: ReferenceParts) -> Comparison:
        return compare_parts(self.parts, record) if self.parts else compare(self.text, record)

    def is_confirmed_by(self, comparison: Comparison) -> bool:
        """Tell whether nothing is left that another record could confirm."""
        if not self.has_text:
            return True
        return is_complete(self.parts, comparison) if self.parts else comparison.fits

    def split(self) -> ReferenceParts:
        """Return the parts as they are cited."""
        return self.parts or cited_parts(self.text)


@dataclass(frozen=True)
class RecordMatch:
    """The records of one work, the best first, and how the reference compares with them."""

    comparison: Comparison
    works: tuple[Work, ...]

    @property
    def work(self) -> Work:
        """The best record."""
        return self.works[0]


def match_records(cited: CitedWork, works: Sequence[Work]) -> RecordMatch:
    """Compare a reference with the records of one work."""
    compared = sorted(
        ((cited.compared_with(work), work) for work in works), key=lambda pair: _rank(pair[0])
    )
    merged = merge_comparisons([comparison for comparison, _ in compared])
    return RecordMatch(merged, tuple(work for _, work in compared))


def match_registered(cited: CitedWork, works: Sequence[Work]) -> RecordMatch:
    """Compare what stands beside a DOI with the records of the DOI."""
    if not cited.has_text:
        return RecordMatch(Comparison(0.0, "not_checked"), tuple(works))
    match = match_records(cited, works)
    compared = match.comparison
    if cited.parts or compared.title != "mismatch" or _has_other_title(cited.text, match):
        return match
    return RecordMatch(compared._replace(title="not_checked"), match.works)


def best_match(cited: CitedWork, works: Sequence[Work]) -> RecordMatch | None:
    """Return the work that a reference matches best, with all of its records."""
    if not works:
        return None
    compared = sorted(
        ((cited.compared_with(work), work) for work in works), key=lambda pair: _rank(pair[0])
    )
    best = compared[0][1]
    if compared[0][0].title != "match":
        return RecordMatch(compared[0][0], (best,))
    records = [work for found, work in compared if found.title == "match" and _same(best, work)]
    return match_records(cited, records)


def is_known_as_preprint_only(cited: CitedWork, match: RecordMatch) -> bool:
    """Tell whether a work is cited as published, and all its records are of the preprint."""
    venue = cited.parts.venue if cited.parts else ""
    if not venue or is_preprint_server(venue) or is_container(venue):
        return False
    return all(is_preprint(work_parts(work)) for work in match.works)


def without_publication(cited: CitedWork, match: RecordMatch) -> RecordMatch:
    """Contradict the venue of a work that two registries know only as a preprint."""
    registries = {work.source for work in match.works}
    if len(registries) < _MIN_REGISTRIES or not is_known_as_preprint_only(cited, match):
        return match
    return RecordMatch(match.comparison._replace(venue="mismatch"), match.works)


def differences(cited: CitedWork, match: RecordMatch) -> tuple[Difference, ...]:
    """Return both values of each part that contradicts the records."""
    if not match.comparison.mismatches:
        return ()
    given = cited.split()
    records = [work_parts(work) for work in match.works]
    return tuple(
        Difference(part=part, cited=_value(given, part), recorded=_first_value(records, part))
        for part in match.comparison.mismatches
    )


def difference_reason(found: Sequence[Difference]) -> str | None:
    """Return a sentence that names each difference with both values."""
    if not found:
        return None
    told = "; ".join(f"{each.part} ({_both(each)})" for each in found)
    return f"The record differs in: {told}."


def work_parts(work: Work | Paper) -> ReferenceParts:
    """Return the parts of a work's record."""
    authors = tuple(work.authors or ())
    if isinstance(work, Paper):
        return ReferenceParts(work.title, authors, work.year, work.journal or "")
    return ReferenceParts(
        work.title,
        authors,
        work.year,
        work.journal or "",
        work.pages or "",
        work.volume or "",
        work.doi or "",
    )


def _has_other_title(text: str, match: RecordMatch) -> bool:
    """Tell whether a text has a title that is not the record's, rather than a part of it."""
    work = match.work
    known = normalized_words(f"{work.title} {work.journal or ''} {' '.join(work.authors)}")
    words = [word for word in normalized_words(title_in(text)) if _LONG_WORD.fullmatch(word)]
    unknown = sum(not any(same_word(word, each) for each in known) for word in words)
    altered = match.comparison.similarity >= _ALTERED_TITLE
    return unknown >= _OTHER_WORDS or (unknown > 0 and altered)


def _rank(found: Comparison) -> tuple[bool, bool, int, float]:
    mismatches = [name for name in found.mismatches if name != "title"]
    return not found.fits, found.title != "match", len(mismatches), -found.similarity


def _same(one: Work, other: Work) -> bool:
    """Tell whether two records with the same title are of the same work."""
    if one is other:
        return True
    near = not one.year or not other.year or abs(one.year - other.year) <= _SAME_WORK_YEARS
    if not one.authors or not other.authors:
        return near
    return near and same_author(one.authors[0], other.authors[0])


def _value(parts: ReferenceParts, name: str) -> str:
    return "; ".join(parts.authors) if name == "authors" else str(getattr(parts, name) or "")


def _first_value(records: Sequence[ReferenceParts], name: str) -> str:
    recorded = next(filter(None, (_value(record, name) for record in records)), "")
    return recorded or ("a preprint" if name == "venue" else "")


def _both(each: Difference) -> str:
    recorded = f'recorded "{_short(each.recorded)}"'
    return f'cited "{_short(each.cited)}", {recorded}' if each.cited else recorded


def _short(value: str) -> str:
    return value if len(value) <= _MAX_VALUE else f"{value[:_MAX_VALUE].rstrip()}…"
