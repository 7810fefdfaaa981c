"""Jina Reader's API, with the complete server and its headers as Jina documents them."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from tests.server.compat.sample_web import PAGES, sample_web, urls_of
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

JSON = {"accept": "application/json"}


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with sample_web() as address:
        yield address


@pytest.fixture(scope="module")
def client(web: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    home = tmp_path_factory.mktemp("jina")
    settings = settings_for(web) | {"COMPAT_ROOT": "jina"}
    with http_server(home, settings=settings) as client:
        yield client


def read(client: httpx2.Client, url: str, **headers: str) -> dict[str, Any]:
    """Read a page; return the data of the response."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.get(f"/compat/jina/r/{url}", headers=JSON | named)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["code"], answer.json()["status"]) == (200, 20000)
    return dict(answer.json()["data"])


def test_a_page_is_a_text_with_its_title_and_source(client: httpx2.Client, web: str) -> None:
    answer = client.get(f"/r/{web}/barn")

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith(
        f"Title: {PAGES['/barn'].title}\n\nURL Source: {web}/barn\n\n"
        f"Published Time: 2026-03-01\n\nMarkdown Content:\n# {PAGES['/barn'].title}\n\nBarn owls"
    )


def test_a_page_is_json_if_the_client_accepts_that(client: httpx2.Client, web: str) -> None:
    data = read(client, f"{web}/barn")

    assert data.pop("content").startswith(f"# {PAGES['/barn'].title}")
    assert data.pop("usage")["tokens"] > 40
    assert data == {
        "title": PAGES["/barn"].title,
        "description": "Barn owls hunt voles in rough grassland at night",
        "url": f"{web}/barn",
        "publishedTime": "2026-03-01",
    }


def test_a_page_is_an_event_if_the_client_accepts_that(client: httpx2.Client, web: str) -> None:
    answer = client.get(f"/r/{web}/barn", headers={"accept": "text/event-stream"})

    event, data = answer.text.strip().split("\n")
    assert event == "event: data"
    assert json.loads(data.removeprefix("data: "))["title"] == PAGES["/barn"].title


@pytest.mark.parametrize("form", ["encoded", "one slash", "posted", "posted as a form"])
def test_a_url_is_found_wherever_clients_put_it(client: httpx2.Client, web: str, form: str) -> None:
    url = f"{web}/barn"
    requests = {
        "encoded": lambda: client.get(f"/r/{quote(url, safe='')}"),
        "one slash": lambda: client.get(f"/r/{url.replace('//', '/')}"),
        "posted": lambda: client.post("/r/", json={"url": url}),
        "posted as a form": lambda: client.post("/compat/jina/r", data={"url": url}),
    }

    assert f"URL Source: {url}\n" in requests[form]().text


def test_the_query_of_a_page_belongs_to_the_page(client: httpx2.Client, web: str) -> None:
    data = read(client, f"{web}/barn?page=2&count=3")

    assert data["url"] == f"{web}/barn?page=2&count=3"


def test_selectors_choose_and_remove_elements(client: httpx2.Client, web: str) -> None:
    chosen = read(client, f"{web}/barn", x_target_selector="h1, ul.more")
    without = read(client, f"{web}/barn", x_remove_selector="h1,img,nav,.more")

    assert chosen["content"].startswith(f"# {PAGES['/barn'].title}\n\n- [")
    assert "Barn owls hunt" not in chosen["content"]
    assert without["content"] == PAGES["/barn"].text


def test_html_and_text_are_returned_instead(client: httpx2.Client, web: str) -> None:
    both = read(client, f"{web}/barn", x_respond_with="html,text")
    shown = client.get(f"/r/{web}/barn", headers={"x-respond-with": "html"})

    assert both["html"].startswith("<html><head><title>Barn owls")
    assert "Barn owls hunt voles" in both["text"]
    assert "content" not in both
    assert shown.headers["content-type"].startswith("text/plain")


