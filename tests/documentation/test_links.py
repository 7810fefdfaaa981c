"""Links between documents: the file exists, and so does the heading that an anchor names."""

import re
from pathlib import Path

import pytest
import yaml

from tests.documentation.blocks import ROOT, documents, prose

PAGES = [*documents(), ROOT / "CHANGELOG.md", *sorted((ROOT / "docs" / "adr").glob("*.md"))]
_LINK = re.compile(r"\]\((?!https?://|mailto:)([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as the site and GitHub name them."""
    return {_slug(heading) for heading in _HEADING.findall(prose(path))}


def _slug(heading: str) -> str:
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text.lower()).strip())


def _is_broken(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists():
        return True
    return bool(anchor) and anchor not in anchors(target)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_point_to_existing_files_and_headings(path: Path) -> None:
    links: list[str] = _LINK.findall(prose(path))

    assert [link for link in links if _is_broken(path, link)] == []


def test_a_missing_heading_or_file_is_found() -> None:
    page = ROOT / "docs" / "index.md"

    assert _is_broken(page, "cli.md#no-such-heading")
    assert _is_broken(page, "no-such-file.md")
    assert not _is_broken(page, "cli.md#read")


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: str(page.relative_to(ROOT))
)
def test_every_page_is_in_the_navigation(page: Path) -> None:
    navigation = yaml.safe_load((ROOT / "docs" / "navigation.yml").read_text(encoding="utf-8"))
    listed = {name for pages in navigation["sections"].values() for name in pages.values()}
    listed |= {f"tools/{name}" for names in navigation["tools"].values() for name in names}

    assert str(page.relative_to(ROOT / "docs").with_suffix("")) in listed | {"index"}
