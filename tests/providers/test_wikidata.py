"""Wikidata, replaying exchanges in `recorded/wikidata`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_owners import Owner
from webquarry.providers.wikidata import Wikidata

pytestmark = pytest.mark.anyio
SEARCH = (
    "https://www.wikidata.org/w/api.php?action=wbsearchentities&search=Marketo&language=en"
    "&limit=3&format=json"
)


@pytest.mark.recording("wikidata/owners")
async def test_the_present_owner_comes_with_its_site(upstreams: Upstreams) -> None:
    found = await Wikidata(upstreams, {}).owners("Marketo")

    assert found == (Owner("Adobe Inc.", ("www.adobe.com",)),)


@pytest.mark.recording("wikidata/nobody")
async def test_what_has_no_owner_has_none(upstreams: Upstreams) -> None:
    wikidata = Wikidata(upstreams, {})

    assert await wikidata.owners("Xyzzy") == ()
    assert await wikidata.owners("Owl") == ()


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(lambda u: Wikidata(u, {}).owners("Marketo"), {"url": SEARCH}, FAILURES[case])
