"""`webquarry session list|show|export`."""

import json
from pathlib import Path

import pytest

from tests.cli.typing_in import Typist


@pytest.fixture
def session(typist: Typist) -> str:
    """The id of a session with one step and the sources of one search."""
    step = {
        "searchStep": "Look for measurements",
        "stepNumber": 1,
        "nextStepNeeded": True,
        "researchGoal": "Do heat pumps work in winter?",
        "knowledgeGap": "costs",
    }
    begun = json.loads(typist.type("call", "sequential_search", json.dumps(step)).out)
    typist.type("search", "heat pumps", "--session", begun["sessionId"])
    return begun["sessionId"]


def test_an_empty_list_says_how_sessions_start(typist: Typist) -> None:
    done = typist.type("session", "list")

    assert done.out.startswith("No sessions yet. Assistants start them")


def test_sessions_are_listed(typist: Typist, session: str) -> None:
    listed = json.loads(typist.type("session", "list", "--json").out)["sessions"]
    table = typist.type("session", "list").out.splitlines()

    assert [(s["sessionId"], s["steps"], s["sources"]) for s in listed] == [(session, 1, 3)]
    assert table[1].startswith(f"{session}  Do heat pumps work in winter?  1      3")


def test_the_beginning_of_an_id_is_enough(typist: Typist, session: str) -> None:
    done = typist.type("session", "show", session[:6])

    assert done.status == 0
    assert "Do heat pumps work in winter?" in done.out
    assert "! Open question: costs" in done.out
    assert " 1. How heat pumps work\n" in done.out


def test_a_step_is_shown_in_full(typist: Typist, session: str) -> None:
    done = typist.type("session", "show", session, "--step", "1")

    assert done.out.startswith("## Step 1: Look for measurements\n")


def test_an_unknown_session_says_where_to_look(typist: Typist) -> None:
    done = typist.type("session", "show", "nope")

    assert (done.status, done.err.splitlines()[1]) == (
        1,
        "  → `webquarry session list` lists the sessions.",
    )


def test_a_report_is_written_with_what_belongs_to_it(
    typist: Typist, session: str, home: Path
) -> None:
    done = typist.type("session", "export", session, "-o", "report.md",
                       "--attach", "bibtex", "--attach", "prisma-s")  # fmt: skip

    written = sorted(path.name for path in home.glob("*.*") if path.is_file())
    assert (done.status, done.out) == (0, "")
    assert written == ["references.bib", "report.md", "search-log.md"]
    assert "Do heat pumps work in winter?" in (home / "report.md").read_text()


def test_a_report_goes_to_stdout_without_a_file(typist: Typist, session: str) -> None:
    document = json.loads(typist.type("session", "export", session, "-f", "json").out)
    alone = typist.type("session", "export", session, "--attach", "bibtex")

    assert document["researchGoal"] == "Do heat pumps work in winter?"
    assert alone.status == 2
