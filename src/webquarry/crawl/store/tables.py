"""The database tables of crawls, for SQLite and Postgres."""

VERSION = 2
# `{id}` numbers rows, `{blob}` holds bytes, `{real}` holds seconds
TABLES = (
    """CREATE TABLE IF NOT EXISTS crawl_jobs (
        number {id}, id TEXT NOT NULL UNIQUE, owner {blob} NOT NULL, tenant {blob} NOT NULL,
        site {blob} NOT NULL, idempotency {blob} UNIQUE, state TEXT NOT NULL,
        max_pages INTEGER NOT NULL, crawled INTEGER NOT NULL DEFAULT 0,
        counts TEXT NOT NULL DEFAULT '{{}}', created {real} NOT NULL, started {real},
        finished {real}, expires {real} NOT NULL, previous INTEGER, salt {blob} NOT NULL,
        sealed {blob} NOT NULL, error {blob}
    )""",
    "CREATE INDEX IF NOT EXISTS crawl_jobs_by_owner ON crawl_jobs (owner, created)",
    "CREATE INDEX IF NOT EXISTS crawl_jobs_by_state ON crawl_jobs (state)",
    """CREATE TABLE IF NOT EXISTS crawl_runs (
        token {id}, job INTEGER NOT NULL, alive {real} NOT NULL, process TEXT NOT NULL,
        slots INTEGER NOT NULL DEFAULT 0
    )""",
    # state: 0 pending, 1 claimed by the run `lease`, 2 done
    """CREATE TABLE IF NOT EXISTS crawl_urls (
        id {id}, job INTEGER NOT NULL, key {blob} NOT NULL, host {blob} NOT NULL,
        depth INTEGER NOT NULL, hops INTEGER NOT NULL, state INTEGER NOT NULL,
        lease INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        crashes INTEGER NOT NULL DEFAULT 0, not_before {real} NOT NULL DEFAULT 0,
        outcome TEXT NOT NULL, url {blob} NOT NULL, UNIQUE (job, key)
    )""",
    # in the order of reading: by depth; a query must repeat the condition to use the index
    """CREATE INDEX IF NOT EXISTS crawl_urls_waiting ON crawl_urls (job, depth, id)
        WHERE state = 0""",
    "CREATE INDEX IF NOT EXISTS crawl_urls_claimed ON crawl_urls (job) WHERE state = 1",
    """CREATE TABLE IF NOT EXISTS crawl_pages (
        job INTEGER NOT NULL, seq INTEGER NOT NULL, key {blob} NOT NULL,
        fingerprint {blob} NOT NULL, sketch {big} NOT NULL, canonical {blob} NOT NULL,
        memory {blob}, meta {blob} NOT NULL, markdown {blob}, body {blob} NOT NULL,
        PRIMARY KEY (job, seq), UNIQUE (job, key), UNIQUE (job, fingerprint)
    )""",
    "CREATE TABLE IF NOT EXISTS crawl_hosts (host {blob} PRIMARY KEY, free_at {real} NOT NULL)",
    # crawls of one place (host group) share the limit of concurrent requests
    "CREATE TABLE IF NOT EXISTS crawl_places (job INTEGER PRIMARY KEY, place {blob} NOT NULL)",
    "CREATE INDEX IF NOT EXISTS crawl_places_by_place ON crawl_places (place)",
)
NEWEST = "crawl_places"  # a database that has this table has them all
# the tables that belong to a job, and the column that identifies their rows
PARTS = (("crawl_pages", "seq"), ("crawl_urls", "id"), ("crawl_runs", "token"),
         ("crawl_places", "job"))  # fmt: skip
