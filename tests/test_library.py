"""The tools as a Python program uses them."""

from pathlib import Path

import pytest

import webquarry
from webquarry.errors import NotFoundError, SettingsError
from webquarry.library import ToolError

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBQUARRY_DATA_DIR", str(tmp_path / "data"))


async def test_a_tool_is_called_by_name() -> None:
    async with webquarry.connect() as quarry:
        assert "echo" in quarry.tools()
        assert await quarry.call("echo", message="hi") == {"echoed": "hi"}


async def test_a_failure_is_an_exception_with_advice() -> None:
    async with webquarry.connect() as quarry:
        with pytest.raises(ToolError) as caught:
            await quarry.call("echo", mesage="hi")

    assert str(caught.value) == (
        "echo: message: is required; mesage: no such argument, did you mean message?"
    )
    assert caught.value.details["kind"] == "validation"


async def test_an_unknown_tool_is_not_found() -> None:
    async with webquarry.connect() as quarry:
        with pytest.raises(NotFoundError):
            await quarry.call("nope")


async def test_a_wrong_setting_is_refused() -> None:
    with pytest.raises(SettingsError, match="TOOL_TIMEOUT"):
        async with webquarry.connect(TOOL_TIMEOUT="soon"):
            pass


async def test_the_package_has_only_what_it_says() -> None:
    name = "nonsense"
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(webquarry, name)
