"""Settings for which the sample web is the whole world."""

from pathlib import Path

import pytest

from webquarry.errors import BadInputError
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.url import parse
from webquarry.settings.tree import BASE_URLS, declarations
from webquarry_demo.demo_settings import clean_settings


def test_every_provider_has_the_stand_ins_as_its_address(tmp_path: Path) -> None:
    settings = clean_settings(tmp_path, 4321, {})
    known = {
        entry.key
        for entry in declarations(settings.declared).values()
        if entry.group == BASE_URLS
    }  # fmt: skip

    assert dict(settings.base_urls) == {name: f"http://127.0.0.1:4321/{name}" for name in known}
    assert settings.keys["SEARXNG_URL"] == "http://127.0.0.1:4321/searxng"
    assert settings.keys["SEARXNG_CATALOGUE"] == "off"


def test_nothing_of_the_surroundings_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "a-key-of-mine")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.test:3128")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("EXA_API_KEY=another-key")
    data = tmp_path / "data"
    data.mkdir()

    settings = clean_settings(data, 4321, {})

    assert set(settings.keys) & {"BRAVE_API_KEY", "EXA_API_KEY"} == set()
    assert settings.network.https_proxy == ""
    assert {where.split()[0] for where in settings.sources.values()} == {"flag"}


def test_pages_come_from_the_sample_sites_only(tmp_path: Path) -> None:
    wanted = clean_settings(tmp_path, 4321, {}).network
    policy = Policy(allow_private=wanted.allow_private_ips, allowed_domains=wanted.allowed_domains)

    policy.check(parse("http://nestlog.localhost:4321/"))
    for url in ("https://example.org/", "http://192.168.0.1/", "http://localhost:8080/"):
        with pytest.raises(RefusedError, match="not one of the allowed domains"):
            policy.check(parse(url))


def test_a_directory_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    from webquarry_demo.script import prepare_directory

    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInputError, match="is not empty"):
        prepare_directory(tmp_path)
    with pytest.raises(BadInputError, match="is a file"):
        prepare_directory(tmp_path / "thesis.tex")
    assert prepare_directory(tmp_path / "new" / "one").is_dir()
