"""Lenses: ours, the operator's, and where each is routed."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.services.searching.fakes import FakeWebProvider, pages, provider
from webquarry.content.ranking.result_urls import normalize_site
from webquarry.errors import BadInputError, SettingsError, UnconfiguredError
from webquarry.models.search import WebQuery
from webquarry.providers.provider import Provider
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.lenses import Lens, Lenses
from webquarry.services.searching.service import SearchService

OWLS = WebQuery(text="owls")


def _write(directory: Path, **lenses: Any) -> Path:
    for name, lens in lenses.items():
        (directory / f"{name}.json").write_text(json.dumps(lens), encoding="utf-8")
    return directory


def searching(*names: str) -> SearchService:
    found: list[FakeWebProvider] = [provider(name, pages(1)) for name in names]
    return SearchService(ProviderDirectory(cast("list[Provider]", found), ()))


def test_there_are_at_least_twenty_with_clean_domains() -> None:
    lenses = Lenses().all()

    assert len(lenses) >= 20
    assert list(lenses) == sorted(lenses)
    for lens in lenses.values():
        assert lens.description.endswith(".")
        assert len(set(lens.domains)) == len(lens.domains)
        assert [normalize_site(domain) for domain in lens.domains] == list(lens.domains)


def test_every_file_is_named_after_its_lens() -> None:
    home = Path(__file__).parents[3] / "src" / "webquarry" / "lenses"

    assert {file.stem for file in home.glob("*.json")} == set(Lenses().all())


def test_an_operators_lens_is_added_and_replaces_ours(tmp_path: Path) -> None:
    custom = _write(
        tmp_path,
        birds={"name": "birds", "description": "Birds.", "domains": ["https://www.Owls.org/x/"]},
        news={"name": "news", "description": "Ours.", "cx": "abc"},
    )

    lenses = Lenses(custom)

    assert lenses.named("birds").domains == ("owls.org/x",)
    assert lenses.named("news") == Lens(name="news", description="Ours.", cx="abc")


@pytest.mark.parametrize(
    ("lens", "complaint"),
    [
        ({"name": "x", "description": "y"}, "needs domains, cx or goggle"),
        ({"name": "X y", "description": "y", "cx": "1"}, "name"),
        ({"name": "x", "description": "y", "domains": ["not a host"]}, "domains.0"),
        ({"name": "x", "description": "y", "domains": ["a.b"] * 201}, "domains"),
        ({"name": "x", "description": "y", "goggle": "http://a.b"}, "goggle"),
        ({"name": "x", "description": "y", "cx": "1", "extra": 1}, "extra"),
        (["no object"], "lens"),
    ],
)
def test_a_wrong_lens_stops_the_start_and_is_named(
    tmp_path: Path, lens: Any, complaint: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Lenses(_write(tmp_path, mine=lens))

    assert "mine.json" in str(caught.value)
    assert complaint in str(caught.value)


def test_broken_json_and_a_missing_directory_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")

    with pytest.raises(SettingsError, match=r"a\.json is not valid JSON"):
        Lenses(tmp_path)
    with pytest.raises(SettingsError, match=r"CUSTOM_LENSES_PATH is .* not a directory"):
        Lenses(tmp_path / "nowhere")


def test_an_unknown_lens_names_those_there_are() -> None:
    with pytest.raises(BadInputError, match="no lens is called 'newz'; choose from academic, "):
        Lenses().named("newz")


def test_a_dedicated_engine_is_asked_through_google() -> None:
    lens = Lens(name="x", description="y", cx="abc", domains=("a.org",))

    assert searching("google", "brave").narrowed_by_lens(lens, OWLS, None) == (
        OWLS.model_copy(update={"engine": "abc"}),
        "google",
    )


def test_without_google_its_domains_serve() -> None:
    lens = Lens(name="x", description="y", cx="abc", domains=("a.org",))
    narrowed = OWLS.model_copy(update={"sites": ("a.org",)})

    assert searching("brave").narrowed_by_lens(lens, OWLS, None) == (narrowed, None)
    assert searching("google", "brave").narrowed_by_lens(lens, OWLS, "brave") == (narrowed, "brave")


def test_a_goggle_is_asked_through_brave() -> None:
    lens = Lens(name="x", description="y", goggle="https://a.org/x.goggle")

    assert searching("google", "brave").narrowed_by_lens(lens, OWLS, None) == (
        OWLS.model_copy(update={"goggle": "https://a.org/x.goggle"}),
        "brave",
    )


@pytest.mark.parametrize(
    ("names", "only", "why"),
    [(("brave",), None, "not configured"), (("google", "brave"), "brave", "not selected")],
)
def test_a_lens_nobody_can_use_says_who_could(
    names: tuple[str, ...], only: str | None, why: str
) -> None:
    with pytest.raises(UnconfiguredError, match=f"works with provider google only, which is {why}"):
        searching(*names).narrowed_by_lens(Lens(name="x", description="y", cx="abc"), OWLS, only)
