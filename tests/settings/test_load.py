from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from webquarry.errors import SettingsError
from webquarry.settings.groups.cache import CacheSettings
from webquarry.settings.groups.limits import LimitSettings
from webquarry.settings.groups.logging import LoggingSettings
from webquarry.settings.groups.server import ServerSettings
from webquarry.settings.load import Settings, load
from webquarry.settings.tree import declarations, ignored_note
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable, base_url

_KEY = "0123456789abcdef" * 4
_OPENALEX = Variable("OPENALEX_EMAIL", "Contact for OpenAlex.", EMAIL)
_EDGAR = Variable("EDGAR_CONTACT_EMAIL", "Contact.", EMAIL, fallback="OPENALEX_EMAIL")
_BRAVE = Variable("BRAVE_API_KEY", "Key of Brave.", secret=True)
_BRAVE_URL = base_url("brave", "https://api.search.brave.com")
_DECLARED = (_OPENALEX, _EDGAR, _BRAVE, _BRAVE_URL)


def _problems(
    directory: Path,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, str] | None = None,
) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(environ=environ or {}, directory=directory, flags=flags or {}, declared=_DECLARED)
    return str(caught.value).split("\n")


def test_without_any_source_everything_has_its_default(tmp_path: Path) -> None:
    assert load(environ={}, directory=tmp_path) == Settings()


def test_every_default_is_a_value_its_own_syntax_accepts() -> None:
    defaults = {name: entry for name, entry in declarations().items() if entry.default}
    assert {
        name: entry.variable.kind.read(entry.variable.kind.show(entry.default))
        for name, entry in defaults.items()
    } == {name: entry.default for name, entry in defaults.items()}


def test_the_data_directory_is_the_platforms_own(tmp_path: Path) -> None:
    found = load(environ={}, directory=tmp_path).server.data_dir
    assert (found.is_absolute(), found.name) == (True, "webquarry")


def test_later_sources_win(tmp_path: Path) -> None:
    names = ["host", "port", "toolsets", "stdio_user_id"]
    lines = [
        f"{name} = {value}" for name, value in zip(names, ["'a'", 1, "['a']", "'a'"], strict=True)
    ]
    (tmp_path / "webquarry.toml").write_text("\n".join(["[server]", *lines]), encoding="utf-8")
    (tmp_path / "webquarry.env").write_text(
        "PORT=2\nTOOLSETS=b\nSTDIO_USER_ID=b\n", encoding="utf-8"
    )
    environ = {"TOOLSETS": "c", "STDIO_USER_ID": "c", "UNRELATED": "x"}
    found = load(environ=environ, directory=tmp_path, flags={"STDIO_USER_ID": "d"})
    assert found == Settings(
        server=ServerSettings(host="a", port=2, toolsets=("c",), stdio_user_id="d"),
        sources={
            "WEBQUARRY_HOST": "webquarry.toml [server].host",
            "PORT": "webquarry.env line 1",
            "TOOLSETS": "environment",
            "STDIO_USER_ID": "flag --stdio-user-id",
        },
    )


def test_native_toml_types_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(
        "[server]\nport = 0\ntoolsets = ['web', 'crawl']\nmax_request_body_bytes = '1MiB'\n"
        "[limits]\ntool_timeout = 2.5\nrate_limit_global = 0\n"
        "[audit]\nenabled = false\n[logging]\nlevel = 'warn'\n",
        encoding="utf-8",
    )
    found = load(environ={}, directory=tmp_path)
    assert (found.server, found.limits) == (
        ServerSettings(port=0, toolsets=("web", "crawl"), max_request_body_bytes=2**20),
        LimitSettings(tool_timeout=2.5, rate_limit_global=0),
    )
    assert (found.audit.enabled, found.logging.level) == (False, "warn")


