"""One commit of a run: stores its batch and claims the next URLs, in one transaction."""

from collections import defaultdict

from webquarry.crawl.store.claims import COUNT_CLAIMED, Claimer
from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    LEASE_SECONDS,
    TOO_DEEP,
    ClaimedUrl,
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    FencedError,
    FoundUrl,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.guide_state import GuideState
from webquarry.crawl.store.outbox import EventCounts, NotifyingJob, Outbox
from webquarry.crawl.store.outcomes import reason_in_error
from webquarry.crawl.store.page_writer import DONE, PageWriter
from webquarry.models.crawl import State, StopReason
from webquarry.storage import bulk_sql

_JOB = "SELECT state, crawled, max_pages, counts FROM crawl_jobs WHERE number = ?"
_RENEW_RUN = "UPDATE crawl_runs SET alive = ?, slots = ? WHERE token = ?"
_INSERT_URLS = """INSERT INTO crawl_urls
    (job, key, host, depth, hops, state, outcome, rank, ended, url)
    VALUES {rows} ON CONFLICT (job, key) DO NOTHING"""
_REOPEN_TOO_DEEP = """UPDATE crawl_urls SET state = 0, outcome = '', ended = 0, depth = ?
    WHERE job = ? AND key = ? AND outcome = 'too_deep'"""
_RETRY = """UPDATE crawl_urls SET state = 0, lease = 0, attempts = attempts + 1, not_before = ?
    WHERE job = ? AND key = ? AND state = 1"""
_REDIRECT = """UPDATE crawl_urls SET state = 0, lease = 0, target = ?, host = ?, hops = ?
    WHERE job = ? AND key = ? AND state = 1"""
_RAISE = """UPDATE crawl_urls SET rank = ?
    WHERE job = ? AND key = ? AND state = 0 AND rank > ?"""
_SILENT_RUNS = "SELECT token FROM crawl_runs WHERE job = ? AND alive < ?"
_DELETE_RUN = "DELETE FROM crawl_runs WHERE token = ?"
_RELEASE_CLAIMS = """UPDATE crawl_urls SET state = 0, lease = 0, crashes = crashes + 1
    WHERE job = ? AND state = 1 AND lease = ?"""
# of this crawl, and the live ones of other crawls in the same host group
_RUNS_ON_HOST = """SELECT token, job, process, slots FROM crawl_runs
    WHERE job = ? OR (alive > ? AND job IN
    (SELECT other.job FROM crawl_places AS mine JOIN crawl_places AS other
    ON other.place = mine.place WHERE mine.job = ?))"""
_SET_SLOTS = "UPDATE crawl_runs SET slots = ? WHERE token = ?"
_GIVE_BACK = """UPDATE crawl_urls SET state = 0, lease = 0
    WHERE job = ? AND key = ? AND state = 1"""
_OTHER_PROCESS = """SELECT 1 FROM crawl_runs AS other JOIN crawl_runs AS own ON own.token = ?
    WHERE other.process <> own.process AND other.alive > ? LIMIT 1"""
_COUNT_PENDING = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 0"
_HAS_OPEN_URLS = """SELECT 1 WHERE EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 0)
    OR EXISTS (SELECT 1 FROM crawl_urls WHERE job = ? AND state = 1)"""
_UPDATE_COUNTS = "UPDATE crawl_jobs SET crawled = ?, counts = ? WHERE number = ?"
_FINISH = "UPDATE crawl_jobs SET state = ?, finished = ?, error = ? WHERE number = ?"


