"""The search engine of the sample web: BM25 over its pages, with the API of SearXNG."""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

from webquarry.content.text.word_list import words as word_list
from webquarry_demo.sample_pages import SamplePage, SampleWeb, page_url

_WORD = re.compile(r"[^\W_]+")
_SITE = re.compile(r"\(?site:(\S+?)\)?(?=\s|$)")
_HIDDEN = re.compile(
    r"<(script|div|p|span)[^>]*(?:ld\+json|display:none|class=\"seo\"|font-size:0)[^>]*>.*?</\1>",
    re.DOTALL,
)
_LINK = re.compile(r"<a [^>]*>.*?</a>", re.DOTALL)  # its text is about another page
_TAG = re.compile(r"<[^>]+>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_COMMON = frozenset(
    word_list(
        "a an and are at be by do for from has how in is it of on or that the to what where which "
        "with"
    )
)
_DISALLOWED = "/private/"  # in robots.txt
_K1, _B = 1.2, 0.75
_TITLE_WEIGHT = 3  # occurrences in the text that a word in the title is worth
_SNIPPET = 2  # sentences


@dataclass(frozen=True)
class _IndexedPage:
    page: SamplePage
    text: str
    counts: Counter[str]

    @cached_property
    def length(self) -> int:
        return self.counts.total()


class SampleSearchEngine:
    """Searches the pages of the sample web."""

    def __init__(self, web: SampleWeb) -> None:
        self._pages = tuple(
            _indexed(page)
            for (_, path), page in web.pages.items()
            if path == page.path and not path.startswith(_DISALLOWED)
        )
        self._mean_length = sum(each.length for each in self._pages) / len(self._pages)
        self._document_frequency = Counter(word for each in self._pages for word in each.counts)

    def find(self, query: str) -> list[tuple[SamplePage, str, float]]:
        """Return pages with snippet and score, the best first; `site:` restricts the sites."""
        sites = {name.partition(".")[0] for name in _SITE.findall(query)}
        words = _words(_SITE.sub(" ", query).replace(" OR ", " "))
        scored = [
            (indexed, self._score(indexed, words))
            for indexed in self._pages
            if not sites or indexed.page.site in sites
        ]
        best = sorted((pair for pair in scored if pair[1] > 0), key=lambda pair: -pair[1])
        return [(indexed.page, _snippet(indexed.text, words), score) for indexed, score in best]

    def respond(self, params: Mapping[str, str], port: int) -> dict[str, Any]:
        """Return the response of a SearXNG instance to `format=json`."""
        query, start = params.get("q", ""), 10 * (int(params.get("pageno", "1")) - 1)
        found = self.find(query)
        return {
            "query": query,
            "number_of_results": len(found),
            "results": [
                {
                    "url": page_url(page.site, page.path, port),
                    "title": page.title,
                    "content": snippet,
                    "publishedDate": f"{page.metadata['date']}T00:00:00",
                    "engine": "sample",
                    "engines": ["sample"],
                    "score": round(score, 3),
                    "category": params.get("categories", "general"),
                }
                for page, snippet, score in found[start : start + 10]
            ],
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }

    def _score(self, indexed: _IndexedPage, words: Sequence[str]) -> float:
        """Return the BM25 score of a page."""
        total = 0.0
        length_factor = 1 - _B + _B * indexed.length / self._mean_length
        for word in dict.fromkeys(words):
            count, pages = indexed.counts[word], self._document_frequency[word]
            idf = log(1 + (len(self._pages) - pages + 0.5) / (pages + 0.5))
            total += idf * count * (_K1 + 1) / (count + _K1 * length_factor)
        return total


def _indexed(page: SamplePage) -> _IndexedPage:
    visible = _TAG.sub(" ", _HIDDEN.sub(" ", page.main))
    text = " ".join(html.unescape(visible).split())
    own_text = html.unescape(_TAG.sub(" ", _LINK.sub(" ", _HIDDEN.sub(" ", page.main))))
    counts = Counter(_words(own_text))
    for word in _words(page.title):
        counts[word] += _TITLE_WEIGHT
    return _IndexedPage(page, text, counts)


def _words(text: str) -> list[str]:
    found = (word.lower() for word in _WORD.findall(text))
    # minimal stemming: "boxes" matches "box"
    return [re.sub(r"(?<=[sx])es$|(?<=[^s])s$", "", word) for word in found if word not in _COMMON]


def _snippet(text: str, words: Sequence[str]) -> str:
    """Return the pair of adjacent sentences with the most query words."""
    sentences = _SENTENCE.split(text)
    query = set(words)

    def matches(at: int) -> tuple[int, int]:
        both = " ".join(sentences[at : at + _SNIPPET])
        return len(query & {*_words(both)}), len(query & {*_words(sentences[at])})

    best = max(range(len(sentences)), key=matches)
    return " ".join(sentences[best : best + _SNIPPET])
