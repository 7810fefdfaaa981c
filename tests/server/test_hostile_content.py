"""While hostile content is parsed, a real server responds to others, and it stops afterwards."""

import sys
from collections.abc import Iterator

import pytest

from bench.freeze import FreezeTest, freeze_test
from bench.hostile_case import HostileCase
from bench.hostile_content import CASES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@pytest.fixture(scope="module")
def freezing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FreezeTest]:
    with freeze_test(tmp_path_factory.mktemp("freeze")) as test:
        yield test


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_server_responds_while_hostile_content_is_parsed(
    freezing: FreezeTest, case: HostileCase
) -> None:
    outcome = freezing.run(case)

    assert outcome.problem == ""


def test_there_are_at_least_forty_cases() -> None:
    assert len({case.name for case in CASES}) >= 40
