"""Recommendations, and components that a client can render."""

from collections.abc import Sequence

from webquarry.content.markdown.parse import markdown_blocks, visible_text
from webquarry.content.text.length_limits import cap_text
from webquarry.content.text.snippets import shorten_snippet
from webquarry.models.research import (
    Card,
    Component,
    Recommendation,
    Scores,
    SourceResult,
    Table,
)

_MAX_RECOMMENDATIONS = 3
_MIN_SCORE = 0.6  # overall score of a recommended source
_SIGNALS = {
    "relevance": "closest to the query",
    "authority": "authoritative publisher",
    "freshness": "recent",
    "contentQuality": "substantial content",
}
_COLUMNS = ("overall", *_SIGNALS)


def recommendations(sources: Sequence[SourceResult]) -> list[Recommendation]:
    """Return the sources worth reading first, each with its strongest signal."""
    scored = [(source, source.scores) for source in sources if source.scores]
    good = [(source, scores) for source, scores in scored if scores.overall >= _MIN_SCORE]
    return [
        Recommendation(
            url=source.url, title=source.title, score=scores.overall, reason=_reason(scores)
        )
        for source, scores in good[:_MAX_RECOMMENDATIONS]
    ]


def components(sources: Sequence[SourceResult]) -> list[Component]:
    """Return a card for each source and a table that compares them."""
    scored = [(source, source.scores) for source in sources if source.scores]
    if not scored:
        return []
    cards = [
        Component(
            type="card",
            title=source.title or source.url,
            sourceRefs=[source.url],
            card=_card(source, scores),
        )
        for source, scores in scored
    ]
    rows = [[source.title or source.url, *_figures(scores).values()] for source, scores in scored]
    table = Component(
        type="table",
        title="Quality of the sources",
        sourceRefs=[source.url for source, _ in scored],
        table=Table(columns=["source", *_COLUMNS], rows=rows),
    )
    return [*cards, table]


def _reason(scores: Scores) -> str:
    values = scores.model_dump()
    best = max(_SIGNALS, key=lambda name: values[name])
    return f"{_SIGNALS[best]} ({best} {values[best]:.2f})"


def _figures(scores: Scores) -> dict[str, str]:
    values = scores.model_dump()
    return {name: f"{values[name]:.2f}" for name in _COLUMNS}


def _card(source: SourceResult, scores: Scores) -> Card:
    kind = source.sourceType if source.sourceType != "unknown" else None
    about = (kind, f"{source.authorityTier} authority", source.publishedAt)
    return Card(
        title=source.title or source.url,
        url=source.url,
        subtitle=" · ".join(part for part in about if part),
        body=source.claimSignal or _first_lines(source.content),
        facts=_figures(scores),
    )


def _first_lines(markdown: str) -> str:
    """Return the start of the first paragraph."""
    paragraphs = (
        block.text for block in markdown_blocks(cap_text(markdown, 2000)) if not block.is_heading
    )
    return shorten_snippet(visible_text(next(paragraphs, "")), 200)
