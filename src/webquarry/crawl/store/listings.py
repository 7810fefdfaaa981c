"""Lists crawls, and the URLs of a crawl that have no page."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import JobRow
from webquarry.crawl.store.rows import SELECT_JOB
from webquarry.models.crawl import JobKind, State
from webquarry.storage import bulk_sql

_FAILED_URLS = """SELECT key, url, outcome, depth, attempts, ended, rank FROM crawl_urls
    WHERE job = ? AND ((state = 2 AND outcome IN ({names})) OR (state < 2 AND ? = 1))
    ORDER BY id LIMIT ? OFFSET ?"""
_RANKS = "SELECT key, rank FROM crawl_urls WHERE job = ? AND key IN ({names})"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Which crawls to list."""

    states: tuple[State, ...] = ()  # () for all
    kinds: tuple[JobKind, ...] = ()
    expire_after: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedUrl:
    """A URL without a page."""

    url: str
    outcome: str
    depth: int
    attempts: int  # that failed temporarily, before the last one
    ended: float
    rank: float


class CrawlListings:
    """Reads lists from a crawl store."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store

    async def job_with_key(self, tenant: str, user: str, idempotency_key: str) -> JobRow | None:
        """Return the crawl that a person started with this idempotency key."""
        rows = self._store.rows

        def work(db: SqlConnection) -> JobRow | None:
            name = rows.blind_idempotency_key(tenant, user, idempotency_key)
            row = db.execute(SELECT_JOB + "idempotency = ?", (name,)).fetchone()
            return rows.job(row) if row else None

        return await self._store.read(work)

    async def jobs(
        self,
        owners: Sequence[tuple[str, str]],
        selected: JobFilter,
        *,
        offset: int = 0,
        limit: int = 100,
    ) -> list[JobRow]:
        """Return the crawls of these owners (tenant and user), the newest first."""

        def work(db: SqlConnection) -> list[JobRow]:
            cipher = self._store.cipher
            names = [name for owner in owners for name in cipher.owner_names(*owner)]
            columns: dict[str, Sequence[Any]] = {
                "owner": names, "state": selected.states, "kind": selected.kinds,
            }  # fmt: skip
            conditions = [
                f"{column} IN ({bulk_sql.placeholders(len(values))})"
                for column, values in columns.items()
                if values
            ]
            values = tuple(value for listed in columns.values() for value in listed)
            sql = (
                f"{SELECT_JOB} {' AND '.join(conditions)} AND expires > ?"
                " ORDER BY created DESC, number DESC LIMIT ? OFFSET ?"
            )
            rows = db.execute(sql, (*values, selected.expire_after, limit, offset)).fetchall()
            return [self._store.rows.job(row) for row in rows]

        return await self._store.read(work)

    async def failed_urls(
        self,
        job_id: str,
        outcomes: Collection[str],
        *,
        unread: str = "",
        offset: int = 0,
        limit: int = 100,
    ) -> list[FailedUrl]:
        """Return the URLs with one of these outcomes, in the order they were found.

        With `unread`, also those that a finished crawl left unread, with this outcome.
        """

        def work(db: SqlConnection) -> list[FailedUrl]:
            number = self._store.job_number(db, job_id)
            names = bulk_sql.placeholders(len(outcomes) or 1)
            values = (number, *(outcomes or ("",)), int(bool(unread)), limit, offset)
            rows = db.execute(_FAILED_URLS.replace("{names}", names), values).fetchall()
            return [self._failed_url(row, unread) for row in rows]

        return await self._store.read(work)

    async def ranks(self, job_id: str, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Return the rank of each URL: in a batch, its index in the list."""

        def work(db: SqlConnection) -> dict[bytes, float]:
            number = self._store.job_number(db, job_id)
            found: dict[bytes, float] = {}
            for chunk in bulk_sql.chunks(keys):
                sql = _RANKS.replace("{names}", bulk_sql.placeholders(len(chunk)))
                rows = db.execute(sql, (number, *chunk)).fetchall()
                found |= {bytes(key): rank for key, rank in rows}
            return found

        return await self._store.read(work)

    def _failed_url(self, row: Any, unread: str) -> FailedUrl:
        key, url, outcome, depth, attempts, ended, rank = row
        return FailedUrl(
            url=self._store.cipher.unseal(bytes(key) + b"u", bytes(url)).decode(),
            outcome=outcome or unread,
            depth=depth,
            attempts=attempts,
            ended=ended,
            rank=rank,
        )
