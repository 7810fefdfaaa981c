"""The `patent_search` tool: who is asked, what is filtered, what is told."""

from typing import Any, ClassVar

import pytest

from tests.support import CallHarness, services, text_of
from webquarry.errors import NetworkError, RateLimitError, SettingsError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.search import WebQuery, WebResult
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import ProviderInfo
from webquarry.services.searching.service import Preferences
from webquarry.tools.patent_search import patent_search

pytestmark = pytest.mark.anyio


def patent(number: str = "US11000001B2", **more: Any) -> Patent:
    return Patent(title=f"Patent {number}", number=number, url=f"https://p.test/{number}", **more)


class Registry:
    """Answers with given patents, or fails."""

    about: ClassVar[ProviderInfo]
    patent_offices: ClassVar[frozenset[str] | None] = None
    patent_filters: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, *found: Patent, fails: Exception | None = None) -> None:
        self.found = list(found)
        self.fails = fails
        self.asked: list[PatentQuery] = []

    async def search_patents(self, query: PatentQuery) -> list[Patent]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return self.found[: query.count]


class Epo(Registry):
    about: ClassVar = ProviderInfo(name="epo", docs="", base_url="https://epo.test")


class Uspto(Registry):
    about: ClassVar = ProviderInfo(name="uspto", docs="", base_url="https://uspto.test")
    patent_offices: ClassVar = frozenset({"US"})


class Web:
    """A web search that knows pages of Google Patents."""

    about: ClassVar = ProviderInfo(name="web", docs="", base_url="https://web.test")
    web_support: ClassVar = SearchSupport(
        max_results=20, max_sites=10, filters=frozenset({"sites"})
    )

    def __init__(self, *numbers: str, fails: Exception | None = None) -> None:
        self.numbers = numbers
        self.fails = fails
        self.asked: list[WebQuery] = []

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return [
            WebResult(
                title=f"{number} - A valve - Google Patents",
                url=f"https://patents.google.com/patent/{number}/en",
                snippet="It opens.",
            )
            for number in self.numbers
        ]


class Pages:
    """Pages of Google Patents."""

    about: ClassVar = ProviderInfo(name="google_patents", docs="", base_url="https://pages.test")

    def __init__(self, *found: Patent, fails: Exception | None = None) -> None:
        self.found = {each.number: each for each in found}
        self.fails = fails

    async def find_patent(self, number: str) -> Patent | None:
        if self.fails:
            raise self.fails
        return self.found.get(number)


def desk(*providers: Any, routing: dict[str, tuple[str, ...]] | None = None) -> CallHarness:
    preferences = Preferences(routing=routing) if routing else None
    return CallHarness((patent_search,), services=services(*providers, preferences=preferences))


async def test_a_registry_answers_with_every_field() -> None:
    full = patent(
        abstract="It opens.",
        assignee="Damco AS",
        inventor="Kari Lie",
        filed="2018-01-05",
        granted="2020-01-07",
        pdf="https://p.test/a.pdf",
        status="Patented Case",
        assignees=("Damco AS",),
    )

    result = await desk(Epo(full)).call("patent_search", {"query": "valve"})

    assert result.structured == {
        "patents": [
            {
                "title": "Patent US11000001B2",
                "number": "US11000001B2",
                "url": "https://p.test/US11000001B2",
                "abstract": "It opens.",
                "assignee": "Damco AS",
                "inventor": "Kari Lie",
                "filed": "2018-01-05",
                "granted": "2020-01-07",
                "pdf": "https://p.test/a.pdf",
                "status": "Patented Case",
            }
        ],
        "query": "valve",
        "searchType": "prior_art",
        "resultCount": 1,
        "source": "epo",
        "searchUrl": "https://patents.google.com/?q=valve",
        "trust": "untrusted-external-content",
    }


async def test_filters_reach_the_registry_and_are_checked_afterwards() -> None:
    fits = patent(assignee="Damco AS", inventor="Kari Lie", filed="2018-01-05", classes=("F16K1",))
    epo = Epo(fits, patent("EP1234567A1"), patent("US5000000A", filed="1990-01-01"))
    asked = {
        "query": "valve",
        "patent_office": "US",
        "assignee": "Damco, Inc.",
        "inventor": "Lie",
        "cpc_code": "F16K",
        "year_from": 2015,
        "year_to": 2019,
        "num_results": 2,
    }

    result = await desk(epo).call("patent_search", asked)

    assert result.structured
    assert [each["number"] for each in result.structured["patents"]] == ["US11000001B2"]
    assert epo.asked == [
        PatentQuery(
            text="valve",
            office="US",
            assignee="Damco",
            inventor="Lie",
            cpc="F16K",
            filed_from=2015,
            filed_to=2019,
            count=6,
        )
    ]
    assert result.structured["searchUrl"] == (
        "https://patents.google.com/?q=valve+CPC%3DF16K%2Flow&assignee=Damco&inventor=Lie"
        "&country=US&after=filing%3A20150101&before=filing%3A20191231"
    )


