"""Merges the results of several instances by reciprocal rank fusion."""

from collections.abc import Sequence
from functools import cache

from webquarry.content.ranking.result_urls import canonical_key
from webquarry.searxng.query_values import Hit

_RANK_OFFSET = 60  # the usual constant: the first ranks of one list do not decide alone


def fuse_hits(lists: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """Return each page once, the best first.

    The score is 1 for a page that every instance ranks first, and never more.
    """
    ranked = [hits for hits in lists if hits]
    if len(ranked) == 1 and _is_distinct(ranked[0]):  # nearly always: the list is in order
        return tuple(hit.with_score(_score(rank)) for rank, hit in enumerate(ranked[0], 1))
    pages: dict[str, Hit] = {}
    scores: dict[str, float] = {}
    for hits in ranked:
        for rank, hit in enumerate(hits, 1):
            key = canonical_key(hit.url)
            pages[key] = _joined(pages[key], hit) if key in pages else hit
            scores[key] = scores.get(key, 0.0) + _share(rank) / len(ranked)
    order = sorted(pages, key=lambda key: -scores[key])
    return tuple(pages[key].with_score(_rounded(scores[key])) for key in order)


def _share(rank: int) -> float:
    return (_RANK_OFFSET + 1) / (_RANK_OFFSET + rank)


def _rounded(score: float) -> float:
    return round(min(1.0, score), 4)


@cache
def _score(rank: int) -> float:
    """Return the score of a page that only one list has."""
    return _rounded(_share(rank))


def _is_distinct(hits: Sequence[Hit]) -> bool:
    return len({canonical_key(hit.url) for hit in hits}) == len(hits)


def _joined(hit: Hit, other: Hit) -> Hit:
    """Return a page with what either instance knows about it."""
    longer = max(hit.description, other.description, key=len)
    return hit._replace(
        description=longer,
        engines=tuple(dict.fromkeys((*hit.engines, *other.engines))),
        published=hit.published or other.published,
        image=hit.image or other.image,
        thumbnail=hit.thumbnail or other.thumbnail,
        source=hit.source or other.source,
    )
