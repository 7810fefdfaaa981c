"""What the host of one page is told of the caller: a stored login, own headers and cookies."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from webquarry.models.login import StoredLogin
from webquarry.models.page_options import PageOptions
from webquarry.net.url import Url, parse
from webquarry.reading.browser.context_options import ContextOptions


@dataclass(frozen=True, kw_only=True)
class PageAccess:
    """A page that is read for its caller alone: nothing that others can see keeps it."""

    target: Url
    login: StoredLogin | None = None
    own: PageOptions = field(default_factory=PageOptions)  # headers and cookies of this call

    @property
    def note(self) -> str:
        """What is said beside the result."""
        return f"Read with {self.described}: it is not cached or indexed."

    @property
    def described(self) -> str:
        """Return what is used: your login for owls.test of 2026-11-18."""
        given: list[str] = []
        if login := self.login:
            day = time.strftime("%Y-%m-%d", time.gmtime(login.stored_at))
            given.append(f"your login for {login.host} of {day}")
        if self.own.headers:
            given.append("your headers")
        if self.own.cookies:
            given.append("your cookies")
        return " and ".join(given)

    @property
    def storage_state(self) -> Mapping[str, Any] | None:
        """What a browser starts with."""
        return self.login.storage_state() if self.login else None

    def request_headers(self, now: float) -> dict[str, str]:
        """Return the headers of a request for the page."""
        target = self.target
        cookies = [f"{name}={value}" for name, value in self.own.cookies.items()]
        if self.login:
            path, secure = urlsplit(target.href).path, target.scheme == "https"
            stored = self.login.cookie_header(path=path, secure=secure, now=now)
            cookies[:0] = [stored] if stored else []
        return dict(self.own.headers) | ({"Cookie": "; ".join(cookies)} if cookies else {})

    def context_options(self) -> ContextOptions:
        """Return the options of a browser context that is known to this host alone."""
        return ContextOptions(
            headers=self.own.headers,
            receives_headers=self._is_own,
            cookies=self.own.cookies,
            cookie_domain=self.target.host,
            secure_cookies=self.target.scheme == "https",
            storage_state=self.storage_state,
        )

    def _is_own(self, url: str) -> bool:
        # a page also requests blob: and data: URLs
        return url.startswith(("http://", "https://")) and parse(url).origin == self.target.origin
