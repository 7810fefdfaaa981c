"""Crawls in a relational database; which one is up to the `ConnectionFactory` it is made with."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from webquarry.crawl.store.commits import Committer
from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    LEASE,
    PAGE,
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
from webquarry.crawl.store.rows import JOB, Rows
from webquarry.crawl.store.tables import PARTS
from webquarry.crawl.store.threads import ConnectionFactory, ConnectionThread
from webquarry.models.crawl import State

T = TypeVar("T")

_UNFINISHED = "state IN ('queued', 'running')"
_CREATE = """INSERT INTO crawl_jobs (id, owner, tenant, site, idempotency, state, max_pages, counts,
    created, expires, previous, salt, sealed) VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)
    RETURNING number"""
_START = """INSERT INTO crawl_urls (job, key, host, depth, hops, state, outcome, url)
    VALUES (?, ?, ?, ?, 0, 0, '', ?)"""
_PLACE = "INSERT INTO crawl_places (job, place) VALUES (?, ?)"
_BEFORE = """SELECT number FROM crawl_jobs WHERE owner = ? AND site = ? AND state = 'completed'
    AND expires > ? ORDER BY created DESC LIMIT 1"""
# only a constant of ours is put in, so that nothing can be injected
_OPEN = f"""SELECT count(*) FROM crawl_jobs WHERE {_UNFINISHED} AND owner = ?"""  # noqa: S608
# only a constant of ours is put in, so that nothing can be injected
_WAITING = f"""SELECT id, number FROM crawl_jobs WHERE {_UNFINISHED} ORDER BY created"""  # noqa: S608
_RUNS = "SELECT token, alive, process FROM crawl_runs WHERE job = ?"
_BEGIN = "INSERT INTO crawl_runs (job, alive, process) VALUES (?, ?, ?) RETURNING token"
_RUNNING = """UPDATE crawl_jobs SET state = 'running', started = coalesce(started, ?)
    WHERE number = ?"""
_LEAVE = "UPDATE crawl_urls SET state = 0, lease = 0 WHERE job = ? AND state = 1 AND lease = ?"
# only a constant of ours is put in, so that nothing can be injected
_END = f"""UPDATE crawl_jobs SET state = ?, finished = ?, error = ?
    WHERE id = ? AND {_UNFINISHED}"""  # noqa: S608
_PAGES = """SELECT seq, key, meta, {body}, markdown FROM crawl_pages
    WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?"""
_ONE = "SELECT seq, key, meta, body, markdown FROM crawl_pages WHERE job = ? AND key = ?"
_SKETCHES = "SELECT sketch, key FROM crawl_pages WHERE job = ? AND sketch <> 0"
_MARKDOWN = "UPDATE crawl_pages SET markdown = ? WHERE job = ? AND seq = ?"
_FAILURES = """SELECT key, url, outcome, depth FROM crawl_urls
    WHERE job = ? AND state = 2 AND outcome <> ? ORDER BY id LIMIT ?"""
_DROP = "DELETE FROM crawl_jobs WHERE number = ?"
_PORTION = 500


class SqlCrawlStore:
    """`Crawls` on a database. Each of two threads has a connection: one reads, one writes."""

    def __init__(self, opening: ConnectionFactory, seals: CrawlCipher) -> None:
        self._opening = opening
        self._seals = seals
        self._rows = Rows(seals)
        self._reads = ConnectionThread("webquarry-crawl-read", opening)
        self._writes = ConnectionThread("webquarry-crawl-write", opening)

    async def create(self, job: NewJob, *, most: int) -> JobRow:
        def work(db: SqlConnection) -> JobRow:
            owners = self._seals.owners(job.tenant, job.user)
            name = self._rows.idempotency(job)
            if name and (row := db.execute(JOB + "idempotency = ?", (name,)).fetchone()):
                return self._rows.job(row)
            open_jobs = sum(db.execute(_OPEN, (owner,)).fetchone()[0] for owner in owners)
            if open_jobs >= most:
                raise TooManyJobsError(f"{open_jobs} crawls of this user are not finished")
            site = self._seals.name("site", job.site)
            before = db.execute(_BEFORE, (owners[0], site, db.now())).fetchone()
            tally = CrawlCounters(0, found=1)
            values = (job.id, owners[0], self._seals.tenants(job.tenant)[0], site, name)
            rest = (job.max_pages, tally.text(), job.created, job.expires)
            sealed = self._rows.sealed(job)
            row = db.execute(_CREATE, (*values, *rest, before and before[0], *sealed)).fetchone()
            start = job.start
            url = self._seals.seal(start.key + b"u", start.url.encode())
            db.execute(_START, (row[0], start.key, start.host, start.depth, url))
            if job.place:
                db.execute(_PLACE, (row[0], job.place))
            return self._rows.job(db.execute(JOB + "id = ?", (job.id,)).fetchone())

        return await self._write(work)

    async def job(self, job_id: str) -> JobRow | None:
        def work(db: SqlConnection) -> JobRow | None:
            row = db.execute(JOB + "id = ?", (job_id,)).fetchone()
            return self._rows.job(row) if row else None

        return await self._reads.run(work)

    async def jobs(self, *, tenant: str, user: str, most: int = 100) -> list[JobRow]:
        def work(db: SqlConnection) -> list[JobRow]:
            found: list[JobRow] = []
            for owner in self._seals.owners(tenant, user):
                sql = f"{JOB} owner = ? ORDER BY created DESC LIMIT ?"
                found += [self._rows.job(row) for row in db.execute(sql, (owner, most)).fetchall()]
            return found[:most]

        return await self._reads.run(work)

    async def waiting(self) -> list[str]:
        def work(db: SqlConnection) -> list[str]:
            now = db.now()
            rows = db.execute(_WAITING).fetchall()
            return [row[0] for row in rows if not self._worked_on(db, row[1], now)]

        return await self._reads.run(work)

    async def unfinished(self) -> set[str]:
        return await self._reads.run(lambda db: {row[0] for row in db.execute(_WAITING).fetchall()})

    async def begin(self, job_id: str) -> CrawlLease | None:
        def work(db: SqlConnection) -> CrawlLease | None:
            row = db.lock(JOB + "id = ?", (job_id,)).fetchone()
            if row is None or (job := self._rows.job(row)).state not in ("queued", "running"):
                return None
            number, salt = self._rows.number(row), self._rows.salt(row)
            now = db.now()
            runs = db.execute(_RUNS, (number,)).fetchall()
            dead = [token for token, _, process in runs if self._opening.dead(process)]
            (token,) = db.execute(_BEGIN, (number, now, self._opening.process)).fetchone()
            db.execute(_RUNNING, (now, number))
            run = CrawlLease(
                job=job_id,
                number=number,
                token=token,
                salt=salt,
                request=job.request,
                tenant=job.tenant,
                user=job.user,
                previous=self._rows.previous(db, row),
            )
            Committer(db, self._seals, run).bury(*dead)
            return run

        return await self._write(work)

    async def commit(self, run: CrawlLease, batch: CrawlBatch, wish: ClaimRequest) -> CommitResult:
        return await self._write(lambda db: Committer(db, self._seals, run).turn(batch, wish))

    async def leave(self, run: CrawlLease) -> None:
        def work(db: SqlConnection) -> None:
            db.execute(_LEAVE, (run.number, run.token))
            db.execute("DELETE FROM crawl_runs WHERE token = ?", (run.token,))

        await self._write(work)

    async def end(self, job_id: str, state: State, error: str | None = None) -> bool:
        def work(db: SqlConnection) -> bool:
            sealed = self._seals.seal(job_id.encode() + b"e", error.encode()) if error else None
            return db.execute(_END, (state, db.now(), sealed, job_id)).rowcount == 1

        return await self._write(work)

    async def pages(self, job_id: str, *, after: int, most: int, bodies: bool) -> list[StoredPage]:
        def work(db: SqlConnection) -> list[StoredPage]:
            number = self._number(db, job_id)
            sql = _PAGES.format(body="body" if bodies else "NULL")
            return [
                self._rows.page(row) for row in db.execute(sql, (number, after, most)).fetchall()
            ]

        return await self._reads.run(work)

    async def page(self, job_id: str, key: bytes) -> StoredPage | None:
        def work(db: SqlConnection) -> StoredPage | None:
            row = db.execute(_ONE, (self._number(db, job_id), key)).fetchone()
            return self._rows.page(row) if row else None

        return await self._reads.run(work)

    async def sketches(self, run: CrawlLease) -> list[tuple[int, bytes]]:
        def work(db: SqlConnection) -> list[tuple[int, bytes]]:
            rows = db.execute(_SKETCHES, (run.number,)).fetchall()
            return [(sketch, bytes(key)) for sketch, key in rows]

        return await self._reads.run(work)

    async def keep_markdown(self, job_id: str, texts: Sequence[tuple[StoredPage, bytes]]) -> None:
        def work(db: SqlConnection) -> None:
            number = self._number(db, job_id)
            rows = [
                (self._seals.seal(page.key + b"t", text), number, page.seq) for page, text in texts
            ]
            db.many(_MARKDOWN, rows)

        await self._write(work)

    async def failures(self, job_id: str, *, most: int) -> list[tuple[str, str, int]]:
        def work(db: SqlConnection) -> list[tuple[str, str, int]]:
            rows = db.execute(_FAILURES, (self._number(db, job_id), PAGE, most)).fetchall()
            return [
                (self._seals.open(bytes(key) + b"u", bytes(url)).decode(), outcome, depth)
                for key, url, outcome, depth in rows
            ]

        return await self._reads.run(work)

    async def erase(self, *, tenant: str, user: str | None = None) -> int:
        if user is None:
            names, column = self._seals.tenants(tenant), "tenant"
        else:
            names, column = self._seals.owners(tenant, user), "owner"
        return sum([await self._delete(f"{column} = ?", name) for name in names])

    async def sweep(self) -> int:
        now = await self._reads.run(lambda db: db.now())
        return await self._delete("expires <= ?", now)

    async def close(self) -> None:
        await self._reads.close()
        await self._writes.close()

    async def _delete(self, where: str, value: Any) -> int:
        """Delete crawls in portions, so that others get their turn."""
        # the conditions are ours and the values are bound, so nothing is injected
        sql = f"SELECT number FROM crawl_jobs WHERE {where}"  # noqa: S608
        numbers = [
            row[0] for row in await self._reads.run(lambda db: db.execute(sql, (value,)).fetchall())
        ]
        for number in numbers:
            # first of all nobody may go on with it
            await self._write(lambda db, n=number: db.execute(_DROP, (n,)))
            for table, column in PARTS:
                while await self._write(_deleting(table, column, number)) >= _PORTION:
                    pass
        return len(numbers)

    def _worked_on(self, db: SqlConnection, number: int, now: float) -> bool:
        return any(
            alive > now - LEASE and not self._opening.dead(process)
            for _, alive, process in db.execute(_RUNS, (number,)).fetchall()
        )

    def _number(self, db: SqlConnection, job_id: str) -> int:
        row = db.execute("SELECT number FROM crawl_jobs WHERE id = ?", (job_id,)).fetchone()
        return row[0] if row else -1

    async def _write(self, work: Callable[[SqlConnection], T]) -> T:
        def inside(db: SqlConnection) -> T:
            with db.transaction():
                return work(db)

        return await self._writes.run(inside)


def _deleting(table: str, column: str, number: int) -> Callable[[SqlConnection], int]:
    # the names of tables and columns are ours
    sql = f"""DELETE FROM {table} WHERE job = ? AND {column} IN (
        SELECT {column} FROM {table} WHERE job = ? LIMIT {_PORTION})"""  # noqa: S608
    return lambda db: db.execute(sql, (number, number)).rowcount
