"""The user of a local server without authentication: the same as on the command line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.http_server import http_server
from tests.server.processes import environment
from webquarry.server.exposure import is_single_user
from webquarry.settings.load import load

STEP = {"searchStep": "Look", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "Owls"}


def goals(client: Any, **headers: str) -> list[str]:
    listed = client.get("/v1/console/resource?uri=stats://sessions", headers=headers).json()
    return [session["researchGoal"] for session in listed["sessions"]]


def call_from_terminal(home: Path, tool: str, arguments: dict[str, Any]) -> None:
    command = [sys.executable, "-m", "webquarry", "call", tool, json.dumps(arguments)]
    subprocess.run(
        command, cwd=home, env=environment(home), check=True, capture_output=True, timeout=60
    )


def test_the_console_shows_what_was_done_on_the_command_line(tmp_path: Path) -> None:
    call_from_terminal(tmp_path, "sequential_search", STEP)
    with http_server(tmp_path) as client:
        home = client.get("/v1/console/home").json()

        assert goals(client) == ["Owls"]
        assert goals(client, **{"X-Forwarded-For": "203.0.113.7"}) == []  # maybe someone else
        assert home["caller"] == {"user": "owner", "tenant": "default", "proved": False}
        assert [(call["tool"], call["via"], call["subject"]) for call in home["calls"]] == [
            ("sequential_search", "cli", "Owls")
        ]
        assert (home["activity"][-1]["calls"], home["sessions"]["total"]) == (1, 1)


def test_what_was_stored_before_without_a_user_stays_reachable(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"SINGLE_USER": "off"}) as client:
        begun = client.post("/v1/tools/sequential_search", json=STEP).json()["sessionId"]
        assert client.get("/v1/console/home").json()["caller"]["user"] == "anonymous"
    with http_server(tmp_path) as client:
        step = {"searchStep": "Go on", "stepNumber": 2, "nextStepNeeded": False}
        after = client.post("/v1/tools/sequential_search", json=step | {"sessionId": begun}).json()

        assert (after["sessionId"], after["currentStep"]) == (begun, 2)
        assert goals(client) == ["Owls"]
        assert client.delete(f"/v1/console/sessions/{begun}").json() == {"deleted": begun}
        assert client.delete(f"/v1/console/sessions/{begun}").status_code == 404
        assert goals(client) == []


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, True),
        ({"WEBQUARRY_HOST": "0.0.0.0"}, False),  # noqa: S104 -- nothing listens
        ({"API_KEYS": "on"}, False),
        ({"TRUST_PROXY": "on"}, False),
        ({"ALLOWED_HOSTS": "research.example.org"}, False),
        ({"SINGLE_USER": "off"}, False),
    ],
)
def test_only_a_local_server_without_authentication_and_proxy_has_one_user(
    tmp_path: Path, environ: dict[str, str], *, expected: bool
) -> None:
    assert is_single_user(load(environ=environ, directory=tmp_path)) is expected


def test_a_page_of_another_local_server_cannot_add_a_key(tmp_path: Path) -> None:
    key = {"name": "FRED_API_KEY", "value": "a-key"}
    with http_server(tmp_path) as client:
        refused = client.post(
            "/v1/console/keys", json=key, headers={"Origin": "http://localhost:3000"}
        )
        unknown = client.post("/v1/console/keys", json={"name": "PATH", "value": "x"})

        assert (refused.status_code, unknown.status_code) == (403, 400)
        assert unknown.json()["detail"] == "name: 'PATH' is not a key of a provider"
    assert not (tmp_path / "webquarry.env").exists()
