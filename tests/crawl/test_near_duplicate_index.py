"""The oldest page that says nearly the same is found, however many there are."""

import random

from webquarry.content.ranking.simhash import distance
from webquarry.crawl.near_duplicate_index import NearDuplicateIndex


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def test_it_finds_what_a_look_at_every_page_finds() -> None:
    # the same numbers in every run
    chance = random.Random(7)  # noqa: S311
    known: list[int] = []
    near = NearDuplicateIndex()
    hits = 0

    for place in range(1500):
        number = chance.getrandbits(64) or 1
        if known and place % 3 == 0:  # like one of those before, in all but a few bits
            number = chance.choice(known)
            for _ in range(chance.randrange(6)):
                number ^= 1 << chance.randrange(64)
        matching = {key(at) for at, other in enumerate(known) if distance(number, other) <= 3}
        found = near.find(number)
        assert (found in matching) if matching else (found is None)
        hits += found is not None
        near.add(number, key(place))
        known.append(number)

    assert hits > 200


def test_the_first_of_many_twins_is_named() -> None:
    near = NearDuplicateIndex()

    for place in range(5):
        near.add(0xABCDEF0123456789 ^ (1 << place), key(place))

    assert near.find(0xABCDEF0123456789) == key(0)


def test_a_text_without_a_sketch_is_like_no_other() -> None:
    near = NearDuplicateIndex()
    near.add(0, key(1))

    assert near.find(0) is None
