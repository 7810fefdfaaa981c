"""The bundle for desktop clients: accepted by its own tool, and it starts."""

import json
import sys
import tomllib
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.build.distribution.conftest import ROOT, Dist
from tests.conformance.node import installed, run
from tests.server.processes import environment
from webquarry.settings.tree import secret_names
from webquarry.version import __version__
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.distribution.bundle import write_bundle
from webquarry_build.distribution.project import Project, pins

PACKAGE, RELEASE = "@anthropic-ai/mcpb", "2.1.2"
MANIFEST: dict[str, Any] = json.loads(
    (ROOT / "deploy" / "mcpb" / "manifest.json").read_text(encoding="utf-8")
)


@pytest.fixture
def bundle(tmp_path: Path, dist: Dist) -> Path:
    write_bundle(ROOT, dist.wheel, tmp_path / "bundle")
    return tmp_path / "bundle"


def test_the_tool_of_the_format_accepts_and_packs_it(bundle: Path, tmp_path: Path) -> None:
    tool = installed(PACKAGE, RELEASE, "dist/cli/cli.js")
    packed = tmp_path / "webquarry.mcpb"

    valid = run(tool, ("validate", str(bundle / "manifest.json")), home=tmp_path)
    done = run(tool, ("pack", str(bundle), str(packed)), home=tmp_path)

    assert (valid.returncode, done.returncode) == (0, 0), valid.stderr + done.stderr
    there = {str(p.relative_to(bundle)) for p in bundle.rglob("*") if p.is_file()}
    with zipfile.ZipFile(packed) as archive:
        assert set(archive.namelist()) == there
    assert {"manifest.json", "pyproject.toml", "server.py", "icon.png", "LICENSE"} <= there
    assert MANIFEST["version"] == __version__


def test_the_makefile_packs_with_the_tool_that_is_tested() -> None:
    assert f"MCPB := {PACKAGE}@{RELEASE}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_client_s_uv_starts_it_with_what_its_user_entered() -> None:
    server, fields = MANIFEST["server"], MANIFEST["user_config"]

    assert (server["type"], server["entry_point"]) == ("uv", "server.py")
    assert server["mcp_config"]["command"] == "uv"
    assert server["mcp_config"]["args"] == ["run", "--directory", "${__dirname}", "server.py"]
    assert server["mcp_config"]["env"] == {
        name.upper(): f"${{user_config.{name}}}" for name in fields
    }
    # without a default a client would hand over the placeholder as if it were a key
    assert {(field["default"], field["required"]) for field in fields.values()} == {("", False)}
    secrets = {name.lower() for name in secret_names(declared_variables())}
    assert {name for name in fields if fields[name]["sensitive"]} == secrets & fields.keys()


def test_its_dependencies_are_ours_in_the_versions_of_the_lock() -> None:
    said = tomllib.loads((ROOT / "deploy" / "mcpb" / "pyproject.toml").read_text(encoding="utf-8"))
    project = Project.read(ROOT)

    assert said["project"]["dependencies"] == [*project.dependencies, *project.browser]
    assert said["project"]["requires-python"] == MANIFEST["compatibility"]["runtimes"]["python"]
    assert said["tool"]["uv"] == {
        "package": False, "constraint-dependencies": list(project.pins),
    }  # fmt: skip
    assert any(pin.startswith("mcp==") for pin in project.pins)


def test_a_pin_keeps_its_marker_and_loses_its_hashes() -> None:
    lock = """\
anyio==4.16.0 \\
    --hash=sha256:00
    # via mcp
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:00 \\
    --hash=sha256:01
"""

    assert pins(lock) == ["anyio==4.16.0", "colorama==0.4.6 ; sys_platform == 'win32'"]


@asynccontextmanager
async def _started(bundle: Path, home: Path, **entered: str) -> AsyncGenerator[ClientSession]:
    """Start the bundle as a client does whose user entered this."""
    config = MANIFEST["server"]["mcp_config"]
    # uv would fetch the dependencies; they are here already
    server = StdioServerParameters(
        command=sys.executable,
        args=[str(bundle / config["args"][-1])],
        env=dict.fromkeys(config["env"], "") | environment(home) | entered,
        cwd=bundle,
    )
    with (home / "log").open("w") as log:
        async with stdio_client(server, errlog=log) as pipes, ClientSession(*pipes) as session:
            yield session


@pytest.mark.anyio
async def test_it_starts_from_its_own_code_with_the_tools_it_declares(
    bundle: Path, tmp_path: Path
) -> None:
    mark = "0.0.0+bundle"  # to tell its code from that of this checkout
    index = bundle / "src" / "webquarry" / "front" / "packaged" / "index.json"
    index.write_text(
        index.read_text().replace(rf"\"version\":\"{__version__}\"", rf"\"version\":\"{mark}\"")
    )

    async with _started(bundle, tmp_path) as client:
        assert (await client.initialize()).server_info.version == mark
        listed = (await client.list_tools()).tools

    assert [tool.name for tool in listed] == [tool["name"] for tool in MANIFEST["tools"]]


@pytest.mark.anyio
async def test_it_obeys_what_its_user_entered(bundle: Path, tmp_path: Path) -> None:
    async with _started(bundle, tmp_path, TOOLSETS="starter") as client:
        await client.initialize()
        said = await client.call_tool("echo", {"message": "hello"})

    assert said.structured_content == {"echoed": "hello"}
