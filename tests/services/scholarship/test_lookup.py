"""Found, not found and could not check are three answers."""

import pytest

from tests.providers.search_failures import FAILURES
from tests.replay import FakeClock, Replay
from webquarry.models.works import Lookup
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref import Crossref
from webquarry.providers.datacite import DataCite
from webquarry.providers.doi import Doi
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import DirectLookup

pytestmark = pytest.mark.anyio
DOI = "10.1000/owl.1"
CROSSREF = "https://api.crossref.org/works/10.1000%2Fowl.1"
DATACITE = "https://api.datacite.org/dois/10.1000/owl.1"
HANDLE = "https://doi.org/api/handles/10.1000/owl.1"


def answer(url: str, **more: object) -> dict[str, object]:
    return {"origin": "handwritten", "request": {"url": url}, "status": 200} | more


def choices(*exchanges: dict[str, object]) -> ProviderDirectory:
    upstreams = Upstreams(Replay(list(exchanges)), clock=FakeClock().clock())
    return ProviderDirectory([Crossref(upstreams, {}), DataCite(upstreams, {}), Doi(upstreams, {})])


def record(doi: str) -> dict[str, object]:
    return {"message": {"DOI": doi, "title": ["Owls"]}}


async def test_each_registry_answers_for_itself() -> None:
    registries = choices(
        answer(CROSSREF, body=record("10.1000/OWL.1")), answer(DATACITE, status=404, text="no")
    )

    lookup = DirectLookup(registries)
    found, missing = await lookup.doi("crossref", DOI), await lookup.doi("datacite", DOI)

    assert (found.provider, found.status, found.work and found.work.title) == (
        "crossref", "found", "Owls",
    )  # fmt: skip
    assert missing == Lookup(provider="datacite", status="not_found")


@pytest.mark.parametrize("case", [case for case in FAILURES if not FAILURES[case].retried])
async def test_a_failure_is_never_not_found(case: str) -> None:
    registries = choices(answer(CROSSREF, **FAILURES[case].answer))

    lookup = await DirectLookup(registries).doi("crossref", DOI)

    assert (lookup.status, lookup.work) == ("unchecked", None)
    assert lookup.reason


async def test_a_neighbour_is_not_the_work() -> None:
    registries = choices(answer(CROSSREF, body=record("10.1000/owl.2")))

    assert await DirectLookup(registries).doi("crossref", DOI) == Lookup(
        provider="crossref", status="not_found"
    )


@pytest.mark.parametrize(
    ("exchange", "status"),
    [
        (answer(HANDLE, body={"responseCode": 1}), "found"),
        (answer(HANDLE, status=404, body={"responseCode": 100}), "not_found"),
        (answer(HANDLE, status=404, text="<html>"), "unchecked"),
        (answer(HANDLE, status=429, text=""), "unchecked"),
    ],
)
async def test_registration_is_known_unknown_or_unchecked(
    exchange: dict[str, object], status: str
) -> None:
    lookup = await DirectLookup(choices(exchange)).registration(DOI)

    assert (lookup.provider, lookup.status) == ("doi", status)


async def test_without_anybody_to_ask_nothing_is_checked() -> None:
    lookup = DirectLookup(ProviderDirectory())

    assert (await lookup.registration(DOI)).status == "unchecked"
    assert (lookup.doi_registries(), lookup.title_registries()) == ([], [])


async def test_the_registry_that_describes_most_works_is_asked_first() -> None:
    lookup = DirectLookup(choices())

    assert lookup.doi_registries() == ["crossref", "datacite", "doi"]
    assert lookup.title_registries() == [["crossref"]]


async def test_titles_that_cannot_be_asked_for_say_so() -> None:
    fields = (
        "DOI%2Ctitle%2Csubtitle%2Cauthor%2Ccontainer-title%2Cissued%2Cpublished%2Cabstract"
        "%2Cis-referenced-by-count%2Clink%2Clicense%2Cupdated-by%2Ctype%2Cpublisher%2Cvolume"
        "%2Cissue%2Cpage"
    )
    url = f"https://api.crossref.org/works?query.title=Owls&rows=5&select={fields}"

    body: dict[str, object] = {"message": {"items": ()}}
    found = await DirectLookup(choices(answer(url, body=body))).title("crossref", "Owls")
    failed = await DirectLookup(choices(answer(url, status=429, text=""))).title("crossref", "Owls")

    assert found == ()
    assert isinstance(failed, Lookup)
    assert failed.status == "unchecked"
