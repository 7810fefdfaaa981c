"""One turn of a run: stores its batch and claims what it reads next, in one transaction."""

from collections import defaultdict
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    HORIZON,
    LEASE,
    MEANINGS,
    TOO_DEEP,
    Candidate,
    ClaimedUrl,
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    FencedError,
    FoundUrl,
    key_of,
    plan,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.page_writer import DONE, PageWriter
from webquarry.models.crawl import State
from webquarry.storage import bulk_sql

_JOB = "SELECT state, crawled, max_pages, counts FROM crawl_jobs WHERE number = ?"
_ALIVE = "UPDATE crawl_runs SET alive = ?, slots = ? WHERE token = ?"
_FIND = """INSERT INTO crawl_urls (job, key, host, depth, hops, state, outcome, url)
    VALUES {rows} ON CONFLICT (job, key) DO NOTHING"""
_RAISE = """UPDATE crawl_urls SET state = 0, outcome = '', depth = ?
    WHERE job = ? AND key = ? AND outcome = 'too_deep'"""
_AGAIN = """UPDATE crawl_urls SET state = 0, lease = 0, attempts = attempts + 1, not_before = ?
    WHERE job = ? AND key = ? AND state = 1"""
_PAUSE = """INSERT INTO crawl_hosts (host, free_at) VALUES (?, ?) ON CONFLICT (host)
    DO UPDATE SET free_at = excluded.free_at WHERE crawl_hosts.free_at < excluded.free_at"""
_BUSY = "SELECT host, free_at FROM crawl_hosts WHERE free_at > ?"
_DEAD = "SELECT token FROM crawl_runs WHERE job = ? AND alive < ?"
_BURY = "DELETE FROM crawl_runs WHERE token = ?"
_RETURN = """UPDATE crawl_urls SET state = 0, lease = 0, crashes = crashes + 1
    WHERE job = ? AND state = 1 AND lease = ?"""
_CLAIMED = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 1"
# of this crawl, and those at work on others of the same place
_RUNS = """SELECT token, job, process, slots FROM crawl_runs WHERE job = ? OR (alive > ? AND job IN
    (SELECT other.job FROM crawl_places AS mine JOIN crawl_places AS other
    ON other.place = mine.place WHERE mine.job = ?))"""
_SLOTS = "UPDATE crawl_runs SET slots = ? WHERE token = ?"
_NEXT = """SELECT id, host, key, url, depth, hops, attempts, crashes FROM crawl_urls
    WHERE job = ? AND state = 0 AND not_before <= ? ORDER BY depth, id LIMIT ?"""
_CLAIM = "UPDATE crawl_urls SET state = 1, lease = ? WHERE id IN ({names})"
_WAITING = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 0"
_LEFT = """SELECT 1 WHERE EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 0)
    OR EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 1)"""
_MEMORY = "SELECT memory FROM crawl_pages WHERE job = ? AND key = ?"
_COUNTS = "UPDATE crawl_jobs SET crawled = ?, counts = ? WHERE number = ?"
_FINISH = "UPDATE crawl_jobs SET state = ?, finished = ?, error = ? WHERE number = ?"
_LOOKAHEAD = 4  # candidates per wanted address: some hosts are not ready


