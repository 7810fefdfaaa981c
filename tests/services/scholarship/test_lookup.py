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
from webquarry.services.scholarship.lookup import lookup_doi, lookup_registration, lookup_title

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

    found, missing = await lookup_doi(registries, DOI, ("crossref", "datacite"))

    assert (found.provider, found.status, found.work and found.work.title) == (
        "crossref", "found", "Owls",
    )  # fmt: skip
    assert missing == Lookup(provider="datacite", status="not_found")


@pytest.mark.parametrize("case", [case for case in FAILURES if not FAILURES[case].retried])
async def test_a_failure_is_never_not_found(case: str) -> None:
    registries = choices(answer(CROSSREF, **FAILURES[case].answer))

    (lookup,) = await lookup_doi(registries, DOI, ("crossref",))

    assert (lookup.status, lookup.work) == ("unchecked", None)
    assert lookup.reason


async def test_a_neighbour_is_not_the_work() -> None:
    registries = choices(answer(CROSSREF, body=record("10.1000/owl.2")))

    assert await lookup_doi(registries, DOI, ("crossref",)) == (
        Lookup(provider="crossref", status="not_found"),
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
    lookup = await lookup_registration(choices(exchange), DOI)

    assert (lookup.provider, lookup.status) == ("doi", status)


async def test_without_anybody_to_ask_nothing_is_checked() -> None:
    assert (await lookup_registration(ProviderDirectory(), DOI)).status == "unchecked"
    assert await lookup_doi(ProviderDirectory(), DOI) == ()


async def test_titles_that_cannot_be_asked_for_say_so() -> None:
    fields = (
        "DOI%2Ctitle%2Cauthor%2Ccontainer-title%2Cissued%2Cpublished%2Cabstract"
        "%2Cis-referenced-by-count%2Clink%2Clicense%2Cupdated-by%2Ctype%2Cpublisher%2Cvolume"
        "%2Cissue%2Cpage"
    )
    url = f"https://api.crossref.org/works?query.title=Owls&rows=5&select={fields}"

    found = await lookup_title(choices(answer(url, body={"message": {"items": []}})), "Owls")
    failed = await lookup_title(choices(answer(url, status=429, text="")), "Owls")

    assert found == {"crossref": ()}
    assert isinstance(failed["crossref"], Lookup)
    assert failed["crossref"].status == "unchecked"
