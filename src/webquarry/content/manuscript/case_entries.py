"""The court cases that a text cites, as entries beside its reference list."""

from collections.abc import Iterator, Sequence

from webquarry.content.citations.reference_kind import named_thing
from webquarry.content.manuscript.found_marker import FoundMarker
from webquarry.content.manuscript.manuscript_model import ReferenceEntry
from webquarry.content.markdown.parse import without_inline_markup


def case_entries(text: str, markers: Sequence[FoundMarker]) -> Iterator[ReferenceEntry]:
    """Yield each case once, where it is cited in full with its parties."""
    seen: set[str] = set()
    for marker in markers:
        label = marker.labels[0] if marker.kind == "legal" and marker.labels else ""
        written = text[marker.span.start : marker.span.end]
        citation = case_citation(written)
        if label and citation and label not in seen:
            seen.add(label)
            yield ReferenceEntry(
                id=f"case-{len(seen)}",
                label=label,
                text=written,
                span=marker.span,
                title=citation[0],
                year=citation[1],
            )


def case_citation(written: str) -> tuple[str, str | None] | None:
    """Return citation and year of a case that a text starts with: `A v. B, 1 U.S. 2 (1954)`."""
    thing = named_thing(" ".join(without_inline_markup(written).split()))
    if thing is None or thing.kind != "case":
        return None
    year = str(thing.year) if thing.year else None
    citation = f"{thing.value}, {thing.report}"
    return (f"{citation} ({year})" if year else citation), year
