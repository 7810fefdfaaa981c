"""`webquarry bundle`: evidence written, verified and brought in at a terminal."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.stub import Stub
from tests.cli.typing_in import Typist
from tests.tsa_server import serving_authority

STEP = {
    "searchStep": "Look for measurements",
    "stepNumber": 1,
    "nextStepNeeded": True,
    "researchGoal": "Do heat pumps work in winter?",
}
QUOTE = "Heat pumps move heat instead of making it."


@pytest.fixture
def capturing(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> Typist:
    """Somebody who captures everything."""
    monkeypatch.setenv("CAPTURE", "on")
    return typist


@pytest.fixture
def session(capturing: Typist, web: Stub) -> str:
    """The id of a session in which one page was read."""
    begun = json.loads(capturing.type("call", "sequential_search", json.dumps(STEP)).out)
    found = str(begun["sessionId"])
    done = capturing.type("read", f"{web.home}/a", "--session", found)
    assert done.status == 0, done.err
    return found


@pytest.fixture
def crawl(typist: Typist, web: Stub) -> str:
    """The id of a crawl that captured its pages."""
    done = typist.type("crawl", f"{web.home}/", "--depth", "3", "--capture", "--json")
    return str(json.loads(done.out)["crawlId"])


def verified(typist: Typist, file: Path) -> dict[str, object]:
    done = typist.type("bundle", "verify", str(file), "--json")
    assert done.status == 0, done.out
    return json.loads(done.out)


def test_a_session_is_written_and_what_it_carries_is_said_first(
    capturing: Typist, session: str, tmp_path: Path
) -> None:
    file = tmp_path / "evidence.wacz"

    done = capturing.type("bundle", "session", session[:8], "-o", str(file))

    lines = done.out.splitlines()
    assert done.status == 0, done.err
    assert lines[0].startswith(f"{STEP['researchGoal']}: 1 captured exchange, ")
    assert lines[1] == "! Whoever gets this file gets:"
    assert "- The goal, steps, reasoning and open questions of your research." in lines
    assert "" not in lines
    assert lines[-1] == f"Wrote {file} ({file.stat().st_size:,} bytes)."
    assert verified(capturing, file)["verdict"] == "intact"


def test_a_dry_run_only_says_it(capturing: Typist, session: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.wacz"

    done = capturing.type("bundle", "session", session, "--all", "--dry-run", "-o", str(file))

    assert done.status == 0, done.err
    assert "! Whoever gets this file gets:" in done.out
    assert "Wrote" not in done.out
    assert not file.exists()


def test_a_crawl_captures_without_a_setting(typist: Typist, crawl: str, tmp_path: Path) -> None:
    file = tmp_path / "crawl.wacz"

    done = typist.type("bundle", "crawl", crawl[:8], "-o", str(file))

    assert done.status == 0, done.err
    assert verified(typist, file)["pages"] == 4


def test_a_check_of_a_document_is_written(capturing: Typist, web: Stub, tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text(f"{QUOTE} [1]\n\n## References\n\n[1] {web.home}/a\n")
    checked = json.loads(capturing.type("check", "paper.md", "--json").out)
    file = tmp_path / "check.wacz"

    done = capturing.type("bundle", "check", str(checked["checkId"]), "-o", str(file))

    assert done.status == 0, done.err
    assert verified(capturing, file)["verdict"] == "intact"


def test_a_quotation_is_written_with_its_page(capturing: Typist, web: Stub, tmp_path: Path) -> None:
    arguments = json.dumps({"query": "heat pumps", "claim": QUOTE, "anchors": True})
    found = capturing.type("call", "search_and_scrape", arguments)
    file = tmp_path / "quote.wacz"
    (tmp_path / "anchor.json").write_text(found.out)

    done = capturing.type("bundle", "quote", "anchor.json", "-o", str(file))
    verify = capturing.type("bundle", "verify", str(file))

    assert done.status == 0, (found, done.err)
    assert verify.status == 0, verify.out
    assert "\nfound: “" in verify.out
    assert f"{web.home}/" in verify.out


def test_an_anchor_that_is_none_is_refused(typist: Typist) -> None:
    done = typist.type("bundle", "quote", "{}", "-o", "quote.wacz")

    assert (done.status, done.err) == (
        2, "webquarry: No anchor found: it has url, quote and sha256.\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("session",), 2, "Missing argument 'ID'"),
        (("session", "nope"), 1, "Session not found."),
        (("crawl", "nope"), 1, "There is no crawl 'nope'"),
        (("check", "nope"), 1, "There is no check nope"),
    ],
)
def test_what_does_not_exist_has_no_bundle(
    typist: Typist, words: tuple[str, ...], status: int, message: str, tmp_path: Path
) -> None:
    done = typist.type("bundle", *words, "-o", "evidence.wacz")

    assert done.status == status
    assert message in done.err
    assert not (tmp_path / "evidence.wacz").exists()


def test_work_that_captured_nothing_says_how_to_capture(typist: Typist, web: Stub) -> None:
    done = typist.type("crawl", f"{web.home}/", "--json")
    found = json.loads(done.out)["crawlId"]

    refused = typist.type("bundle", "crawl", found, "-o", "evidence.wacz")

    assert refused.status == 1
    assert "Nothing was captured for this crawl. Set CAPTURE=on" in refused.err


def test_bad_names_of_the_output_are_refused(typist: Typist, crawl: str, tmp_path: Path) -> None:
    (tmp_path / "mine.wacz").write_text("mine")
    (tmp_path / "folder.wacz").mkdir()

    wrong = typist.type("bundle", "crawl", crawl, "-o", "evidence.txt")
    taken = typist.type("bundle", "crawl", crawl, "-o", "mine.wacz")
    folder = typist.type("bundle", "crawl", crawl, "--force", "-o", "folder.wacz")
    nowhere = typist.type("bundle", "crawl", crawl, "-o", "/proc/evidence.wacz")

    assert [each.status for each in (wrong, taken, folder, nowhere)] == [2, 2, 2, 2]
    assert "must end in .wacz or .warc.gz" in wrong.err
    assert "mine.wacz exists; overwrite it with --force" in taken.err
    assert "Cannot write folder.wacz: Is a directory." in folder.err
    assert "Cannot write /proc/evidence.wacz: " in nowhere.err
    assert (tmp_path / "mine.wacz").read_text() == "mine"


def test_records_only_are_not_signed(typist: Typist, crawl: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.warc.gz"
    typist.type("bundle", "crawl", crawl, "-o", str(file))

    done = typist.type("bundle", "verify", str(file))

    assert done.status == 3
    assert done.out.startswith("! Nobody's signature: ")


def test_a_changed_bundle_is_named(typist: Typist, crawl: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.wacz"
    typist.type("bundle", "crawl", crawl, "-o", str(file))
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)

    done = typist.type("bundle", "verify", str(file))

    assert done.status == 1
    assert done.out.startswith("! NOT INTACT.\n")


def test_a_key_that_did_not_sign_is_refused(typist: Typist, crawl: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.wacz"
    typist.type("bundle", "crawl", crawl, "-o", str(file))

    done = typist.type("bundle", "verify", str(file), "--key", "0000:1111")

    assert done.status == 1
    assert "Not signed with the key 0000:1111." in done.out


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_a_time_stamp_is_shown(
    typist: Typist, crawl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "evidence.wacz")
    with serving_authority() as authority:
        monkeypatch.setenv("TIMESTAMP_URL", authority.url)
        typist.type("bundle", "crawl", crawl, "-o", file)
        trusted = typist.type("bundle", "verify", file, "--tsa", str(authority.roots))
        unknown = typist.type("bundle", "verify", file)

    assert (trusted.status, unknown.status) == (0, 0)
    assert "\nTime stamp: CN=Owl Time says that it existed at 20" in trusted.out
    assert "! Time stamp, NOT VERIFIED: CN=Owl Time says" in unknown.out


def test_an_authority_that_does_not_respond_leaves_no_file(
    typist: Typist, crawl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMESTAMP_URL", "http://127.0.0.1:1/tsr")

    done = typist.type("bundle", "crawl", crawl, "-o", "evidence.wacz")

    assert done.status == 1
    assert "Could not reach timestamp" in done.err
    assert not (tmp_path / "evidence.wacz").exists()


def test_files_that_are_no_bundles_are_one_sentence(typist: Typist, tmp_path: Path) -> None:
    (tmp_path / "no.wacz").write_text("hello\n")

    missing = typist.type("bundle", "verify", "missing.wacz")
    verify = typist.type("bundle", "verify", "no.wacz")
    opened = typist.type("bundle", "open", "no.wacz", "--no-browser")
    brought = typist.type("bundle", "import", "no.wacz")

    assert missing.status == 2
    assert missing.err == "webquarry: missing.wacz: No such file or directory\n"
    assert verify.status == 1
    assert "the archive is damaged at byte 0" in verify.out
    assert opened.status == 2
    assert opened.err.startswith("webquarry: no.wacz cannot be shown: ")
    assert brought.status == 1
    assert "! Damaged: " in brought.out


def test_a_truncated_bundle_is_not_intact_but_what_is_left_is_imported(
    typist: Typist, crawl: str, tmp_path: Path
) -> None:
    file = tmp_path / "evidence.warc.gz"
    typist.type("bundle", "crawl", crawl, "-o", str(file))
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * 3 // 4])

    verify = typist.type("bundle", "verify", str(file))
    brought = typist.type("bundle", "import", str(file))

    assert (verify.status, brought.status) == (1, 1)
    assert "the file ends within compressed data" in brought.out
    assert "Imported " in brought.out


def test_an_imported_archive_lists_its_pages(typist: Typist, crawl: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.wacz"
    typist.type("bundle", "crawl", crawl, "-o", str(file))

    done = typist.type("bundle", "import", str(file))
    data = json.loads(typist.type("bundle", "import", str(file), "--json").out)

    assert done.status == 0, done.err
    assert "Imported 4 pages of evidence.wacz." in done.out
    assert data["pages"] == 4


@pytest.mark.parametrize(
    "command", ["session", "crawl", "check", "quote", "verify", "open", "import"]
)
def test_every_command_has_help(typist: Typist, command: str) -> None:
    done = typist.type("bundle", command, "--help")

    assert done.status == 0
    assert f"webquarry bundle {command}" in done.out
