"""The demo as somebody sees it who has just installed Webquarry, command by command of its page."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bibtexparser.entrypoint import parse_string

from tests.server.processes import environment
from webquarry.errors import WebquarryError
from webquarry_demo import script
from webquarry_demo.demo_view import SilentObserver
from webquarry_demo.scene import Scene, SceneContext, SceneResult, require
from webquarry_demo.search_scenes import HIDDEN

DOCUMENT = Path(__file__).parents[2] / "docs" / "demo.md"
BLOCKS = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
COMMANDS = [line.partition("#")[0].strip() for block in BLOCKS for line in block.splitlines()]
PLAIN, FOR_PROGRAMS, KEPT = [c for c in COMMANDS if c.startswith("webquarry")]
SECRET = "brave-key-of-the-person-who-tries-it"  # noqa: S105


def run(home: Path, command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the document in an empty home, with settings that must not matter."""
    words = shlex.split(command)[1:]
    own = {
        "TMPDIR": str(home / "tmp"),
        "BRAVE_API_KEY": SECRET,
        "SEARCH_PROVIDER": "brave",
        "HTTPS_PROXY": "http://127.0.0.1:1",
        "HTTP_PROXY": "http://127.0.0.1:1",
    }
    (home / "tmp").mkdir()
    (home / ".env").write_text("PORT=nonsense\n")
    return subprocess.run(
        [sys.executable, "-m", "webquarry", *words],
        cwd=home,
        env=environment(home, **own),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def test_the_summary_for_programs_has_the_facts_and_the_report_parses(tmp_path: Path) -> None:
    done = run(tmp_path, FOR_PROGRAMS)

    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    facts: dict[str, Any] = {scene["name"]: scene["facts"] for scene in told["scenes"]}
    assert told["console"] is None
    assert facts["hidden"] == {
        "hiddenTexts": 3,
        "hiddenCharacters": 380,
        "reasons": ["zero size", "display: none", "off screen"],
    }
    assert (facts["crawl"]["pages"], facts["crawl"]["leftOut"]) == (
        13,
        {"redirect": 1, "duplicate": 1, "closed by robots.txt": 1, "broken link": 1},
    )
    assert [row["price"] for row in facts["products"]["products"]] == [148, 189.5, 79, 64]
    assert facts["products"]["products"][3]["rating"] is None
    assert facts["papers"]["retracted"] == [
        "Ultrasonic vole lures triple the fledging rate of barn owls"
    ]
    assert facts["citations"] == {
        "real": "confirmed",
        "claimSupport": "addressed",
        "retracted": True,
        "invented": "not_found",
    }
    summary = facts["bibliography"]["summary"]
    assert {name: summary[name] for name in ("total", "retracted", "notFound", "mismatch",
                                             "deadLink", "ok")} == {
        "total": 6, "retracted": 1, "notFound": 1, "mismatch": 1, "deadLink": 1, "ok": 2,
    }  # fmt: skip
    assert facts["document"]["findings"] == {
        "contradicted": 1, "reference_not_found": 2, "retracted": 1, "dead_link": 1,
    }  # fmt: skip
    assert facts["ranking"]["conflictOfInterest"] == "employment"
    assert (facts["ranking"]["agree"], facts["ranking"]["disagree"]) == (0, 1)
    _report_is_whole(Path(told["directory"]), facts["export"])
    # only the report is left, and nothing of the person who tried it was touched
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        ".env", "check.html", "references.bib", "report.md", "search-log.md",
    ]  # fmt: skip


def _report_is_whole(folder: Path, facts: dict[str, Any]) -> None:
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert report.count("### Step ") == facts["steps"] == 5
    assert HIDDEN not in report
    parsed = parse_string((folder / "references.bib").read_text(encoding="utf-8"))
    assert (len(parsed.entries), parsed.failed_blocks) == (facts["sources"], [])
    assert "| 1 |" in (folder / "search-log.md").read_text(encoding="utf-8")


def test_a_person_reads_what_was_done_found_and_can_be_done_next(tmp_path: Path) -> None:
    done = run(tmp_path, PLAIN)

    assert (done.returncode, done.stderr) == (0, "")
    told = " ".join(done.stdout.split())
    for scene in script.SCENES:
        assert scene.title in told
    assert "Pyle 2018: exists, but was RETRACTED" in told
    assert "3 hidden instructions to AI assistants removed" in told
    assert "webquarry install claude-code" in told
    assert "In your browser" not in told
    [report] = re.findall(r"\S+report\.md", done.stdout)[-1:]
    assert Path(report).is_file()


def test_what_is_kept_can_be_used_again(tmp_path: Path) -> None:
    done = run(tmp_path, KEPT)

    assert done.returncode == 0, done.stderr
    kept = tmp_path / "owl-demo"
    assert {path.name for path in kept.iterdir()} == {
        "data", "check.html", "report.md", "references.bib", "search-log.md",
    }  # fmt: skip
    assert SECRET not in (kept / "report.md").read_text(encoding="utf-8")
    assert list((tmp_path / "tmp").iterdir()) == []
    assert script.prepare_directory(kept) == kept


class Watching(SilentObserver):
    """Remembers what failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def fail(self, scene: Scene, error: WebquarryError) -> None:
        self.failed.append(f"{scene.name}: {error}")


async def _missed(stage: SceneContext) -> SceneResult:
    require(stage.session, "nothing was begun")
    raise AssertionError("unreachable")


async def _refused(stage: SceneContext) -> SceneResult:
    await stage.call("scrape_page", url="https://example.org/")
    raise AssertionError("unreachable")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("play", "why"), [(_missed, "nothing was begun"), (_refused, "not one of the allowed domains")]
)
async def test_a_tool_that_fails_or_misses_something_ends_the_demo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, play: Any, why: str
) -> None:
    monkeypatch.setattr(script, "SCENES", (Scene("wrong", "Wrong", ("none",), "", play),))
    watching = Watching()

    async with script.open_demo(tmp_path / "kept") as opened:
        with pytest.raises(WebquarryError, match=why):
            await opened.play(watching)

    assert len(watching.failed) == 1
    assert watching.failed[0].startswith("wrong: ")
