"""Redirects in the HTML of a page: `<meta http-equiv="refresh">`."""

import re

from webquarry.content.html.quick_parse import QuickParse
from webquarry.crawl.urls import network_url, resolve
from webquarry.crawl.visit_results import VisitedPage
from webquarry.net.url import Url

# a page that shows another one after a longer time is a page of its own
_MAX_SECONDS = 10
_MAX_LENGTH = 4_000
_REFRESH = re.compile(
    r"""\s*+(\d{1,9})(?:\.\d*+)?\s*+[;,\s]\s*+(?:url\s*+=\s*+)?+(?:"([^"]*+)|'([^']*+)|(\S.*+))""",
    re.IGNORECASE | re.DOTALL,
)


def refresh_target(visited: VisitedPage, parsed: QuickParse) -> Url | None:
    """Return the URL that a page redirects to by a meta refresh, unless it is the page itself."""
    match = _REFRESH.match(parsed.refresh[:_MAX_LENGTH])
    if match is None or int(match[1]) > _MAX_SECONDS:
        return None
    base = visited.url.href
    if parsed.base and (declared := resolve(parsed.base, base)):
        base = declared.href
    target = resolve((match[2] or match[3] or match[4] or "").strip(), base)
    return network_url(target.href) if target and target.href != visited.url.href else None
