"""How pages are read, as Firecrawl clients say it."""

from typing import Annotated, Any

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.models.page_options import HeaderFields
from webquarry.server.compat.firecrawl.firecrawl_actions import Actions, action_warnings
from webquarry.server.compat.firecrawl.firecrawl_errors import refuse
from webquarry.server.compat.firecrawl.firecrawl_formats import WantedFormats, wanted_formats

_MAX_SECONDS = 110.0  # below the timeout of the tools
CACHE_MS = 3_600_000  # how long a page stays in the cache of this server
_Selectors = Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(max_length=50)]
Milliseconds = Annotated[int, Field(ge=0, le=3_153_600_000_000)]

# what would change what is read or who learns of it, so that a warning is not enough
REFUSED = {
    "lockdown": "this server cannot promise to send no request; leave lockdown out",
    "minAge": "this server keeps pages for an hour; leave minAge out",
    "redactPII": "this server removes no personal data from pages; leave redactPII out",
    "checkPromptInjection": "this server removes hidden text, but detects no prompt injection; "
    "leave checkPromptInjection out",
    "threatProtection": "is not available; the administrator of this server decides which hosts "
    "are read",
    "profile": "this server keeps no browser profiles; send headers instead",
    "zeroDataRetention": "pages are kept for an hour, encrypted, for their reader only; that is "
    "not zero",
    "domainTools": "is not available: it is a service of Firecrawl",
    "useMock": "is for Firecrawl's own tests",
}


class FirecrawlLocation(Model):
    """Where a page is requested from."""

    country: str | None = None
    languages: tuple[str, ...] | None = None


class FirecrawlPageOptions(Model):
    """Options of a scrape, and of the pages of a crawl, batch or search."""

    formats: tuple[str | dict[str, Any], ...] | None = None
    onlyMainContent: bool | None = None
    includeTags: _Selectors | None = None
    excludeTags: _Selectors | None = None
    headers: HeaderFields | None = None
    timeout: Annotated[int, Field(ge=1)] | None = None
    waitFor: Annotated[int, Field(ge=0)] | None = None
    mobile: bool | None = None
    parsers: tuple[str | dict[str, Any], ...] | None = None
    location: FirecrawlLocation | None = None
    maxAge: Milliseconds | None = None
    proxy: str | None = None
    fastMode: bool | None = None
    storeInCache: bool | None = None
    # pages are always read like this: certificates are checked, advertisements are no content,
    # and images inside a page are not in its Markdown
    skipTlsVerification: bool | None = None
    blockAds: bool | None = None
    removeBase64Images: bool | None = None
    # who calls: this server records its own users
    origin: str | None = None
    integration: str | None = None
    auditMetadata: dict[str, Any] | None = None
    toolDetail: str | None = None
    actions: Actions | None = None
    # refused
    lockdown: bool | None = None
    minAge: int | None = None
    redactPII: bool | dict[str, Any] | None = None
    checkPromptInjection: bool | None = None
    threatProtection: dict[str, Any] | None = None
    profile: dict[str, Any] | None = None
    zeroDataRetention: bool | None = None
    domainTools: bool | None = None
    useMock: str | None = None

    def wanted(self) -> WantedFormats:
        """Return the formats; raise for options that cannot be honoured."""
        refuse(REFUSED, {name: getattr(self, name) for name in REFUSED})
        return wanted_formats(self.formats)

    @property
    def selects(self) -> bool:
        """Whether the content is not the main content, which the readers choose."""
        return bool(self.includeTags or self.excludeTags or self.onlyMainContent is False)

    @property
    def is_special(self) -> bool:
        """Whether the request for a page differs from the usual one."""
        return bool(self.headers or self.mobile or self.locale)

    @property
    def locale(self) -> str:
        """The preferred language."""
        languages = self.location.languages if self.location else None
        return languages[0] if languages else ""

    @property
    def seconds(self) -> float:
        """The time for one page."""
        return min(_MAX_SECONDS, self.timeout / 1000) if self.timeout else _MAX_SECONDS

    def warnings(self) -> list[str]:
        """Say what is not honoured; none for the defaults of Firecrawl's clients."""
        found = [text for name, text in _WARNINGS.items() if getattr(self, name)]
        found += action_warnings(self.actions)
        if self.storeInCache is False:
            found.append("storeInCache: pages are kept for an hour, encrypted")
        if self.location and self.location.country:
            found.append("location.country: pages are requested from where this server is")
        if self.proxy not in {None, "basic", "auto"}:
            found.append("proxy: pages are requested as the administrator of this server chose")
        if self.parsers is not None and not _only_pdf(self.parsers):
            found.append("parsers: PDF and Office files are read as a whole, images are not")
        return found


_WARNINGS = {
    "waitFor": "waitFor: the browser waits until a page stops changing, not for a fixed time",
    "fastMode": "fastMode: has no effect",
    "auditMetadata": "auditMetadata: this server records its own users only",
}


def _only_pdf(parsers: tuple[str | dict[str, Any], ...]) -> bool:
    return all(parser in ("pdf", {"type": "pdf"}) for parser in parsers) and bool(parsers)


def target_url(url: str) -> str:
    """Return a URL with its scheme: clients may leave it out."""
    trimmed = url.strip()
    if not trimmed:
        raise BadInputError("url: must not be empty")
    return trimmed if "://" in trimmed else f"https://{trimmed}"
