"""firecrawl-py, unmodified, against the complete server."""

import json
import shutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

pytest.importorskip("firecrawl", reason="needs firecrawl-py")

from firecrawl import AsyncFirecrawl, Firecrawl, V1FirecrawlApp
from firecrawl.v2.types import PaginationConfig
from firecrawl.v2.utils.error_handler import (
    BadRequestError,
    FirecrawlError,
    RequestTimeoutError,
)

from tests.server.compat.firecrawl_methods import (
    ASYNC_DEFECTS,
    CALLS,
    SCHEMA,
    public_methods,
)
from tests.server.compat.firecrawl_table import (
    BROWSER,
    Outcomes,
    both_outcomes,
    compat_server,
    documented_table,
    table,
)


@dataclass(frozen=True)
class Running:
    """A server and a site."""

    base: str
    site: str
    http: httpx2.Client

    @property
    def firecrawl(self) -> Any:  # its methods have results of several types
        """A client of the server."""
        return Firecrawl(api_key="fc-any", api_url=self.base)

    def page(self, number: int = 1) -> str:
        """Return the URL of a page."""
        return f"{self.site}/p/{number}"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with compat_server(tmp_path_factory.mktemp("firecrawl")) as (client, site):
        yield Running(str(client.base_url).rstrip("/"), site, client)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcomes, Outcomes]:
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed (apt install chromium)")
    home = tmp_path_factory.mktemp("firecrawl-browser")
    with compat_server(home, **BROWSER) as (client, site):
        return both_outcomes(str(client.base_url).rstrip("/"), site)


def test_every_public_method_of_the_clients_is_called() -> None:
    assert CALLS.keys() == public_methods(Firecrawl)
    assert public_methods(AsyncFirecrawl) <= CALLS.keys()


def test_the_documentation_says_what_became_of_every_method(
    outcomes: tuple[Outcomes, Outcomes],
) -> None:
    assert table(outcomes[0]) == documented_table()


def test_the_asynchronous_client_gets_the_same(outcomes: tuple[Outcomes, Outcomes]) -> None:
    sync, other = outcomes
    assert {name: each.works for name, each in other.items()} == {
        name: sync[name].works and name not in ASYNC_DEFECTS for name in other
    }


def test_a_page_has_the_chosen_formats_and_metadata(running: Running) -> None:
    formats: list[Any] = ["markdown", "rawHtml", "links", {"type": "json", "schema": SCHEMA}]

    page = running.firecrawl.scrape(running.page(), formats=formats)

    assert page.markdown
    assert page.markdown.startswith("# Owl /p/1\n\nOwls are birds")
    assert page.raw_html
    assert page.raw_html.startswith("<html>")
    assert page.links
    assert page.links[0] == running.page(0)
    assert page.json == {"title": "Owl /p/1"}
    assert page.metadata_typed.source_url == running.page()
    assert (page.metadata_typed.status_code, page.metadata_typed.title) == (200, "Owl /p/1")
    assert page.warning is None


def test_elements_are_chosen_by_selectors(running: Running) -> None:
    chosen = running.firecrawl.scrape(running.page(), include_tags=["h1"])
    others = running.firecrawl.scrape(
        running.page(), exclude_tags=["ul", "p"], only_main_content=False
    )

    assert (chosen.markdown, others.markdown) == ("# Owl /p/1", "# Owl /p/1")


def test_values_of_attributes_are_returned(running: Running) -> None:
    selectors = [{"selector": "a", "attribute": "href"}]
    body = {"url": running.page(), "formats": [{"type": "attributes", "selectors": selectors}]}

    data = running.http.post("/v2/scrape", json=body).json()["data"]

    assert data["attributes"][0]["values"][:2] == ["/p/0", "/p/1"]


def test_headers_and_device_are_honoured(running: Running) -> None:
    page = running.firecrawl.scrape(running.page(2), headers={"X-Owl": "1"}, mobile=True)

    assert page.markdown
    assert page.markdown.startswith("# Owl /p/2")


def test_a_missing_page_is_a_result_with_its_status(running: Running) -> None:
    page = running.firecrawl.scrape(f"{running.site}/nothing")

    assert (page.markdown, page.metadata_typed.status_code) == ("", 404)
    assert page.metadata_typed.error


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"actions": [{"type": "executeJavascript", "script": "1"}]},
            "javascript is not allowed on this server",
        ),
        ({"formats": ["audio"]}, "formats: 'audio' is not available here"),
        ({"lockdown": True}, "lockdown: this server cannot promise"),
        ({"formats": ["summary"]}, "summary needs a language model"),
        ({"include_tags": ["["]}, "includeTags: '[' is not CSS"),
    ],
)
def test_what_is_not_possible_is_refused_with_a_sentence(
    running: Running, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadRequestError, match="Bad Request") as raised:
        running.firecrawl.scrape(running.page(), **options)

    assert sentence in str(raised.value)


