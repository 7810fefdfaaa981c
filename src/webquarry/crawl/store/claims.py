"""The claims of a commit: the next URLs of a crawl whose hosts may be requested now."""

from dataclasses import replace
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    CLAIM_AHEAD_SECONDS,
    LEASE_SECONDS,
    RETRY_AFTER,
    Candidate,
    ClaimedUrl,
    ClaimRequest,
    CrawlBatch,
    CrawlLease,
    plan_claims,
    url_key,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.host_times import busy_hosts, delay_hosts, pause_hosts
from webquarry.storage import bulk_sql

_END_HOST = """UPDATE crawl_urls SET state = 2, outcome = ?, ended = ?
    WHERE job = ? AND state = 0 AND host = ?"""
COUNT_CLAIMED = "SELECT count(*) FROM crawl_urls WHERE job = ? AND state = 1"
_NEXT_URLS = """SELECT id, host, key, url, depth, hops, attempts, crashes, target FROM crawl_urls
    WHERE job = ? AND state = 0 AND not_before <= ? {others} ORDER BY rank, depth, id LIMIT ?"""
_CLAIM = "UPDATE crawl_urls SET state = 1, lease = ? WHERE id IN ({names})"
_PREVIOUS_VISIT = "SELECT memory FROM crawl_pages WHERE job = ? AND key = ?"
_LOOKAHEAD = 4  # candidates per claim: some hosts are busy
_MAX_EXCLUDED = 500  # hosts in one statement


class Claimer:
    """Claims URLs in a transaction that the caller has started."""

    def __init__(
        self, db: SqlConnection, cipher: CrawlCipher, lease: CrawlLease, now: float
    ) -> None:
        self._db = db
        self._cipher = cipher
        self._lease = lease
        self._now = now
        self.poll_after = 0.1  # seconds until more URLs may be available
        self.pauses: dict[bytes, float] = {}  # seconds that hosts asked to wait

    def record_waits(self, batch: CrawlBatch) -> None:
        """Store when hosts may be requested again."""
        now = self._now
        delay_hosts(self._db, {host: now + wait for host, wait in batch.host_waits.items()})
        pause_hosts(self._db, {host: now + wait for host, wait in batch.host_pauses.items()})

    def claim(
        self, claim: ClaimRequest, left: int, counters: CrawlCounters
    ) -> tuple[ClaimedUrl, ...]:
        """Claim URLs, at most as many as pages are left."""
        db, job = self._db, self._lease.job_number
        (claimed,) = db.execute(COUNT_CLAIMED, (job,)).fetchone()
        count = min(claim.count, left - claimed)
        delayed = claim.delay or any(claim.delays.values())
        if delayed:
            db.serialize()  # all crawls of one host take turns
        busy = self._busy_hosts()
        if count <= 0:
            return ()
        rows = self._candidates(count, claim, busy, counters)
        candidates = [Candidate(row[0], bytes(row[1])) for row in rows]
        chosen, free = plan_claims(candidates, busy, replace(claim, count=count), self._now)
        if len(chosen) < min(count, len(rows)):  # some hosts are busy
            self._set_poll_time(candidates, busy | free)
        delay_hosts(db, free)
        bulk_sql.execute_for_names(
            db, _CLAIM, (self._lease.token,), [number for number, _ in chosen]
        )
        by_number = {row[0]: row for row in rows}
        return tuple(self._claimed(by_number[number], at) for number, at in chosen)

    def _busy_hosts(self) -> dict[bytes, float]:
        """Return when the hosts that are busy now may be requested again."""
        now, busy = self._now, busy_hosts(self._db, self._now)
        self.pauses = {host: paused - now for host, (_, paused) in busy.items() if paused > now}
        return {host: at for host, (at, _) in busy.items()}

    def _candidates(
        self, count: int, claim: ClaimRequest, busy: dict[bytes, float], counters: CrawlCounters
    ) -> list[Any]:
        limit = count * _LOOKAHEAD if busy or claim.delay or any(claim.delays.values()) else count
        rows = self._next_urls(limit)
        if self._end_paused_hosts({bytes(row[1]) for row in rows}, claim, counters):
            rows = self._next_urls(limit)
        far = [host for host, at in busy.items() if at > self._now + CLAIM_AHEAD_SECONDS]
        ready = sum(bytes(row[1]) not in far for row in rows) if far else count
        if len(rows) == limit and ready < count:  # others wait behind the URLs of busy hosts
            rows += self._next_urls(count, far[:_MAX_EXCLUDED])
        return list({row[0]: row for row in rows}.values())

    def _end_paused_hosts(
        self, hosts: set[bytes], claim: ClaimRequest, counters: CrawlCounters
    ) -> bool:
        """End the hosts whose pause is too long; return whether there are any."""
        paused = [h for h, pause in self.pauses.items() if pause > claim.max_pause and h in hosts]
        for host in paused:
            self._end_host(host, counters)
        return bool(paused)

    def _next_urls(self, limit: int, without: list[bytes] | None = None) -> list[Any]:
        others = f"AND host NOT IN ({bulk_sql.placeholders(len(without))})" if without else ""
        sql = _NEXT_URLS.format(others=others)
        parameters = (self._lease.job_number, self._now, *(without or ()), limit)
        return self._db.execute(sql, parameters).fetchall()

    def _end_host(self, host: bytes, counters: CrawlCounters) -> None:
        """Give up the URLs of a host that asked to wait too long."""
        parameters = (RETRY_AFTER, self._now, self._lease.job_number, host)
        ended = self._db.execute(_END_HOST, parameters).rowcount
        counters.outcomes[RETRY_AFTER] += ended
        counters.done += ended

    def _set_poll_time(self, candidates: list[Candidate], busy: dict[bytes, float]) -> None:
        soonest = min(busy.get(candidate.host, self._now) for candidate in candidates)
        wait = max(soonest - CLAIM_AHEAD_SECONDS - self._now, 0.005)
        self.poll_after = min(wait, LEASE_SECONDS / 5)

    def _claimed(self, row: Any, at: float) -> ClaimedUrl:
        _, host, key, url, depth, hops, attempts, crashes, target = row
        name = bytes(key)
        listed_url = self._cipher.unseal(name + b"u", bytes(url)).decode()
        redirected_url = self._cipher.unseal(name + b"g", bytes(target)).decode() if target else ""
        return ClaimedUrl(
            key=name,
            url=redirected_url or listed_url,
            host=bytes(host),
            depth=depth,
            hops=hops,
            attempts=attempts,
            crashes=crashes,
            wait=max(0.0, at - self._now),
            previous_visit=self._previous_visit(listed_url),
            redirected_from=listed_url if redirected_url else "",
        )

    def _previous_visit(self, url: str) -> Any:
        if self._lease.previous is None:
            return None
        number, _, salt = self._lease.previous
        key = url_key(salt, url)
        row = self._db.execute(_PREVIOUS_VISIT, (number, key)).fetchone()
        blob = bytes(row[0]) if row and row[0] is not None else None
        return self._cipher.decode_visit(key + b"r", blob)
