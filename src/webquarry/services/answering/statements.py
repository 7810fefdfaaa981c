"""Puts an answer together from statements, each with the quotations it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.models.research import Anchor
from webquarry.models.synthesis import AnswerCitation, WrittenAnswer
from webquarry.services.research.ranked_sources import RankedSource


@dataclass(frozen=True)
class QuotedStatement:
    """A quotation, and the place of its source among all."""

    source: int
    anchor: Anchor


@dataclass(frozen=True)
class Statement:
    """One sentence of an answer with what it rests on."""

    text: str
    backing: tuple[QuotedStatement, ...]


def composed(
    statements: Sequence[Statement],
    sources: Sequence[RankedSource],
    *,
    cost: float | None = 0.0,
    note: str | None = None,
) -> WrittenAnswer:
    """Return the answer; its numbers count the citations from 1, each with its quotations."""
    anchors: dict[int, list[Anchor]] = {}  # of each source, in the order they are cited
    lines: list[str] = []
    for statement in statements:
        for backed in statement.backing:
            listed = anchors.setdefault(backed.source, [])
            if backed.anchor not in listed:
                listed.append(backed.anchor)
        numbers = {place: number for number, place in enumerate(anchors, 1)}
        cited = sorted({numbers[backed.source] for backed in statement.backing})
        lines.append(f"{statement.text} {''.join(f'[{number}]' for number in cited)}")
    citations = tuple(cited_page(sources[at], tuple(listed)) for at, listed in anchors.items())
    return WrittenAnswer(text=" ".join(lines), citations=citations, cost=cost, note=note)


def cited_page(source: RankedSource, anchors: tuple[Anchor, ...] = ()) -> AnswerCitation:
    """Return the source as a citation."""
    return AnswerCitation(
        title=source.title or None,
        url=source.url,
        publishedDate=source.published,
        anchors=anchors or None,
    )