def test_an_action_on_several_elements_is_refused(running: Running) -> None:
    body = {"url": running.page(), "actions": [{"type": "click", "selector": "a", "all": True}]}

    response = running.http.post("/v2/scrape", json=body)

    assert response.status_code == 400
    assert "actions[0].all: an action is done on one element" in response.json()["error"]


def test_actions_are_done_before_the_page_is_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed (apt install chromium)")
    home = tmp_path_factory.mktemp("firecrawl-actions")
    with compat_server(home, ALLOW_PAGE_SCRIPTS="on", **BROWSER) as (client, site):
        firecrawl: Any = Firecrawl(api_key="fc-any", api_url=str(client.base_url).rstrip("/"))
        page = firecrawl.scrape(
            f"{site}/p/1",
            actions=[
                {"type": "wait", "selector": "h1"},
                {"type": "screenshot"},
                {"type": "scrape"},
                {"type": "executeJavascript", "script": "1 + 1"},
                {"type": "pdf"},
                {"type": "scroll", "direction": "down"},
                {"type": "click", "selector": "a[href$='/p/2']"},
                {"type": "wait", "milliseconds": 10},
            ],
        )
        failed = firecrawl.scrape(f"{site}/p/1", actions=[{"type": "click", "selector": "#none"}])

    made = page.actions
    assert made["screenshots"][0].startswith("data:image/png;base64,")
    assert "<h1>Owl /p/1</h1>" in made["scrapes"][0]["html"]
    assert made["javascriptReturns"] == [{"type": "number", "value": 2}]
    assert made["pdfs"][0].startswith("data:application/pdf;base64,")
    assert page.markdown.startswith("# Owl /p/2")
    assert failed.markdown.startswith("# Owl /p/1")
    assert "Step 1 of 1 (click selector '#none') failed" in failed.warning


@pytest.mark.parametrize(
    ("method", "options", "sentence"),
    [
        ("browser", {"profile": {"name": "owls"}}, "profile: browser sessions here keep"),
        ("browser", {"location": {"country": "GB"}}, "location: this server has no proxies"),
        ("browser_execute", {"session_id": "b1", "code": "1"}, "BROWSE_SCRIPTS=on"),
        ("interact", {"job_id": "s1", "code": "1"}, "BROWSE_SCRIPTS=on"),
        ("interact", {"job_id": "s1", "prompt": "click"}, "prompt: no model operates the browser"),
    ],
)
def test_what_a_browser_session_cannot_do_is_refused(
    running: Running, method: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadRequestError) as raised:
        getattr(running.firecrawl, method)(**options)

    assert sentence in str(raised.value)


def test_a_foreign_scrape_and_session_are_not_found(running: Running) -> None:
    stopped = running.http.delete("/v2/scrape/s1/interact")
    deleted = running.http.delete("/v2/browser/b1")

    assert (stopped.status_code, deleted.status_code) == (404, 404)


def test_an_unknown_option_is_refused(running: Running) -> None:
    answer = running.http.post("/v2/scrape", json={"url": running.page(), "owl": 1})

    assert answer.json() == {
        "success": False,
        "code": "BAD_REQUEST",
        "error": "owl: this server has no such option",
        "details": [
            {
                "kind": "validation",
                "retryable": False,
                "suggestedAction": "fix_arguments",
                "fields": ["owl"],
            }
        ],
    }


def test_what_has_no_effect_is_named_in_a_warning(running: Running) -> None:
    page = running.firecrawl.scrape(running.page(), proxy="stealth", location={"country": "DE"})

    assert page.warning == (
        "location.country: pages are requested from where this server is. "
        "proxy: pages are requested as the administrator of this server chose."
    )


def test_a_page_that_takes_too_long_is_a_timeout(running: Running) -> None:
    with pytest.raises(RequestTimeoutError):
        running.firecrawl.scrape(f"{running.site}/slow", timeout=200)


def test_a_crawl_is_paged_to_the_last_page(running: Running) -> None:
    started = running.firecrawl.start_crawl(running.site, limit=12)
    whole = running.firecrawl.wait_crawl(started.id, poll_interval=1, timeout=60)
    first = running.http.get(f"/v2/crawl/{started.id}?skip=0&limit=5").json()
    seen = list(first["data"])
    following = first.get("next")
    while following:
        part = running.firecrawl.get_crawl_status_page(following)
        seen += part.data
        following = part.next

    assert (whole.status, whole.total, whole.completed, len(whole.data)) == ("completed",) + (
        12,
    ) * 3
    assert len(first["data"]) == 5
    assert len(seen) == 12


def test_paths_of_a_crawl_are_chosen_by_patterns(running: Running) -> None:
    job = running.firecrawl.crawl(
        url=running.site, include_paths=["^/p/1"], limit=20, poll_interval=1, timeout=60
    )

    found = {page.metadata_typed.source_url for page in job.data}
    assert found - {f"{running.site}/"} == {running.page(n) for n in (1, 10, 11)}


