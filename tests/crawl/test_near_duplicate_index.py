"""The index finds the oldest near-duplicate of a page."""

import random

from webquarry.content.ranking.simhash import hamming_distance
from webquarry.crawl.near_duplicate_index import NearDuplicateIndex


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def test_it_agrees_with_a_linear_search() -> None:
    # seeded, so that every run has the same numbers
    rng = random.Random(7)  # noqa: S311
    known: list[int] = []
    index = NearDuplicateIndex()
    hits = 0

    for position in range(1500):
        number = rng.getrandbits(64) or 1
        if known and position % 3 == 0:  # differs from an earlier number in a few bits
            number = rng.choice(known)
            for _ in range(rng.randrange(6)):
                number ^= 1 << rng.randrange(64)
        matching = {
            key(position)
            for position, other in enumerate(known)
            if hamming_distance(number, other) <= 3
        }
        found = index.find(number)
        assert (found in matching) if matching else (found is None)
        hits += found is not None
        index.add(number, key(position))
        known.append(number)

    assert hits > 200


def test_the_first_of_several_near_duplicates_is_returned() -> None:
    index = NearDuplicateIndex()

    for position in range(5):
        index.add(0xABCDEF0123456789 ^ (1 << position), key(position))

    assert index.find(0xABCDEF0123456789) == key(0)


def test_a_text_without_a_simhash_has_no_near_duplicate() -> None:
    index = NearDuplicateIndex()
    index.add(0, key(1))

    assert index.find(0) is None
