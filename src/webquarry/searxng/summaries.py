"""Summaries of Markdown: its prose, its word count, and its most relevant sentences."""

import re
from collections import Counter

from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.snippets import shorten_snippet

_FENCE = re.compile(r"^(?P<mark>```++|~~~++)[^\n]*\n.*?(?:^(?P=mark)[ \t]*$|\Z)", re.M | re.S)
_IMAGE = re.compile(r"!\[[^\[\]]*+\]\([^)\[]*+\)")
_LINK = re.compile(r"\[([^\[\]]*+)\]\([^)\[]*+\)")
_NO_PROSE = re.compile(
    r"^[^\S\n]*(?:#{1,6}\s.*|\|.*|[-*_=]{3,}+[^\S\n]*)$", re.M
)  # headings, tables, rules
_MARKS = re.compile(r"^[^\S\n]*(?:[-*+]|\d+[.)]|>+)\s+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", re.M)
_WORD = re.compile(r"\w+")
# scripts without spaces between words: each character counts as a word
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_MIN_SENTENCE_CHARS = 25
_MAX_SENTENCES = 400  # considered for a summary


def without_code(markdown: str) -> str:
    """Return Markdown without its fenced code."""
    return re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", markdown)).strip()


def word_count(markdown: str) -> int:
    """Return the number of words, without the URLs of links."""
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", markdown))
    unspaced = len(_UNSPACED.findall(text))
    return unspaced + len(_WORD.findall(_UNSPACED.sub(" ", text)))


def summarize(markdown: str, query: str, max_chars: int) -> str:
    """Return the sentences that match the query best, in their order, within `max_chars`."""
    text = _prose(markdown)
    sentences = sentences_of(text, min_length=_MIN_SENTENCE_CHARS)[:_MAX_SENTENCES]
    if not sentences:
        return shorten_snippet(text, max_chars)
    weights = _weights(sentences, query)
    ranked = sorted(range(len(sentences)), key=lambda index: -weights[index])
    selected: list[int] = []
    room = max_chars
    for index in ranked:
        if len(sentences[index]) <= room:
            selected.append(index)
            room -= len(sentences[index]) + 1
    if not selected:
        return shorten_snippet(sentences[ranked[0]], max_chars)
    return " ".join(sentences[index] for index in sorted(selected))


def _prose(markdown: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", without_code(markdown)))
    return _MARKS.sub("", _NO_PROSE.sub("", text)).strip()


def _weights(sentences: list[str], query: str) -> list[float]:
    """Weigh sentences by the query's words, the page's frequent words, and position."""
    query_words = _words(query)
    word_sets = [_words(sentence) for sentence in sentences]
    counts = Counter(word for words in word_sets for word in words if len(word) > 3)
    frequent = {word for word, count in counts.most_common(12) if count > 1}
    return [
        3.0 * len(words & query_words)
        + len(words & frequent) / (1 + len(words) / 20)
        + 2.0 / (1 + position)
        for position, words in enumerate(word_sets)
    ]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
