"""The scope of a crawl: which hosts and URLs it may read."""

import re
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import unquote_plus

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.crawl.urls import CrawlUrl
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
        self._include_paths = compile_patterns(tuple(map(_glob, request.include_paths)))
        self._exclude_paths = compile_patterns(tuple(map(_glob, request.exclude_paths)))
        keep = request.keep_parameters
        self._kept_parameters = None if keep is None else frozenset(keep)
        self._stripped_parameters = frozenset(request.strip_parameters)
        self.strips_parameters = keep is not None or bool(request.strip_parameters)
        self.follows_links = not request.sitemap_only
        self.reads_documents = request.documents
        self._same_domain = request.same_domain
        self._subdomains = request.subdomains
        self._hosts: dict[str, bool] = {}
        self._start_hosts: list[str] = []
        self.add_start_host(start)

    def move_to(self, host: str, *, permanent: bool) -> bool:
        """Include the host that the start page redirects to; return whether the scope allows it.

        A site may have moved to another domain; a temporary redirect there is usually a login.
        """
        domain = registrable_domain(host)
        same_domain = domain and domain in map(registrable_domain, self._start_hosts)
        if permanent or same_domain:
            self.add_start_host(host)
            return True
        return False

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
        if self._include_paths or self._exclude_paths:
            return self._path_exclusion(url)
        return ""

    def without_parameters(self, url: CrawlUrl) -> CrawlUrl:
        """Return the URL without the query parameters that the crawl removes."""
        head, mark, query = url.href.partition("?")
        if not mark:
            return url
        kept = "&".join(part for part in query.split("&") if self._keeps(part.partition("=")[0]))
        return url._replace(href=f"{head}?{kept}" if kept else head)

    def _keeps(self, name: str) -> bool:
        plain = unquote_plus(name)
        if self._kept_parameters is not None and plain not in self._kept_parameters:
            return False
        return plain not in self._stripped_parameters

    def _path_exclusion(self, url: str) -> str:
        start = url.find("/", 8)
        path = url[start:].partition("?")[0] if start > 0 else "/"
        if self._include_paths and not any(p.search(path) for p in self._include_paths):
            return "excluded"
        return "excluded" if any(p.search(path) for p in self._exclude_paths) else ""

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


def _glob(pattern: str) -> str:
    """Return a glob over paths as a regular expression: /blog stands for all paths below it."""
    if not pattern.startswith(("/", "*")):
        raise BadInputError(f"{pattern!r} is not a path; paths start with /, like /blog/*")
    parts = [re.escape(part) for part in pattern.rstrip("/").split("*")]
    end = "" if pattern.endswith("*") else "(?:/|$)"
    return f"^{'.*'.join(parts)}{end}"


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
