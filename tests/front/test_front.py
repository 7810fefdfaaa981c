"""The front answers as the real server would, and leaves to it what is not plain."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.processes import CLIENT, ENVELOPE, environment, stdio_server
from webquarry.calls.registry import RENAMES, TOOLSETS
from webquarry.front.loop import Front, Handover
from webquarry.front.snapshot import PACKAGED, ProtocolSnapshot, configuration_key, find
from webquarry.front.snapshot_requests import CAPABILITIES_KEY, VERSION_KEY, VIEWS_KEY
from webquarry.tools import TOOLS
from webquarry_build import generate

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def line(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def initialize(version: str = "2025-11-25", **changes: Any) -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT} | changes
    return {"id": 1, "method": "initialize", "params": params}


INITIALIZED = {"method": "notifications/initialized"}
DISCOVER = {"id": 1, "method": "server/discover", "params": {"_meta": ENVELOPE}}


class Talk:
    """A front between two pipes, run to its end on what the client has sent."""

    def __init__(self, *messages: bytes, loads: bool = True) -> None:
        to_front, self._client = os.pipe()
        self._answers, from_front = os.pipe()
        self.loaded = False
        os.write(self._client, b"".join(messages))
        os.close(self._client)
        snapshot = ProtocolSnapshot(PACKAGED, frozenset(TOOLSETS))
        self.handover: Handover | None = Front(to_front, from_front, snapshot, self._load).run()
        os.close(from_front)
        with os.fdopen(self._answers, "rb") as answers:
            self.answers = [json.loads(raw) for raw in answers.read().splitlines()]
        os.close(to_front)

    def _load(self) -> None:
        self.loaded = True


def test_the_packaged_snapshot_is_what_the_server_says_now() -> None:
    assert generate.stale(asyncio.run(generate.packaged_snapshot())) == []


@pytest.mark.parametrize("version", HANDSHAKES)
def test_the_real_server_and_the_front_give_the_same_handshake_answers(
    tmp_path: Path, version: str
) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        fast = [server.handshake(version), server.request("tools/list", {}, id=2)]
    (tmp_path / "webquarry.toml").write_text("")  # another configuration: no snapshot yet
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        slow = [server.handshake(version), server.request("tools/list", {}, id=2)]

    assert fast == slow
    assert fast[0]["result"]["protocolVersion"] == version
    names = [t["name"] for t in fast[1]["result"]["tools"]]
    assert names == sorted(names)
    listed_names = {RENAMES[t.name][0] if t.name in RENAMES else t.name for t in TOOLS}
    assert {"echo"} <= set(names) <= {t.name for t in TOOLS} | listed_names


def test_the_real_server_and_the_front_give_the_same_stateless_answers(tmp_path: Path) -> None:
    params = {"_meta": ENVELOPE}
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        fast = [
            server.request("server/discover", params),
            server.request("tools/list", params, id=2),
        ]
    (tmp_path / "webquarry.toml").write_text("")
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        slow = [
            server.request("server/discover", params),
            server.request("tools/list", params, id=2),
        ]

    assert fast == slow


@pytest.mark.parametrize("toolsets", ["searxng", "searxng,starter", "searxng,web", "web,starter"])
def test_the_front_lists_tools_under_the_names_they_have_among_the_chosen(
    tmp_path: Path, toolsets: str
) -> None:
    with stdio_server(tmp_path, "--toolsets", toolsets) as server:
        server.handshake()
        fast = server.request("tools/list", {}, id=2)
    (tmp_path / "webquarry.toml").write_text("")
    with stdio_server(tmp_path, "--toolsets", toolsets) as server:
        server.handshake()
        slow = server.request("tools/list", {}, id=2)

    assert fast == slow
    names = [tool["name"] for tool in fast["result"]["tools"]]
    assert names == sorted(names)
    assert ("searxng_search" in names) == (toolsets == "searxng,web")


def test_a_snapshot_of_an_older_format_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("TOOLSETS=starter\n")
    environ = {"WEBQUARRY_DATA_DIR": str(tmp_path)}
    _, key = find(None, str(tmp_path), environ)
    home = tmp_path / "snapshots" / key
    shutil.copytree(PACKAGED, home)
    old = json.loads((home / "index.json").read_text())
    del old["names"]
    (home / "index.json").write_text(json.dumps(old))

    assert find(None, str(tmp_path), environ)[0] is None


def test_a_satisfied_client_is_served_without_loading_anything() -> None:
    talk = Talk(line(initialize()), line(INITIALIZED), line({"id": 2, "method": "ping"}))

    assert talk.handover is None
    assert [a["id"] for a in talk.answers] == [1, 2]
    assert talk.answers[1]["result"] == {}


def test_the_handshake_is_replayed_to_the_real_server_without_a_second_answer() -> None:
    call = line({"id": 2, "method": "tools/call", "params": {"name": "echo"}})
    talk = Talk(line(initialize()), line(INITIALIZED), call)

    assert talk.handover is not None
    assert talk.handover.replay == (line(initialize())[:-1], line(INITIALIZED)[:-1])
    assert talk.handover.answered == {1}
    assert talk.handover.unread == call
    assert talk.loaded


@pytest.mark.parametrize(
    "message",
    [
        b"{broken\n",
        b"[]\n",
        b"\n",
        line(initialize("2031-01-01")),
        line(initialize(capabilities=[])),
        line(initialize(capabilities={"roots": 1})),
        line(initialize(clientInfo={"name": "x"})),
        line({"id": None, "method": "ping"}),
        line({"id": 1.5, "method": "ping"}),
        line({"id": True, "method": "ping"}),
        line({"id": 1, "method": "tools/list"}),  # before the handshake
        line({"id": 1, "method": "tools/list", "params": [1]}),
        line({"id": 1, "method": "server/discover"}),
        line({"id": 1, "method": "server/discover", "params": {"_meta": {VERSION_KEY: "x"}}}),
        line({**DISCOVER, "params": {"_meta": ENVELOPE | {VERSION_KEY: "2031-01-01"}}}),
        line({"method": "notifications/cancelled", "params": {"requestId": 1}}),
        line({"id": 1, "result": {}}),
        line({"id": 1, "method": "initialize"}),
    ],
)
def test_anything_unusual_is_left_to_the_real_server(message: bytes) -> None:
    talk = Talk(message)

    assert talk.answers == []
    assert talk.handover is not None
    assert talk.handover.unread == message
    assert talk.handover.replay == ()


@pytest.mark.parametrize(
    "message",
    [
        line(initialize()),  # a second handshake
        line({"id": 2, "method": "tools/list", "params": {"cursor": "x"}}),
        line({**DISCOVER, "id": 2}),  # the other era
        line({"id": 2, "method": "resources/list"}),
        line({"id": 2, "method": "tools/list", "params": {"_meta": 1}}),
    ],
)
def test_after_the_handshake_too(message: bytes) -> None:
    talk = Talk(line(initialize()), message)

    assert [a["id"] for a in talk.answers] == [1]
    assert talk.handover is not None
    assert talk.handover.unread == message


def test_the_list_for_a_client_that_shows_views_is_left_to_the_real_server() -> None:
    shows: dict[str, Any] = {"extensions": {VIEWS_KEY: {}}}
    legacy_list = line({"id": 2, "method": "tools/list"})
    modern = {"_meta": ENVELOPE | {CAPABILITIES_KEY: shows}}
    modern_list = line({"id": 2, "method": "tools/list", "params": modern})

    handshake = Talk(line(initialize(capabilities=shows)), line(INITIALIZED), legacy_list)
    stateless = Talk(line(DISCOVER), modern_list)

    for talk, message in ((handshake, legacy_list), (stateless, modern_list)):
        assert [a["id"] for a in talk.answers] == [1]
        assert talk.handover is not None
        assert talk.handover.unread == message


def test_a_handshake_on_a_stateless_connection_is_left_to_the_real_server() -> None:
    talk = Talk(line(DISCOVER), line({**initialize(), "id": 2}))

    assert [a["id"] for a in talk.answers] == [1]
    assert talk.handover is not None
    assert talk.handover.replay == (line(DISCOVER)[:-1],)


def test_an_unfinished_line_is_handed_over() -> None:
    talk = Talk(line(initialize()), b'{"jsonrpc"')

    assert talk.handover is not None
    assert talk.handover.unread == b'{"jsonrpc"'


def index(**changes: Any) -> dict[str, Any]:
    return {"digest": "d", "matters": ["BRAVE_API_KEY", "SEARCH_PROVIDER"],
            "secrets": ["BRAVE_API_KEY"]} | changes  # fmt: skip


def test_the_default_configuration_needs_no_key(tmp_path: Path) -> None:
    neutral = {"LOG_LEVEL": "debug", "HTTPS_PROXY": "http://proxy:3128", "SSL_CERT_FILE": "ca.pem"}

    assert configuration_key(index(), "default", str(tmp_path), neutral) == ""


def test_everything_that_can_change_the_answers_changes_the_key(tmp_path: Path) -> None:
    def key(toolsets: str = "", **environ: str) -> str:
        return configuration_key(index(), toolsets, str(tmp_path), environ)

    keys = [
        key(SEARCH_PROVIDER="brave"),
        key(SEARCH_PROVIDER="exa"),
        key("web", SEARCH_PROVIDER="exa"),
        key(BRAVE_API_KEY="1"),
    ]
    keys += [key(WEBQUARRY_SEARCH_PROVIDER="kagi")]
    (tmp_path / ".env").write_text("WEBQUARRY_A=1")
    keys += [key(), key(BRAVE_API_KEY="1")]
    (tmp_path / ".env").write_text("WEBQUARRY_A=2")
    keys += [key()]
    (tmp_path / "webquarry.env").write_text("A=1")
    keys += [key()]
    (tmp_path / "other.env").write_text("A=1")
    keys += [key(WEBQUARRY_ENV_FILE="other.env")]
    (tmp_path / "webquarry.toml").write_text("")
    keys += [key()]

    assert len(set(keys)) == len(keys)
    assert "" not in keys


def test_the_dotenv_of_another_project_does_not_change_the_key(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=WARNING\nTOOLSETS=starter\n")

    assert configuration_key(index(), "", str(tmp_path), {}) == ""


def test_the_value_of_a_secret_is_not_part_of_the_key(tmp_path: Path) -> None:
    keys = {configuration_key(index(), "", str(tmp_path), {"BRAVE_API_KEY": v}) for v in "ab"}

    assert len(keys) == 1


def test_another_configuration_starts_slowly_once_and_quickly_after_that(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("TOOLSETS=starter\n")
    environ = {"WEBQUARRY_DATA_DIR": str(tmp_path / "data")}
    assert find(None, str(tmp_path), environ)[0] is None
    with stdio_server(tmp_path) as server:
        server.handshake()
        slow = server.request("tools/list", id=2)

    snapshot, _ = find(None, str(tmp_path), environ)

    assert snapshot is not None
    fast = snapshot.tools("2025-11-25")
    assert fast is not None
    assert json.loads(fast) == slow["result"]


def test_a_damaged_snapshot_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("TOOLSETS=starter\n")
    environ = {"WEBQUARRY_DATA_DIR": str(tmp_path)}
    _, key = find(None, str(tmp_path), environ)
    home = tmp_path / "snapshots" / key
    shutil.copytree(PACKAGED, home)
    (home / "index.json").write_text("{")

    assert find(None, str(tmp_path), environ)[0] is None


@pytest.mark.parametrize("flag", ["nonsense", "web,nonsense", ","])
def test_an_unknown_toolset_is_left_to_the_real_server(tmp_path: Path, flag: str) -> None:
    assert find(flag, str(tmp_path), {})[0] is None


def test_the_environment_chooses_the_toolsets_unless_a_flag_does(tmp_path: Path) -> None:
    by_environment, _ = find(None, str(tmp_path), {"TOOLSETS": "starter"})
    by_flag, _ = find("web", str(tmp_path), {"TOOLSETS": "starter"})

    assert by_environment is not None
    assert by_flag is not None
    assert '"echo"' in str(by_environment.tools("2025-11-25"))
    assert '"echo"' not in str(by_flag.tools("2025-11-25"))


def test_loading_imports_the_real_server(tmp_path: Path) -> None:
    script = (
        "import sys, gc, webquarry.__main__ as command; command._load(); "
        "print('webquarry.serving' in sys.modules, gc.isenabled())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=environment(tmp_path),
    )

    assert done.stdout.decode().strip() == "True True"


def test_starting_imports_none_of_the_heavy_modules(tmp_path: Path) -> None:
    script = (
        "import sys, webquarry.__main__, webquarry.front.loop, webquarry.front.snapshot; "
        "print(sorted({'asyncio','pydantic','mcp','pathlib','threading'} & set(sys.modules)))"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env=environment(tmp_path, PYTHONPATH=paths),
    )

    assert done.stdout.decode().strip() == "[]"


def test_one_echo_loads_neither_providers_nor_readers_nor_anything_that_serves_http(
    tmp_path: Path,
) -> None:
    asked = [
        initialize(),
        INITIALIZED,
        {
            "id": 2,
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"message": "hi"}},
        },
    ]
    done = subprocess.run(
        [sys.executable, "-v", "-m", "webquarry", "serve", "--stdio",
         "--toolsets", "all"],
        input=b"".join(line(message) for message in asked),
        env={"WEBQUARRY_DATA_DIR": str(tmp_path), "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=60,
    )  # fmt: skip
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    loaded = set(re.findall(r"^import '([\w.]+)'", done.stderr.decode(), re.MULTILINE))

    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"] == {"echoed": "hi"}
    assert {"webquarry.tools.echo", "mcp.server.lowlevel.server"} <= loaded
    families = {".".join(name.split(".")[:2]) for name in loaded}
    assert families.isdisjoint(
        {"webquarry.providers", "webquarry.reading", "webquarry.searxng", "webquarry.net",
         "webquarry.crawl", "uvicorn", "starlette.applications"}
    )  # fmt: skip
    assert loaded.isdisjoint({"webquarry.content.html.read_html", "webquarry.services.searching"})


def test_without_the_front_the_server_gives_the_same_answers(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "starter") as server:
        fast = [server.handshake(), server.request("tools/list", {}, id=2)]
    with stdio_server(
        tmp_path, "--toolsets", "starter", settings={"WEBQUARRY_FRONT": "off"}
    ) as server:
        slow = [server.handshake(), server.request("tools/list", {}, id=2)]
        called = server.request(
            "tools/call", {"name": "echo", "arguments": {"message": "hi"}}, id=3
        )

    assert slow == fast
    assert called["result"]["structuredContent"] == {"echoed": "hi"}


def test_without_the_front_the_sdk_is_imported_unmodified(tmp_path: Path) -> None:
    with stdio_server(
        tmp_path, settings={"WEBQUARRY_FRONT": "off", "PYTHONVERBOSE": "1"}
    ) as server:
        server.handshake()
        assert server.close() == 0
        loaded = set(
            re.findall(
                r"^import '([\w.]+)'",
                (tmp_path / "stderr").read_text(encoding="utf-8"),
                re.MULTILINE,
            )
        )

    # the ordinary import of the SDK brings its HTTP server along; the front leaves that out
    assert "mcp.server.streamable_http" in loaded
    assert "webquarry.front.fast_sdk_import" not in loaded


def test_a_wrong_value_of_the_front_switch_is_refused(tmp_path: Path) -> None:
    with stdio_server(tmp_path, settings={"WEBQUARRY_FRONT": "sometimes"}) as server:
        server.handshake()
        refused = server.request("tools/call", {"name": "echo", "arguments": {}}, id=2)

    assert "WEBQUARRY_FRONT" in refused["error"]["message"]
