"""Which words of a query the title, passages and links of a page contain."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.html.link_contexts import LinkContext
from webquarry.content.ranking.relevance import SAME_FORM_LETTERS, is_form
from webquarry.content.text.length_limits import cap_text

MAX_TERMS = 32
_MAX_CHARS = 200_000  # characters of a page that are compared
_PASSAGE = 40  # content words that may cover a query together
_MAX_PASSAGES = 12
_MIN_URL_TERM = 4  # letters that are looked for within the words of a URL

Terms = int  # a bit for each term of a query


@dataclass(frozen=True, slots=True)
class LinkMatch:
    """The terms in the text of a link, and in the text around it."""

    href: str
    text: Terms
    around: Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMatch:
    """The terms that a page contains."""

    title: Terms
    passages: tuple[Terms, ...]  # those of its passages that contain most
    counts: tuple[int, ...]  # how often the page has each term
    words: int  # content words of the page
    links: tuple[LinkMatch, ...] = ()


class QueryWords:
    """The terms of a query, and where they are found."""

    def __init__(self, query: str) -> None:
        self.terms = tuple(dict.fromkeys(stems(query)))[:MAX_TERMS]
        self._index = {term: number for number, term in enumerate(self.terms)}
        self._by_prefix: dict[str, list[str]] = {}
        for term in self.terms:
            if len(term) >= SAME_FORM_LETTERS:
                self._by_prefix.setdefault(term[:SAME_FORM_LETTERS], []).append(term)

    def terms_in(self, text: str) -> Terms:
        """Return the terms in a text."""
        return _union(1 << number for number in map(self._number, stems(text)) if number >= 0)

    def terms_in_url(self, url: str) -> Terms:
        """Return the terms in the path of a URL, also within compounds: createindex."""
        path = unquote(url.partition("://")[2].partition("/")[2]).lower()
        within = (
            1 << number
            for number, term in enumerate(self.terms)
            if len(term) >= _MIN_URL_TERM and term in path
        )
        return self.terms_in(path.replace("_", " ")) | _union(within)

    def match(self, title: str, text: str, links: Iterable[LinkContext]) -> PageMatch:
        """Return the terms of a page and its links."""
        counts = [0] * len(self.terms)
        hits: list[tuple[int, int]] = []
        words = 0
        for stem in stems(cap_text(text, _MAX_CHARS)):
            number = self._number(stem)
            if number >= 0:
                counts[number] += 1
                hits.append((words, 1 << number))
            words += 1
        return PageMatch(
            title=self.terms_in(title),
            passages=_best_passages(hits),
            counts=tuple(counts),
            words=words,
            links=tuple(self._match_links(links)),
        )

    def _match_links(self, links: Iterable[LinkContext]) -> Iterator[LinkMatch]:
        around: dict[str, Terms] = {}  # many links may be in one paragraph
        for link in links:
            if link.around not in around:
                around[link.around] = self.terms_in(link.around)
            yield LinkMatch(link.href, self.terms_in(link.text), around[link.around])

    def _number(self, stem: str) -> int:
        """Return the number of the term that a word is a form of; -1 if there is none."""
        number = self._index.get(stem, -1)
        if number < 0 and len(stem) >= SAME_FORM_LETTERS:
            for term in self._by_prefix.get(stem[:SAME_FORM_LETTERS], ()):
                if is_form(stem, term):
                    return self._index[term]
        return number


@lru_cache(maxsize=16)
def query_words(query: str) -> QueryWords:
    """Return the terms of a query."""
    return QueryWords(query)


def _best_passages(hits: list[tuple[int, int]]) -> tuple[Terms, ...]:
    """Return the terms of the passages that are not part of another's."""
    found: set[Terms] = set()
    for start, (position, _) in enumerate(hits):
        terms = 0
        for at, bit in hits[start : start + _PASSAGE]:
            if at >= position + _PASSAGE:
                break
            terms |= bit
        found.add(terms)
    best: list[Terms] = []
    for terms in sorted(found, key=lambda each: (-each.bit_count(), each)):
        if not any(terms & other == terms for other in best):
            best.append(terms)
    return tuple(best[:_MAX_PASSAGES])


def _union(bits: Iterable[int]) -> Terms:
    terms = 0
    for bit in bits:
        terms |= bit
    return terms
