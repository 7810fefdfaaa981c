"""The crawl port: what every database of crawls promises."""

from collections.abc import Sequence
from typing import Protocol

from webquarry.crawl.store.crawl_values import (
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    JobRow,
    NewJob,
    StoredPage,
)
from webquarry.models.crawl import State


class CrawlStore(Protocol):
    """Keeps crawls. What a call has returned as stored survives a killed process."""

    async def create(self, job: NewJob, *, most: int) -> JobRow:
        """Store a crawl, or return the one with the same idempotency key.

        `TooManyJobsError` when the owner has `most` unfinished ones.
        """
        ...

    async def job(self, job_id: str) -> JobRow | None:
        """Return a crawl."""
        ...

    async def jobs(self, *, tenant: str, user: str, most: int = 100) -> list[JobRow]:
        """Return the crawls of a person, the newest first."""
        ...

    async def waiting(self) -> list[str]:
        """Return unfinished crawls that nobody works on, the oldest first."""
        ...

    async def unfinished(self) -> set[str]:
        """Return every crawl that is not finished, whoever works on it."""
        ...

    async def begin(self, job_id: str) -> CrawlLease | None:
        """Join the work on a crawl; None when there is none left."""
        ...

    async def commit(self, run: CrawlLease, batch: CrawlBatch, wish: ClaimRequest) -> CommitResult:
        """Store a batch in one transaction and return new claims; `FencedError` if too late.

        A crawl whose addresses are all done, or that has its pages, is completed by this.
        """
        ...

    async def leave(self, run: CrawlLease) -> None:
        """Give claims back."""
        ...

    async def end(self, job_id: str, state: State, error: str | None = None) -> bool:
        """End a crawl unless it has ended; return whether this did it."""
        ...

    async def pages(self, job_id: str, *, after: int, most: int, bodies: bool) -> list[StoredPage]:
        """Return pages in the order they came, from the one after `after` on."""
        ...

    async def page(self, job_id: str, key: bytes) -> StoredPage | None:
        """Return the page of an address."""
        ...

    async def sketches(self, run: CrawlLease) -> list[tuple[int, bytes]]:
        """Return the sketch and key of every page so far."""
        ...

    async def keep_markdown(self, job_id: str, texts: Sequence[tuple[StoredPage, bytes]]) -> None:
        """Keep the Markdown of pages."""
        ...

    async def failures(self, job_id: str, *, most: int) -> list[tuple[str, str, int]]:
        """Return URL, outcome and depth of addresses that gave no page."""
        ...

    async def erase(self, *, tenant: str, user: str | None = None) -> int:
        """Delete the crawls of a tenant or a person; return how many."""
        ...

    async def sweep(self) -> int:
        """Delete what has expired; return how many crawls."""
        ...

    async def close(self) -> None:
        """Release files and connections."""
        ...
