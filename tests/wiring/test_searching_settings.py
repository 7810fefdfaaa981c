"""Searching as the settings want it."""

from pathlib import Path

import pytest

from webquarry.app import open_app
from webquarry.errors import SettingsError
from webquarry.settings.load import Settings, load
from webquarry.wiring.declared_settings import declared_variables

pytestmark = pytest.mark.anyio


def settings(tmp_path: Path, **environ: str) -> Settings:
    flags = {"WEBQUARRY_DATA_DIR": str(tmp_path / "data"), "TOOLSETS": "web"}
    declared = declared_variables()
    return load(environ=environ, directory=tmp_path, flags=flags, declared=declared)


async def test_without_a_key_duckduckgo_searches_and_places_are_not_offered(
    tmp_path: Path,
) -> None:
    async with open_app(settings(tmp_path), "library") as app:
        searching = app.services.searching
        tools = {tool.name for tool in app.path.registry.tools()}

        assert [source.name for source in searching.web.candidates()] == ["duckduckgo"]
        assert {"web_search", "news_search", "image_search"} <= tools
        assert "local_search" not in tools


async def test_a_key_brings_its_provider_and_places(tmp_path: Path) -> None:
    async with open_app(settings(tmp_path, BRAVE_API_KEY="k"), "library") as app:
        searching = app.services.searching

        assert [source.name for source in searching.web.candidates()] == ["brave"]
        assert "local_search" in {tool.name for tool in app.path.registry.tools()}


async def test_clients_are_offered_lenses_and_providers_to_complete(tmp_path: Path) -> None:
    async with open_app(settings(tmp_path), "library") as app:
        complete = app.offer.completers

        assert "academic" in await complete["lens"](app.owner, "ac")
        assert await complete["provider"](app.owner, "") == [
            "bluesky", "duckduckgo", "github", "hackernews", "local", "reddit"
        ]  # fmt: skip


async def test_the_local_index_can_be_turned_off(tmp_path: Path) -> None:
    async with open_app(settings(tmp_path, LOCAL_INDEX="off"), "library") as app:
        assert app.services.searching.index is None
        assert "local" not in app.services.searching.provider_names()


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"SEARCH_PROVIDER": "brave"}, "SEARCH_PROVIDER names 'brave', which needs BRAVE_API_KEY"),
        (
            {"SEARCH_PROVIDER": "google", "GOOGLE_CUSTOM_SEARCH_API_KEY": "k"},
            "needs GOOGLE_CUSTOM_SEARCH_API_KEY and GOOGLE_CUSTOM_SEARCH_ID",
        ),
        ({"SEARCH_ROUTING": "duckduckgo,bing"}, "SEARCH_ROUTING names 'bing'"),
        ({"CUSTOM_LENSES_PATH": "nowhere"}, "CUSTOM_LENSES_PATH is 'nowhere'"),
        ({"SEARCH_PROVIDER": "local", "LOCAL_INDEX": "off"}, "needs LOCAL_INDEX"),
    ],
)
async def test_a_wrong_setting_stops_the_start(
    tmp_path: Path, environ: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        async with open_app(settings(tmp_path, **environ), "library"):
            pass
