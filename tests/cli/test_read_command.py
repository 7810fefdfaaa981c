"""`webquarry read -f`: a list of URLs becomes a folder of Markdown files."""

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from tests.crawl.site import page, running_site


def write_list(path: Path, *urls: str) -> str:
    path.write_text("\n".join(urls) + "\n", "utf-8")
    return str(path)


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).name for path in folder.rglob("*.md"))


def test_each_url_of_a_list_becomes_a_file(typist: Typist, web: Stub, home: Path) -> None:
    listed = write_list(home / "urls.txt", "# heat", f"{web.home}/a", "", f"{web.home}/b#x")

    done = typist.type("read", "-f", listed, "-o", "out")

    assert (done.status, done.out) == (0, "Wrote 2 files to out.\n")
    assert files(home / "out") == ["a.md", "b.md"]
    lines = [json.loads(line) for line in (home / "out/manifest.jsonl").read_text().splitlines()]
    assert {line.get("title") for line in lines[1:]} == {
        "How heat pumps work", "Heat pumps in winter",
    }  # fmt: skip


def test_failures_are_shown_and_only_they_are_read_again(
    typist: Typist, web: Stub, home: Path
) -> None:
    listed = write_list(home / "urls.txt", f"{web.home}/a", f"{web.home}/missing")

    first = typist.type("read", "-f", listed, "-o", "out")
    second = typist.type("read", "-f", listed, "-o", "out", "--json")

    assert first.status == 1
    assert "The server responded with HTTP 404 (Not Found)." in first.out
    assert "Wrote 1 file to out, 1 failed." in first.out
    body = json.loads(second.out)
    assert (body["written"], body["before"], body["failed"]) == (0, 1, 1)
    assert body["failures"] == [
        {
            "url": f"{web.home}/missing",
            "reason": "http_404",
            "message": "The server responded with HTTP 404 (Not Found).",
        }
    ]


def test_a_list_may_come_from_stdin(
    typist: Typist, web: Stub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{web.home}/c\n"))

    assert typist.type("read", "-f", "-", "-o", "out").status == 0
    assert files(home / "out") == ["c.md"]


def test_invalid_lines_are_named_and_nothing_is_read(typist: Typist, web: Stub, home: Path) -> None:
    listed = write_list(home / "urls.txt", f"{web.home}/a", "", "no url", "ftp://a.example/x")

    done = typist.type("read", "-f", listed, "-o", "out")

    assert done.status == 2
    assert "line 3: 'no url' (it is not a complete URL); line 4: 'ftp://a.example/x'" in done.err
    assert not (home / "out").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give a URL or a file, or a list of URLs with -f FILE -o DIR"),
        (("-f", "urls.txt"), "a list of URLs needs -f FILE -o DIR"),
        (("https://a.example", "-f", "urls.txt", "-o", "out"), "and no other argument"),
        (("https://a.example", "--render"), "is for a list of URLs"),
        (("https://a.example", "-o", "."), ". is a folder: give a file, like page.md"),
        (("https://a.example", "-o", "none/a.md"), "there is no folder none"),
        (("-f", "none.txt", "-o", "out"), "Cannot read none.txt"),
    ],
)
def test_wrong_options_are_explained(typist: Typist, words: tuple[str, ...], message: str) -> None:
    done = typist.type("read", *words)

    assert done.status == 2
    assert message in done.err


def test_the_whole_page_is_printed_and_notes_go_to_stderr(typist: Typist, web: Stub) -> None:
    done = typist.type("read", f"{web.home}/long")

    assert done.status == 0
    assert done.out.count("Heat pumps move heat instead of making it.") == 200
    assert len(done.out) > 50_000  # where a page is cut for a model
    assert "words" in done.err
    assert "cut off" not in done.err


def test_a_page_is_written_to_a_file(typist: Typist, web: Stub, home: Path) -> None:
    printed = typist.type("read", f"{web.home}/a")
    done = typist.type("read", f"{web.home}/a", "-o", "page.md")

    text = (home / "page.md").read_text("utf-8")
    assert (done.status, done.out, text) == (0, "", printed.out)
    assert done.err.endswith(f"Wrote {len(text.encode()):,} bytes to page.md\n")


def test_a_killed_process_is_continued_without_reading_a_page_twice(home: Path) -> None:
    with running_site(lambda path, headers: page(path, []), latency=0.02) as site:
        listed = write_list(home / "urls.txt", *(f"{site.url}/{n}" for n in range(150)))
        command = [sys.executable, "-m", "webquarry", "read", "-f", listed, "-o", "out"]
        environ = {
            **os.environ,
            "ALLOW_PRIVATE_IPS": "true",
            "CRAWL_DELAY": "0",
            "CRAWL_CONCURRENCY": "4",
            "LOCAL_INDEX": "off",
        }
        first = subprocess.Popen(command, cwd=home, env=environ, stdout=subprocess.DEVNULL)
        site.wait_for_requests_now(70)
        first.send_signal(signal.SIGKILL)
        first.wait()
        done = subprocess.run(command, cwd=home, env=environ, check=False, capture_output=True)

    assert done.returncode == 0, done.stderr
    assert len(files(home / "out")) == 150
    counts = site.request_counts()
    repeated = sum(count - 1 for path, count in counts.items() if path != "/robots.txt")
    assert repeated <= 48  # what was read but not stored: see tests/crawl/test_crash.py


def test_files_of_this_machine_are_read(typist: Typist, home: Path) -> None:
    (home / "owls.txt").write_text("Owls hunt at night.")
    (home / "Mice & men.html").write_text("<h1>Mice</h1><p>They hide from the owls at night.</p>")
    (home / "out").mkdir()

    single = typist.type("read", "owls.txt")
    several = typist.type("read", "owls.txt", "Mice & men.html", "./owls.txt", "-o", "out")

    assert (single.status, single.out) == (0, "Owls hunt at night.\n")
    assert several.status == 0
    assert {path.name: path.read_text() for path in (home / "out").iterdir()} == {
        "owls.txt.md": "Owls hunt at night.\n",
        "Mice-men.html.md": "# Mice\n\nThey hide from the owls at night.\n",
        "owls.txt-2.md": "Owls hunt at night.\n",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("./none.pdf",), "./none.pdf does not exist. Give a file or a URL."),
        (("file:///none.pdf",), "file:///none.pdf does not exist."),
        (("out",), "out is a folder. Give a file or a URL."),
        (("owls.txt", "owls.txt", "-o", "both.md"), "both.md is not a folder"),
        (("empty.txt",), "empty.txt is empty."),
        (("bomb.zip",), "zip bomb"),
    ],
)
def test_files_that_cannot_be_read_are_explained(
    typist: Typist, home: Path, words: tuple[str, ...], message: str
) -> None:
    (home / "owls.txt").write_text("Owls hunt at night.")
    (home / "empty.txt").write_text("")
    (home / "out").mkdir()
    with zipfile.ZipFile(home / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", bytes(40 * 2**20))

    done = typist.type("read", *words)

    assert done.status != 0
    assert message in done.err