def test_links_and_images_are_listed_at_the_end(client: httpx2.Client, web: str) -> None:
    headers = {"x-with-links-summary": "true", "x-with-images-summary": "true"}
    text = client.get(f"/r/{web}/barn", headers=headers).text
    pairs = read(client, f"{web}/barn", x_with_links_summary="all")["links"]

    assert f"\nImages:\n- ![Image 1]({web}/owl.png)\n" in text
    assert "\nLinks/Buttons:\n- [" in text
    assert {url for _, url in pairs} == set(urls_of(web))


def test_a_long_page_is_cut_or_refused_as_the_client_wants(client: httpx2.Client, web: str) -> None:
    cut = read(client, f"{web}/barn", x_max_tokens="20")
    refused = client.get(f"/r/{web}/barn", headers={"x-token-budget": "20"})

    assert len(cut["content"]) <= 80
    assert cut["warning"] == "The content was cut to 20 tokens."
    assert (refused.status_code, refused.json()["name"]) == (409, "BudgetExceededError")


def test_images_can_be_left_out(client: httpx2.Client, web: str) -> None:
    url = f"{web}/barn"

    assert "![An owl]" in read(client, url, x_respond_with="markdown")["content"]
    without = read(client, url, x_respond_with="markdown", x_retain_images="none")
    assert "owl.png" not in without["content"]


def test_what_has_no_effect_is_a_warning(client: httpx2.Client, web: str) -> None:
    data = read(client, f"{web}/barn", x_locale="de-DE", x_no_cache="true", x_timeout="20")

    assert data["warning"] == "locale has no effect on this server."


@pytest.mark.parametrize(
    ("headers", "status", "name", "message"),
    [
        ({"x-respond-with": "vlm"}, 400, "ParamValidationError", "respondWith: vlm is not"),
        ({"x-set-cookie": "a=b"}, 400, "ParamValidationError", "setCookies: cookies are not"),
        ({"x-timeout": "soon"}, 400, "ParamValidationError", "timeout: Input should be"),
        ({"x-target-selector": ".none"}, 422, "AssertionFailureError", "x-target-selector: no"),
        ({"x-target-selector": "[["}, 400, "ParamValidationError", "selector: '[['"),
        ({"x-wait-for-selector": "h1"}, 424, "DownstreamServiceFailureError", "Scrape failed"),
    ],
)
def test_what_is_impossible_is_refused_in_jinas_form(
    client: httpx2.Client, web: str, headers: dict[str, str], status: int, name: str, message: str
) -> None:
    answer = client.get(f"/r/{web}/barn", headers=headers)

    body = answer.json()
    assert (answer.status_code, body["code"], body["name"]) == (status, status, name)
    assert body["data"] is None
    assert body["message"].startswith(message)
    assert body["readableMessage"] == f"{name}: {body['message']}"


def test_a_missing_page_is_not_found(client: httpx2.Client, web: str) -> None:
    answer = client.get(f"/r/{web}/nothing")

    assert (answer.status_code, answer.json()["status"]) == (404, 40402)


def test_a_search_returns_pages_as_text_or_json(client: httpx2.Client, web: str) -> None:
    text = client.get("/s/barn%20owls", params={"num": 2}).text
    rows = client.get("/compat/jina/s", params={"q": "owls", "num": 1}, headers=JSON).json()["data"]
    bare = client.get("/s/owls", headers=JSON | {"x-respond-with": "no-content"}).json()["data"]

    assert text.startswith(f"[1] Title: {PAGES['/barn'].title}\n[1] URL Source: {web}/barn\n")
    assert f"\n[2] URL Source: {web}/eagle\n" in text
    assert rows[0]["content"].startswith("# Barn owls")
    assert [(row["url"], row["content"]) for row in bare] == [(url, "") for url in urls_of(web)]


@pytest.mark.parametrize(
    ("path", "status"), [("/s/", 400), ("/r/", 400), ("/compat/jina/other", 404)]
)
def test_a_request_without_a_page_or_query_says_so(
    client: httpx2.Client, path: str, status: int
) -> None:
    answer = client.get(path)

    assert (answer.status_code, answer.json()["code"]) == (status, status)
