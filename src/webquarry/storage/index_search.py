"""Ranked search in the local index.

A page scores by BM25 for the words of the query, and for pairs of them that stand near each
other. The words that the best pages have in common then change the order (relevance feedback, RM3).
"""

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, pairwise

from webquarry.storage.index_query import QueryWord, near_expression, plain_words, query_words
from webquarry.storage.index_snippet import best_passage, word_pattern
from webquarry.storage.index_terms import (
    DEFAULT_LANGUAGE,
    TermExtractor,
    is_character,
    is_function_word,
    words_of,
)
from webquarry.storage.indexed_page import PAGES, FoundPage, IndexedPage, IndexQuery, page_of

# the usual values for texts of different lengths (Anserini); FTS5's own suit short ones
_SATURATION, _LENGTH_SHARE = 0.9, 0.4
_MIN_IDF = 0.01
_PAIR_WEIGHT = 0.05  # of BM25 as FTS5 computes it
_PAIR_DISTANCE = 6  # words
_COMMON = 0.2  # share of the pages; words of more are left out if the query has rarer ones
_FEW_PAGES = 1_000  # in which no word is left out
_FEEDBACK_PAGES, _FEEDBACK_TERMS, _FEEDBACK_SHARE = 5, 20, 0.3
_FEEDBACK_CHARS = 4_000  # of each page
_FEEDBACK_CANDIDATES = 60
_FEEDBACK_COMMON = 0.1  # share of the pages; words of more say nothing
_VOCABULARY = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_counts USING fts5vocab(main, words, row);
CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_places USING fts5vocab(main, words, instance);
"""
_TERM_SCORE = """SELECT id AS page, ? * tf / (tf + ? + ? * length) AS score, ? AS matches
    FROM (SELECT doc, sum(CASE col WHEN 'title' THEN 4 WHEN 'headings' THEN 2 ELSE 1 END) AS tf
        FROM term_places WHERE term = ? GROUP BY doc)
    JOIN page_terms ON id = doc"""
_PHRASE_SCORE = """SELECT rowid AS page, ? * -bm25(words, 4.0, 2.0, 1.0) AS score, 1 AS matches
    FROM words WHERE words MATCH ?"""
# materialised: `bm25` works in a query of its own only
_RANKED = """WITH scores AS MATERIALIZED ({parts})
    SELECT page, sum(score) AS total FROM scores JOIN page_terms ON id = page
    WHERE tenant = ? AND owner = ? GROUP BY page HAVING max(matches)
    ORDER BY total DESC, page DESC LIMIT ?"""
_COUNT = "SELECT doc FROM term_counts WHERE term = ?"
_PAGE = PAGES + " WHERE id = ?"
_FEEDBACK_PAGE = """SELECT language, title || ' ' || substr(body, 1, ?)
    FROM pages JOIN page_terms USING (id) WHERE id = ?"""
# the next language of an index is found without reading all rows
_LANGUAGES = """WITH RECURSIVE known(language) AS (
    SELECT min(language) FROM page_terms WHERE tenant = ?1 AND owner = ?2 UNION ALL
    SELECT (SELECT min(language) FROM page_terms
        WHERE tenant = ?1 AND owner = ?2 AND language > known.language)
    FROM known WHERE known.language IS NOT NULL)
    SELECT language FROM known WHERE language IS NOT NULL"""


class IndexSearch:
    """Searches the pages of one person. For one thread at a time."""

    def __init__(self, terms: TermExtractor) -> None:
        self._terms = terms

    def find(
        self, db: sqlite3.Connection, query: IndexQuery, tenant: str, owner: str
    ) -> list[FoundPage]:
        """Return the pages with any of the words, the best first."""
        owned = (tenant, owner)
        db.executescript(_VOCABULARY)
        languages = {DEFAULT_LANGUAGE, *(row[0] for row in db.execute(_LANGUAGES, owned))}
        words = query_words(query.words or query.exact or "", self._terms, sorted(languages))
        if not words:
            return []
        accept = _Filters(query)
        ranked = self._ranked(db, owned, words, -1 if accept.are_used else query.max_results)
        pages = (page_of(db.execute(_PAGE, (number,)).fetchone()) for number, _ in ranked)
        pattern = word_pattern((word.text, [*chain(*word.forms)]) for word in words)
        return [
            FoundPage(page=page, snippet=best_passage(page.text, pattern))
            for page in islice(filter(accept, pages), query.max_results)
        ]

    def _ranked(
        self, db: sqlite3.Connection, owned: tuple[str, str], words: list[QueryWord], limit: int
    ) -> list[tuple[int, float]]:
        ranking = _Ranking(db, owned, words)
        best = ranking.pages(_FEEDBACK_PAGES)
        if len(best) == _FEEDBACK_PAGES:  # in a few pages, what they share says little
            ranking.add_feedback(best, self._terms)
        return ranking.pages(limit)


class _Ranking:
    """The weighted terms and phrases of one search."""

    def __init__(
        self, db: sqlite3.Connection, owned: tuple[str, str], words: Sequence[QueryWord]
    ) -> None:
        self._db = db
        self._owned = owned
        count, length = db.execute("SELECT count(*), total(length) FROM page_terms").fetchone()
        self._pages = max(count, 1)
        self._mean_length = max(length / self._pages, 1.0)
        terms = dict.fromkeys(chain(*(word.terms for word in words if not word.is_phrase)))
        self._counts = {term: self._page_count(term) for term in terms}
        self._words = dict.fromkeys(self._without_common(list(terms)), 1.0)
        self._phrases = {word.phrase: 1.0 for word in words if word.is_phrase}
        for one, other in pairwise(words):
            if near := near_expression(one, other, _PAIR_DISTANCE):
                self._phrases.setdefault(near, _PAIR_WEIGHT)
        self._feedback: dict[str, float] = {}

    def pages(self, limit: int) -> list[tuple[int, float]]:
        """Return the ids and scores of the pages that match the query, the best first."""
        free = _SATURATION * (1 - _LENGTH_SHARE)
        by_length = _SATURATION * _LENGTH_SHARE / self._mean_length
        parts: list[str] = []
        values: list[float | str] = []
        for matches, weighted in ((1, self._words), (0, self._feedback)):
            for term, weight in weighted.items():
                parts.append(_TERM_SCORE)
                values += (weight * self._idf(term), free, by_length, matches, term)
        for expression, weight in self._phrases.items():
            parts.append(_PHRASE_SCORE)
            values += (weight, expression)
        sql = _RANKED.format(parts=" UNION ALL ".join(parts))
        return self._db.execute(sql, (*values, *self._owned, limit)).fetchall()

    def add_feedback(self, best: Sequence[tuple[int, float]], terms: TermExtractor) -> None:
        """Add the words that the best pages have in common."""
        found: defaultdict[str, float] = defaultdict(float)
        total = sum(score for _, score in best)
        for number, score in best:
            language, text = self._db.execute(_FEEDBACK_PAGE, (_FEEDBACK_CHARS, number)).fetchone()
            content = terms.terms(_telling(words_of(text)), language)
            for term, count in Counter(content).items():
                found[term] += score / total * count / len(content)
        rated: dict[str, float] = {}
        for term, share in _largest(found, _FEEDBACK_CANDIDATES):
            self._counts.setdefault(term, self._page_count(term))
            if 1 < self._counts[term] <= _FEEDBACK_COMMON * self._pages:
                rated[term] = share * self._idf(term)
        chosen = _largest(rated, _FEEDBACK_TERMS)
        scale = _FEEDBACK_SHARE * len(self._words) / (sum(share for _, share in chosen) or 1.0)
        self._words = {term: weight - _FEEDBACK_SHARE for term, weight in self._words.items()}
        for term, share in chosen:
            weighted = self._words if term in self._words else self._feedback
            weighted[term] = weighted.get(term, 0.0) + scale * share

    def _without_common(self, terms: list[str]) -> list[str]:
        """Return the terms without very common ones, unless all of them are."""
        most = max(_COMMON * self._pages, _FEW_PAGES)
        return [term for term in terms if self._counts[term] <= most] or terms

    def _page_count(self, term: str) -> int:
        row = self._db.execute(_COUNT, (term,)).fetchone()
        return row[0] if row else 0

    def _idf(self, term: str) -> float:
        count = self._counts[term]
        return max(math.log((self._pages - count + 0.5) / (count + 0.5)), _MIN_IDF)


class _Filters:
    """The phrases that a page must and must not have, as they are written."""

    def __init__(self, query: IndexQuery) -> None:
        self._required = [words for words in [plain_words(query.exact or "")] if words.strip()]
        self._excluded = [words for each in query.excluded if (words := plain_words(each)).strip()]
        self.are_used = bool(self._required or self._excluded)

    def __call__(self, page: IndexedPage) -> bool:
        if not self.are_used:
            return True
        text = plain_words(f"{page.title}\n{page.text}")
        return all(words in text for words in self._required) and not any(
            words in text for words in self._excluded
        )


def _largest(shares: Mapping[str, float], count: int) -> list[tuple[str, float]]:
    """Return the terms with the largest shares; equal ones by name, so that results are stable."""
    return sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:count]


def _telling(words: Iterable[str]) -> list[str]:
    """Return the words that may say what a text is about."""
    return [w for w in words if len(w) > 1 and not is_character(w) and not is_function_word(w)]
