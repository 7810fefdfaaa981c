"""`llms.txt`: of the shape that llmstxt.org asks for, and every link leads somewhere."""

import re
from pathlib import Path

import pytest

from tests.build.distribution.conftest import ROOT
from tests.server.http_server import http_server
from webquarry.calls.registry import TOOLSETS
from webquarry.tools import TOOLS
from webquarry_build.distribution.package_files import SERVED

LINK = re.compile(r"^- \[([^\]]+)\]\(([^)\s]+)\)(?:: \S.*)?$")
OURS = (ROOT / "llms.txt").read_text(encoding="utf-8")
THEIRS = (ROOT / SERVED).read_text(encoding="utf-8")


def _links(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return the links of each section; a line that is none fails."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for part in text.split("\n## ")[1:]:
        heading, *lines = part.splitlines()
        matches = [LINK.match(line) for line in lines if line]
        sections[heading] = [(m[1], m[2]) for m in matches if m]
        assert len(sections[heading]) == len(matches), heading
    return sections


@pytest.mark.parametrize("text", [OURS, THEIRS], ids=["repository", "server"])
def test_it_begins_with_a_title_and_a_summary_and_lists_every_tool(text: str) -> None:
    assert text.startswith("# Webquarry\n\n> ")
    assert len(text) < 13_500  # it is for a model's context
    sections = _links(text)
    for toolset in TOOLSETS:
        [listed] = [v for k, v in sections.items() if k.startswith(f"Toolset {toolset}: ")]
        assert [name for name, _ in listed] == [t.name for t in TOOLS if t.toolset == toolset]


def test_the_repository_s_links_lead_to_its_documents() -> None:
    linked = {address for links in _links(OURS).values() for _, address in links}

    assert [address for address in linked if not (ROOT / address).is_file()] == []
    guides = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - {"docs/index.md"}
    assert guides <= linked


def test_a_server_shows_it_to_everybody_and_its_links_work(tmp_path: Path) -> None:
    with http_server(tmp_path) as client:
        answer = client.get("/llms.txt")
        assert (answer.status_code, answer.text) == (200, THEIRS)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        addresses = {address.partition("?")[0] for x in _links(THEIRS).values() for _, address in x}
        assert {client.get(address).status_code for address in addresses} == {200}


def test_a_server_that_demands_credentials_shows_it_too(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"API_KEYS": "on"}) as client:
        assert client.get("/v1/tools").status_code == 401
        assert client.get("/llms.txt").text == THEIRS
