"""Patterns for paths as patterns for URLs."""

import re

import pytest

from webquarry.server.compat.firecrawl.path_patterns import path_pattern, paths_below


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("^/blog", "https://a.test/blog/1", True),
        ("^/blog", "https://a.test/en/blog", False),
        ("blog/.*", "https://a.test/en/blog/1", True),
        ("^/blog$", "https://a.test/blog?page=2", True),
        ("^/blog$", "https://a.test/blog/1", False),
        ("blog", "https://blog.test/", False),
        ("blog", "https://a.test/?q=blog", False),
        ("^/a|^/b", "https://a.test/a", True),
    ],
)
def test_a_pattern_looks_at_the_path_only(pattern: str, url: str, matches: bool) -> None:  # noqa: FBT001
    assert bool(re.search(path_pattern(pattern, whole=False), url)) is matches


def test_a_pattern_over_urls_is_unchanged() -> None:
    assert path_pattern("^https://a", whole=True) == "^https://a"


def test_paths_below_a_page_start_with_its_path() -> None:
    assert paths_below("https://a.test/") == []
    assert paths_below("https://a.test/docs/x") == ["/docs/x*"]
