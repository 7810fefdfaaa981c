"""`webquarry bundle open`: captured pages in a browser, and nothing else."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx2
import pytest

from tests.server.processes import environment
from tests.services.bundles.conftest import CapturedDemo, play

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> CapturedDemo:
    return asyncio.run(play(tmp_path_factory.mktemp("replay")))


@pytest.fixture(scope="module")
def base(demo: CapturedDemo, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The address of an open bundle."""
    home = tmp_path_factory.mktemp("home")
    command = [
        sys.executable,
        "-m",
        "webquarry",
        "bundle",
        "open",
        str(demo.bundle),
        "--no-browser",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(home), cwd=home)
    try:
        assert process.stdout
        line = process.stdout.readline().decode()
        assert line.startswith("intact: demo.wacz is open at http://127.0.0.1:"), line
        yield line.split()[5].rstrip("/")
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        finally:
            process.kill()
            assert process.stdout
            process.stdout.close()


@pytest.fixture
def client(base: str) -> Generator[httpx2.Client]:
    with httpx2.Client(base_url=base, timeout=30) as client:
        yield client


def policy(response: httpx2.Response) -> dict[str, str]:
    """Return the directives of the content security policy."""
    parts = (part.strip().partition(" ") for part in response.headers[CSP].split(";"))
    return {name: value for name, _, value in parts}


CSP = "content-security-policy"


def test_the_list_has_the_pages_and_quotations(client: httpx2.Client, demo: CapturedDemo) -> None:
    response = client.get("/")

    assert response.status_code == 200
    assert all(check.url in response.text for check in demo.check.quotes)
    assert "<a href=/report>" in response.text
    assert policy(response)["default-src"] == "'none'"
    assert "script-src" not in policy(response)


def test_a_page_is_sandboxed_and_may_load_only_from_here(
    client: httpx2.Client, demo: CapturedDemo
) -> None:
    url = urlsplit(demo.check.quotes[0].url)._replace(fragment="").geturl()

    response = client.get(f"/replay/0/{quote(url, safe='')}")

    assert response.status_code == 200
    rules = policy(response)
    assert (rules["default-src"], rules["sandbox"]) == ("'none'", "")
    assert "<script" not in response.text
    assert "<mark class=webquarry-quote" in response.text.replace('"', "")
    sources = " ".join(value for value in rules.values())
    assert "http" not in sources
    assert response.headers["x-content-type-options"] == "nosniff"


def test_what_is_not_captured_is_not_found(client: httpx2.Client) -> None:
    missing = quote("https://example.com/elsewhere", safe="")

    responses = [client.get(path) for path in (f"/replay/0/{missing}", f"/view/0/{missing}", "/no")]

    assert [response.status_code for response in responses] == [404, 404, 404]
    assert "Nothing is loaded from the network." in responses[0].text


@pytest.mark.parametrize("host", ["example.com", "example.com:80", "", "127.0.0.1.example.com:1"])
def test_other_names_of_this_host_are_refused(client: httpx2.Client, host: str) -> None:
    response = client.get("/", headers={"host": host})

    assert response.status_code == 400
    assert "demo" not in response.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_reading_is_possible(client: httpx2.Client, method: str) -> None:
    assert client.request(method, "/").status_code == 400


def test_a_head_request_has_no_body(client: httpx2.Client) -> None:
    response = client.head("/")

    assert (response.status_code, response.content) == (200, b"")


def test_a_port_in_use_is_named(base: str, demo: CapturedDemo, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "webquarry", "bundle", "open", str(demo.bundle),
               "--no-browser", "--port", str(urlsplit(base).port)]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, env=environment(tmp_path), cwd=tmp_path, check=False
    )

    assert done.returncode == 2
    assert b"--port: " in done.stderr
    assert b"cannot be used: Address already in use" in done.stderr


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_chromium_shows_the_quoted_passage_marked(base: str, demo: CapturedDemo) -> None:
    from playwright.sync_api import sync_playwright

    wanted = demo.check.quotes[0]
    requested: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: requested.append(request.url))
        page.goto(f"{base}/")
        item = page.locator("li", has_text=wanted.quote[:60]).first
        item.locator("a").first.click()
        frame = page.frame_locator("iframe").first
        mark = frame.locator("mark.webquarry-quote").first
        mark.wait_for(state="visible")
        shown = "".join(frame.locator("mark.webquarry-quote").all_inner_texts())
        colour = mark.evaluate("each => getComputedStyle(each).backgroundColor")
        if picture := os.environ.get("REPLAY_SCREENSHOT"):
            page.screenshot(path=picture)
        browser.close()

    assert "".join(wanted.quote.split()) in "".join(shown.split())
    assert colour == "rgb(255, 224, 102)"
    assert [url for url in requested if not url.startswith((f"{base}/", "data:"))] == []
