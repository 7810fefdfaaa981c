"""The Python library: tools as methods of `Webquarry` and `WebquarrySync`."""

import inspect
import subprocess
import sys
from collections.abc import Generator
from contextlib import aclosing
from pathlib import Path

import pytest

import webquarry
from tests.cli.stub import Stub, stub_web
from webquarry import ToolError, Webquarry, WebquarrySync
from webquarry.crawl.store.listings import JobFilter
from webquarry.errors import BadInputError, NotFoundError, SettingsError
from webquarry.tools import load_tools
from webquarry.tools.echo import EchoOut
from webquarry.tools.scrape_page import ScrapePageOut
from webquarry.tools.web_search import WebSearchOut
from webquarry_build.library_stub import PATH, methods_stub

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def web() -> Generator[Stub]:
    with stub_web() as stub:
        yield stub


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, web: Stub) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBQUARRY_DATA_DIR", str(tmp_path / "data"))
    for name, value in web.settings("brave", "crossref").items():
        monkeypatch.setenv(name, value)


async def test_a_tool_is_a_method_that_returns_its_model(web: Stub) -> None:
    async with Webquarry() as wq:
        result = await wq.web_search("heat pumps", num_results=1)

    assert isinstance(result, WebSearchOut)
    assert (result.query, result.urls) == ("heat pumps", [f"{web.home}/a"])


def test_the_synchronous_client_works_without_an_event_loop(web: Stub) -> None:
    with WebquarrySync() as wq:
        page = wq.scrape_page(f"{web.home}/a")
        assert wq.call("echo", message="hi") == {"echoed": "hi"}
        assert wq.result("echo", {"message": "hi"}).structured == {"echoed": "hi"}

    assert isinstance(page, ScrapePageOut)
    assert page.citation.metadata.author == "Ada Lovelace"


async def test_a_typed_method_returns_a_long_result_complete(web: Stub) -> None:
    async with Webquarry() as wq:
        linked = await wq.result("scrape_page", {"url": f"{web.home}/long", "mode": "raw"})
        page = await wq.scrape_page(f"{web.home}/long", mode="raw")

    assert linked.structured
    assert linked.structured["linked"] is True
    assert len(page.content) > 40_000


async def test_a_tool_is_called_by_name() -> None:
    async with Webquarry(TOOLSETS="starter") as wq:
        assert wq.tools() == ["echo"]
        assert await wq.call("echo", message="hi") == {"echoed": "hi"}
        assert await wq.echo("hi") == EchoOut(echoed="hi")


async def test_a_failed_call_raises_an_exception_that_says_what_is_wrong() -> None:
    async with Webquarry() as wq:
        with pytest.raises(ToolError) as caught:
            await wq.call("echo", mesage="hi")

    assert str(caught.value) == (
        "echo: message: is required; mesage: no such argument, did you mean message?"
    )
    assert caught.value.details["kind"] == "validation"


async def test_only_the_first_argument_may_be_positional() -> None:
    async with Webquarry() as wq:
        with pytest.raises(BadInputError, match="only the first argument"):
            await wq.typed("echo", "a", "b")


async def test_an_unknown_tool_is_not_found() -> None:
    async with Webquarry() as wq:
        with pytest.raises(NotFoundError):
            await wq.call("nope")
        with pytest.raises(AttributeError, match="Webquarry has no attribute or tool 'nope'"):
            _ = getattr(wq, "nope")  # noqa: B009


def test_using_an_unopened_client_says_how_to_open_it() -> None:
    with pytest.raises(RuntimeError, match="use `with WebquarrySync"):
        WebquarrySync().echo("x")
    with pytest.raises(RuntimeError, match="use `async with Webquarry"):
        Webquarry().tools()


async def test_the_wrong_kind_of_with_names_the_right_one() -> None:
    with pytest.raises(TypeError, match="or `with WebquarrySync"), Webquarry():
        raise AssertionError

    with pytest.raises(TypeError, match="or `async with Webquarry"):
        async with WebquarrySync():
            raise AssertionError


async def test_an_invalid_setting_is_rejected() -> None:
    with pytest.raises(SettingsError, match="TOOL_TIMEOUT"):
        async with Webquarry(TOOL_TIMEOUT="soon"):
            pass
    with pytest.raises(SettingsError, match="TOOL_TIMEOUT"), WebquarrySync(TOOL_TIMEOUT="soon"):
        pass


