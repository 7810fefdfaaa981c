"""One commit of a run: stores its batch and claims the next URLs, in one transaction."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    CLAIM_AHEAD_SECONDS,
    LEASE_SECONDS,
    OUTCOME_TEXTS,
    TOO_DEEP,
    Candidate,
    ClaimedUrl,
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    FencedError,
    FoundUrl,
    plan_claims,
    url_key,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.page_writer import DONE, PageWriter
from webquarry.models.crawl import State
from webquarry.storage import bulk_sql

_JOB = "SELECT state, crawled, max_pages, counts FROM crawl_jobs WHERE number = ?"
_RENEW_RUN = "UPDATE crawl_runs SET alive = ?, slots = ? WHERE token = ?"
_INSERT_URLS = """INSERT INTO crawl_urls (job, key, host, depth, hops, state, outcome, url)
    VALUES {rows} ON CONFLICT (job, key) DO NOTHING"""
_REOPEN_TOO_DEEP = """UPDATE crawl_urls SET state = 0, outcome = '', depth = ?
    WHERE job = ? AND key = ? AND outcome = 'too_deep'"""
_RETRY = """UPDATE crawl_urls SET state = 0, lease = 0, attempts = attempts + 1, not_before = ?
    WHERE job = ? AND key = ? AND state = 1"""
_PAUSE_HOST = """INSERT INTO crawl_hosts (host, free_at) VALUES (?, ?) ON CONFLICT (host)
    DO UPDATE SET free_at = excluded.free_at WHERE crawl_hosts.free_at < excluded.free_at"""
_BUSY_HOSTS = "SELECT host, free_at FROM crawl_hosts WHERE free_at > ?"
_SILENT_RUNS = "SELECT token FROM crawl_runs WHERE job = ? AND alive < ?"
_DELETE_RUN = "DELETE FROM crawl_runs WHERE token = ?"
_RELEASE_CLAIMS = """UPDATE crawl_urls SET state = 0, lease = 0, crashes = crashes + 1
    WHERE job = ? AND state = 1 AND lease = ?"""
_COUNT_CLAIMED = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 1"
# of this crawl, and the live ones of other crawls in the same host group
_RUNS_ON_HOST = """SELECT token, job, process, slots FROM crawl_runs
    WHERE job = ? OR (alive > ? AND job IN
    (SELECT other.job FROM crawl_places AS mine JOIN crawl_places AS other
    ON other.place = mine.place WHERE mine.job = ?))"""
_SET_SLOTS = "UPDATE crawl_runs SET slots = ? WHERE token = ?"
_NEXT_URLS = """SELECT id, host, key, url, depth, hops, attempts, crashes FROM crawl_urls
    WHERE job = ? AND state = 0 AND not_before <= ? ORDER BY depth, id LIMIT ?"""
_CLAIM = "UPDATE crawl_urls SET state = 1, lease = ? WHERE id IN ({names})"
_COUNT_PENDING = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 0"
_HAS_OPEN_URLS = """SELECT 1 WHERE EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 0)
    OR EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 1)"""
_PREVIOUS_VISIT = "SELECT memory FROM crawl_pages WHERE job = ? AND key = ?"
_UPDATE_COUNTS = "UPDATE crawl_jobs SET crawled = ?, counts = ? WHERE number = ?"
_FINISH = "UPDATE crawl_jobs SET state = ?, finished = ?, error = ? WHERE number = ?"
_LOOKAHEAD = 4  # candidates per claim: some hosts are paused


class Committer:
    """Commits in a transaction that the caller has started."""

    def __init__(self, db: SqlConnection, cipher: CrawlCipher, lease: CrawlLease) -> None:
        self._db = db
        self._cipher = cipher
        self._lease = lease
        self._now = db.time()
        self._poll_after = 0.1

    def commit(self, batch: CrawlBatch, claim: ClaimRequest) -> CommitResult:
        """Store a batch and return the next claims."""
        db, job = self._db, self._lease.job_number
        row = db.select_for_update(_JOB, (job,)).fetchone()
        # the job was deleted, or the run was considered dead
        if (
            row is None
            or db.execute(_RENEW_RUN, (self._now, claim.slots, self._lease.token)).rowcount != 1
        ):
            raise FencedError("this run lost its lease; another run continues the crawl")
        state, crawled, max_pages, counts = row
        if state != "running":
            return CommitResult(state=state, crawled=crawled)
        counters = CrawlCounters.from_json(crawled, counts)
        stored = self._store_batch(batch, counters)
        claims = self._claim(claim, max_pages - counters.crawled)
        state: State = "running" if claims else self._complete(counters, max_pages)
        if len(batch) or batch.found_urls or state != "running":
            db.execute(_UPDATE_COUNTS, (counters.crawled, counters.to_json(), job))
        runs, slots = self._slots(claim)
        return CommitResult(
            state=state,
            claims=claims,
            runs=runs,
            slots=slots,
            crawled=counters.crawled,
            stored=stored,
            poll_after=self._poll_after,
        )

    def _slots(self, claim: ClaimRequest) -> tuple[int, int]:
        """Return how many runs this crawl has, and this run's share of the requests to a host.

        A share that shrinks is free for others when the run has reported that it uses less.
        """
        runs, share = self._share(claim)
        if share > claim.slots:
            self._db.serialize()  # a run that takes more must see what the others took
            runs, share = self._share(claim)
            self._db.execute(_SET_SLOTS, (share, self._lease.token))
        return runs, share

    def _share(self, claim: ClaimRequest) -> tuple[int, int]:
        job, own = self._lease.job_number, self._lease.token
        rows = self._db.execute(_RUNS_ON_HOST, (job, self._now - LEASE_SECONDS, job)).fetchall()
        own_process = next(process for token, _, process, _ in rows if token == own)
        taken: dict[tuple[str, int], int] = {}  # slots of other processes
        for token, number, process, slots in rows:
            if token == own or (process == own_process and number != job):
                continue  # the crawls of one process share one `HostLimit`
            holder = (process, token if process == own_process else 0)
            taken[holder] = max(taken.get(holder, 0), slots)
        left = claim.limit - sum(taken.values())
        share = min(max(1, claim.limit // (1 + len(taken))), left)
        return sum(row[1] == job for row in rows), max(share, 1 if claim.slots else 0)

    def _store_batch(self, batch: CrawlBatch, counters: CrawlCounters) -> frozenset[bytes]:
        self._add_urls(batch.found_urls, counters)
        job = self._lease.job_number
        stored = PageWriter(self._db, self._cipher, job).store(batch.pages, counters)
        finished: defaultdict[str, list[bytes]] = defaultdict(list)
        for result in batch.results:
            if result.retry_in is None:
                finished[result.outcome].append(result.key)
        for outcome, keys in finished.items():
            bulk_sql.execute_for_names(self._db, DONE, (outcome, job), keys)
            counters.outcomes[outcome] += len(keys)
        retries = [(self._now + r.retry_in, job, r.key) for r in batch.results if r.retry_in]
        self._db.execute_many(_RETRY, retries)
        pauses = [(host, self._now + wait) for host, wait in batch.host_pauses.items()]
        self._db.execute_many(_PAUSE_HOST, pauses)
        return stored

    def _add_urls(self, found: list[FoundUrl], counters: CrawlCounters) -> None:
        job = self._lease.job_number
        for outcome in {entry.outcome for entry in found}:
            entries = [entry for entry in found if entry.outcome == outcome]
            urls = self._cipher.seal_all(
                [(entry.key + b"u", entry.url.encode("utf-8", "replace")) for entry in entries]
            )
            state = 2 if outcome else 0
            rows = [
                (job, entry.key, entry.host, entry.depth, entry.hops, state, outcome, url)
                for entry, url in zip(entries, urls, strict=True)
            ]
            added = bulk_sql.insert(self._db, _INSERT_URLS, rows)
            if outcome:
                counters.outcomes[outcome] += added
                continue
            if counters.outcomes[TOO_DEEP]:
                raised = self._db.execute_many(
                    _REOPEN_TOO_DEEP, [(e.depth, job, e.key) for e in entries]
                )
                counters.outcomes[TOO_DEEP] -= raised
                added += raised
            counters.found += added

    def _claim(self, claim: ClaimRequest, left: int) -> tuple[ClaimedUrl, ...]:
        db, job = self._db, self._lease.job_number
        self.release_dead_runs()
        (claimed,) = db.execute(_COUNT_CLAIMED, (job,)).fetchone()
        count = min(claim.count, left - claimed)
        if count <= 0:
            return ()
        delayed = claim.delay or any(claim.delays.values())
        if delayed:
            db.serialize()  # all crawls of one host take turns
        busy = {bytes(host): at for host, at in db.execute(_BUSY_HOSTS, (self._now,)).fetchall()}
        limit = count * _LOOKAHEAD if delayed or busy else count
        rows = db.execute(_NEXT_URLS, (job, self._now, limit)).fetchall()
        candidates = [Candidate(row[0], bytes(row[1])) for row in rows]
        chosen, free = plan_claims(candidates, busy, replace(claim, count=count), self._now)
        if len(chosen) < min(count, len(rows)):  # some hosts are paused
            busy |= free
            soonest = min(busy.get(candidate.host, self._now) for candidate in candidates)
            self._poll_after = min(
                max(soonest - CLAIM_AHEAD_SECONDS - self._now, 0.005), LEASE_SECONDS / 5
            )
        db.execute_many(_PAUSE_HOST, list(free.items()))
        bulk_sql.execute_for_names(
            db, _CLAIM, (self._lease.token,), [number for number, _ in chosen]
        )
        by_number = {row[0]: row for row in rows}
        return tuple(self._claimed(by_number[number], at) for number, at in chosen)

    def _claimed(self, row: Any, at: float) -> ClaimedUrl:
        _, host, key, url, depth, hops, attempts, crashes = row
        name = bytes(key)
        plain_url = self._cipher.unseal(name + b"u", bytes(url)).decode()
        return ClaimedUrl(
            key=name,
            url=plain_url,
            host=bytes(host),
            depth=depth,
            hops=hops,
            attempts=attempts,
            crashes=crashes,
            wait=max(0.0, at - self._now),
            previous_visit=self._previous_visit(plain_url),
        )

    def _previous_visit(self, url: str) -> Any:
        if self._lease.previous is None:
            return None
        number, _, salt = self._lease.previous
        key = url_key(salt, url)
        row = self._db.execute(_PREVIOUS_VISIT, (number, key)).fetchone()
        blob = bytes(row[0]) if row and row[0] is not None else None
        return self._cipher.decode_visit(key + b"r", blob)

    def release_dead_runs(self, *dead: int) -> None:
        """Release the claims of runs that are dead or whose lease has expired."""
        db, job = self._db, self._lease.job_number
        silent = db.execute(_SILENT_RUNS, (job, self._now - LEASE_SECONDS)).fetchall()
        for token in {*dead, *(row[0] for row in silent)} - {self._lease.token}:
            db.execute(_DELETE_RUN, (token,))
            db.execute(_RELEASE_CLAIMS, (job, token))

    def _complete(self, counters: CrawlCounters, max_pages: int) -> State:
        db, job = self._db, self._lease.job_number
        if counters.crawled < max_pages and db.execute(_HAS_OPEN_URLS, (job, job)).fetchone():
            return "running"
        (pending,) = db.execute(_COUNT_PENDING, (job,)).fetchone()
        if pending:
            counters.outcomes["page_limit"] += pending
        state: State = "completed" if counters.crawled else "failed"
        error = None
        if state == "failed":
            reasons = sorted(name for name in counters.outcomes if name != "redirect")
            listed = ", ".join(OUTCOME_TEXTS.get(name, name) for name in reasons)
            text = f"no page could be read: {listed or 'nothing was found'}"
            error = self._cipher.seal(self._lease.job_id.encode() + b"e", text.encode())
        db.execute(_FINISH, (state, self._now, error, job))
        db.execute("DELETE FROM crawl_runs WHERE job = ? AND token <> ?", (job, self._lease.token))
        return state