async def test_an_office_chooses_the_registries() -> None:
    uspto, epo = Uspto(patent()), Epo(patent("EP1234567A1"))

    result = await desk(uspto, epo).call("patent_search", {"query": "valve", "patent_office": "EP"})

    assert result.structured
    assert result.structured["source"] == "epo"
    assert uspto.asked == []


async def test_a_number_is_read_from_its_page() -> None:
    epo = Epo()

    result = await desk(epo, Pages(patent())).call(
        "patent_search", {"query": "US 11,000,001 B2", "search_type": "specific"}
    )

    assert result.structured
    assert result.structured["source"] == "google_patents"
    assert result.structured["searchUrl"] == "https://patents.google.com/patent/US11000001B2/en"
    assert [each["number"] for each in result.structured["patents"]] == ["US11000001B2"]
    assert epo.asked == []


async def test_the_web_is_the_last_resort_and_pages_tell_the_rest() -> None:
    web = Web("US11000001B2", "US22000002B1")
    known = patent(assignee="Damco AS", filed="2018-01-05")

    result = await desk(Epo(), web, Pages(known)).call(
        "patent_search", {"query": "valve", "assignee": "Damco Ltd"}
    )

    assert result.structured
    assert result.structured["source"] == "web_discovery"
    assert [each["number"] for each in result.structured["patents"]] == ["US11000001B2"]
    assert result.structured["note"] == "1 left out because assignee could not be checked."
    assert [(q.text, q.sites) for q in web.asked] == [('valve "Damco"', ("patents.google.com",))]


async def test_a_page_that_cannot_be_read_leaves_what_the_search_told() -> None:
    pages = Pages(fails=NetworkError("down", provider="google_patents"))

    result = await desk(Web("US22000002B1"), pages).call("patent_search", {"query": "valve"})

    assert result.structured
    assert result.structured["patents"] == [
        {
            "title": "A valve",
            "number": "US22000002B1",
            "url": "https://patents.google.com/patent/US22000002B1/en",
            "abstract": "It opens.",
        }
    ]


async def test_a_named_provider_is_asked_exclusively() -> None:
    uspto, web = Uspto(), Web("US11000001B2")

    result = await desk(uspto, web).call("patent_search", {"query": "valve", "provider": "uspto"})

    assert result.structured
    assert (result.structured["source"], result.structured["resultCount"]) == ("uspto", 0)
    assert result.structured["hints"]["reason"] == "no_match"
    assert web.asked == []


async def test_a_web_search_can_be_named() -> None:
    result = await desk(Epo(patent()), Web("US22000002B1")).call(
        "patent_search", {"query": "valve", "provider": "web"}
    )

    assert result.structured
    assert result.structured["source"] == "web"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "Unknown provider 'nosuch'. Supported: epo, uspto, web."),
        ("uspto", "Provider 'uspto' is not configured: set USPTO_API_KEY (see .env.example)."),
    ],
)
async def test_an_unknown_or_unconfigured_provider_is_an_error(name: str, message: str) -> None:
    from webquarry.services.patents.patent_search_service import PatentSearch
    from webquarry.services.provider_choice import ProviderDirectory
    from webquarry.services.searching.service import SearchService

    class Locked(Uspto):
        about: ClassVar = ProviderInfo(
            name="uspto", docs="", base_url="https://uspto.test", requires=("USPTO_API_KEY",)
        )

    ready: Any = [Epo(), Web()]
    known: Any = [Epo, Locked, Web]
    choices = ProviderDirectory(ready, known)

    with pytest.raises(SettingsError) as caught:
        await PatentSearch(choices, SearchService(choices)).find(PatentQuery(text="x"), name)

    assert str(caught.value) == message


async def test_a_failure_is_not_an_empty_result() -> None:
    limited = RateLimitError("Rate limited (epo).", provider="epo", retry_after=9)
    down = NetworkError("Network error (web).", provider="web")

    result = await desk(Epo(fails=limited), Web(fails=down)).call(
        "patent_search", {"query": "valve"}
    )

    assert result.is_error
    assert "No provider could search patents (epo: rate_limited; web_discovery: network)" in (
        text_of(result)
    )


