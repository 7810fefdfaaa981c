"""TOML and YAML files of other programs keep everything that is not ours."""

import tomllib
from typing import Any

import pytest
import yaml

from webquarry.cli.config_formats import TomlFormat, YamlFormat
from webquarry.errors import BadInputError

ENTRY = {"command": "wq", "args": ["serve"], "env": {"KEY": 'ü"x'}}
TOML_SECTION = ("mcp_servers",)
YAML_SECTION = ("extensions",)


@pytest.mark.parametrize(
    "before",
    [
        "",
        'model = "o9"  # mine\n',
        '[mcp_servers.other]\ncommand = "x"\n',
        '[mcp_servers.webquarry]\ncommand = "old"\n\n[mcp_servers.webquarry.env]\nA = "1"\n\n'
        '[tui]\ntheme = "dark"\n',
    ],
)
def test_a_toml_table_is_added_or_replaced(before: str) -> None:
    text = TomlFormat().with_entry(before, TOML_SECTION, "webquarry", ENTRY)

    expected = tomllib.loads(before)
    expected.setdefault("mcp_servers", {})["webquarry"] = ENTRY
    assert tomllib.loads(text) == expected
    assert TomlFormat().entry(text, TOML_SECTION, "webquarry") == ENTRY
    assert TomlFormat().with_entry(text, TOML_SECTION, "webquarry", ENTRY) == text


def test_a_toml_file_in_another_form_is_not_changed() -> None:
    inline = 'mcp_servers = {webquarry = {command = "old"}}\n'
    hidden = 'text = """\n[mcp_servers.webquarry]\n"""\n'

    for text in (inline, hidden):
        with pytest.raises((BadInputError, tomllib.TOMLDecodeError)):
            TomlFormat().with_entry(text, TOML_SECTION, "webquarry", ENTRY)


@pytest.mark.parametrize(
    "before",
    [
        "",
        "GOOSE_MODEL: m\n",
        "extensions:\n  developer:\n    enabled: true\nGOOSE_MODEL: m\n",
        "extensions:\n",
        "extensions:",
        "# mine\nextensions:\n    webquarry:\n        enabled: false\n        args:\n        - a\n"
        "    memory:\n        webquarry: kept\nother:\n    webquarry: kept\n",
    ],
)
def test_a_yaml_entry_is_added_or_replaced(before: str) -> None:
    text = YamlFormat().with_entry(before, YAML_SECTION, "webquarry", ENTRY)

    expected: dict[str, Any] = yaml.safe_load(before) or {}
    expected["extensions"] = (expected.get("extensions") or {}) | {"webquarry": ENTRY}
    assert yaml.safe_load(text) == expected
    assert YamlFormat().entry(text, YAML_SECTION, "webquarry") == ENTRY
    assert YamlFormat().with_entry(text, YAML_SECTION, "webquarry", ENTRY) == text
    assert text.startswith("# mine\n") == before.startswith("# mine\n")


@pytest.mark.parametrize("text", ["extensions: {a: 1}\n", "extensions:\n\ta: 1\n"])
def test_a_yaml_file_in_another_style_is_left_alone(text: str) -> None:
    assert YamlFormat().problem(text, YAML_SECTION) == "is not in block style"
