"""A small part of `make eval-trust`: the same references, registries and code."""

import pytest

from bench.eval_trust import check_references, scores
from bench.trust import holdout
from bench.trust.references import references

pytestmark = pytest.mark.anyio


async def test_invented_references_are_distinguished_from_real_ones() -> None:
    checked = await check_references([*references(15), *holdout.references(15)])

    assert len(checked) == 60
    assert {each.verdict for each in checked} == {"matches", "differs"}
    for correct in (True, False):
        scored = scores(checked, correct=correct)
        assert min(scored) >= 0.95, [each for each in checked if each.reference.correct != correct]


async def test_with_registries_failing_at_random_no_verdict_is_wrong() -> None:
    checked = await check_references(references(12), failing=0.3)

    for correct in (True, False):
        assert scores(checked, correct=correct).precision == 1.0


async def test_with_all_registries_failing_everything_is_unchecked() -> None:
    checked = await check_references(references(6), failing=1.0)

    assert [each.verdict for each in checked] == ["unchecked"] * 12
