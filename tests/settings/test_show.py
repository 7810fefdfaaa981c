import json
from pathlib import Path

import pytest

from webquarry.settings.load import load
from webquarry.settings.redact import secret_values, without_password
from webquarry.settings.show import SettingRow, as_json, effective, render_text
from webquarry.settings.tree import declarations, secret_names
from webquarry.settings.value_types import EMAIL, TEXT, url
from webquarry.settings.variable import Variable, base_url

_KEY = "0123456789abcdef" * 4
_DECLARED = (
    Variable("LONG_KEY", "A long key.", TEXT, secret=True),
    Variable("SHORT_KEY", "A short key.", TEXT, secret=True),
    Variable("CONTACT", "A contact.", EMAIL),
    Variable("OTHER_CONTACT", "A contact.", EMAIL, fallback="CONTACT"),
    base_url("brave", "https://api.example.org"),
)
_ENVIRON = {
    "PORT": "1234",
    "REDIS_URL": "redis://me:hunter2@cache:6379/0",
    "CACHE_ENCRYPTION_KEY": _KEY,
    "LONG_KEY": "abcdefghijklm",
    "SHORT_KEY": "abcdefghijkl",
    "CONTACT": "me@example.org",
}


def test_every_setting_has_a_row_with_its_source(tmp_path: Path) -> None:
    rows = effective(load(environ=_ENVIRON, directory=tmp_path, declared=_DECLARED))
    assert [row for row in rows if not row.is_default] == [
        SettingRow("server", "PORT", "1234", "environment", is_default=False),
        SettingRow("cache", "CACHE_ENCRYPTION_KEY", "set (…cdef)", "environment", is_default=False),
        SettingRow(
            "cache", "REDIS_URL", "redis://me:***@cache:6379/0", "environment", is_default=False
        ),
        SettingRow("keys", "LONG_KEY", "set (…jklm)", "environment", is_default=False),
        SettingRow("keys", "SHORT_KEY", "set", "environment", is_default=False),
        SettingRow("keys", "CONTACT", "me@example.org", "environment", is_default=False),
        SettingRow(
            "keys", "OTHER_CONTACT", "me@example.org", "environment, as CONTACT", is_default=False
        ),
    ]
    assert [row.name for row in rows] == list(declarations(_DECLARED))
    assert SettingRow("limits", "TOOL_TIMEOUT", "1m", "default", is_default=True) in rows
    assert SettingRow("base_urls", "BRAVE_BASE_URL", "", "default", is_default=True) in rows


def test_rows_can_be_json() -> None:
    rows = [SettingRow("server", "PORT", "1", "environment", is_default=False)]
    assert json.loads(json.dumps(as_json(rows))) == [
        {
            "group": "server",
            "name": "PORT",
            "value": "1",
            "source": "environment",
            "is_default": False,
        }
    ]


def test_rows_can_be_a_table() -> None:
    rows = [
        SettingRow("server", "HOST", "127.0.0.1", "default", is_default=True),
        SettingRow("server", "PORT", "1", ".env line 1", is_default=False),
        SettingRow("cache", "REDIS_URL", "", "default", is_default=True),
    ]
    assert render_text(rows).splitlines() == [
        "[server]",
        "HOST       127.0.0.1  default",
        "PORT       1          .env line 1",
        "",
        "[cache]",
        "REDIS_URL  -          default",
    ]


def test_no_rows_are_an_empty_table() -> None:
    assert render_text([]) == ""


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("redis://host/0", "redis://host/0"),
        ("redis://:pw@host", "redis://:***@host"),
        ("redis://me:p:w@host", "redis://me:***@host"),
        ("redis://me:p@w@host", "redis://me:***@host"),
        ("redis://token@host", "redis://***@host"),
        ("redis://host?db=1&password=pw", "redis://host?db=1&password=***"),
        ("unix://me:pw@/run/x.sock", "unix://me:***@/run/x.sock"),
        ("redis://[::1", "***"),
    ],
)
def test_a_url_is_shown_without_its_password(address: str, safe: str) -> None:
    assert without_password(address) == safe


def test_secret_values_include_the_passwords_within_urls(tmp_path: Path) -> None:
    declared = (
        *_DECLARED,
        Variable("PLACE", "A place.", url("https")),
    )
    environ = _ENVIRON | {"PLACE": "https://me:p%40ss@host"}
    found = secret_values(load(environ=environ, directory=tmp_path, declared=declared))
    assert set(found) == {
        _KEY,
        "redis://me:hunter2@cache:6379/0",
        "hunter2",
        "abcdefghijklm",
        "abcdefghijkl",
        "p%40ss",
        "p@ss",
    }


def test_secret_names_are_known() -> None:
    names = secret_names(_DECLARED)

    assert names[-2:] == ("LONG_KEY", "SHORT_KEY")
    assert {
        "ADMIN_API_KEY",
        "ADMIN_API_KEY_PREV",
        "CACHE_ENCRYPTION_KEY",
        "CACHE_ENCRYPTION_KEY_PREV",
        "METRICS_TOKEN",
        "REDIS_URL",
    } <= set(names)
    assert not {"PORT", "OAUTH_ISSUER_URL", "TOOLSETS"} & set(names)
