"""The tools as a Python program uses them."""

from collections.abc import Generator
from pathlib import Path

import pytest

import webquarry
from tests.cli.stub import Stub, stub_web
from webquarry import ToolError, Webquarry, WebquarrySync
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
        found = await wq.web_search("heat pumps", num_results=1)

    assert isinstance(found, WebSearchOut)
    assert (found.query, found.urls) == ("heat pumps", [f"{web.home}/a"])


def test_the_same_works_without_an_event_loop(web: Stub) -> None:
    with WebquarrySync() as wq:
        page = wq.scrape_page(f"{web.home}/a")
        assert wq.call("echo", message="hi") == {"echoed": "hi"}
        assert wq.result("echo", {"message": "hi"}).structured == {"echoed": "hi"}

    assert isinstance(page, ScrapePageOut)
    assert page.citation.metadata.author == "Ada Lovelace"


async def test_a_result_too_long_for_an_assistant_comes_whole(web: Stub) -> None:
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


async def test_a_failure_is_an_exception_with_advice() -> None:
    async with Webquarry() as wq:
        with pytest.raises(ToolError) as caught:
            await wq.call("echo", mesage="hi")

    assert str(caught.value) == (
        "echo: message: is required; mesage: no such argument, did you mean message?"
    )
    assert caught.value.details["kind"] == "validation"


async def test_only_the_first_argument_may_lack_its_name() -> None:
    async with Webquarry() as wq:
        with pytest.raises(BadInputError, match="only the first argument"):
            await wq.typed("echo", "a", "b")


async def test_an_unknown_tool_is_not_found() -> None:
    async with Webquarry() as wq:
        with pytest.raises(NotFoundError):
            await wq.call("nope")
        with pytest.raises(AttributeError, match="Webquarry has no attribute or tool 'nope'"):
            _ = getattr(wq, "nope")  # noqa: B009


def test_what_is_not_open_says_how_to_open_it() -> None:
    with pytest.raises(RuntimeError, match="use `with WebquarrySync"):
        WebquarrySync().echo("x")
    with pytest.raises(RuntimeError, match="use `async with Webquarry"):
        Webquarry().tools()


async def test_a_wrong_setting_is_refused() -> None:
    with pytest.raises(SettingsError, match="TOOL_TIMEOUT"):
        async with Webquarry(TOOL_TIMEOUT="soon"):
            pass
    with pytest.raises(SettingsError, match="TOOL_TIMEOUT"), WebquarrySync(TOOL_TIMEOUT="soon"):
        pass


def test_the_signatures_are_those_of_the_tools() -> None:
    assert PATH.read_text(encoding="utf-8") == methods_stub()


def test_every_tool_has_a_typed_method_in_both() -> None:
    text = PATH.read_text(encoding="utf-8")

    for tool in load_tools():
        returned = tool.returns.__name__ if tool.returns else "dict[str, Any]"
        for start in (f"    async def {tool.name}(", f"    def {tool.name}("):
            assert text.count(f"{start}\n") == 1
        assert text.count(f") -> {returned}: ...") >= 2
        assert tool.name in dir(Webquarry())


async def test_the_package_has_only_what_it_says() -> None:
    name = "nonsense"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(webquarry, name)
