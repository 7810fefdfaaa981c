"""Commands on a terminal: Ctrl-C and the pager."""

import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.stub import stub_web
from tests.cli.terminal_shell import Typist, shell
from tests.server.processes import environment
from webquarry.errors import EXIT_INTERRUPTED

WEBQUARRY = f"{sys.executable} -m webquarry"
CTRL_C = "\x03"
# reports Ctrl-C, then reads all that it is given
PAGER = """
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
sys.stdout.write(sys.stdin.readline() + "PAGER WAITS\\n")
sys.stdout.flush()
signal.sigwait([signal.SIGINT])
sys.stdout.write("PAGER INTERRUPTED\\n" + sys.stdin.read()[-400:])
"""


def settings(home: Path, **more: str) -> dict[str, str]:
    return environment(home, ALLOW_PRIVATE_IPS="true", CHROME_PATH="disabled", TERM="xterm", **more)


def end_of(terminal: Typist) -> tuple[int, str]:
    """Return the exit code that the shell reports, and what was shown before it."""
    shown = terminal.until("exit code ")
    return int(terminal.until(".").rstrip(".")), shown


def reported(command: str) -> list[str]:
    """Return a shell that runs the command, survives Ctrl-C and prints the exit code."""
    return ["bash", "-c", f"trap : INT; {command}; echo exit code $?."]


@contextmanager
def hanging_server() -> Generator[str]:
    """Accept connections and never respond."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_ctrl_c_while_a_page_is_read_ends_the_command_quietly(tmp_path: Path) -> None:
    with (
        hanging_server() as url,
        shell(reported(f"{WEBQUARRY} read {url}"), settings(tmp_path)) as terminal,
    ):
        terminal.until("reading")
        terminal.type(CTRL_C)

        code, shown = end_of(terminal)

    assert code == EXIT_INTERRUPTED
    assert "Traceback" not in shown


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_server_quietly(tmp_path: Path, workers: str) -> None:
    command = reported(f"{WEBQUARRY} serve --http --port 0")
    with shell(command, settings(tmp_path, WEBQUARRY_WORKERS=workers)) as terminal:
        terminal.until("--stdio")
        terminal.type(CTRL_C)

        code, shown = end_of(terminal)

    assert code == EXIT_INTERRUPTED
    assert "Traceback" not in shown


def test_ctrl_c_in_the_pager_loses_nothing_of_the_page(tmp_path: Path) -> None:
    pager = tmp_path / "pager.py"
    pager.write_text(PAGER)
    text = "".join(
        f"<h2>Part {n}</h2><p>Paragraph {n} about heat pumps in winter.</p>" for n in range(4000)
    )
    page = f"<title>Long</title><article>{text}<p>The last words.</p></article>".encode()

    def respond(*_: object) -> tuple[int, str, bytes]:
        return 200, "text/html", page

    with (
        stub_web(respond) as web,
        shell(
            reported(f"{WEBQUARRY} read {web.home}/"),
            settings(tmp_path, PAGER=f"{sys.executable} {pager}"),
        ) as terminal,
    ):
        terminal.until("PAGER WAITS")
        terminal.type(CTRL_C)
        terminal.until("PAGER INTERRUPTED")
        code, shown = end_of(terminal)

    assert code == 0
    assert "The last words." in shown
