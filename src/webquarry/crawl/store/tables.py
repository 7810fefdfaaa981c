"""The database tables of crawls and monitors, for SQLite and Postgres."""

VERSION = 4
# in the order of reading: by rank, then depth; a query must repeat the condition to use the index
_WAITING = """CREATE INDEX IF NOT EXISTS crawl_urls_by_rank ON crawl_urls (job, rank, depth, id)
    WHERE state = 0"""
_PLACES = (
    # crawls of one place (host group) share the limit of concurrent requests
    "CREATE TABLE IF NOT EXISTS crawl_places (job INTEGER PRIMARY KEY, place {blob} NOT NULL)",
    "CREATE INDEX IF NOT EXISTS crawl_places_by_place ON crawl_places (place)",
)
_FILES = (
    # what belongs to a page besides its body and its Markdown, like screenshots
    """CREATE TABLE IF NOT EXISTS crawl_files (
        job INTEGER NOT NULL, key {blob} NOT NULL, name TEXT NOT NULL, content {blob} NOT NULL,
        PRIMARY KEY (job, key, name)
    )""",
    # webhook notifications that were not acknowledged yet; `process` sends one until `due`
    """CREATE TABLE IF NOT EXISTS crawl_deliveries (
        id {id}, job INTEGER NOT NULL, delivery TEXT NOT NULL UNIQUE, created {real} NOT NULL,
        due {real} NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        process TEXT NOT NULL DEFAULT '', sealed {blob} NOT NULL
    )""",
    "CREATE INDEX IF NOT EXISTS crawl_deliveries_by_job ON crawl_deliveries (job, id)",
)
_MONITORS = (
    # due: of the next run; slot: its time in the schedule, without jitter. A process holds the
    # lease while `alive` is recent; told: the latest change in a digest
    """CREATE TABLE IF NOT EXISTS monitors (
        number {id}, id TEXT NOT NULL UNIQUE, owner {blob} NOT NULL, tenant {blob} NOT NULL,
        state TEXT NOT NULL, host {blob} NOT NULL, created {real} NOT NULL,
        slot {real} NOT NULL, due {real} NOT NULL, lease INTEGER NOT NULL DEFAULT 0,
        alive {real} NOT NULL DEFAULT 0, process TEXT NOT NULL DEFAULT '',
        runs INTEGER NOT NULL DEFAULT 0, versions INTEGER NOT NULL DEFAULT 0,
        changes INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0, digest_due {real},
        noise {blob}, noise_edits INTEGER NOT NULL DEFAULT 0, progress {blob},
        sealed {blob} NOT NULL
    )""",
    "CREATE INDEX IF NOT EXISTS monitors_by_owner ON monitors (owner, created)",
    "CREATE INDEX IF NOT EXISTS monitors_by_due ON monitors (due) WHERE state = 'active'",
    "CREATE INDEX IF NOT EXISTS monitors_leased ON monitors (process) WHERE process <> ''",
    "CREATE INDEX IF NOT EXISTS monitors_digests ON monitors (digest_due)",
    """CREATE TABLE IF NOT EXISTS monitor_versions (
        monitor INTEGER NOT NULL, seq INTEGER NOT NULL, at {real} NOT NULL, sealed {blob} NOT NULL,
        PRIMARY KEY (monitor, seq)
    )""",
    # version: what the check saw; 0: nothing
    """CREATE TABLE IF NOT EXISTS monitor_changes (
        monitor INTEGER NOT NULL, seq INTEGER NOT NULL, at {real} NOT NULL,
        event TEXT NOT NULL, version INTEGER NOT NULL, sealed {blob} NOT NULL,
        PRIMARY KEY (monitor, seq)
    )""",
    # as `crawl_deliveries`; notifications of one channel of a monitor are sent in order
    """CREATE TABLE IF NOT EXISTS monitor_deliveries (
        id {id}, monitor INTEGER NOT NULL, channel TEXT NOT NULL, delivery TEXT NOT NULL UNIQUE,
        created {real} NOT NULL, due {real} NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        process TEXT NOT NULL DEFAULT '', sealed {blob} NOT NULL
    )""",
    """CREATE INDEX IF NOT EXISTS monitor_deliveries_by_channel
        ON monitor_deliveries (monitor, channel, id)""",
)
_SCHEMA = "CREATE TABLE IF NOT EXISTS crawl_schema (version INTEGER NOT NULL)"
# `{id}` numbers rows, `{blob}` holds bytes, `{real}` holds seconds
TABLES = (
    """CREATE TABLE IF NOT EXISTS crawl_jobs (
        number {id}, id TEXT NOT NULL UNIQUE, owner {blob} NOT NULL, tenant {blob} NOT NULL,
        site {blob} NOT NULL, idempotency {blob} UNIQUE, state TEXT NOT NULL,
        max_pages INTEGER NOT NULL, crawled INTEGER NOT NULL DEFAULT 0,
        counts TEXT NOT NULL DEFAULT '{{}}', created {real} NOT NULL, started {real},
        finished {real}, expires {real} NOT NULL, previous INTEGER, salt {blob} NOT NULL,
        sealed {blob} NOT NULL, error {blob}, kind TEXT NOT NULL DEFAULT 'crawl'
    )""",
    "CREATE INDEX IF NOT EXISTS crawl_jobs_by_owner ON crawl_jobs (owner, created)",
    "CREATE INDEX IF NOT EXISTS crawl_jobs_by_state ON crawl_jobs (state)",
    """CREATE TABLE IF NOT EXISTS crawl_runs (
        token {id}, job INTEGER NOT NULL, alive {real} NOT NULL, process TEXT NOT NULL,
        slots INTEGER NOT NULL DEFAULT 0
    )""",
    # state: 0 pending, 1 claimed by the run `lease`, 2 done at the time `ended`;
    # target: where the redirects of a listed URL led
    """CREATE TABLE IF NOT EXISTS crawl_urls (
        id {id}, job INTEGER NOT NULL, key {blob} NOT NULL, host {blob} NOT NULL,
        depth INTEGER NOT NULL, hops INTEGER NOT NULL, state INTEGER NOT NULL,
        lease INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        crashes INTEGER NOT NULL DEFAULT 0, not_before {real} NOT NULL DEFAULT 0,
        outcome TEXT NOT NULL, url {blob} NOT NULL, rank {real} NOT NULL DEFAULT 0,
        target {blob}, ended {real} NOT NULL DEFAULT 0, UNIQUE (job, key)
    )""",
    _WAITING,
    "CREATE INDEX IF NOT EXISTS crawl_urls_claimed ON crawl_urls (job) WHERE state = 1",
    """CREATE TABLE IF NOT EXISTS crawl_pages (
        job INTEGER NOT NULL, seq INTEGER NOT NULL, key {blob} NOT NULL,
        fingerprint {blob} NOT NULL, sketch {big} NOT NULL, canonical {blob} NOT NULL,
        memory {blob}, meta {blob} NOT NULL, markdown {blob}, body {blob} NOT NULL,
        PRIMARY KEY (job, seq), UNIQUE (job, key), UNIQUE (job, fingerprint)
    )""",
    # free_at: of the next request (delay); paused_until: what the host asked for (Retry-After)
    """CREATE TABLE IF NOT EXISTS crawl_hosts (
        host {blob} PRIMARY KEY, free_at {real} NOT NULL, paused_until {real} NOT NULL DEFAULT 0
    )""",
    *_PLACES,
    *_FILES,
    *_MONITORS,
    _SCHEMA,
)
# statements that upgrade a database from each version to the next
_UPGRADES: dict[int, tuple[str, ...]] = {
    1: _PLACES,
    2: (
        "ALTER TABLE crawl_jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'crawl'",
        "ALTER TABLE crawl_urls ADD COLUMN rank {real} NOT NULL DEFAULT 0",
        "ALTER TABLE crawl_urls ADD COLUMN target {blob}",
        "ALTER TABLE crawl_urls ADD COLUMN ended {real} NOT NULL DEFAULT 0",
        "ALTER TABLE crawl_hosts ADD COLUMN paused_until {real} NOT NULL DEFAULT 0",
        "DROP INDEX IF EXISTS crawl_urls_waiting",
        _WAITING,
        *_FILES,
        _SCHEMA,
    ),
    3: _MONITORS,
}
# the tables that belong to a job, and the column that identifies their rows
PARTS = (("crawl_pages", "seq"), ("crawl_urls", "id"), ("crawl_runs", "token"),
         ("crawl_places", "job"), ("crawl_files", "key"), ("crawl_deliveries", "id"))  # fmt: skip
# the same for a monitor
MONITOR_PARTS = ("monitor_deliveries", "monitor_changes", "monitor_versions")


def statements_from(version: int) -> tuple[str, ...]:
    """Return the statements that bring a database of a version up to date; 0: an empty one."""
    if version == 0:
        return TABLES
    return tuple(sql for number in range(version, VERSION) for sql in _UPGRADES[number])
