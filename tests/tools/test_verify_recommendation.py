"""`verify_recommendation`: what a client sees."""

from typing import Any, ClassVar

import pytest

from tests.services.scholarship.fakes import web
from tests.services.trust.fakes import DOWN, Site, about
from tests.support import CallHarness, override, services, text_of
from webquarry.models.search import WebResult
from webquarry.providers.capabilities_owners import Owner
from webquarry.providers.provider import ProviderInfo
from webquarry.services.link_check import LinkChecker
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.verify_recommendation import verify_recommendation

pytestmark = pytest.mark.anyio
TRUST = "untrusted-external-content"
KNOWN, ODD, DEAD = "https://www.nature.com/x", "https://odd.test/x", "https://dead.test/x"
CLAIM = "best e-commerce platform for small shops"


class Owners:
    about: ClassVar[ProviderInfo] = about("wikidata")

    def __init__(self, *found: Owner, fails: Exception | None = None) -> None:
        self.found, self.fails = found, fails

    async def owners(self, name: str) -> tuple[Owner, ...]:
        if self.fails:
            raise self.fails
        return self.found if name == "Marketo" else ()


def article(title: str, host: str = "www.reuters.com", snippet: str = "") -> WebResult:
    return WebResult(title=title, url=f"https://{host}/{abs(hash(title))}", snippet=snippet)


async def weighed(*providers: Any, **arguments: Any) -> dict[str, Any]:
    site = Site({KNOWN: 200, ODD: 403})
    made = override(services(*providers), links=LinkChecker(site, None, MemoryStore()))
    result = await CallHarness((verify_recommendation,), services=made).call(
        "verify_recommendation", arguments
    )
    assert result.structured, text_of(result)
    return result.structured


async def test_each_item_comes_with_its_evidence() -> None:
    found = await weighed(
        recommendations=[
            {"title": "Nature is fine", "url": KNOWN, "author": "Ann"},
            {"title": "Odd Shop", "url": ODD, "authorBio": "Ann is an engineer at Odd Shop."},
            {"title": "Gone", "url": DEAD},
            {"title": "No address"},
        ]
    )

    reputation = found["recommendations"][0].pop("domainReputation")
    assert reputation["tier"] == "high"
    assert found == {
        "itemCount": 4,
        "recommendations": [
            {"title": "Nature is fine", "url": KNOWN, "author": "Ann", "linkLive": True,
             "httpStatus": 200, "flags": []},
            {"title": "Odd Shop", "url": ODD,
             "conflictOfInterest": {"kind": "employment", "entity": "Odd Shop",
                                    "evidence": "Ann is an engineer at Odd Shop."},
             "linkLive": True, "httpStatus": 403,
             "flags": ["conflict_of_interest", "unknown_reputation"],
             "reasons": ["The author's biography names a stake in Odd Shop (employment).",
                         "odd.test is not on our list of sites."]},
            {"title": "Gone", "url": DEAD, "linkLive": False, "httpStatus": 404,
             "flags": ["dead_link", "unknown_reputation"],
             "reasons": ["The link is dead: HTTP 404.", "dead.test is not on our list of sites."]},
            {"title": "No address", "flags": []},
        ],
        "trust": TRUST,
    }  # fmt: skip


async def test_a_list_that_puts_its_own_brand_first_is_told() -> None:
    found = await weighed(recommendations=[{"title": "1. Odd Shop\n2. Wix", "url": ODD}])

    assert found["recommendations"][0]["selfPromotionSignal"] == (
        "odd.test puts its own brand first: Odd Shop."
    )


async def test_a_brand_that_belongs_to_the_site_is_found_by_its_owner() -> None:
    items = [{"title": "1. Marketo", "url": "https://www.adobe.com/list"}]

    found = await weighed(Owners(Owner("Adobe Inc.", ("adobe.com",))), recommendations=items)
    other = await weighed(Owners(Owner("Oracle", ("oracle.com",))), recommendations=items)

    assert found["recommendations"][0]["selfPromotionSignal"] == (
        "www.adobe.com puts Marketo first, which belongs to Adobe Inc."
    )
    assert "selfPromotionSignal" not in other["recommendations"][0]


async def test_owners_that_could_not_be_asked_are_told() -> None:
    items = [{"title": "1. Marketo", "url": "https://www.adobe.com/list"}]

    found = await weighed(Owners(fails=DOWN), recommendations=items)

    assert found["notes"] == [f"The owner of Marketo could not be looked up: {DOWN}"]


async def test_independent_sites_agree_disagree_or_are_silent() -> None:
    press = web(
        article("Shopify is the best e-commerce platform for small shops"),
        article(
            "Shopify lost", snippet="Shopify is not the best platform: tests refute its shops."
        ),
        article("Weather in Rome"),
    )

    found = await weighed(
        press, recommendations=[{"title": "Shopify"}], claim=CLAIM, numCorroborationResults=99
    )

    searches = found["recommendations"][0]["corroborationSearches"]
    counts = [
        (s["lens"], s["resultCount"], s["agreeCount"], s["disagreeCount"], s["silentCount"])
        for s in searches
    ]
    assert [lens for lens, *_ in counts] == ["news", "tech"]
    assert counts[0][1:] == (3, 1, 1, 1)
    assert searches[0]["query"] == f"Shopify {CLAIM}"
    assert set(searches[0]["topResults"][0]) == {"title", "url"}
    assert found["aggregateFlags"] == []
    assert {asked.count for asked in press.requests} == {10}
    assert all(
        "reuters.com" in asked.sites or "wired.com" in asked.sites for asked in press.requests
    )


async def test_companies_and_courts_are_looked_up_in_records_too() -> None:
    found = await weighed(
        web(), recommendations=[{"title": "Shopify"}], claim="Shopify won the lawsuit"
    )

    searches = found["recommendations"][0]["corroborationSearches"]
    assert [each["lens"] for each in searches] == ["news", "tech", "investigative_records"]
    assert found["aggregateFlags"] == ["no_independent_corroboration"]


async def test_a_search_that_fails_is_told_and_proves_nothing() -> None:
    found = await weighed(web(fails=DOWN), recommendations=[{"title": "Shopify"}], claim=CLAIM)

    assert "corroborationSearches" not in found["recommendations"][0]
    assert found["aggregateFlags"] == []
    assert [note.partition(":")[0] for note in found["notes"]] == [
        "Corroboration (news) could not be searched",
        "Corroboration (tech) could not be searched",
    ]


async def test_without_a_claim_nothing_is_searched() -> None:
    press = web(article("Shopify"))

    found = await weighed(press, recommendations=[{"title": "Shopify"}])

    assert (press.requests, "aggregateFlags" in found) == ([], False)


@pytest.mark.parametrize("count", [0, 101])
async def test_none_or_more_than_a_hundred_are_refused(count: int) -> None:
    desk = CallHarness((verify_recommendation,))

    result = await desk.call("verify_recommendation", {"recommendations": [{"title": "x"}] * count})

    assert result.is_error
