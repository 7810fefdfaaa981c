"""The crawl store: jobs, URLs and pages in SQLite or Postgres."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from webquarry.crawl.store.commits import Committer
from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_values import (
    LEASE_SECONDS,
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    JobRow,
    NewJob,
    StoredPage,
    TooManyJobsError,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.host_times import paused_seconds
from webquarry.crawl.store.outbox import EventCounts, NotifyingJob, Outbox
from webquarry.crawl.store.page_files import PageFiles
from webquarry.crawl.store.rows import SELECT_JOB, CrawlRows
from webquarry.crawl.store.tables import PARTS
from webquarry.crawl.store.threads import ConnectionFactory, ConnectionThread
from webquarry.models.crawl import State
from webquarry.models.webhook import webhook_in
from webquarry.storage import bulk_sql

T = TypeVar("T")

_UNFINISHED = "state IN ('queued', 'running')"
_START = """INSERT INTO crawl_urls
    (job, key, host, depth, hops, state, outcome, rank, ended, url)
    VALUES {rows} ON CONFLICT (job, key) DO NOTHING"""
_INSERT_PLACE = "INSERT INTO crawl_places (job, place) VALUES (?, ?)"
# only a constant is inserted: no SQL injection
_COUNT_UNFINISHED = f"""SELECT count(*) FROM crawl_jobs WHERE {_UNFINISHED} AND owner = ?"""  # noqa: S608
# only a constant is inserted: no SQL injection
_SELECT_UNFINISHED = f"""SELECT id, number FROM crawl_jobs WHERE {_UNFINISHED} ORDER BY created"""  # noqa: S608
_RUNS = "SELECT token, alive, process FROM crawl_runs WHERE job = ?"
_BEGIN = "INSERT INTO crawl_runs (job, alive, process) VALUES (?, ?, ?) RETURNING token"
_RUNNING = """UPDATE crawl_jobs SET state = 'running', started = coalesce(started, ?)
    WHERE number = ?"""
_RELEASE_CLAIMS = (
    "UPDATE crawl_urls SET state = 0, lease = 0 WHERE job = ? AND state = 1 AND lease = ?"
)
# only a constant is inserted: no SQL injection
_END = f"""UPDATE crawl_jobs SET state = ?, finished = ?, error = ?
    WHERE id = ? AND {_UNFINISHED}"""  # noqa: S608
_PAGES = """SELECT seq, key, meta, {body}, markdown FROM crawl_pages
    WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?"""
_PAGE = "SELECT seq, key, meta, body, markdown FROM crawl_pages WHERE job = ? AND key = ?"
_SKETCHES = "SELECT sketch, key FROM crawl_pages WHERE job = ? AND sketch <> 0"
_MARKDOWN = "UPDATE crawl_pages SET markdown = ? WHERE job = ? AND seq = ?"
_DELETE_JOB = "DELETE FROM crawl_jobs WHERE number = ?"
_DELETE_BATCH = 500


class CrawlStore:
    """Stores crawls. What a call has returned as stored survives a killed process.

    Each of two threads has a connection: one reads, one writes.
    """

    def __init__(self, factory: ConnectionFactory, cipher: CrawlCipher) -> None:
        self.factory = factory
        self.cipher = cipher
        self.rows = CrawlRows(cipher)
        self._reads = ConnectionThread("webquarry-crawl-read", factory)
        self._writes = ConnectionThread("webquarry-crawl-write", factory)
        self.files = PageFiles(self.read, self.write, cipher)

    async def create(self, job: NewJob, *, max_unfinished: int) -> JobRow:
        """Store a crawl, or return the one with the same idempotency key.

        `TooManyJobsError` if the owner has `max_unfinished` unfinished ones.
        """

        def work(db: SqlConnection) -> JobRow:
            owners = self.cipher.owner_names(job.tenant, job.user)
            name = self.rows.blind_idempotency_key(job.tenant, job.user, job.idempotency_key)
            if name and (row := db.execute(SELECT_JOB + "idempotency = ?", (name,)).fetchone()):
                return self.rows.job(row)
            counts = [db.execute(_COUNT_UNFINISHED, (owner,)).fetchone()[0] for owner in owners]
            if (unfinished := sum(counts)) >= max_unfinished:
                raise TooManyJobsError(f"{unfinished} crawls of this user are not finished")
            number = self.rows.insert_job(db, job, owners[0], name)
            bulk_sql.insert(db, _START, self.rows.start_urls(number, job.start_urls, db.time()))
            if job.host_group:
                db.execute(_INSERT_PLACE, (number, job.host_group))
            return self.rows.job(db.execute(SELECT_JOB + "id = ?", (job.id,)).fetchone())

        return await self.write(work)

    async def job(self, job_id: str) -> JobRow | None:
        """Return a crawl."""

        def work(db: SqlConnection) -> JobRow | None:
            row = db.execute(SELECT_JOB + "id = ?", (job_id,)).fetchone()
            return self.rows.job(row) if row else None

        return await self.read(work)

    async def jobs_without_run(self) -> list[str]:
        """Return unfinished crawls without a live run, the oldest first."""

        def work(db: SqlConnection) -> list[str]:
            now = db.time()
            rows = db.execute(_SELECT_UNFINISHED).fetchall()
            return [row[0] for row in rows if not self._has_live_run(db, row[1], now)]

        return await self.read(work)

    async def unfinished(self) -> set[str]:
        """Return all unfinished crawls."""
        rows = await self.read(lambda db: db.execute(_SELECT_UNFINISHED).fetchall())
        return {row[0] for row in rows}

    async def begin(self, job_id: str) -> CrawlLease | None:
        """Start a run of a crawl; None if the crawl has ended."""

        def work(db: SqlConnection) -> CrawlLease | None:
            row = db.select_for_update(SELECT_JOB + "id = ?", (job_id,)).fetchone()
            if row is None or (job := self.rows.job(row)).state not in ("queued", "running"):
                return None
            number, salt = self.rows.number(row), self.rows.salt(row)
            now = db.time()
            runs = db.execute(_RUNS, (number,)).fetchall()
            dead = [token for token, _, process in runs if self.factory.is_dead(process)]
            (token,) = db.execute(_BEGIN, (number, now, self.factory.process_name)).fetchone()
            db.execute(_RUNNING, (now, number))
            if job.state == "queued":
                self._report(db, number, replace(job, state="running"))
            lease = CrawlLease(
                job_id=job_id,
                job_number=number,
                token=token,
                salt=salt,
                request=job.request,
                tenant=job.tenant,
                user=job.user,
                previous=self.rows.previous(db, row),
                kind=job.kind,
                webhook=webhook_in(job.request),
                traps=job.counts.traps,
                guide=job.counts.guide,
            )
            Committer(db, self.cipher, lease).release_dead_runs(*dead)
            return lease

        return await self.write(work)

    async def commit(
        self, lease: CrawlLease, batch: CrawlBatch, claim: ClaimRequest
    ) -> CommitResult:
        """Store a batch in one transaction and return new claims; `FencedError` without a lease.

        This completes a crawl without open URLs, or one that has reached its page limit.
        """
        return await self.write(lambda db: Committer(db, self.cipher, lease).commit(batch, claim))

    async def release(self, lease: CrawlLease) -> None:
        """End a run and release its claims."""

        def work(db: SqlConnection) -> None:
            db.execute(_RELEASE_CLAIMS, (lease.job_number, lease.token))
            db.execute("DELETE FROM crawl_runs WHERE token = ?", (lease.token,))

        await self.write(work)

    async def paused_seconds(self, host: bytes) -> float:
        """Return how long a host must not be requested, because it asked to wait."""
        return await self._reads.run(lambda db: paused_seconds(db, host))

    async def end(self, job_id: str, state: State, error: str | None = None) -> bool:
        """End a crawl unless it has ended already; return whether this call did it."""

        def work(db: SqlConnection) -> bool:
            sealed = self.cipher.seal(job_id.encode() + b"e", error.encode()) if error else None
            ended = db.execute(_END, (state, db.time(), sealed, job_id)).rowcount == 1
            row = db.execute(SELECT_JOB + "id = ?", (job_id,)).fetchone()
            if ended and row:
                self._report(db, self.rows.number(row), self.rows.job(row))
            return ended

        return await self.write(work)

    async def pages(self, job_id: str, *, after: int, limit: int, bodies: bool) -> list[StoredPage]:
        """Return pages in the order they were stored, starting after number `after`."""

        def work(db: SqlConnection) -> list[StoredPage]:
            number = self.job_number(db, job_id)
            sql = _PAGES.format(body="body" if bodies else "NULL")
            return [
                self.rows.page(row) for row in db.execute(sql, (number, after, limit)).fetchall()
            ]

        return await self.read(work)

    async def page(self, job_id: str, key: bytes) -> StoredPage | None:
        """Return the page of a URL."""

        def work(db: SqlConnection) -> StoredPage | None:
            row = db.execute(_PAGE, (self.job_number(db, job_id), key)).fetchone()
            return self.rows.page(row) if row else None

        return await self.read(work)

    async def simhashes(self, lease: CrawlLease) -> list[tuple[int, bytes]]:
        """Return the simhash and key of every stored page."""

        def work(db: SqlConnection) -> list[tuple[int, bytes]]:
            rows = db.execute(_SKETCHES, (lease.job_number,)).fetchall()
            return [(sketch, bytes(key)) for sketch, key in rows]

        return await self.read(work)

    async def store_markdown(self, job_id: str, texts: Sequence[tuple[StoredPage, bytes]]) -> None:
        """Store the Markdown of pages."""

        def work(db: SqlConnection) -> None:
            number = self.job_number(db, job_id)
            rows = [
                (self.cipher.seal(page.key + b"t", text), number, page.seq) for page, text in texts
            ]
            db.execute_many(_MARKDOWN, rows)

        await self.write(work)

    async def erase(self, *, tenant: str, user: str | None = None) -> int:
        """Delete the crawls of a tenant or a person; return how many."""
        if user is None:
            names, column = self.cipher.tenant_names(tenant), "tenant"
        else:
            names, column = self.cipher.owner_names(tenant, user), "owner"
        return sum([await self._delete(f"{column} = ?", name) for name in names])

    async def sweep(self) -> int:
        """Delete what has expired; return how many crawls."""
        now = await self.read(lambda db: db.time())
        return await self._delete("expires <= ?", now)

    async def close(self) -> None:
        """Release files and connections."""
        await self._reads.close()
        await self._writes.close()

    async def _delete(self, where: str, value: Any) -> int:
        """Delete crawls in small transactions, so that other writers get their turn."""
        # the conditions are constants and the values are bound: no SQL injection
        sql = f"SELECT number FROM crawl_jobs WHERE {where}"  # noqa: S608
        numbers = [
            row[0] for row in await self.read(lambda db: db.execute(sql, (value,)).fetchall())
        ]
        for number in numbers:
            # first the job, so that no run can continue it
            await self.write(lambda db, n=number: db.execute(_DELETE_JOB, (n,)))
            for table, column in PARTS:
                while await self.write(_delete_rows(table, column, number)) >= _DELETE_BATCH:
                    pass
        return len(numbers)

    def _report(self, db: SqlConnection, number: int, job: JobRow) -> None:
        """Notify the webhook of a new state."""
        notifying = NotifyingJob(job.id, number, webhook_in(job.request))
        counts = EventCounts(job.counts.found, job.counts.crawled)
        Outbox(db, self.cipher, notifying).add(job.state, counts, job.error)

    def _has_live_run(self, db: SqlConnection, number: int, now: float) -> bool:
        return any(
            alive > now - LEASE_SECONDS and not self.factory.is_dead(process)
            for _, alive, process in db.execute(_RUNS, (number,)).fetchall()
        )

    def job_number(self, db: SqlConnection, job_id: str) -> int:
        """Return the number of a crawl in this database; -1 if there is none."""
        row = db.execute("SELECT number FROM crawl_jobs WHERE id = ?", (job_id,)).fetchone()
        return row[0] if row else -1

    async def read(self, work: Callable[[SqlConnection], T]) -> T:
        """Return what `work` reads."""
        return await self._reads.run(work)

    async def write(self, work: Callable[[SqlConnection], T]) -> T:
        """Run `work` in one transaction."""

        def transaction(db: SqlConnection) -> T:
            with db.transaction():
                return work(db)

        return await self._writes.run(transaction)


def _delete_rows(table: str, column: str, number: int) -> Callable[[SqlConnection], int]:
    # the names of tables and columns are constants
    sql = f"""DELETE FROM {table} WHERE job = ? AND {column} IN (
        SELECT {column} FROM {table} WHERE job = ? LIMIT {_DELETE_BATCH})"""  # noqa: S608
    return lambda db: db.execute(sql, (number, number)).rowcount
