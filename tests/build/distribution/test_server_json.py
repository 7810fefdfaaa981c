"""`server.json`, as the MCP registry and clients read it."""

import json
import re
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from tests.build.distribution.conftest import ROOT
from webquarry.settings.tree import declarations, secret_names
from webquarry.version import __version__
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.distribution.project import Project
from webquarry_build.distribution.server_json import SCHEMA

SERVER: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
[PACKAGE] = SERVER["packages"]


def _official_schema() -> dict[str, Any]:
    """Return the registry's schema; a linter of such files brings it along."""
    day = re.findall(r"/(\d{4}-\d\d-\d\d)/", SCHEMA)[0].replace("-", "_")
    try:
        folder = files(f"skillsaw.schemas.mcp_registry.v{day}")
    except ModuleNotFoundError:
        pytest.skip("needs the registry's schema: pip install skillsaw")
    return json.loads((folder / "server.schema.json").read_text(encoding="utf-8"))


def test_the_registry_s_own_schema_accepts_it() -> None:
    schema = _official_schema()
    check: Any = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())

    assert schema["$id"] == SERVER["$schema"]
    assert [error.message for error in check.iter_errors(SERVER)] == []


@pytest.mark.parametrize(
    "change",
    [{"description": "x" * 101}, {"name": "webquarry"}, {"packages": [{"registryType": "pypi"}]}],
)
def test_the_schema_refuses_what_the_registry_would(change: dict[str, Any]) -> None:
    check: Any = jsonschema.Draft7Validator(_official_schema())

    assert not check.is_valid(SERVER | change)


def test_clients_learn_how_to_start_this_very_version() -> None:
    arguments = [argument["value"] for argument in PACKAGE["packageArguments"]]

    assert SERVER["version"] == PACKAGE["version"] == __version__
    assert (PACKAGE["registryType"], PACKAGE["identifier"]) == ("pypi", "webquarry")
    assert (PACKAGE["runtimeHint"], arguments) == ("uvx", ["serve", "--stdio"])
    assert PACKAGE["transport"] == {"type": "stdio"}


def test_the_package_names_the_server_that_it_is() -> None:
    # the registry looks for this line to see that the package and the entry are one owner's
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert f"<!-- mcp-name: {SERVER['name']} -->" in readme
    assert SERVER["name"] == Project.read(ROOT).mcp_name


def test_keys_are_asked_for_as_secrets_and_nothing_is_required() -> None:
    asked = {variable["name"]: variable for variable in PACKAGE["environmentVariables"]}
    declared = declarations(declared_variables())
    keys = {name for name, entry in declared.items() if entry.group == "keys"}

    assert keys <= asked.keys() <= declared.keys()
    assert {name for name in asked if asked[name]["isSecret"]} == asked.keys() & set(
        secret_names(declared_variables())
    )
    assert [name for name in asked if asked[name]["isRequired"]] == []
    assert [name for name in asked if not asked[name]["description"]] == []
    assert asked["TOOLSETS"]["default"] == "default"
    assert "default" not in asked["WEBQUARRY_DATA_DIR"]  # true of one machine only
