"""The errors that the server reports, and what a client can do about them.

* WebquarryError
  * BadInputError            validation            the caller must change its arguments
  * NotFoundError            not_found             what was requested does not exist
  * SessionNotFoundError     session_not_found     no such research session for this caller
  * ForbiddenError           auth_required         the caller may not use this tool
  * SettingsError            config                a setting is invalid; the message names it
    * UnknownProviderError   config                no provider has that name
    * UnconfiguredError      config                the provider lacks its key
  * ProviderError            upstream_unavailable  an upstream failed; another may work
    * RateLimitError         rate_limited          carries the seconds to wait
    * AccessError            auth_required         credentials are missing or were rejected
    * NetworkError           network               timeout, DNS or connection failure
    * PayloadError           upstream_unavailable  the response does not have the documented format
  * PageError                content_empty         a page could not be read
    * BlockedError           blocked               a bot wall or a policy blocked the request
    * BrowserError           browser_unavailable   the page needs a browser, and none is available
    * ParseLimitError        content_empty         parsing takes more time or memory than is allowed
  * DeadlineError            network               the tool ran out of time
  * InternalError            internal              a bug in this server
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells report it

Kind = Literal[
    "auth_required",
    "blocked",
    "browser_unavailable",
    "config",
    "content_empty",
    "internal",
    "network",
    "not_found",
    "rate_limited",
    "session_not_found",
    "upstream_unavailable",
    "validation",
]
Action = Literal[
    "check_api_key",
    "fix_arguments",
    "inform_user",
    "report_bug",
    "retry_after_delay",
    "try_different_provider",
]


@dataclass(frozen=True)
class Advice:
    """What a client can do about one kind of failure."""

    kind: Kind
    retryable: bool
    action: Action
    retry_after: float | None = None


class WebquarryError(Exception):
    """Base of every error a caller may see. Its text is a sentence for people."""

    advice: ClassVar[Advice] = Advice("internal", retryable=False, action="report_bug")

    def __init__(
        self,
        message: str,
        *,
        provider: str | None = None,
        retry_after: float | None = None,
        alternatives: tuple[str, ...] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.provider = provider
        self.retry_after = self.advice.retry_after if retry_after is None else retry_after
        self.alternatives = alternatives
        self.details = dict(details or {})  # further keys of the error block, e.g. recoveryHint
        self.meta: dict[str, Any] = {}  # `_meta` of the call so far
        self.provider_calls: tuple[Any, ...] = ()  # of `models.session.ProviderCall`

    def block(self) -> dict[str, Any]:
        """Return the machine-readable half of the error."""
        block: dict[str, Any] = {"kind": self.advice.kind, "retryable": self.advice.retryable}
        if self.advice.retryable and self.retry_after is not None:
            block["retryAfterSeconds"] = max(1, math.ceil(self.retry_after))
        block["suggestedAction"] = self.advice.action
        if self.provider:
            block["provider"] = self.provider
        if self.alternatives:
            block["alternatives"] = list(self.alternatives)
        return block | self.details


class BadInputError(WebquarryError):
    """The caller must change its arguments."""

    advice = Advice("validation", retryable=False, action="fix_arguments")


class NotFoundError(WebquarryError):
    """What was requested does not exist."""

    advice = Advice("not_found", retryable=False, action="inform_user")


class SessionNotFoundError(WebquarryError):
    """No such research session for this caller."""

    advice = Advice("session_not_found", retryable=False, action="inform_user")


class ForbiddenError(WebquarryError):
    """The caller may not use this tool."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class SettingsError(WebquarryError):
    """A setting is invalid; the message names it and says what is accepted."""

    advice = Advice("config", retryable=False, action="inform_user")


class UnknownProviderError(SettingsError):
    """No provider has that name."""

    advice = Advice("config", retryable=False, action="try_different_provider")


class UnconfiguredError(SettingsError):
    """The provider is known but lacks its key."""

    advice = Advice("config", retryable=False, action="check_api_key")


class ProviderError(WebquarryError):
    """An upstream API failed; another provider may work."""

    advice = Advice("upstream_unavailable", retryable=True, action="try_different_provider")


class RateLimitError(ProviderError):
    """A rate limit was reached: of an upstream, or one of our own."""

    advice = Advice("rate_limited", retryable=True, action="retry_after_delay", retry_after=60)


class AccessError(ProviderError):
    """Credentials are missing or were rejected."""

    advice = Advice("auth_required", retryable=False, action="check_api_key")


class NetworkError(ProviderError):
    """Timeout, name resolution or connection failure."""

    advice = Advice("network", retryable=True, action="retry_after_delay", retry_after=5)
    reason: str = ""  # what failed, without the URL and the advice in the message


class PayloadError(ProviderError):
    """The response does not have the documented format."""


class PageError(WebquarryError):
    """A page could not be read, or has no readable content."""

    advice = Advice("content_empty", retryable=True, action="report_bug", retry_after=60)


class BlockedError(PageError):
    """A bot wall, robots.txt or our own network policy blocked the page."""

    advice = Advice("blocked", retryable=False, action="inform_user")


class BrowserError(PageError):
    """The page needs a browser, and none is available."""

    advice = Advice("browser_unavailable", retryable=False, action="report_bug")


class ParseLimitError(PageError):
    """Parsing the content takes more CPU time or memory than is allowed."""

    advice = Advice("content_empty", retryable=False, action="inform_user")


class DeadlineError(WebquarryError):
    """The tool ran out of time."""

    advice = Advice("network", retryable=True, action="retry_after_delay", retry_after=5)


class InternalError(WebquarryError):
    """A bug in this server; the log has the details under the request id."""
