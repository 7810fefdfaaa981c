"""Searches a catalogue of statistical series by title."""

from collections.abc import Iterable

from pydantic import TypeAdapter

from webquarry.errors import PayloadError
from webquarry.models.records import RecordsFound
from webquarry.models.series import SeriesItem, SeriesQuery

_MAX_NOTES_CHARS = 400


def serialize_catalog(entries: Iterable[SeriesItem], provider: str) -> bytes:
    """Return a catalogue as JSON bytes to store, without repeated entries."""
    unique = {entry.seriesId: entry for entry in entries}
    if not unique:  # a stored empty catalogue would give no results until it expires
        raise PayloadError(
            f"Unexpected response ({provider}): its catalogue is empty. Retry later.",
            provider=provider,
        )
    return _adapter().dump_json(tuple(unique.values()), exclude_none=True)


def search_catalog(packed: bytes, query: SeriesQuery) -> RecordsFound[SeriesItem]:
    """Return the entries whose titles have all words of the query, closest titles first."""
    text = query.text.lower()
    words = text.split()
    entries = _adapter().validate_json(packed)
    matches = [e for e in entries if _has_words(e, words) or e.seriesId.lower() == text]
    matches.sort(key=lambda entry: _rank(entry, text, words))
    items = tuple(
        entry.model_copy(update={"notes": truncate_notes(entry.notes)})
        for entry in matches[: query.count]
    )
    more = len(items) < len(matches)
    return RecordsFound(items, (f"{len(items)} of {len(matches)} matches.",) if more else ())


def truncate_notes(text: str | None) -> str | None:
    """Return a description cut between words to a maximum length, marked with `…`."""
    if text is None or len(text) <= _MAX_NOTES_CHARS:
        return text
    return text[:_MAX_NOTES_CHARS].rsplit(" ", 1)[0] + " …"


def _adapter() -> TypeAdapter[tuple[SeriesItem, ...]]:
    return TypeAdapter(tuple[SeriesItem, ...])


def _has_words(entry: SeriesItem, words: list[str]) -> bool:
    title = (entry.title or "").lower()
    return all(word in title for word in words)


def _rank(entry: SeriesItem, query: str, words: list[str]) -> tuple[bool, bool, int, int]:
    """Rank the exact id first, then the exact phrase, then whole words, then short titles."""
    title = (entry.title or "").lower()
    title_words = set(title.replace(",", " ").replace("(", " ").replace(")", " ").split())
    return (
        entry.seriesId.lower() != query,
        query not in title,
        -sum(word in title_words for word in words),
        len(title),
    )
