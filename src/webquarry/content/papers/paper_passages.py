"""The passages of a paper that are most relevant to a query, with links to them."""

from collections.abc import Sequence

from webquarry.content.claims.text_fragments import PageText, with_fragment
from webquarry.content.markdown.parse import visible_text
from webquarry.content.ranking.excerpts import best_excerpts
from webquarry.models.model import Filled, Model
from webquarry.models.paper_text import PaperSection, PaperText

_PASSAGE_CHARS = 700
_MIN_SPACES = 2  # a shorter text may be anywhere on the page
_MAX_PASSAGE_CHARS = 400_000  # of a paper whose passages get links


class PaperPassage(Model):
    """A passage, where it is, and how much of the query it has, 0 to 1."""

    text: str
    section: str
    score: float
    url: str
    page: Filled[int] = None


def best_passages(content: bytes, *, query: str, url: str, count: int) -> list[PaperPassage]:
    """Return the best passages of a paper, given as JSON, the best first."""
    paper = PaperText.model_validate_json(content)
    found = [
        (excerpt.score, section, excerpt.text)
        for section in paper.sections
        for excerpt in best_excerpts(
            section.text.encode("utf-8", "replace"),
            query=query,
            count=count,
            max_chars=_PASSAGE_CHARS,
        )
        if excerpt.score > 0
    ]
    best = sorted(found, key=lambda each: -each[0])[:count]
    links = _PassageLinks(url, paper.sections)
    return [
        PaperPassage(
            text=text,
            section=section.title,
            score=score,
            url=links.url_of(text, section),
            page=section.page,
        )
        for score, section, text in best
    ]


class _PassageLinks:
    """Links to passages: text fragments of a web page, page numbers of a PDF."""

    def __init__(self, url: str, sections: Sequence[PaperSection]) -> None:
        self._url = url
        text = "\n".join(part for each in sections for part in (each.title, each.text))
        self._page = PageText(visible_text(text[:_MAX_PASSAGE_CHARS]))

    def url_of(self, passage: str, section: PaperSection) -> str:
        if section.page:
            return f"{self._url}#page={section.page}"
        base = f"{self._url}#{section.anchor}" if section.anchor else self._url
        # a page shows a formula in another way than as TeX
        words = passage.partition("$")[0].strip()
        span = self._page.span_of(words) if words.count(" ") >= _MIN_SPACES else None
        directive = self._page.directive_for(span) if span else None
        return with_fragment(base, directive) if directive else base
