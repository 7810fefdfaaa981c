"""Checks requests and makes the jobs to store: crawls and batches."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.crawl.scope import Scope
from webquarry.crawl.store.crawl_values import FoundUrl, NewJob, url_key
from webquarry.crawl.store.outcomes import INVALID_URL
from webquarry.crawl.urls import CrawlUrl, split_url, start_url
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest, InvalidUrl
from webquarry.net.clock import Clock
from webquarry.net.url import parse

MAX_BATCH_URLS = 10_000
_MAX_KEY_LENGTH = 255
# the options of a crawl that a batch has too
_BATCH_OPTIONS = (
    "render", "delay", "concurrency", "documents", "max_document_bytes", "page_options", "formats",
    "json_schema", "full_page", "image_type", "webhook", "index", "client_options", "capture",
    "steps",
)  # fmt: skip
_MAX_NAMED = 10  # invalid URLs in an error message


@dataclass(frozen=True, kw_only=True)
class CrawlQuota:
    """The limits of one person."""

    max_unfinished: int = 5
    max_pages: int = 100_000
    ttl: float = 7 * 86400.0


@dataclass(frozen=True, kw_only=True)
class ListedUrls:
    """The URLs of a batch: each once, with its index in the list."""

    valid: dict[str, tuple[int, CrawlUrl]]  # by normalised URL
    invalid: tuple[InvalidUrl, ...]

    @classmethod
    def read(cls, urls: Sequence[str]) -> "ListedUrls":
        """Normalise URLs; only the fragment is removed, as it never selects a page."""
        valid: dict[str, tuple[int, CrawlUrl]] = {}
        invalid: list[InvalidUrl] = []
        for index, text in enumerate(urls):
            try:
                href = parse(text.strip()).href
            except BadInputError as error:
                reason = str(error).rpartition(": ")[2].partition(". Provide")[0]
                invalid.append(InvalidUrl(index=index, url=text[:200], reason=reason))
                continue
            valid.setdefault(href, (index, split_url(href) or CrawlUrl(href, "", "")))
        return cls(valid=valid, invalid=tuple(invalid))


@dataclass(frozen=True, kw_only=True)
class NewJobs:
    """Makes jobs; `BadInputError` for requests that cannot run."""

    blind_host: Callable[[str], bytes]
    quota: CrawlQuota
    clock: Clock = field(default_factory=Clock)

    def crawl(self, request: CrawlRequest, caller: Caller, key: str) -> NewJob:
        """Return a crawl that starts at one URL."""
        start = start_url(request.url)
        Scope(request, start.host)  # raises for a wrong pattern
        self._check(request, key)
        _check_query(request.query)
        salt = secrets.token_bytes(32)
        now = self.clock.time()
        return NewJob(
            id=_new_id(),
            tenant=caller.tenant,
            user=caller.user,
            request=request.model_dump_json().encode(),
            salt=salt,
            site=start.href,
            max_pages=request.max_pages,
            created=now,
            expires=now + self.quota.ttl,
            start_urls=(self._found(salt, start),),
            idempotency_key=key,
            host_group=self._host_group([start]),
        )

    def batch(self, listed: ListedUrls, options: CrawlRequest, caller: Caller, key: str) -> NewJob:
        """Return a batch: reads listed URLs with the options of a crawl, and follows no links."""
        if not listed.valid:
            raise BadInputError("urls: none is valid", details={"fields": ["urls"]})
        digest = hashlib.sha256("\n".join(listed.valid).encode()).hexdigest()
        request = CrawlRequest(
            url=next(iter(listed.valid)),
            max_depth=1,
            max_pages=len(listed.valid),
            same_domain=False,
            urls_digest=digest,
            **{name: getattr(options, name) for name in _BATCH_OPTIONS},
        )
        self._check(request, key)
        salt = secrets.token_bytes(32)
        now = self.clock.time()
        read = [self._found(salt, url, rank=index) for index, url in listed.valid.values()]
        return NewJob(
            id=_new_id(),
            tenant=caller.tenant,
            user=caller.user,
            request=request.model_dump_json().encode(),
            salt=salt,
            site=f"batch:{digest}",
            max_pages=request.max_pages,
            created=now,
            expires=now + self.quota.ttl,
            start_urls=(*read, *(_not_read(salt, url) for url in listed.invalid)),
            kind="batch",
            idempotency_key=key,
            host_group=self._host_group([url for _, url in listed.valid.values()]),
        )

    def _check(self, request: CrawlRequest, key: str) -> None:
        if request.max_pages > self.quota.max_pages:
            raise BadInputError(f"maxPages: at most {self.quota.max_pages} are allowed")
        if len(key) > _MAX_KEY_LENGTH:
            raise BadInputError(f"an idempotency key may have at most {_MAX_KEY_LENGTH} characters")
        if request.webhook is not None:
            parse(request.webhook if isinstance(request.webhook, str) else request.webhook.url)

    def _found(self, salt: bytes, url: CrawlUrl, *, rank: float = 0.0) -> FoundUrl:
        return FoundUrl(
            key=url_key(salt, url.href),
            url=url.href,
            host=self.blind_host(url.authority),
            depth=1,
            rank=rank,
        )

    def _host_group(self, urls: Sequence[CrawlUrl]) -> bytes:
        """Return the group of one domain, whose hosts are probably served by the same machines."""
        domains = {registrable_domain(url.host) or url.authority for url in urls}
        return self.blind_host(domains.pop()) if len(domains) == 1 else b""


def _check_query(query: str | None) -> None:
    """Raise `BadInputError` for a query that no page could match."""
    if query is None:
        return
    # imported here: most crawls have no query
    from webquarry.content.ranking.query_match import query_words

    if not query_words(query).terms:
        raise BadInputError(
            f"query: {query!r} has no words to look for, only short or very common ones;"
            " add words that the pages contain",
            details={"fields": ["query"]},
        )


def check_listed(listed: ListedUrls, count: int, *, ignore_invalid: bool) -> None:
    """Raise `BadInputError` for a list that is too long or has invalid URLs, and name them."""
    if count > MAX_BATCH_URLS:
        raise BadInputError(
            f"urls: at most {MAX_BATCH_URLS} are allowed, got {count}; send several batches",
            details={"fields": ["urls"]},
        )
    if not listed.invalid or ignore_invalid:
        return
    named = [f"urls[{bad.index}] {bad.url!r}: {bad.reason}" for bad in listed.invalid[:_MAX_NAMED]]
    more = len(listed.invalid) - len(named)
    raise BadInputError(
        f"Invalid URLs ({len(listed.invalid)} of {count}): {'; '.join(named)}"
        f"{f'; and {more} more' if more else ''}. Correct them, or set ignoreInvalidURLs to read"
        " the others.",
        details={"fields": [f"urls[{bad.index}]" for bad in listed.invalid[:_MAX_NAMED]]},
    )


def _new_id() -> str:
    """Return a random id that no command line takes for an option."""
    while (name := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return name


def _not_read(salt: bytes, bad: InvalidUrl) -> FoundUrl:
    return FoundUrl(
        key=url_key(salt, f"{bad.index} {bad.url}"),
        url=bad.url,
        host=b"",
        depth=1,
        outcome=INVALID_URL,
        rank=bad.index,
    )
