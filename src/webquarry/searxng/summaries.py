"""Markdown as prose: its words, its sentences, and the few of them that say most."""

import re
from collections import Counter

from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.snippets import brief

_FENCE = re.compile(r"^(?P<mark>```+|~~~+)[^\n]*\n.*?(?:^(?P=mark)[ \t]*$|\Z)", re.M | re.S)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NO_PROSE = re.compile(r"^\s*(?:#{1,6}\s.*|\|.*|[-*_=]{3,}\s*)$", re.M)  # headings, tables, rules
_MARKS = re.compile(r"^\s*(?:[-*+]|\d+[.)]|>+)\s+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", re.M)
_WORD = re.compile(r"\w+")
# scripts that are written without spaces: each sign counts as a word
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_SHORTEST = 25  # characters of a sentence that says something
_MOST_SENTENCES = 400  # looked at


def without_code(markdown: str) -> str:
    """Return Markdown without its fenced code."""
    return re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", markdown)).strip()


def word_count(markdown: str) -> int:
    """Return how many words a reader would count; addresses of links are none."""
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", markdown))
    unspaced = len(_UNSPACED.findall(text))
    return unspaced + len(_WORD.findall(_UNSPACED.sub(" ", text)))


def summary(markdown: str, query: str, most: int) -> str:
    """Return the sentences that say most about the query, in their order, within `most` letters."""
    text = _plain(markdown)
    sentences = sentences_of(text, shortest=_SHORTEST)[:_MOST_SENTENCES]
    if not sentences:
        return brief(text, most)
    weights = _weights(sentences, query)
    ranked = sorted(range(len(sentences)), key=lambda place: -weights[place])
    chosen: list[int] = []
    room = most
    for place in ranked:
        if len(sentences[place]) <= room:
            chosen.append(place)
            room -= len(sentences[place]) + 1
    if not chosen:
        return brief(sentences[ranked[0]], most)
    return " ".join(sentences[place] for place in sorted(chosen))


def _plain(markdown: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", without_code(markdown)))
    return _MARKS.sub("", _NO_PROSE.sub("", text)).strip()


def _weights(sentences: list[str], query: str) -> list[float]:
    """Weigh sentences by the query's words, by the page's own frequent words, and by place."""
    wanted = _words(query)
    found = [_words(sentence) for sentence in sentences]
    frequent = Counter(word for words in found for word in words if len(word) > 3)
    themes = {word for word, times in frequent.most_common(12) if times > 1}
    return [
        3.0 * len(words & wanted) + len(words & themes) / (1 + len(words) / 20) + 2.0 / (1 + place)
        for place, words in enumerate(found)
    ]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
