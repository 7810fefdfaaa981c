"""The settings of searching."""

from pathlib import Path
from typing import Any

import pytest

from webquarry.errors import SettingsError
from webquarry.settings.groups.search import SearchSettings
from webquarry.settings.load import load


def read(tmp_path: Path, **environ: str) -> SearchSettings:
    return load(environ=environ, directory=tmp_path).search


def test_nothing_set_means_the_first_configured_provider_and_an_index(tmp_path: Path) -> None:
    assert read(tmp_path) == SearchSettings(
        provider="",
        routing={},
        thin_threshold=1,
        custom_lenses_path=None,
        local_index=True,
        local_index_pages=100_000,
    )


@pytest.mark.parametrize(
    ("text", "routing"),
    [
        ("brave, DuckDuckGo", {"default": ("brave", "duckduckgo")}),
        (
            '{"web": "brave,google", "news": "exa", "default": "duckduckgo"}',
            {"web": ("brave", "google"), "news": ("exa",), "default": ("duckduckgo",)},
        ),
        ('{"academic": "openalex"}', {"academic": ("openalex",)}),
    ],
)
def test_routing_is_a_list_or_lists_by_kind_in_their_order(
    tmp_path: Path, text: str, routing: Any
) -> None:
    assert read(tmp_path, SEARCH_ROUTING=text).routing == routing


@pytest.mark.parametrize(
    "text",
    [",", "brave,brave", "{", '{"webs": "brave"}', '{"web": ["brave"]}', '{"web": ""}', "{}x"],
)  # fmt: skip
def test_a_wrong_routing_is_named_with_what_is_accepted(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"SEARCH_ROUTING .* accepted: providers in order"):
        read(tmp_path, SEARCH_ROUTING=text)


def test_the_file_may_hold_a_list(tmp_path: Path) -> None:
    table = '[search]\nrouting = ["brave", "exa"]\nlocal_index = false\n'
    (tmp_path / "webquarry.toml").write_text(table, encoding="utf-8")

    wanted = read(tmp_path)

    assert (wanted.routing, wanted.local_index) == ({"default": ("brave", "exa")}, False)