class Committer:
    """Commits in a transaction that the caller has started."""

    def __init__(self, db: SqlConnection, cipher: CrawlCipher, lease: CrawlLease) -> None:
        self._db = db
        self._cipher = cipher
        self._lease = lease
        self._now = db.time()
        job = NotifyingJob(lease.job_id, lease.job_number, lease.webhook)
        self._outbox = Outbox(db, cipher, job)
        self._claimer = Claimer(db, cipher, lease, self._now)

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
        if stored:
            self._outbox.add_pages(batch.pages, stored, counters)
        self.release_dead_runs()
        claims = self._claim(batch, claim, counters, max_pages)
        state: State = "running" if claims else self._complete(batch, counters, max_pages)
        counters.update_progress(max_pages)
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
            poll_after=self._claimer.poll_after,
            pauses=self._claimer.pauses,
            alone=self._is_alone(),
            guide=counters.guide,
        )

    def _claim(
        self, batch: CrawlBatch, claim: ClaimRequest, counters: CrawlCounters, max_pages: int
    ) -> tuple[ClaimedUrl, ...]:
        if batch.saturated:
            return ()
        return self._claimer.claim(claim, max_pages - counters.crawled, counters)

    def _is_alone(self) -> bool:
        """Whether no other process may be requesting the same hosts."""
        parameters = (self._lease.token, self._now - LEASE_SECONDS)
        return self._db.execute(_OTHER_PROCESS, parameters).fetchone() is None

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
        stored = PageWriter(self._db, self._cipher, job).store(batch.pages, counters, self._now)
        finished: defaultdict[str, list[bytes]] = defaultdict(list)
        for result in batch.results:
            if result.retry_in is None and result.redirect is None:
                finished[result.outcome].append(result.key)
        for outcome, keys in finished.items():
            bulk_sql.execute_for_names(self._db, DONE, (outcome, self._now, job), keys)
            counters.outcomes[outcome] += len(keys)
            counters.done += len(keys)
        counters.done += len(batch.pages)
        self._store_redirects(batch)
        retries = [(self._now + r.retry_in, job, r.key) for r in batch.results if r.retry_in]
        self._db.execute_many(_RETRY, retries)
        self._db.execute_many(_GIVE_BACK, [(job, key) for key in batch.unread])
        self._claimer.record_waits(batch)
        counters.traps |= batch.traps
        self._store_guide(batch, counters)
        if batch.moved_to and not counters.moved_to:
            name = self._lease.job_id.encode() + b"t"
            counters.moved_to = self._cipher.seal(name, batch.moved_to.encode()).hex()
        return stored

    def _store_guide(self, batch: CrawlBatch, counters: CrawlCounters) -> None:
        if batch.guide:
            counters.guide = (counters.guide or GuideState()).merged_with(batch.guide)
        job = self._lease.job_number
        raised = [(rank, job, key, rank) for key, rank in batch.ranks.items()]
        self._db.execute_many(_RAISE, raised)

    def _store_redirects(self, batch: CrawlBatch) -> None:
        """Continue listed URLs at the targets of their redirects, in turn with other requests."""
        rows = [
            (
                self._cipher.seal(result.key + b"g", result.redirect.url.encode()),
                result.redirect.host,
                result.redirect.hops,
                self._lease.job_number,
                result.key,
            )
            for result in batch.results
            if result.redirect
        ]
        self._db.execute_many(_REDIRECT, rows)

    def _add_urls(self, found: list[FoundUrl], counters: CrawlCounters) -> None:
        job = self._lease.job_number
        for outcome in {entry.outcome for entry in found}:
            entries = [entry for entry in found if entry.outcome == outcome]
            urls = self._cipher.seal_all(
                [(entry.key + b"u", entry.url.encode("utf-8", "replace")) for entry in entries]
            )
            state = 2 if outcome else 0
            rows = [
                (
                    job,
                    entry.key,
                    entry.host,
                    entry.depth,
                    entry.hops,
                    state,
                    outcome,
                    entry.rank,
                    self._now if outcome else 0.0,
                    url,
                )
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

    def release_dead_runs(self, *dead: int) -> None:
        """Release the claims of runs that are dead or whose lease has expired."""
        db, job = self._db, self._lease.job_number
        silent = db.execute(_SILENT_RUNS, (job, self._now - LEASE_SECONDS)).fetchall()
        for token in {*dead, *(row[0] for row in silent)} - {self._lease.token}:
            db.execute(_DELETE_RUN, (token,))
            db.execute(_RELEASE_CLAIMS, (job, token))

    def _may_stop(self, batch: CrawlBatch) -> bool:
        """Whether the crawl is saturated, and the last pages that it reads are stored."""
        job = self._lease.job_number
        return batch.saturated and not self._db.execute(COUNT_CLAIMED, (job,)).fetchone()[0]

    def _complete(self, batch: CrawlBatch, counters: CrawlCounters, max_pages: int) -> State:
        db, job = self._db, self._lease.job_number
        is_open = db.execute(_HAS_OPEN_URLS, (job, job)).fetchone()
        if is_open and counters.crawled < max_pages and not self._may_stop(batch):
            return "running"
        reason: StopReason = "frontier_exhausted"
        if is_open:
            reason = "page_limit" if counters.crawled >= max_pages else "saturated"
            (pending,) = db.execute(_COUNT_PENDING, (job,)).fetchone()
            counters.outcomes[reason] += pending
        state: State = "completed" if counters.crawled else "failed"
        counters.stop_reason = reason if state == "completed" else None
        text = error = None
        if state == "failed":
            reasons = sorted(name for name in counters.outcomes if name != "redirect")
            listed = ", ".join(reason_in_error(name) for name in reasons)
            text = f"no page could be read: {listed or 'nothing was found'}"
            error = self._cipher.seal(self._lease.job_id.encode() + b"e", text.encode())
        db.execute(_FINISH, (state, self._now, error, job))
        self._outbox.add(state, EventCounts(counters.found, counters.crawled), text)
        db.execute("DELETE FROM crawl_runs WHERE job = ? AND token <> ?", (job, self._lease.token))
        return state
