"""Which addresses a crawl may read."""

import re
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlRequest

_LONGEST_PATTERN = 1_000
_MOST_PATTERNS = 100
# at most two repetitions and none of a group: no text makes these slow
_HARMLESS = re.compile(
    r"(?:[^*+{\\]|\\[^\d]){0,200}(?:(?<!\))[*+](?:[^*+{\\]|\\[^\d]){0,200}){0,2}"
)


class Scope:
    """The part of the web that a request is about."""

    def __init__(self, request: CrawlRequest, start: str) -> None:
        """Compile the patterns; `BadInputError` says which of them is wrong."""
        self._include = compiled(request.include)
        self._exclude = compiled(request.exclude)
        self._same_domain = request.same_domain
        self._subdomains = request.subdomains
        self._hosts: dict[str, bool] = {}
        self._anchors: list[str] = []
        self.anchor(start)

    def anchor(self, host: str) -> None:
        """Take the host of the start page, or the one it redirects to, as the domain."""
        self._anchors.append(host.rstrip("."))
        self._hosts.clear()

    def has_host(self, host: str) -> bool:
        """Whether a host belongs to the crawl."""
        if not self._same_domain:
            return True
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = any(self._related(host, site) for site in self._anchors)
        return known

    def objection(self, url: str) -> str:
        """Return why an address on a right host is not read; '' if it may be."""
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "excluded"
        if any(pattern.search(url) for pattern in self._exclude):
            return "excluded"
        return ""

    def _related(self, host: str, site: str) -> bool:
        name = host.rstrip(".")
        if name == site or _bare(name) == _bare(site):
            return True
        domain = registrable_domain(site)
        return self._subdomains and bool(domain) and registrable_domain(name) == domain


def compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    """Return patterns that take linear time whatever they are; `BadInputError` for wrong ones."""
    if len(patterns) > _MOST_PATTERNS:
        raise BadInputError(f"give at most {_MOST_PATTERNS} patterns, got {len(patterns)}")
    return tuple(_compile(pattern) for pattern in patterns)


def _re2() -> Any:
    # a pattern of somebody else's must not be able to stop the server; it comes without types
    return import_module("re2")


@cache
def _options() -> Any:
    options = _re2().Options()
    options.log_errors = False
    return options


def _compile(pattern: str) -> Any:
    if _HARMLESS.fullmatch(pattern):  # and a third as expensive
        with suppress(re.error):
            return re.compile(pattern)
    if len(pattern) > _LONGEST_PATTERN:
        raise BadInputError(f"a pattern has at most {_LONGEST_PATTERN} characters")
    engine = _re2()
    try:
        return engine.compile(pattern, _options())
    except engine.error as error:
        words = error.args[0]
        said = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
        raise BadInputError(
            f"{pattern!r} is not a regular expression that can be used: {said}"
            " (RE2 syntax: no look-around, no back-references)"
        ) from error


def _bare(host: str) -> str:
    return host.removeprefix("www.")
