"""When hosts may be requested next: shared by crawls and monitors, in all processes."""

from collections.abc import Mapping

from webquarry.crawl.store.connection import SqlConnection

_DELAY = """INSERT INTO crawl_hosts (host, free_at) VALUES (?, ?) ON CONFLICT (host)
    DO UPDATE SET free_at = excluded.free_at WHERE crawl_hosts.free_at < excluded.free_at"""
_PAUSE = """INSERT INTO crawl_hosts (host, free_at, paused_until) VALUES (?, 0, ?)
    ON CONFLICT (host) DO UPDATE SET paused_until = excluded.paused_until
    WHERE crawl_hosts.paused_until < excluded.paused_until"""
_BUSY = """SELECT host, free_at, paused_until FROM crawl_hosts
    WHERE free_at > ? OR paused_until > ?"""
_PAUSED_UNTIL = "SELECT paused_until FROM crawl_hosts WHERE host = ?"


def busy_hosts(db: SqlConnection, now: float) -> dict[bytes, tuple[float, float]]:
    """Return the busy hosts: when each may be requested, and until when it asked to wait."""
    rows = db.execute(_BUSY, (now, now)).fetchall()
    return {bytes(host): (max(free, paused), paused) for host, free, paused in rows}


def delay_hosts(db: SqlConnection, times: Mapping[bytes, float]) -> None:
    """Store when hosts may receive the next request."""
    db.execute_many(_DELAY, list(times.items()))


def pause_hosts(db: SqlConnection, times: Mapping[bytes, float]) -> None:
    """Store until when hosts asked to wait (Retry-After)."""
    db.execute_many(_PAUSE, list(times.items()))


def paused_seconds(db: SqlConnection, host: bytes) -> float:
    """Return how long a host must not be requested, because it asked to wait."""
    row = db.execute(_PAUSED_UNTIL, (host,)).fetchone()
    return max(0.0, row[0] - db.time()) if row else 0.0
