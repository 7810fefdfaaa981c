"""`webquarry demo` on a terminal: what it shows, how it fails, how it ends."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.cli.typing_in import Typist
from tests.server.processes import environment
from webquarry_demo import demo_command, script
from webquarry_demo.scene import Scene, SceneContext, SceneResult, require


def begun(home: Path, option: str) -> "subprocess.Popen[str]":
    """Start the demo with a directory for temporary files of its own."""
    (home / "tmp").mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "webquarry", "demo", option],
        cwd=home,
        env=environment(home, TMPDIR=str(home / "tmp")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_console_shows_the_session_until_ctrl_c_and_the_data_go(tmp_path: Path) -> None:
    popen = begun(tmp_path, "--console")
    told = ""
    assert popen.stdout
    for line in popen.stdout:
        told += line
        if "Ctrl-C ends the demo" in line:
            break
    [[address, session]] = re.findall(r"(http://127\S+?)/console/sessions\?id=(\S+)", told)
    with httpx2.Client(base_url=address, timeout=20) as client:
        page = client.get(f"/console/sessions?id={session}")
        listed = client.post("/v1/tools/get_research_session", json={"sessionId": session})
    popen.send_signal(signal.SIGINT)
    out, err = popen.communicate(timeout=30)

    assert (page.status_code, listed.status_code) == (200, 200), listed.text
    assert "Do nest boxes help barn owls" in listed.text
    assert (popen.returncode, err) == (0, "")
    assert "The demo has ended." in out
    assert {path.name for path in (tmp_path / "tmp").rglob("*") if path.is_file()} == {
        "check.html", "report.md", "references.bib", "search-log.md",
    }  # fmt: skip


def test_ctrl_c_before_the_end_leaves_nothing(tmp_path: Path) -> None:
    popen = begun(tmp_path, "--no-console")
    assert popen.stdout
    for line in popen.stdout:
        if "Read the best pages" in line:
            break
    popen.send_signal(signal.SIGINT)
    _, err = popen.communicate(timeout=30)

    assert popen.returncode == 130
    assert "Traceback" not in err
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_reader_who_leaves_ends_it_without_a_fuss(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    command = f"{sys.executable} -m webquarry demo --no-console | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env=environment(tmp_path, TMPDIR=str(tmp_path / "tmp")),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("Webquarry demo\n", "")
    assert list((tmp_path / "tmp").iterdir()) == []


async def _missed(stage: SceneContext) -> SceneResult:
    require(stage.session, "nothing was found")
    raise AssertionError("unreachable")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_scene_that_fails_is_named_and_the_status_is_1(
    typist: Typist, monkeypatch: pytest.MonkeyPatch, home: Path, form: tuple[str, ...]
) -> None:
    monkeypatch.setattr(script, "SCENES", (Scene("it", "Look", ("web_search",), "", _missed),))

    done = typist.type("demo", "--keep", str(home / "kept"), *form)

    assert done.status == 1
    assert "the demo failed at “Look”" in done.err
    assert "nothing was found" in done.err
    assert ("Webquarry demo" in done.out) == (not form)


def test_a_directory_that_is_not_empty_is_refused(typist: Typist, home: Path) -> None:
    (home / "mine").mkdir()
    (home / "mine" / "thesis.tex").touch()

    done = typist.type("demo", "--keep", "mine")

    assert done.status == 2
    assert "mine is not empty" in done.err


def test_a_taken_port_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        monkeypatch.setattr(demo_command, "PORT", port)
        with demo_command.listen() as found:
            assert found.getsockname()[1] != port