class Committer:
    """Takes turns in a transaction that the caller has begun."""

    def __init__(self, db: SqlConnection, seals: CrawlCipher, run: CrawlLease) -> None:
        self._db = db
        self._seals = seals
        self._run = run
        self._now = db.now()
        self._idle = 0.1

    def turn(self, batch: CrawlBatch, wish: ClaimRequest) -> CommitResult:
        """Store a batch and return what to do next."""
        db, job = self._db, self._run.number
        row = db.lock(_JOB, (job,)).fetchone()
        # the job was deleted, or the run was taken for dead
        if (
            row is None
            or db.execute(_ALIVE, (self._now, wish.slots, self._run.token)).rowcount != 1
        ):
            raise FencedError("this run of the crawl is over; another one goes on")
        state, crawled, max_pages, counts = row
        if state != "running":
            return CommitResult(state=state, crawled=crawled)
        tally = CrawlCounters.of(crawled, counts)
        stored = self._store(batch, tally)
        claims = self._claim(wish, max_pages - tally.crawled)
        state: State = "running" if claims else self._complete(tally, max_pages)
        if len(batch) or batch.found or state != "running":
            db.execute(_COUNTS, (tally.crawled, tally.text(), job))
        runs, slots = self._slots(wish)
        return CommitResult(
            state=state,
            claims=claims,
            runs=runs,
            slots=slots,
            crawled=tally.crawled,
            stored=stored,
            idle=self._idle,
        )

    def _slots(self, wish: ClaimRequest) -> tuple[int, int]:
        """Return how many runs this crawl has, and this process's part of the requests to a host.

        A part that becomes smaller is free for others when the run has said that it uses less.
        """
        runs, part = self._part(wish)
        if part > wish.slots:
            self._db.alone()  # whoever takes more, for whichever crawl, sees what others took
            runs, part = self._part(wish)
            self._db.execute(_SLOTS, (part, self._run.token))
        return runs, part

    def _part(self, wish: ClaimRequest) -> tuple[int, int]:
        job, own = self._run.number, self._run.token
        rows = self._db.execute(_RUNS, (job, self._now - LEASE, job)).fetchall()
        here = next(process for token, _, process, _ in rows if token == own)
        taken: dict[tuple[str, int], int] = {}  # by other processes
        for token, number, process, slots in rows:
            if token == own or (process == here and number != job):
                continue  # crawls of one process share one gate
            who = (process, token if process == here else 0)
            taken[who] = max(taken.get(who, 0), slots)
        left = wish.limit - sum(taken.values())
        part = min(max(1, wish.limit // (1 + len(taken))), left)
        return sum(row[1] == job for row in rows), max(part, 1 if wish.slots else 0)

    def _store(self, batch: CrawlBatch, tally: CrawlCounters) -> frozenset[bytes]:
        self._find(batch.found, tally)
        job = self._run.number
        stored = PageWriter(self._db, self._seals, job).store(batch.pages, tally)
        ended: defaultdict[str, list[bytes]] = defaultdict(list)
        for done in batch.done:
            if done.again is None:
                ended[done.outcome].append(done.key)
        for outcome, keys in ended.items():
            bulk_sql.among(self._db, DONE, (outcome, job), keys)
            tally.outcomes[outcome] += len(keys)
        again = [(self._now + done.again, job, done.key) for done in batch.done if done.again]
        self._db.many(_AGAIN, again)
        pauses = [(host, self._now + wait) for host, wait in batch.pauses.items()]
        self._db.many(_PAUSE, pauses)
        return stored

    def _find(self, found: list[FoundUrl], tally: CrawlCounters) -> None:
        job = self._run.number
        for outcome in {entry.outcome for entry in found}:
            entries = [entry for entry in found if entry.outcome == outcome]
            urls = self._seals.seal_all(
                [(entry.key + b"u", entry.url.encode("utf-8", "replace")) for entry in entries]
            )
            state = 2 if outcome else 0
            rows = [
                (job, entry.key, entry.host, entry.depth, entry.hops, state, outcome, url)
                for entry, url in zip(entries, urls, strict=True)
            ]
            added = bulk_sql.insert(self._db, _FIND, rows)
            if outcome:
                tally.outcomes[outcome] += added
                continue
            if tally.outcomes[TOO_DEEP]:
                raised = self._db.many(_RAISE, [(e.depth, job, e.key) for e in entries])
                tally.outcomes[TOO_DEEP] -= raised
                added += raised
            tally.found += added

    def _claim(self, wish: ClaimRequest, left: int) -> tuple[ClaimedUrl, ...]:
        db, job = self._db, self._run.number
        self.bury()
        (claimed,) = db.execute(_CLAIMED, (job,)).fetchone()
        count = min(wish.count, left - claimed)
        if count <= 0:
            return ()
        slowly = wish.delay or any(wish.delays.values())
        if slowly:
            db.alone()  # crawls of one host take turns, whatever their jobs
        busy = {bytes(host): at for host, at in db.execute(_BUSY, (self._now,)).fetchall()}
        some = count * _LOOKAHEAD if slowly or busy else count
        rows = db.execute(_NEXT, (job, self._now, some)).fetchall()
        wanted = ClaimRequest(count=count, delay=wish.delay, delays=wish.delays)
        candidates = [Candidate(row[0], bytes(row[1])) for row in rows]
        chosen, free = plan(candidates, busy, wanted, self._now)
        if len(chosen) < min(count, len(rows)):  # hosts that are to be left alone for a moment
            busy |= free
            soonest = min(busy.get(candidate.host, self._now) for candidate in candidates)
            self._idle = min(max(soonest - HORIZON - self._now, 0.005), LEASE / 5)
        db.many(_PAUSE, list(free.items()))
        bulk_sql.among(db, _CLAIM, (self._run.token,), [number for number, _ in chosen])
        by_number = {row[0]: row for row in rows}
        return tuple(self._claimed(by_number[number], at) for number, at in chosen)

    def _claimed(self, row: Any, at: float) -> ClaimedUrl:
        _, host, key, url, depth, hops, attempts, crashes = row
        name = bytes(key)
        address = self._seals.open(name + b"u", bytes(url)).decode()
        return ClaimedUrl(
            key=name,
            url=address,
            host=bytes(host),
            depth=depth,
            hops=hops,
            attempts=attempts,
            crashes=crashes,
            wait=max(0.0, at - self._now),
            memory=self._recall(address),
        )

    def _recall(self, url: str) -> Any:
        if self._run.previous is None:
            return None
        number, _, salt = self._run.previous
        key = key_of(salt, url)
        row = self._db.execute(_MEMORY, (number, key)).fetchone()
        blob = bytes(row[0]) if row and row[0] is not None else None
        return self._seals.recall(key + b"r", blob)

    def bury(self, *dead: int) -> None:
        """Give the claims of runs that are dead, or silent for too long, back."""
        db, job = self._db, self._run.number
        silent = db.execute(_DEAD, (job, self._now - LEASE)).fetchall()
        for token in {*dead, *(row[0] for row in silent)} - {self._run.token}:
            db.execute(_BURY, (token,))
            db.execute(_RETURN, (job, token))

    def _complete(self, tally: CrawlCounters, max_pages: int) -> State:
        db, job = self._db, self._run.number
        if tally.crawled < max_pages and db.execute(_LEFT, (job, job)).fetchone():
            return "running"
        (waiting,) = db.execute(_WAITING, (job,)).fetchone()
        if waiting:
            tally.outcomes["page_limit"] += waiting
        state: State = "completed" if tally.crawled else "failed"
        why = None
        if state == "failed":
            reasons = sorted(name for name in tally.outcomes if name != "redirect")
            told = ", ".join(MEANINGS.get(name, name) for name in reasons)
            text = f"no page could be read: {told or 'nothing was found'}"
            why = self._seals.seal(self._run.job.encode() + b"e", text.encode())
        db.execute(_FINISH, (state, self._now, why, job))
        db.execute("DELETE FROM crawl_runs WHERE job = ? AND token <> ?", (job, self._run.token))
        return state
