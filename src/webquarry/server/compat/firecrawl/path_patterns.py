"""Firecrawl's patterns for paths as patterns for URLs."""

from urllib.parse import urlsplit

_HOST = r"^https?://[^/?#]+"


def path_pattern(pattern: str, *, whole: bool) -> str:
    """Return a pattern over URLs for one over paths; `whole` patterns are over URLs already."""
    if whole:
        return pattern
    starts = pattern.startswith("^")
    ends = pattern.endswith("$") and not pattern.endswith("\\$")
    inner = pattern[starts : len(pattern) - ends]
    before = "" if starts else "[^?#]*"
    after = "(?:[?#]|$)" if ends else ""
    # the pattern must begin within the path
    return f"{_HOST}{before}(?:{inner}){after}"


def paths_below(url: str) -> list[str]:
    """Return globs for the paths that start with the path of a URL; none for a whole site."""
    path = urlsplit(url).path
    return [f"{path}*"] if path.strip("/") else []
