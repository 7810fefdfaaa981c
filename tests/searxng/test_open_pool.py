from pathlib import Path

import pytest

from tests.searxng.fakes import World
from webquarry.errors import SettingsError
from webquarry.searxng.catalogue import SEARX_SPACE
from webquarry.searxng.open_pool import VARIABLES, open_pool
from webquarry.settings.load import Settings, load


def settings(tmp_path: Path, **environ: str) -> Settings:
    return load(environ=environ, directory=tmp_path, declared=VARIABLES)


def own(loaded: Settings) -> list[str]:
    pool = open_pool(World(), loaded.keys)
    return list(pool.maintenance.sources.own)


def source(**keys: str) -> str | None:
    catalogue = open_pool(World(), keys).maintenance.sources.catalogue
    return catalogue.source if catalogue else None


def test_instances_are_separated_by_semicolons(tmp_path: Path) -> None:
    loaded = settings(
        tmp_path,
        SEARXNG_URL="https://a.example/; http://10.0.0.1:8888/searx/search ;https://a.example",
    )

    assert own(loaded) == ["https://a.example", "http://10.0.0.1:8888/searx"]


def test_instances_are_a_list_in_the_configuration(tmp_path: Path) -> None:
    text = '[keys]\nsearxng_url = ["https://a.example", "https://b.example"]\n'
    (tmp_path / "webquarry.toml").write_text(text)

    assert own(settings(tmp_path)) == ["https://a.example", "https://b.example"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEARXNG_URL", "a.example"),
        ("SEARXNG_URL", "https://a.example;ftp://b.example"),
        ("SEARXNG_URL", "https://me:secret@a.example"),
        ("SEARXNG_URL", ";"),
        ("SEARXNG_BASIC_AUTH", "nocolon"),
        ("SEARXNG_HEADERS", "No colon"),
        ("SEARXNG_CATALOGUE", "ftp://b.example/list"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_variable(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=name) as caught:
        settings(tmp_path, **{name: value})

    assert "secret" not in str(caught.value).replace("a secret of", "")


def test_searx_space_is_read_only_when_nothing_else_is_named() -> None:
    assert source() == SEARX_SPACE
    assert source(SEARXNG_URL="https://a.example") is None
    assert source(SEARXNG_CATALOGUE="off") is None
    assert source(SEARXNG_URL="https://a.example", SEARXNG_CATALOGUE="list.json") == "list.json"
