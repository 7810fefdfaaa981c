"""A small part of `make eval-trust`: the same references, registries and code."""

import pytest

from bench.eval_trust import judged, scores
from bench.trust import holdout
from bench.trust.references import references

pytestmark = pytest.mark.anyio


async def test_made_up_references_are_told_from_real_ones() -> None:
    found = await judged([*references(15), *holdout.references(15)])

    assert len(found) == 60
    assert {each.verdict for each in found} == {"matches", "differs"}
    for right in (True, False):
        scored = scores(found, right=right)
        assert min(scored) >= 0.95, [each for each in found if each.reference.right != right]


async def test_with_registries_failing_at_random_no_verdict_is_wrong() -> None:
    found = await judged(references(12), failing=0.3)

    for right in (True, False):
        assert scores(found, right=right).precision == 1.0


async def test_with_all_registries_failing_everything_is_unchecked() -> None:
    found = await judged(references(6), failing=1.0)

    assert [each.verdict for each in found] == ["unchecked"] * 12
