"""A monitor of a search: results that were not there before."""

import pytest

from tests.services.searching.fakes import broken, page, pages, provider
from tests.services.watching.monitor_setup import new_monitor
from tests.support import services
from webquarry.content.changes.compare import compare_versions
from webquarry.errors import WebquarryError
from webquarry.models.changes import EntriesVersion, Version
from webquarry.models.monitor import MonitorDefinition, MonitorTarget
from webquarry.models.search import WebResult
from webquarry.services.watching.observing import EarlierVersion
from webquarry.services.watching.search_observer import SearchObserver

pytestmark = pytest.mark.anyio

_MONITOR = new_monitor(
    definition=MonitorDefinition(
        name="Owls", target=MonitorTarget(target="barn owls", kind="search")
    )
)


async def searched(
    answer: list[WebResult] | WebquarryError, earlier: Version | None = None
) -> Version:
    """Return what a check sees."""

    async def read() -> Version | None:
        return earlier

    found = services(provider("one", answer))
    observer = SearchObserver(searching=lambda: found.searching, clock=lambda: 5.0)
    version = (await observer.observe(_MONITOR, EarlierVersion(read))).version
    assert isinstance(version, EntriesVersion)
    return version


def told(before: Version, after: Version) -> list[tuple[str, str]]:
    changes = compare_versions(before, after).changes
    return [(each.action, each.after.url if each.after else "") for each in changes]


async def test_a_new_result_is_told() -> None:
    before = await searched(pages(3))

    after = await searched([*pages(3), page(4)], before)

    assert told(before, after) == [("added", "https://example.org/4")]


async def test_results_in_another_order_or_that_left_are_no_change() -> None:
    before = await searched(pages(3))

    after = await searched(pages(2)[::-1], before)

    assert told(before, after) == []


async def test_a_result_that_comes_back_is_not_new() -> None:
    versions = [await searched(pages(3))]
    for results in (pages(2), pages(3)):
        versions.append(await searched(results, versions[-1]))

    assert told(versions[1], versions[2]) == []


async def test_the_same_page_with_another_fragment_or_slash_is_not_new() -> None:
    before = await searched([page(1, url="https://example.org/owls")])

    after = await searched([page(1, url="https://example.org/owls/#top")], before)

    assert told(before, after) == []


async def test_a_search_that_fails_is_a_failure() -> None:
    with pytest.raises(WebquarryError):
        await searched(broken("one"))
