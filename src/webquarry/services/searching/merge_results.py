"""Merges result lists: reciprocal rank fusion, without near-duplicates."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

from webquarry.content.ranking.result_urls import canonical_key
from webquarry.models.search import WebResult
from webquarry.services.searching.search_sources import ProviderResults

R = TypeVar("R")

_RANK_OFFSET = 60  # of reciprocal rank fusion
_NEAR_DUPLICATE = 0.8  # share of common word triples
_MIN_WORDS = 8  # shorter texts are not compared
_WORD = re.compile(r"\w+")


def interleave(lists: Sequence[Sequence[R]]) -> list[R]:
    """Return the first items of all lists, then the second ones, and so on."""
    if len(lists) == 1:
        return list(lists[0])
    rounds = zip_longest(*lists, fillvalue=None)
    return [item for item in chain.from_iterable(rounds) if item is not None]


class FusedResult:
    """A result with the providers that returned it and the URLs of near-duplicates."""

    def __init__(self, result: WebResult) -> None:
        self.result = result
        self.providers: list[str] = []
        self.near_duplicates: list[str] = []
        self.score = 0.0

    def join(self, provider: str, rank: int) -> None:
        """Add a provider that returned it."""
        if provider not in self.providers:
            self.providers.append(provider)
            self.score += 1 / (_RANK_OFFSET + rank)


def fuse(responses: Iterable[ProviderResults[WebResult]]) -> list[FusedResult]:
    """Merge by reciprocal rank fusion; near-duplicates join the best of them."""
    pages: dict[str, FusedResult] = {}
    for response in responses:
        for rank, result in enumerate(response.items, 1):
            page = pages.setdefault(canonical_key(result.url), FusedResult(result))
            page.join(response.provider, rank)
            # keep the longest snippet
            if len(result.snippet) > len(page.result.snippet):
                changes = {"snippet": result.snippet}
                page.result = page.result.model_copy(update=changes)
            if result.published and not page.result.published:
                page.result = page.result.model_copy(update={"published": result.published})
    ranked = sorted(pages.values(), key=lambda page: -page.score)
    return _without_near_duplicates(ranked)


def _without_near_duplicates(ranked: list[FusedResult]) -> list[FusedResult]:
    kept: list[tuple[FusedResult, frozenset[tuple[str, ...]]]] = []
    for page in ranked:
        triples = _triples(f"{page.result.title} {page.result.snippet}")
        for leader, known in kept:
            if _is_near_duplicate(triples, known):
                leader.near_duplicates.append(page.result.url)
                leader.providers += [p for p in page.providers if p not in leader.providers]
                leader.score += page.score
                break
        else:
            kept.append((page, triples))
    return sorted((page for page, _ in kept), key=lambda page: -page.score)


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    if len(words) < _MIN_WORDS:
        return frozenset()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _is_near_duplicate(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    if not one or not other:
        return False
    return len(one & other) >= _NEAR_DUPLICATE * min(len(one), len(other))