def test_errors_of_a_batch_are_listed(running: Running) -> None:
    body = {
        "urls": [running.page(), f"{running.site}/nothing", "no url"],
        "ignoreInvalidURLs": True,
    }
    started = running.http.post("/v2/batch/scrape", json=body).json()
    done = running.firecrawl.get_batch_scrape_status(started["id"])
    while done.status == "scraping":
        done = running.firecrawl.get_batch_scrape_status(started["id"])
    errors = running.firecrawl.get_batch_scrape_errors(started["id"]).errors

    assert started["invalidURLs"] == ["no url"]
    assert [page.metadata_typed.source_url for page in done.data] == [running.page()]
    assert [error.url for error in errors if error.code == "HTTP_404"] == [
        f"{running.site}/nothing"
    ]


def test_news_and_images_are_found(running: Running) -> None:
    found = running.firecrawl.search("owls", sources=["news", "images"], limit=3)

    assert found.news
    assert found.images
    assert getattr(found.news[0], "title", "") == "Owls in town"
    assert getattr(found.images[0], "image_width", 0) == 30


def test_results_of_a_search_are_read(running: Running) -> None:
    found = running.firecrawl.search("owls", limit=2, scrape_options={"formats": ["markdown"]})

    assert found.web
    assert [getattr(page, "markdown", "")[:10] for page in found.web] == [
        "# Owl /p/0",
        "# Owl /p/1",
    ]


def test_data_of_several_pages_is_one_object_with_sources(running: Running) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        made = running.firecrawl.extract([f"{running.site}/p/*"], schema=SCHEMA, poll_interval=1)

    assert (made.status, made.data) == ("completed", {"title": "Owl /p/0"})
    assert made.sources
    assert running.page(0) in made.sources["title"]


def test_a_run_of_an_agent_is_listed_with_its_steps_and_data(running: Running) -> None:
    client = running.firecrawl
    done = client.agent(None, prompt="title of owls", schema=SCHEMA, poll_interval=1)
    newest = client.list_agents().agents[0]
    run = client.get_agent_thread(newest.id, include_data=True).thread.runs[0]
    trace = client.get_agent_trace(newest.id)
    snapshot = client.get_agent_snapshot(newest.id, "data").snapshot

    assert (newest.target_hint, newest.status) == ("title of owls", "completed")
    assert newest.options.prompt == run.prompt == "title of owls"
    assert json.loads(snapshot) == run.data == done.data == {"title": "Owl /p/0"}
    assert [event.type for event in trace.events] == [
        "run.started",
        "agent.started",
        "tool_call.started",
        "tool_call.finished",
        "tool_call.started",
        "tool_call.finished",
        "artifact.updated",
        "agent.finished",
        "run.finished",
    ]
    assert trace.events[3].result["urls"][0] == running.page(0)


def test_older_runs_are_on_the_next_page(running: Running) -> None:
    body = {"urls": [running.page()], "prompt": "title", "schema": SCHEMA}
    for _ in range(21):
        run = running.http.post("/v2/agent", json=body).json()
        while run["status"] == "processing":
            run = running.http.get(f"/v2/agent/{run['id']}").json()
    first = running.firecrawl.list_agents()
    second = running.firecrawl.list_agents(before=int(first.next.rpartition("=")[2]))

    ids = [run.id for run in first.agents]
    assert len(ids) == 20
    assert second.agents[0].id not in ids


def test_an_extraction_is_no_run_of_an_agent(running: Running) -> None:
    started = running.http.post("/v2/extract", json={"urls": [running.page()], "prompt": "title"})
    missing = running.http.get(f"/v2/agent/{started.json()['id']}/trace")
    wrong = running.http.get("/v2/agent?before=yesterday")

    assert missing.status_code == 404
    assert wrong.json()["error"] == "before: give a time in milliseconds since 1970"


def test_an_upload_is_parsed(running: Running) -> None:
    page = running.firecrawl.parse(b"name,age\nowl,3\n", filename="owls.csv")

    assert page.markdown == "| name | age |\n| --- | --- |\n| owl | 3 |"


# the client calls deprecated methods of pydantic
@pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecatedSince20")
def test_the_client_of_version_1_works_below_compat(running: Running) -> None:
    app: Any = V1FirecrawlApp(api_key="fc-any", api_url=f"{running.base}/compat/firecrawl")

    page = app.scrape_url(
        running.page(),
        formats=["markdown", "json"],
        json_options={"schema": SCHEMA},
    )
    crawl = app.crawl_url(running.site, limit=2, poll_interval=1)
    found = app.search("owls", limit=2)

    assert page.markdown
    assert page.json_field == {"title": "Owl /p/1"}
    assert (crawl.status, len(crawl.data)) == ("completed", 2)
    assert [row["title"] for row in found.data] == ["Owl 0", "Owl 1"]
    assert running.page(0) in app.map_url(running.site).links
    assert app.get_credit_usage().success


def test_a_foreign_job_id_is_not_found(running: Running) -> None:
    with pytest.raises(FirecrawlError, match="There is no crawl") as raised:
        running.firecrawl.get_crawl_status("nope", PaginationConfig(auto_paginate=False))

    assert raised.value.status_code == 404
