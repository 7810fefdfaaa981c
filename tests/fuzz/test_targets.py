"""A short run of every fuzz target: its seeds, and the same changed inputs each time."""

from itertools import islice
from random import Random

import pytest

from bench.fuzz.mutation import MAX_SIZE, mutated
from bench.fuzz.runner import SEEDS, seeds_of
from bench.fuzz.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_a_parser_survives_its_seeds_and_changed_ones(target: str) -> None:
    random = Random(target)  # noqa: S311 - reproducible
    seeds = seeds_of(target)
    changed = (mutated(random.choice(seeds), random, seeds) for _ in iter(int, 1))
    for data in [*seeds, *islice(changed, 20)]:
        assert len(data) <= MAX_SIZE
        TARGETS[target](data)


def test_every_target_has_seeds_and_every_seed_a_target() -> None:
    assert {path.name for path in SEEDS.iterdir()} == set(TARGETS)
    assert all(seeds_of(target) for target in TARGETS)


@pytest.mark.parametrize(
    ("target", "data"),
    [
        ("sitemap", b'<?xml version="1.0" encoding="UTF-80"?><urlset><url/></urlset>'),
        ("bibtex_file", b'@string{w = "Water"}\n@string{w = "Water"}\n'),
        ("searxng", b"<p id=result_count>" + b"9" * 5000),
    ],
)
def test_inputs_that_once_failed_are_read(target: str, data: bytes) -> None:
    TARGETS[target](data)
