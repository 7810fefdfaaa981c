"""The search engine of the sample web: BM25 over its pages, answered as SearXNG does."""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

from webquarry.content.text.word_list import words
from webquarry_demo.sample_pages import SamplePage, SampleWeb, located

_WORD = re.compile(r"[^\W_]+")
_SITE = re.compile(r"\(?site:(\S+?)\)?(?=\s|$)")
_HIDDEN = re.compile(
    r"<(script|div|p|span)[^>]*(?:ld\+json|display:none|class=\"seo\"|font-size:0)[^>]*>.*?</\1>",
    re.DOTALL,
)
_LINK = re.compile(r"<a [^>]*>.*?</a>", re.DOTALL)  # its words are about another page
_TAG = re.compile(r"<[^>]+>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_COMMON = frozenset(
    words(
        "a an and are at be by do for from has how in is it of on or that the to what where which "
        "with"
    )
)
_CLOSED = "/private/"  # as robots.txt says
_K1, _B = 1.2, 0.75
_TITLE = 3  # a word in the title counts as so many in the text
_SNIPPET = 2  # sentences


@dataclass(frozen=True)
class _Indexed:
    page: SamplePage
    text: str
    counts: Counter[str]

    @cached_property
    def length(self) -> int:
        return self.counts.total()


class SampleSearchEngine:
    """Finds pages of the sample web by their words, the best first."""

    def __init__(self, web: SampleWeb) -> None:
        self._known = tuple(
            _indexed(page)
            for (_, path), page in web.pages.items()
            if path == page.path and not path.startswith(_CLOSED)
        )
        self._mean = sum(each.length for each in self._known) / len(self._known)
        self._having = Counter(word for each in self._known for word in each.counts)

    def find(self, query: str) -> list[tuple[SamplePage, str, float]]:
        """Return pages with a snippet and a score; `site:` keeps to the sites that are named."""
        sites = {name.partition(".")[0] for name in _SITE.findall(query)}
        asked = _words(_SITE.sub(" ", query).replace(" OR ", " "))
        scored = [
            (each, self._score(each, asked))
            for each in self._known
            if not sites or each.page.site in sites
        ]
        best = sorted((pair for pair in scored if pair[1] > 0), key=lambda pair: -pair[1])
        return [(each.page, _snippet(each.text, asked), score) for each, score in best]

    def answer(self, asked: Mapping[str, str], port: int) -> dict[str, Any]:
        """Return what an instance of SearXNG says with `format=json`."""
        query, start = asked.get("q", ""), 10 * (int(asked.get("pageno", "1")) - 1)
        found = self.find(query)
        return {
            "query": query,
            "number_of_results": len(found),
            "results": [
                {
                    "url": located(page.site, page.path, port),
                    "title": page.title,
                    "content": snippet,
                    "publishedDate": f"{page.about['date']}T00:00:00",
                    "engine": "sample",
                    "engines": ["sample"],
                    "score": round(score, 3),
                    "category": asked.get("categories", "general"),
                }
                for page, snippet, score in found[start : start + 10]
            ],
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }

    def _score(self, each: _Indexed, asked: Sequence[str]) -> float:
        total = 0.0
        for word in dict.fromkeys(asked):
            times = each.counts[word]
            rare = log(
                1 + (len(self._known) - self._having[word] + 0.5) / (self._having[word] + 0.5)
            )
            total += (
                rare * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * each.length / self._mean))
            )
        return total


def _indexed(page: SamplePage) -> _Indexed:
    shown = _TAG.sub(" ", _HIDDEN.sub(" ", page.main))
    text = " ".join(html.unescape(shown).split())
    said = html.unescape(_TAG.sub(" ", _LINK.sub(" ", _HIDDEN.sub(" ", page.main))))
    counts = Counter(_words(said))
    for word in _words(page.title):
        counts[word] += _TITLE
    return _Indexed(page, text, counts)


def _words(text: str) -> list[str]:
    found = (word.lower() for word in _WORD.findall(text))
    # "boxes" finds "box": enough of a grammar for two dozen pages
    return [re.sub(r"(?<=[sx])es$|(?<=[^s])s$", "", word) for word in found if word not in _COMMON]


def _snippet(text: str, asked: Sequence[str]) -> str:
    """Return the neighbouring sentences that have most of the words, the best of them first."""
    sentences = _SENTENCE.split(text)
    wanted = set(asked)

    def having(at: int) -> tuple[int, int]:
        both = " ".join(sentences[at : at + _SNIPPET])
        return len(wanted & {*_words(both)}), len(wanted & {*_words(sentences[at])})

    best = max(range(len(sentences)), key=having)
    return " ".join(sentences[best : best + _SNIPPET])
