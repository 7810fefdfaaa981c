"""The words of a query as the local index looks for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webquarry.storage.index_terms import (
    TermExtractor,
    is_character,
    is_function_word,
    without_accents,
    words_of,
)

_MAX_WORDS = 64  # of one query


@dataclass(frozen=True)
class QueryWord:
    """One word of a query, and its terms in each language of the index."""

    text: str
    forms: tuple[tuple[str, ...], ...]  # several terms are a phrase: "re-use", a pair of characters

    @property
    def is_phrase(self) -> bool:
        """Whether it has more than one term."""
        return len(self.forms[0]) > 1

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms of a single word."""
        return tuple(form[0] for form in self.forms)

    @property
    def phrase(self) -> str:
        """The word as an FTS5 expression."""
        return " OR ".join(f'"{" ".join(form)}"' for form in self.forms)


def query_words(text: str, terms: TermExtractor, languages: Sequence[str]) -> list[QueryWord]:
    """Return the words of a query; function words only if it has no others."""
    found: dict[str, QueryWord] = {}
    for part in _parts(text):
        forms = tuple(tuple(form) for form in terms.alternatives(part, languages))
        found.setdefault(part, QueryWord(part, forms))
    content = [word for word in found.values() if word.is_phrase or not is_function_word(word.text)]
    return (content or list(found.values()))[:_MAX_WORDS]


def near_expression(one: QueryWord, other: QueryWord, distance: int) -> str:
    """Return the FTS5 expression for two words that stand near each other."""
    forms = [
        f'NEAR("{" ".join(a)}" "{" ".join(b)}", {distance})'
        for a, b in zip(one.forms, other.forms, strict=False)
        if a != b
    ]
    return " OR ".join(forms)


def plain_words(text: str) -> str:
    """Return the words of a text in small letters, without accents, with spaces around each."""
    return f" {' '.join(words_of(without_accents(text)))} "


def _parts(text: str) -> Iterator[str]:
    """Yield the words of a text; pairs of neighbours of scripts without spaces."""
    for word in text.split():
        run: list[str] = []
        rest: list[str] = []
        for piece in words_of(word):
            (run if is_character(piece) else rest).append(piece)
        if len(run) == 1:
            yield run[0]
        yield from (a + b for a, b in pairwise(run))
        if rest:
            yield "-".join(rest)