def test_help_shows_the_signature_and_what_each_argument_means() -> None:
    for client in (Webquarry, WebquarrySync):
        shown = str(inspect.signature(client.cinder_crawl))

        assert shown.startswith("(self, url, *, ")
        assert "render=False, max_depth=2, max_pages=100," in shown
        assert "max_pages: Stop after this many pages." in (client.cinder_crawl.__doc__ or "")
        assert "cinder_crawl" in dir(client)


def test_a_program_reads_searches_crawls_maps_and_extracts(web: Stub) -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}}
    with WebquarrySync() as wq:
        page = wq.read(f"{web.home}/long")
        found = wq.search("heat pumps", num_results=2)
        crawled = {page.url: page.markdown for page in wq.crawl(web.home, max_pages=3)}
        urls = [row.url for row in wq.map(web.home).urls]
        extracted = wq.extract(f"{web.home}/a", schema)

    assert len(page.content) > 50_000
    assert found.urls == [f"{web.home}/a", f"{web.home}/b"]
    assert crawled.keys() == {f"{web.home}/", f"{web.home}/a", f"{web.home}/b"}
    assert crawled[f"{web.home}/a"].startswith("# How heat pumps work")
    assert urls[:2] == [f"{web.home}/", f"{web.home}/a"]
    assert extracted.results[0].data == {"title": "How heat pumps work"}


async def test_pages_of_a_crawl_are_iterated_and_an_early_end_cancels_it(web: Stub) -> None:
    async with Webquarry() as wq:
        async with aclosing(wq.crawl(web.home)) as pages:
            async for page in pages:
                assert page.title == "Heat pumps"
                break
        [crawl] = await wq.app.services.crawling.jobs(
            wq.app.owner, selected=JobFilter(), offset=0, limit=2
        )

    assert crawl.ended


async def test_a_crawl_without_a_page_raises() -> None:
    async with Webquarry(ALLOW_PRIVATE_IPS="false") as wq:
        with pytest.raises(webquarry.PageError, match="ALLOW_PRIVATE_IPS"):
            _ = [page async for page in wq.crawl("http://127.0.0.1/")]


def test_a_callback_may_be_a_plain_function(web: Stub) -> None:
    told: list[str | None] = []

    def tell(done: float, total: float | None, message: str | None) -> None:
        told.append(message)

    with WebquarrySync() as wq:
        wq.read(f"{web.home}/a", report=tell)

    assert told == ["reading by stealth"]


def test_a_failure_is_a_tool_error_and_an_error_of_its_kind(web: Stub) -> None:
    with WebquarrySync() as wq:
        with pytest.raises(webquarry.NotFoundError) as missing:
            wq.read(f"{web.home}/nowhere")
        with pytest.raises(webquarry.BadInputError, match="give prompt, schema or both"):
            wq.extract(f"{web.home}/a")

    assert isinstance(missing.value, ToolError)
    assert {getattr(webquarry, name) for name in webquarry.__all__}


def test_rows_become_a_data_frame(web: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    with WebquarrySync() as wq:
        # without a scheme, as people type URLs
        listed, page = wq.map(web.home.removeprefix("http://")), wq.read(f"{web.home}/a")

    assert list(listed.to_dataframe()["url"]) == [row.url for row in listed.urls]
    with pytest.raises(TypeError, match="ScrapePageOut has no list of rows"):
        page.to_dataframe()
    monkeypatch.setattr("webquarry.models.data_frames.find_spec", _no_module)
    with pytest.raises(ImportError, match="pip install pandas"):
        listed.to_dataframe()


def _no_module(_: str) -> None:
    return None


def test_the_stub_file_matches_the_tools() -> None:
    assert PATH.read_text(encoding="utf-8") == methods_stub()


def test_every_tool_has_a_typed_sync_and_async_method() -> None:
    text = PATH.read_text(encoding="utf-8")

    for tool in load_tools():
        returned = tool.output_model.__name__ if tool.output_model else "dict[str, Any]"
        for start in (f"    async def {tool.name}(", f"    def {tool.name}("):
            assert text.count(f"{start}\n") == 1
        assert text.count(f") -> {returned}:\n") >= 2
        assert tool.name in dir(Webquarry())


async def test_an_unknown_attribute_of_the_package_is_an_error() -> None:
    name = "nonsense"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(webquarry, name)


def test_a_program_that_configures_no_logging_sees_no_warnings_of_the_library() -> None:
    program = (
        "import logging; from webquarry import Webquarry; "
        "logging.getLogger('webquarry.net').warning('a host is slow')"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout + run.stderr == ""
