"""Every message of docs/troubleshooting.md is one that the program prints, for that cause."""

import re
import socket
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.stub import Stub, answer, stub_web
from tests.cli.typing_in import Typist
from tests.documentation.blocks import ROOT, blocks_in
from webquarry import NotFoundError, WebquarrySync

_CHALLENGE = (
    b"<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x.js></script>"
)
_APP = b"<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>"
_PAGES = {
    "/forbidden": (403, "text/html", _CHALLENGE),
    "/app": (200, "text/html", _APP),
    "/busy": (429, "text/plain", b"slow down"),
    "/login": (401, "text/html", b"<title>Sign in</title>"),
}
_EXPIRED = '{"cursor":"text-2-' + "0" * 64 + '"}'


@dataclass(frozen=True)
class Symptom:
    """A command, and settings, that lead to a message."""

    command: str
    settings: dict[str, str] = field(default_factory=dict[str, str])


# a part of the message -> how to get it
SYMPTOMS = {
    "port 8642 is in use": Symptom("serve --http --port 8642"),
    "reachable from other machines": Symptom("serve --http --host 0.0.0.0"),
    "LOG_LEVEL (environment)": Symptom("config", {"LOG_LEVEL": "loud"}),
    "REDIS_URL is set but": Symptom("config", {"REDIS_URL": "redis://localhost"}),
    "TOOLSETS names unknown": Symptom("serve --stdio --toolsets papers"),
    "is not set up": Symptom("install vscode --check"),
    "Not a terminal": Symptom("install vscode"),
    "there is no host named": Symptom("read http://nosuch.invalid/"),
    "is a private address": Symptom("read http://10.0.0.1/", {"ALLOW_PRIVATE_IPS": "false"}),
    "bot detection": Symptom("read https://example.com/forbidden"),
    "Chrome unavailable": Symptom("read https://example.com/app"),
    "login wall": Symptom("read https://example.com/login"),
    "Rate limited on": Symptom("read https://example.com/busy"),
    "EDGAR_CONTACT_EMAIL for edgar": Symptom("filings apple"),
    "Unknown provider 'bing'": Symptom("search owls --provider bing"),
    "cursor: has expired": Symptom(f"call scrape_page {_EXPIRED}"),
    "Session not found": Symptom("session show zzzz"),
    "Cannot read nofile.bib": Symptom("audit nofile.bib"),
}
UNOFFERED = "Unknown tool: echo (it is in toolset starter: see TOOLSETS)"
MESSAGES = [b.text.strip() for b in blocks_in(ROOT / "docs" / "troubleshooting.md")]


def _respond(path: str, query: dict[str, list[str]], home: str) -> tuple[int, str, bytes]:
    return _PAGES.get(path) or answer(path, query, home)


@pytest.fixture
def web() -> Generator[Stub]:
    with stub_web(_respond) as stub:
        yield stub


@pytest.fixture
def taken_port() -> Generator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


@pytest.fixture(autouse=True)
def no_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = socket.getaddrinfo

    def resolve_loopback(host: object, *arguments: object, **named: object) -> object:
        if host not in {"127.0.0.1", "localhost", "0.0.0.0", None}:  # noqa: S104
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(host, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", resolve_loopback)


@pytest.mark.parametrize(
    "message", sorted({*MESSAGES} - {UNOFFERED}), ids=lambda message: message[11:50]
)
def test_the_program_prints_the_message(
    message: str,
    web: Stub,
    taken_port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    [symptom] = [symptom for part, symptom in SYMPTOMS.items() if part in message]
    monkeypatch.chdir(tmp_path)
    environ = {"HOME": str(tmp_path), "WEBQUARRY_DATA_DIR": str(tmp_path / "data")}
    for name, value in (environ | web.settings("brave") | symptom.settings).items():
        monkeypatch.setenv(name, value)
    command = symptom.command.replace("https://example.com", web.home)

    done = Typist(monkeypatch, capsys).type(*command.replace("8642", str(taken_port)).split())

    printed = (done.err + done.out).replace(web.home, "https://example.com")
    printed = printed.replace(str(tmp_path), "~").replace(str(taken_port), "8642")
    assert message in printed
    assert done.status != 0


def test_a_client_is_told_which_toolset_it_lacks(tmp_path: Path) -> None:
    assert UNOFFERED in MESSAGES
    with (
        WebquarrySync(TOOLSETS="web", WEBQUARRY_DATA_DIR=str(tmp_path)) as wq,
        pytest.raises(NotFoundError, match=re.escape(UNOFFERED)),
    ):
        wq.call("echo", message="hello")


def test_every_symptom_is_described() -> None:
    assert [part for part in SYMPTOMS if not any(part in message for message in MESSAGES)] == []


def test_every_message_has_a_cause_and_a_fix() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    explanations = re.split(r"^```text\n.*?^```\n", text, flags=re.M | re.S)[1:]

    assert len(explanations) == len(MESSAGES)
    assert all("**Cause:**" in each and "**Fix:**" in each for each in explanations)
