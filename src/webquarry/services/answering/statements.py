"""Composes an answer from statements, each with its quotations."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.models.research import Anchor
from webquarry.models.synthesis import AnswerCitation, WrittenAnswer
from webquarry.services.research.ranked_sources import ReadSource


@dataclass(frozen=True)
class QuotedStatement:
    """A quotation and the index of its source."""

    source: int
    anchor: Anchor


@dataclass(frozen=True)
class Statement:
    """One sentence of an answer with its quotations."""

    text: str
    quotations: tuple[QuotedStatement, ...]


def compose_answer(
    statements: Sequence[Statement],
    sources: Sequence[ReadSource],
    *,
    cost: float | None = 0.0,
    note: str | None = None,
) -> WrittenAnswer:
    """Return the answer with numbered citations, each with its quotations."""
    anchors: dict[int, list[Anchor]] = {}  # of each source, in the order they are cited
    lines: list[str] = []
    for statement in statements:
        for quotation in statement.quotations:
            listed = anchors.setdefault(quotation.source, [])
            if quotation.anchor not in listed:
                listed.append(quotation.anchor)
        numbers = {index: number for number, index in enumerate(anchors, 1)}
        cited = sorted({numbers[quotation.source] for quotation in statement.quotations})
        lines.append(f"{statement.text} {''.join(f'[{number}]' for number in cited)}")
    citations = tuple(
        page_citation(sources[index], tuple(listed)) for index, listed in anchors.items()
    )
    return WrittenAnswer(text=" ".join(lines), citations=citations, cost=cost, note=note)


def page_citation(source: ReadSource, anchors: tuple[Anchor, ...] = ()) -> AnswerCitation:
    """Return the source as a citation."""
    return AnswerCitation(
        title=source.title,
        url=source.url,
        publishedDate=source.published,
        anchors=anchors,
    )
