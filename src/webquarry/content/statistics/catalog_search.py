"""Finds entries of a catalogue by the words of their names."""

from collections.abc import Iterable

from pydantic import TypeAdapter

from webquarry.errors import PayloadError
from webquarry.models.records import RecordsFound
from webquarry.models.series import SeriesItem, SeriesQuery

_NOTES = 400  # characters of a description worth a caller's context


def pack(entries: Iterable[SeriesItem], provider: str) -> bytes:
    """Return a catalogue as bytes to keep; an entry listed twice is kept once."""
    unique = {entry.seriesId: entry for entry in entries}
    if not unique:  # kept, it would hide everything until it is loaded again
        raise PayloadError(
            f"Unexpected answer ({provider}): its catalogue is empty. Retry later.",
            provider=provider,
        )
    return _adapter().dump_json(tuple(unique.values()), exclude_none=True)


def search(packed: bytes, query: SeriesQuery) -> RecordsFound[SeriesItem]:
    """Return the entries whose names have all words of the query, closest names first."""
    wanted = query.text.lower()
    words = wanted.split()
    entries = _adapter().validate_json(packed)
    found = [e for e in entries if _fits(e, words) or e.seriesId.lower() == wanted]
    found.sort(key=lambda entry: _distance(entry, wanted, words))
    items = tuple(_brief(entry) for entry in found[: query.count])
    more = len(items) < len(found)
    return RecordsFound(items, (f"{len(items)} of {len(found)} matches.",) if more else ())


def shortened(text: str | None) -> str | None:
    """Return a description cut to what is worth a caller's context, marked where it was cut."""
    if text is None or len(text) <= _NOTES:
        return text
    return text[:_NOTES].rsplit(" ", 1)[0] + " …"


def _adapter() -> TypeAdapter[tuple[SeriesItem, ...]]:
    return TypeAdapter(tuple[SeriesItem, ...])


def _fits(entry: SeriesItem, words: list[str]) -> bool:
    name = (entry.title or "").lower()
    return all(word in name for word in words)


def _distance(entry: SeriesItem, wanted: str, words: list[str]) -> tuple[bool, bool, int, int]:
    """Rank the exact id first, then whole phrases, then whole words, then short names."""
    name = (entry.title or "").lower()
    parts = set(name.replace(",", " ").replace("(", " ").replace(")", " ").split())
    return (
        entry.seriesId.lower() != wanted,
        wanted not in name,
        -sum(word in parts for word in words),
        len(name),
    )


def _brief(entry: SeriesItem) -> SeriesItem:
    return entry.model_copy(update={"notes": shortened(entry.notes)})
