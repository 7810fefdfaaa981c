"""The scope of a crawl: which hosts and URLs it may read."""

import re
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlRequest

_MAX_PATTERN_LENGTH = 1_000
_MAX_PATTERNS = 100
# at most two repetitions and none of a group: never slow in the `re` module
_SAFE_PATTERN = re.compile(
    r"(?:[^*+{\\]|\\[^\d]){0,200}(?:(?<!\))[*+](?:[^*+{\\]|\\[^\d]){0,200}){0,2}"
)


class Scope:
    """The URLs that a crawl may visit."""

    def __init__(self, request: CrawlRequest, start: str) -> None:
        """Compile the patterns; `BadInputError` names a wrong one."""
        self._include = compile_patterns(request.include)
        self._exclude = compile_patterns(request.exclude)
        self._same_domain = request.same_domain
        self._subdomains = request.subdomains
        self._hosts: dict[str, bool] = {}
        self._start_hosts: list[str] = []
        self.add_start_host(start)

    def add_start_host(self, host: str) -> None:
        """Include the host of the start page, or of the page it redirects to."""
        self._start_hosts.append(host.rstrip("."))
        self._hosts.clear()

    def includes_host(self, host: str) -> bool:
        """Whether a host is in the scope."""
        if not self._same_domain:
            return True
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = any(
                self._is_same_site(host, site) for site in self._start_hosts
            )
        return known

    def exclusion_reason(self, url: str) -> str:
        """Return why a URL on a host of the scope is not read; '' if it is."""
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "excluded"
        if any(pattern.search(url) for pattern in self._exclude):
            return "excluded"
        return ""

    def _is_same_site(self, host: str, site: str) -> bool:
        name = host.rstrip(".")
        if name == site or _bare(name) == _bare(site):
            return True
        domain = registrable_domain(site)
        return self._subdomains and bool(domain) and registrable_domain(name) == domain


def compile_patterns(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    """Return patterns that match in linear time; `BadInputError` for wrong ones."""
    if len(patterns) > _MAX_PATTERNS:
        raise BadInputError(f"at most {_MAX_PATTERNS} patterns are allowed, got {len(patterns)}")
    return tuple(_compile(pattern) for pattern in patterns)


def _re2() -> Any:
    # matches in linear time, so that no pattern can block the server; it has no types
    return import_module("re2")


@cache
def _options() -> Any:
    options = _re2().Options()
    options.log_errors = False
    return options


def _compile(pattern: str) -> Any:
    if _SAFE_PATTERN.fullmatch(pattern):  # `re` is three times as fast
        with suppress(re.error):
            return re.compile(pattern)
    if len(pattern) > _MAX_PATTERN_LENGTH:
        raise BadInputError(f"a pattern may have at most {_MAX_PATTERN_LENGTH} characters")
    engine = _re2()
    try:
        return engine.compile(pattern, _options())
    except engine.error as error:
        reason = error.args[0]
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BadInputError(
            f"{pattern!r} is not a supported regular expression: {text}"
            " (RE2 syntax: no look-around, no back-references)"
        ) from error


def _bare(host: str) -> str:
    return host.removeprefix("www.")
