"""Compares a reference that is split into parts with the records of a work."""

import re
from collections.abc import Sequence

from webquarry.content.citations.author_compare import compare_authors
from webquarry.content.citations.identifiers import is_preprint_doi
from webquarry.content.citations.known_venues import is_preprint_server
from webquarry.content.citations.reference_match import (
    PARTS,
    Comparison,
    ReferenceParts,
    Verdict,
    compare_pages,
)
from webquarry.content.citations.title_compare import compare_titles
from webquarry.content.citations.venue_compare import compare_venues

_YEARS_APART = 1  # between online and print publication
_PREPRINT_YEARS = 3  # between a preprint and its publication
_VOLUME = re.compile(r"\d{1,4}")


def compare_parts(given: ReferenceParts, record: ReferenceParts) -> Comparison:
    """Compare a reference that is split into parts with a record."""
    similarity, title_fits = compare_titles(given.title, record.title)
    return Comparison(
        similarity,
        _verdict(matches=title_fits) if given.title and record.title else "not_checked",
        compare_authors(given.authors, record.authors),
        _compare_years(given, record),
        compare_venues(given.venue, record.venue),
        compare_pages(given.pages, record.pages),
        _compare_volumes(given.volume, record.volume),
    )


def merge_comparisons(comparisons: Sequence[Comparison]) -> Comparison:
    """Return the verdicts of several records of one work: a part that one confirms is right."""
    merged = Comparison(max(each.similarity for each in comparisons), "not_checked")
    return merged._replace(
        **{name: _merged([getattr(each, name) for each in comparisons]) for name in PARTS}
    )


def is_complete(given: ReferenceParts, compared: Comparison) -> bool:
    """Tell whether a record confirms every main part of a reference."""
    cited = {"authors": given.authors, "year": given.year, "venue": given.venue}
    return compared.fits and all(
        getattr(compared, name) == "match" for name, value in cited.items() if value
    )


def _merged(verdicts: Sequence[Verdict]) -> Verdict:
    if "match" in verdicts:
        return "match"
    return "mismatch" if "mismatch" in verdicts else "not_checked"


def _verdict(*, matches: bool) -> Verdict:
    return "match" if matches else "mismatch"


def _compare_years(given: ReferenceParts, record: ReferenceParts) -> Verdict:
    if given.year is None or record.year is None:
        return "not_checked"
    is_pair = is_preprint(given) != is_preprint(record)
    limit = _PREPRINT_YEARS if is_pair else _YEARS_APART
    return _verdict(matches=abs(given.year - record.year) <= limit)


def is_preprint(parts: ReferenceParts) -> bool:
    """Tell whether a reference or record is that of a preprint."""
    if parts.venue:
        return is_preprint_server(parts.venue)
    return is_preprint_doi(parts.doi)


def _compare_volumes(given: str, known: str) -> Verdict:
    if not _VOLUME.fullmatch(given.strip()) or not _VOLUME.fullmatch(known.strip()):
        return "not_checked"
    return _verdict(matches=int(given) == int(known))
