"""The stdio server as a process."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.processes import ENVELOPE, Process, environment, stdio_server

ECHO = {"name": "echo", "arguments": {"message": "hi"}}
ECHOED = {
    "content": [{"type": "text", "text": "echoed: hi"}],
    "structuredContent": {"echoed": "hi"},
}


def loaded(server: Process) -> Process:
    """Wait until the complete server has replaced the fast start."""
    server.handshake()
    assert server.request("tools/call", ECHO, id=99)["result"] == ECHOED
    return server


def test_a_handshake_client_can_call_a_tool(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        server.handshake()
        answer = server.request("tools/call", ECHO, id=2)

    assert answer == {"jsonrpc": "2.0", "id": 2, "result": ECHOED}


def test_a_stateless_client_can_call_a_tool(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        answer = server.request("tools/call", {**ECHO, "_meta": ENVELOPE}, id=2)

    assert answer["result"] == {
        **ECHOED,
        "resultType": "complete",
        "_meta": answer["result"]["_meta"],
    }


def test_a_handshake_connection_rejects_stateless_requests(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        loaded(server)
        refused = server.request("tools/call", {**ECHO, "_meta": ENVELOPE}, id=2)
        served = server.request("tools/call", {**ECHO, "_meta": {"progressToken": 1}}, id=3)

    assert refused["error"] == {
        "code": -32600,
        "message": "this connection serves the handshake protocol era; "
        "requests carrying the 2026-07-28 envelope are not accepted on it",
    }
    assert served["result"] == ECHOED


def test_it_ends_when_the_client_closes(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        loaded(server)

        assert server.close() == 0


def test_it_ends_when_the_client_closes_before_any_request(tmp_path: Path) -> None:
    # a setting of its own, so that no snapshot answers in its place
    with stdio_server(tmp_path, settings={"BRAVE_API_KEY": "test"}) as server:
        assert server.close() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_on_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        loaded(server)
        server.popen.send_signal(number)

        assert server.popen.wait(2) == 0


def test_requests_sent_before_closing_are_still_answered(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        server.handshake()
        server.send({"id": 2, "method": "tools/call", "params": ECHO})
        assert server.popen.stdin
        server.popen.stdin.close()

        assert server.read()["result"] == ECHOED
        assert server.popen.wait(5) == 0


def test_requests_from_a_file_are_answered_into_a_file(tmp_path: Path) -> None:
    opening = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    lines = [
        {"id": 1, "method": "initialize", "params": opening},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": ECHO},
    ]
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_text("".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in lines))
    with source.open("rb") as stdin, target.open("wb") as stdout:
        command = [sys.executable, "-m", "webquarry", "serve", "--stdio", "--toolsets", "all"]
        subprocess.run(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            env=environment(tmp_path),
            check=True,
            timeout=30,
        )

    answers = [json.loads(line) for line in target.read_text().splitlines()]
    assert [a["id"] for a in answers] == [1, 2]
    assert answers[1]["result"] == ECHOED


def test_unread_responses_do_not_block_the_server(tmp_path: Path) -> None:
    question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ECHO})

    # an event loop that waits for this device would end the process
    done = subprocess.run(
        [sys.executable, "-m", "webquarry", "serve", "--stdio", "--toolsets", "all"],
        input=question.encode() + b"\n",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=tmp_path,
        check=False,
    )

    assert done.returncode == 0, done.stderr.decode()


def test_an_invalid_line_is_rejected_and_the_next_one_is_handled(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        loaded(server)
        server.write(b"{broken\n\n[]\n")

        assert server.read()["error"] == {"code": -32700, "message": "Parse error"}
        assert server.read()["error"] == {"code": -32600, "message": "Invalid Request"}
        assert server.request("ping", id=3) == {"jsonrpc": "2.0", "id": 3, "result": {}}


def test_an_overlong_line_is_rejected_with_bounded_memory(tmp_path: Path) -> None:
    limit = {"MAX_REQUEST_BODY_BYTES": "1MiB"}
    with stdio_server(tmp_path, "--toolsets", "all", settings=limit) as server:
        loaded(server)
        for _ in range(64):
            server.write(b"x" * 65_536)
        server.write(b"\n")

        assert server.read()["error"]["code"] == -32700
        assert server.request("ping", id=3)["result"] == {}


def test_large_responses_arrive_completely(tmp_path: Path) -> None:
    message = "é" * 4000
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        loaded(server)
        for number in range(50):
            call = {"name": "echo", "arguments": {"message": message}}
            server.send({"id": number, "method": "tools/call", "params": call})
        answers = [server.read() for _ in range(50)]

    assert {a["id"] for a in answers} == set(range(50))
    assert all(a["result"]["structuredContent"] == {"echoed": message} for a in answers)


def test_an_unknown_tool_is_a_protocol_error(tmp_path: Path) -> None:
    with stdio_server(tmp_path, "--toolsets", "all") as server:
        server.handshake()
        answer = server.request("tools/call", {"name": "nope"}, id=5)

    assert answer["error"] == {"code": -32602, "message": "Unknown tool: nope"}


def test_an_invalid_setting_is_reported_on_stderr_and_to_the_client(tmp_path: Path) -> None:
    with stdio_server(tmp_path, settings={"LOG_LEVEL": "loud"}) as server:
        server.handshake()
        answer = server.request("tools/call", ECHO, id=5)

        assert "LOG_LEVEL" in answer["error"]["message"]
        assert server.popen.wait(10) == 2
    assert "LOG_LEVEL" in (tmp_path / "stderr").read_text()