async def test_an_empty_result_tells_who_failed() -> None:
    limited = RateLimitError("Rate limited (epo).", provider="epo", retry_after=9)

    result = await desk(Epo(fails=limited), Web()).call("patent_search", {"query": "valve"})

    assert result.structured
    assert result.structured["patents"] == []
    assert result.structured["note"] == "epo failed (rate_limited)."


async def test_a_landscape_counts_the_owners() -> None:
    owned = [patent(f"US{n}", assignee="Acme Inc" if n % 2 else "Bolt AG") for n in range(11, 20)]
    found = [each.model_copy(update={"number": f"US11000{i:03}B2"}) for i, each in enumerate(owned)]

    result = await desk(Epo(*found)).call(
        "patent_search", {"query": "valve", "search_type": "landscape", "num_results": 2}
    )

    assert result.structured
    assert result.structured["resultCount"] == 2
    assert [(c["assignee"], c["count"]) for c in result.structured["assigneeClusters"]] == [
        ("Acme", 5),
        ("Bolt", 4),
    ]


async def test_routing_is_told_where_the_operator_gave_an_order() -> None:
    failing = Epo(fails=NetworkError("down", provider="epo"))
    routing = {"patents": ("epo", "uspto"), "web": ("web",)}

    result = await desk(Uspto(patent()), failing, Web(), routing=routing).call(
        "patent_search", {"query": "valve"}
    )

    assert result.meta["routing"] | {"latency_ms": 0} == {
        "provider_used": "uspto",
        "providers_attempted": ["epo", "uspto"],
        "fallback": True,
        "fallback_reason": "primary_unavailable",
        "cache_hit": False,
        "latency_ms": 0,
    }


async def test_empty_results_are_not_kept_and_full_ones_are() -> None:
    epo = Epo()
    table = desk(epo, Web())

    await table.call("patent_search", {"query": "valve"})
    epo.found = [patent()]
    await table.call("patent_search", {"query": "valve"})
    cached = await table.call("patent_search", {"query": "valve"})

    assert len(epo.asked) == 2
    assert cached.meta["cached"] is True


@pytest.mark.parametrize(
    "other",
    [
        {"inventor": "Lie"}, {"year_from": 2001}, {"year_to": 2020}, {"assignee": "Damco"},
        {"cpc_code": "F16K"}, {"patent_office": "US"}, {"search_type": "landscape"},
        {"num_results": 3}, {"provider": "epo"}, {"query": "pump"},
    ],
)  # fmt: skip
async def test_every_argument_is_part_of_the_cache_key(other: dict[str, Any]) -> None:
    epo = Epo(patent(assignee="Damco", inventor="Lie", filed="2010-01-01", classes=("F16K",)))
    table = desk(epo, Web())

    await table.call("patent_search", {"query": "valve"})
    await table.call("patent_search", {"query": "valve"} | other)

    assert len(epo.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "give query, assignee or inventor"),
        ({"query": "  "}, "give query, assignee or inventor"),
        ({"query": "x", "year_from": 2020, "year_to": 2010}, "year_from 2020 is after year_to"),
        ({"query": "x", "patent_office": "XX"}, "patent_office"),
        ({"query": "x", "search_type": "odd"}, "search_type"),
    ],
)
async def test_bad_input_says_what_is_wrong(arguments: dict[str, Any], says: str) -> None:
    result = await desk(Epo()).call("patent_search", arguments)

    assert result.is_error
    assert says in text_of(result)


@pytest.mark.parametrize("search_type", ["prior_art", "landscape", "specific"])
@pytest.mark.parametrize("query", ["US 11,000,001 B2", "us11000001b2"])
async def test_a_number_is_a_number_whatever_the_kind_of_search(
    query: str, search_type: str
) -> None:
    pages = Pages(patent())

    result = await desk(pages).call("patent_search", {"query": query, "search_type": search_type})

    assert result.structured is not None
    assert [each["number"] for each in result.structured["patents"]] == ["US11000001B2"]
    assert result.structured["source"] == "google_patents"


@pytest.mark.parametrize("query", ["AI 2024", "GB 2020", "US 2021", "valve", "4G LTE"])
async def test_words_are_not_taken_for_a_number(query: str) -> None:
    web = Web("US11000001B2")

    await desk(web).call("patent_search", {"query": query})

    assert web.asked[0].text == query


async def test_hints_do_not_name_the_web_search_that_found_nothing() -> None:
    web = Web()

    result = await desk(web).call("patent_search", {"query": "valve"})

    assert result.structured is not None
    assert result.structured["hints"]["suggestedActions"] == [{"action": "rephrase_query"}]
