"""A monitor of references: new retractions and notices, dead links."""

from typing import Any

import pytest

from tests.services.trust.fakes import DOWN, OWLS, Handles, Notices, Registry, Site, page
from tests.services.watching.monitor_setup import new_monitor
from tests.support import override, services
from webquarry.content.changes.compare import compare_versions
from webquarry.errors import ProviderError
from webquarry.models.changes import EntriesVersion, Version
from webquarry.models.monitor import MonitorDefinition, MonitorTarget
from webquarry.models.reading import RetractionStatus
from webquarry.parsing.parsers import Parsers
from webquarry.services.link_check import LinkChecker
from webquarry.services.watching.observing import EarlierVersion
from webquarry.services.watching.reference_observer import ReferenceObserver
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

_LINK = "https://a.test/owls"
_LIVE = Site({_LINK: page(_LINK, "Owls hear mice.")})
_GONE = Site({_LINK: 404})
_RETRACTED = OWLS.model_copy(
    update={"retraction": RetractionStatus(retracted=True, kind="retraction", date="2031-01-02")}
)
_MONITOR = new_monitor(
    definition=MonitorDefinition(
        name="Thesis",
        target=MonitorTarget(target=f"{OWLS.doi}\n{_LINK}", kind="references"),
    )
)


async def checked(
    registry: Registry, site: Site, earlier: Version | None = None, *others: Notices
) -> EntriesVersion:
    """Return what a check sees."""

    async def read() -> Version | None:
        return earlier

    providers: Any = (registry, Handles(OWLS.doi or ""), *others)
    made = services(*providers, reader=site)
    made = override(made, links=LinkChecker(site, None, MemoryStore()))
    observer = ReferenceObserver(audit=lambda: made.bibliography_audit, parsers=Parsers())
    version = (await observer.observe(_MONITOR, EarlierVersion(read))).version
    assert isinstance(version, EntriesVersion)
    return version


def told(before: Version, after: Version) -> list[str]:
    changes = compare_versions(before, after).changes
    return [each.after.quote for each in changes if each.after]


async def test_references_without_a_problem_are_unchanged() -> None:
    before = await checked(Registry(OWLS), _LIVE)

    assert compare_versions(before, await checked(Registry(OWLS), _LIVE, before)).changes == ()
    assert [entry.title for entry in before.entries] == [OWLS.title, _LINK]
    assert [entry.url for entry in before.entries] == [OWLS.url, _LINK]


async def test_a_new_retraction_is_told() -> None:
    before = await checked(Registry(OWLS), _LIVE)

    after = await checked(Registry(_RETRACTED), _LIVE, before)

    assert told(before, after) == ["Notice: retracted (2031-01-02)."]


async def test_a_link_that_dies_is_told() -> None:
    before = await checked(Registry(OWLS), _LIVE)

    after = await checked(Registry(OWLS), _GONE, before)

    (line,) = told(before, after)
    assert line.startswith(f"Dead link: {_LINK} (")


async def test_what_cannot_be_checked_is_as_it_was() -> None:
    before = await checked(Registry(_RETRACTED), _GONE)

    after = await checked(Registry(fails=DOWN), _GONE, before)
    later = await checked(Registry(_RETRACTED), Site({_LINK: DOWN}), after)

    assert [entry.text for entry in after.entries] == [entry.text for entry in before.entries]
    assert [entry.text for entry in later.entries] == [entry.text for entry in before.entries]


async def test_a_notice_stays_while_nobody_answers_who_knows_notices() -> None:
    before = await checked(Registry(_RETRACTED), _LIVE)
    unknown = Registry(OWLS.model_copy(update={"noticesKnown": False}))

    after = await checked(unknown, _LIVE, before, Notices({}, fails=DOWN))
    later = await checked(unknown, _LIVE, after, Notices({OWLS.doi or "": None}))

    assert told(before, after) == []
    assert told(after, later) == ["No notice and no dead link is known."]


async def test_references_of_which_none_can_be_checked_are_a_failure() -> None:
    with pytest.raises(ProviderError, match="None of these references could be checked"):
        await checked(Registry(fails=DOWN), Site({_LINK: DOWN}))
