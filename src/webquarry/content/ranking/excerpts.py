"""The passages of a page that are most relevant to a query, and the words a page is about."""

import re
from collections import Counter
from collections.abc import Iterator

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.markdown.parse import visible_text
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.models.model import Model

_MAX_CHARS = 400_000  # of a page that is searched
_MIN_CHARS = 25  # of a passage that is a statement
_TERM_CHARS = 60_000  # of a page whose words are counted
_WORD = re.compile(r"[^\W\d_]{4,30}")


class Excerpt(Model):
    """A passage, and how much of the query it has, 0 to 1."""

    text: str
    score: float


def best_excerpts(content: bytes, *, query: str, count: int, max_chars: int) -> list[Excerpt]:
    """Return at most `count` passages of a page in Markdown, the best first."""
    terms = QueryTerms(query)
    text = visible_text(content.decode("utf-8", "replace")[:_MAX_CHARS])
    found = [
        Excerpt(text=passage, score=round(terms.coverage(stems(passage)), 4))
        for passage in _passages(text, max_chars)
    ]
    # headings and links, which are short, only if there is nothing else
    usable = [excerpt for excerpt in found if len(excerpt.text) >= _MIN_CHARS] or found
    relevant = [excerpt for excerpt in usable if excerpt.score > 0] or usable
    return sorted(relevant, key=lambda excerpt: -excerpt.score)[:count]


def plain_text(content: bytes) -> str:
    """Return what a reader of a page in Markdown sees."""
    return visible_text(content.decode("utf-8", "replace"))


def key_terms(content: bytes, *, count: int) -> list[str]:
    """Return the most frequent words of a page in Markdown that carry meaning."""
    text = visible_text(content.decode("utf-8", "replace")[:_TERM_CHARS])
    words = (word.casefold() for word in _WORD.findall(text))
    counted = Counter(word for word in words if word not in STOPWORDS)
    return [word for word, _ in counted.most_common(count)]


def _passages(text: str, max_chars: int) -> Iterator[str]:
    """Join sentences of a paragraph to passages of at most `max_chars`."""
    for paragraph in text.split("\n"):
        passage = ""
        for sentence in sentences_of(paragraph):
            joined = f"{passage} {sentence}" if passage else sentence
            if passage and len(joined) > max_chars:
                yield passage
                joined = sentence
            passage = joined[:max_chars]
        if passage.strip():
            yield passage
