"""The stand-ins, asked by the adapters that ask the real registries."""

import json
from collections.abc import AsyncGenerator

import httpx2
import pytest

from webquarry.models.reading import RetractionStatus
from webquarry.models.works import WorkQuery
from webquarry.net.client.wreq_client import ClientOptions
from webquarry.net.upstream.http_port import WreqHttp
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref import Crossref
from webquarry.providers.datacite import DataCite
from webquarry.providers.doi import Doi
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.semanticscholar import SemanticScholar
from webquarry.providers.unpaywall import Unpaywall
from webquarry.providers.wayback import Wayback
from webquarry.providers.wikidata import Wikidata
from webquarry_demo.sample_pages import page_url
from webquarry_demo.sample_registries import Registries, sample_works
from webquarry_demo.sample_server import sample_server

pytestmark = pytest.mark.anyio

REAL, RETRACTED, DATA = "10.5555/jfo.2021.0307", "10.5555/jfo.2018.0112", "10.5072/owl-count-2025"
INVENTED = "10.5555/jfo.2022.0288"
NAMES = ("crossref", "openalex", "datacite", "doi", "semantic_scholar", "unpaywall", "wayback",
         "wikidata")  # fmt: skip
KEYS = {"OPENALEX_EMAIL": "demo@example.org", "UNPAYWALL_EMAIL": "demo@example.org"}


@pytest.fixture
async def port() -> AsyncGenerator[int]:
    async with sample_server() as port:
        yield port


@pytest.fixture
async def asked(port: int) -> AsyncGenerator[Upstreams]:
    http = WreqHttp(ClientOptions(user_agent="test"))
    bases = {name: f"http://127.0.0.1:{port}/{name}" for name in NAMES}
    yield Upstreams(http, base_urls=bases)
    http.close()


async def test_a_work_is_the_same_everywhere(asked: Upstreams) -> None:
    for provider in (Crossref, OpenAlex, SemanticScholar, Doi):
        work = await provider(asked, KEYS).work_by_doi(REAL)

        assert work
        assert (work.doi, work.title, work.authors, work.year) == (
            REAL,
            "Nest boxes and the breeding success of barn owls on arable farms",
            ("Maren Holt", "Idris Okafor", "Lena Brandt"),
            2021,
        ), provider


async def test_crossref_names_the_retraction_and_its_notice(asked: Upstreams) -> None:
    crossref = Crossref(asked, {})

    assert await crossref.status(RETRACTED) == RetractionStatus(
        retracted=True,
        kind="retraction",
        date="2020-03-02",
        noticeDoi="10.5555/jfo.2020.0401",
        source="publisher",
    )
    assert await crossref.notices((REAL, RETRACTED)) == {
        REAL: None,
        RETRACTED: await crossref.status(RETRACTED),
    }


async def test_an_invented_doi_is_unknown_to_all(asked: Upstreams) -> None:
    for provider in (Crossref, OpenAlex, SemanticScholar, DataCite, Doi):
        assert await provider(asked, KEYS).work_by_doi(INVENTED) is None, provider
    assert not await Doi(asked, {}).is_registered(INVENTED)
    assert await Doi(asked, {}).is_registered(RETRACTED)


async def test_data_are_known_to_datacite_and_not_to_crossref(asked: Upstreams) -> None:
    found = await DataCite(asked, {}).work_by_doi(DATA)

    assert found
    assert (found.title, found.authors, found.type) == (
        "Nine villages barn owl count, 2015 to 2025",
        ("Femi Castle",),
        "Dataset",
    )
    assert await Crossref(asked, {}).work_by_doi(DATA) is None


async def test_works_are_found_by_words_and_titles(asked: Upstreams) -> None:
    crossref, openalex = Crossref(asked, {}), OpenAlex(asked, KEYS)
    title = "Rough grassland margins, field voles and the hunting range of barn owls"

    assert (await crossref.works_by_title(title))[0].title == title
    assert [work.title for work in await openalex.works_by_title(title)] == [title]
    found = await openalex.search_works(WorkQuery(text="barn owl pellets", count=2))
    assert found.items[0].title == "What barn owl pellets tell about grassland management"
    assert (await openalex.work_by_doi(RETRACTED)) is not None


async def test_others_answer_that_they_know_nothing(asked: Upstreams) -> None:
    assert await Wayback(asked, {}).snapshot("http://a.localhost/") is None
    assert await Wikidata(asked, {}).owners("Owlhaus") == ()
    assert await Unpaywall(asked, KEYS).open_copy(REAL) is None


def test_a_provider_without_a_stand_in_is_closed() -> None:
    registries = Registries(sample_works(), 1)

    assert registries.respond("brave", "res/v1/web/search", {}) == (
        503,
        "The demo has no stand-in for brave.",
    )


async def test_sites_are_told_apart_by_the_name_of_the_host(port: int) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        page = await client.get("/", headers={"Host": f"owlhaus.localhost:{port}"})
        moved = await client.get("/start", headers={"Host": f"nestlog.localhost:{port}"})
        healthy, nothing = await client.get("/searxng/healthz"), await client.get("/searxng/x")
        posted = await client.post("/doi/x")
        found = await client.get("/searxng/search", params={"q": "pellets", "format": "json"})

    assert "Owlhaus: premium living for owls" in page.text
    assert (moved.status_code, moved.headers["location"]) == (
        301,
        page_url("nestlog", "/install", port),
    )
    assert (healthy.text, nothing.status_code, posted.status_code) == ("OK", 404, 405)
    assert json.loads(found.text)["results"]
