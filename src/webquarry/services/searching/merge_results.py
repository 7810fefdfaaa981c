"""One list out of several: no page twice, and no story twice under other addresses."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

from webquarry.content.ranking.result_urls import canonical, is_web
from webquarry.models.search import WebResult
from webquarry.services.searching.search_sources import ProviderResults

R = TypeVar("R")

_RANK_OFFSET = 60  # of reciprocal rank fusion: softens the lead of the first places
_ALIKE = 0.8  # share of common word triples from which two texts are one
_SHORTEST = 8  # words a text must have to be compared
_WORD = re.compile(r"\w+")


def interleave(lists: Sequence[Sequence[R]]) -> list[R]:
    """Return the firsts of all lists, then the seconds, and so on."""
    if len(lists) == 1:
        return list(lists[0])
    rounds = zip_longest(*lists, fillvalue=None)
    return [item for item in chain.from_iterable(rounds) if item is not None]


def unique(items: Iterable[R], link: Callable[[R], str]) -> list[R]:
    """Return the items with a web address, each page once."""
    kept: dict[str, R] = {}
    for item in items:
        url = link(item)
        if is_web(url):
            kept.setdefault(canonical(url), item)
    return list(kept.values())


class Fused:
    """A result with everyone who returned it and where else the same text is."""

    def __init__(self, result: WebResult) -> None:
        self.result = result
        self.providers: list[str] = []
        self.twins: list[str] = []
        self.score = 0.0

    def join(self, provider: str, rank: int) -> None:
        """Count one more provider that returned it."""
        if provider not in self.providers:
            self.providers.append(provider)
            self.score += 1 / (_RANK_OFFSET + rank)


def fuse(answers: Iterable[ProviderResults[WebResult]]) -> list[Fused]:
    """Merge by reciprocal rank fusion; near-duplicates join the best of them."""
    pages: dict[str, Fused] = {}
    for answer in answers:
        for rank, result in enumerate(answer.items, 1):
            page = pages.setdefault(canonical(result.url), Fused(result))
            page.join(answer.provider, rank)
            # the fullest snippet tells most
            if len(result.snippet) > len(page.result.snippet):
                changes = {"snippet": result.snippet}
                page.result = page.result.model_copy(update=changes)
            if result.published and not page.result.published:
                page.result = page.result.model_copy(update={"published": result.published})
    ranked = sorted(pages.values(), key=lambda page: -page.score)
    return _clustered(ranked)


def _clustered(ranked: list[Fused]) -> list[Fused]:
    kept: list[tuple[Fused, frozenset[tuple[str, ...]]]] = []
    for page in ranked:
        print_ = _triples(f"{page.result.title} {page.result.snippet}")
        for leader, known in kept:
            if _alike(print_, known):
                leader.twins.append(page.result.url)
                leader.providers += [p for p in page.providers if p not in leader.providers]
                leader.score += page.score
                break
        else:
            kept.append((page, print_))
    return sorted((page for page, _ in kept), key=lambda page: -page.score)


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    if len(words) < _SHORTEST:
        return frozenset()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    if not one or not other:
        return False
    return len(one & other) >= _ALIKE * min(len(one), len(other))