def test_an_empty_value_means_not_set(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(
        "[server]\nport = 7\nhost = ''\nallowed_hosts = []\n", encoding="utf-8"
    )
    (tmp_path / ".env").write_text("PORT=\nWEBQUARRY_HOST=''\n", encoding="utf-8")
    found = load(environ={"PORT": " "}, directory=tmp_path, flags={"PORT": ""})
    assert found.server == ServerSettings(port=7)


def test_another_file_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("[server]\nport = 5\n", encoding="utf-8")
    (tmp_path / "webquarry.toml").write_text("[server]\nport = 6\n", encoding="utf-8")
    found = load(environ={"WEBQUARRY_CONFIG": "other.toml"}, directory=tmp_path)
    assert found.server == ServerSettings(config=Path("other.toml"), port=5)
    assert found.sources["PORT"] == "other.toml [server].port"


def test_a_named_file_that_is_missing_is_a_problem(tmp_path: Path) -> None:
    assert _problems(tmp_path, {"WEBQUARRY_CONFIG": "none.toml"}) == [
        f"WEBQUARRY_CONFIG (environment): file '{tmp_path / 'none.toml'}' does not exist"
    ]


def test_the_file_cannot_name_another_file(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text("[server]\nconfig = 'x.toml'\n", encoding="utf-8")
    assert _problems(tmp_path) == ["webquarry.toml [server]: unknown setting 'config'"]


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(
        "port = 3\n[server]\nprot = 3\n[limits]\ntool_timeout = 500\n[servr]\n", encoding="utf-8"
    )
    (tmp_path / ".env").write_text(
        "PORT=99999\nWEBQUARRY_HOSTT=x\nnot an assignment\nport=1\nPORT=1\nTOOLSETS='a\n",
        encoding="utf-8",
    )
    environ = {"WEBQUARRY_DATADIR": "x", "LOG_LEVEL": "loud", "CACHE_ENCRYPTION_KEY": "hunter2"}
    flags = {"TOOLSETS": "A B", "TOOLSET": "x"}
    assert _problems(tmp_path, environ, flags) == [
        "environment: unknown setting 'WEBQUARRY_DATADIR'; did you mean WEBQUARRY_DATA_DIR?",
        "flag: unknown setting 'TOOLSET'; did you mean TOOLSETS?",
        ".env line 2: unknown setting 'WEBQUARRY_HOSTT'; did you mean WEBQUARRY_HOST?",
        ".env line 3: is not NAME=value",
        ".env line 4: unknown setting 'port'; did you mean PORT?",
        ".env line 5: PORT is already set on line 1",
        ".env line 6: the quoted value of TOOLSETS has no closing quote",
        "webquarry.toml: unknown setting 'port'; did you mean [server].port?",
        "webquarry.toml [server]: unknown setting 'prot'; did you mean [server].port?",
        "webquarry.toml: unknown setting 'servr'; did you mean [server]?",
        "TOOL_TIMEOUT (webquarry.toml [limits].tool_timeout) is 500; accepted: "
        "a duration from 1s to 120s, like 90, 90s, 30m, 1h30m, 250ms or 30d",
        "PORT (.env line 1) is '99999'; accepted: a whole number from 0 to 65535",
        "LOG_LEVEL (environment) is 'loud'; accepted: debug or info or warn or error",
        "CACHE_ENCRYPTION_KEY (environment) is a secret of 7 characters; accepted: "
        "64 hexadecimal digits, as `openssl rand -hex 32` prints",
        "TOOLSETS (flag --toolsets) is 'A B'; accepted: "
        "a comma-separated list, each the name of a toolset",
    ]


def test_a_wrong_value_that_is_overridden_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("PORT=none\n", encoding="utf-8")
    assert load(environ={"PORT": "1"}, directory=tmp_path).server.port == 1


@pytest.mark.parametrize("user", ["anonymous", "a b", "x" * 129])
def test_a_user_id_has_a_fixed_alphabet(tmp_path: Path, user: str) -> None:
    (problem,) = _problems(tmp_path, {"STDIO_USER_ID": user})
    assert problem.startswith("STDIO_USER_ID (environment) is '")


def test_redis_needs_a_key_that_all_servers_share(tmp_path: Path) -> None:
    address = "redis://:hunter2@cache"
    assert _problems(tmp_path, {"REDIS_URL": address}) == [
        "REDIS_URL is set but CACHE_ENCRYPTION_KEY is not: servers that share a store must agree "
        "on one key; make one with `openssl rand -hex 32`"
    ]
    environ = {"REDIS_URL": address, "CACHE_ENCRYPTION_KEY": _KEY}
    found = load(environ=environ, directory=tmp_path)
    assert found.cache == CacheSettings(redis_url=address, encryption_key=_KEY)


def test_one_mistake_is_reported_once(tmp_path: Path) -> None:
    environ = {"REDIS_URL": "redis://cache", "CACHE_ENCRYPTION_KEY": "short"}
    (problem,) = _problems(tmp_path, environ)
    assert problem.startswith("CACHE_ENCRYPTION_KEY (environment) is a secret of 5 characters")


def test_the_password_of_a_wrong_url_is_not_shown(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path, {"BRAVE_BASE_URL": "ftp://me:hunter2@host"})
    assert problem == (
        "BRAVE_BASE_URL (environment) is 'ftp://me:***@host'; accepted: "
        "a URL starting with http:// or https://"
    )


def test_a_long_wrong_value_is_cut(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path, {"PORT": "9" * 10_000})
    assert len(problem) < 200


def test_providers_add_their_variables(tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(
        "[keys]\nbrave_api_key = 'k'\n[base_urls]\nbrave = 'http://127.0.0.1:1/'\n",
        encoding="utf-8",
    )
    environ = {"OPENALEX_EMAIL": "me@example.org"}
    found = load(environ=environ, directory=tmp_path, declared=_DECLARED)
    assert (dict(found.keys), dict(found.base_urls)) == (
        {
            "OPENALEX_EMAIL": "me@example.org",
            "EDGAR_CONTACT_EMAIL": "me@example.org",
            "BRAVE_API_KEY": "k",
        },
        {"brave": "http://127.0.0.1:1"},
    )


def test_names_of_other_programs_in_a_shared_dotenv_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "DATABASE_PASSWORD=x\nSTRIPE_KEY=y\nDJANGO_SETTINGS_MODULE=z\n", encoding="utf-8"
    )

    assert load(environ={}, directory=tmp_path).sources == {}


def test_the_dotenv_of_another_project_neither_stops_nor_configures_the_server(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text(
        "LOG_LEVEL=verbose\nREDIS_URL=redis://cache\nPORT='99\nkey: value\nWEBQUARRY_HOST=::1\n"
        "WEBQUARRY_LOG_FORMAT=text\nREDIS_URL=redis://other\n",
        encoding="utf-8",
    )

    found = load(environ={}, directory=tmp_path)

    assert found == Settings(
        server=ServerSettings(host="::1"),
        logging=LoggingSettings(format="text"),
        sources={"WEBQUARRY_HOST": ".env line 5", "LOG_FORMAT": ".env line 6"},
        ignored=("LOG_LEVEL", "REDIS_URL", "PORT"),
    )
    assert ignored_note(found) == (
        ".env: LOG_LEVEL, REDIS_URL, PORT ignored, because this file may belong to another "
        "project. Write WEBQUARRY_ before the name, rename the file to webquarry.env, or use "
        "--env-file .env."
    )


@pytest.mark.parametrize("content", [b"# caf\xe9\nPORT=1\n", b"\x00\xff", None])
def test_an_unreadable_dotenv_of_another_project_is_left_alone(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is None:
        (tmp_path / ".env").mkdir()
    else:
        (tmp_path / ".env").write_bytes(content)

    assert load(environ={}, directory=tmp_path).sources == {}


def test_our_names_in_the_dotenv_of_another_project_are_checked(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "WEBQUARRY_PORT=none\nWEBQUARRY_HOSTT=x\nWEBQUARRY_HOST='x\n", encoding="utf-8"
    )
    assert _problems(tmp_path) == [
        ".env line 2: unknown setting 'WEBQUARRY_HOSTT'; did you mean WEBQUARRY_HOST?",
        ".env line 3: the quoted value of WEBQUARRY_HOST has no closing quote",
        "PORT (.env line 1) is 'none'; accepted: a whole number from 0 to 65535",
    ]


def test_an_env_file_can_be_named_and_is_then_the_only_one(tmp_path: Path) -> None:
    for name, port in (("webquarry.env", 1), ("mine.env", 3)):
        (tmp_path / name).write_text(f"PORT={port}\n", encoding="utf-8")
    (tmp_path / ".env").write_text("WEBQUARRY_PORT=2\nWEBQUARRY_HOST=::1\n", encoding="utf-8")

    unnamed = load(environ={}, directory=tmp_path)
    named = load(environ={}, directory=tmp_path, flags={"WEBQUARRY_ENV_FILE": "mine.env"})

    assert unnamed.server == ServerSettings(port=1, host="::1")
    assert named.server == ServerSettings(port=3, env_file=Path("mine.env"))
    assert named.sources["PORT"] == "mine.env line 1"


def test_a_named_env_file_that_is_missing_is_a_problem(tmp_path: Path) -> None:
    assert _problems(tmp_path, flags={"WEBQUARRY_ENV_FILE": "none.env"}) == [
        f"WEBQUARRY_ENV_FILE (flag --env-file): file '{tmp_path / 'none.env'}' does not exist"
    ]


def test_our_prefix_may_stand_before_every_name_and_wins(tmp_path: Path) -> None:
    environ = {"WEBQUARRY_PORT": "2", "PORT": "1", "WEBQUARRY_BRAVE_API_KEY": "k"}

    found = load(environ=environ, directory=tmp_path, declared=_DECLARED)

    assert (found.server.port, dict(found.keys)) == (2, {"BRAVE_API_KEY": "k"})


@pytest.mark.parametrize(
    ("written", "level"),
    [("WARNING", "warn"), ("Info", "info"), ("CRITICAL", "error"), ("trace", "debug")],
)
def test_log_levels_are_understood_as_other_programs_write_them(
    tmp_path: Path, written: str, level: str
) -> None:
    assert load(environ={"LOG_LEVEL": written}, directory=tmp_path).logging.level == level


def test_a_misspelt_name_in_our_dotenv_is_not_left_alone(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("CACHE_ENCRYPTON_KEY=x\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="did you mean CACHE_ENCRYPTION_KEY"):
        load(environ={}, directory=tmp_path)


def test_the_same_name_cannot_mean_two_things(tmp_path: Path) -> None:
    twice = (_BRAVE, _BRAVE, Variable("BRAVE_API_KEY", "Something else."))
    with pytest.raises(ValueError, match="BRAVE_API_KEY is declared twice with different"):
        load(environ={}, directory=tmp_path, declared=twice)


@pytest.mark.parametrize("name", ["webquarry.env", "webquarry.toml"])
def test_a_file_that_is_not_utf8_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"# caf\xe9\n")
    assert _problems(tmp_path) == [f"{name}: not UTF-8 text (byte 5): save it as UTF-8"]


@pytest.mark.parametrize("name", ["webquarry.env", "webquarry.toml"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert _problems(tmp_path) == [f"{name}: cannot be read: Is a directory"]


@pytest.mark.parametrize("text", ["[server", "[server]\nport = ", "a = " + "[" * 5000])
def test_broken_toml_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "webquarry.toml").write_text(text, encoding="utf-8")
    (problem,) = _problems(tmp_path)
    assert problem.startswith("webquarry.toml: not valid toml: ")


def test_settings_are_frozen(tmp_path: Path) -> None:
    found = load(environ={}, directory=tmp_path)
    with pytest.raises(FrozenInstanceError):
        setattr(found.server, "port", 1)  # noqa: B010
    with pytest.raises(TypeError):
        found.keys["BRAVE_API_KEY"] = "k"  # pyright: ignore[reportIndexIssue]


def test_the_text_form_holds_no_secret(tmp_path: Path) -> None:
    environ = {
        "REDIS_URL": "redis://:hunter2@c",
        "CACHE_ENCRYPTION_KEY": _KEY,
        "BRAVE_API_KEY": "k3y",
    }
    text = repr(load(environ=environ, directory=tmp_path, declared=_DECLARED))
    assert [secret for secret in ("hunter2", _KEY, "k3y") if secret in text] == []
