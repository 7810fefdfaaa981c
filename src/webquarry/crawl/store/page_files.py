"""What belongs to a stored page besides its body: screenshots, extracted data, summaries."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.storage import bulk_sql

INSERT_FILES = """INSERT INTO crawl_files (job, key, name, content) VALUES {rows}
    ON CONFLICT (job, key, name) DO UPDATE SET content = excluded.content"""
_NUMBER = "SELECT number FROM crawl_jobs WHERE id = ?"
_SELECT = """SELECT content FROM crawl_files JOIN crawl_jobs ON number = job
    WHERE id = ? AND key = ? AND name = ?"""

_SIZE = """SELECT COALESCE(SUM(LENGTH(content)), 0) FROM crawl_files JOIN crawl_jobs ON number = job
    WHERE id = ? AND name = ?"""

Work = Callable[[SqlConnection], Any]


class RunsWork(Protocol):
    """Runs a function with a database connection."""

    def __call__(self, work: Work, /) -> Awaitable[Any]:
        """Return the result of the function."""
        ...


class PageFiles:
    """Reads and stores the files of pages; each is sealed under the page and its name."""

    def __init__(self, read: RunsWork, write: RunsWork, cipher: CrawlCipher) -> None:
        self._read = read
        self._write = write
        self._cipher = cipher

    async def get(self, job_id: str, key: bytes, name: str) -> bytes | None:
        """Return a file of a page."""

        def work(db: SqlConnection) -> bytes | None:
            row = db.execute(_SELECT, (job_id, key, name)).fetchone()
            return self._cipher.unseal(sealed_name(key, name), bytes(row[0])) if row else None

        return await self._read(work)

    async def size(self, job_id: str, name: str) -> int:
        """Return how many bytes the files of this name of a job take up."""

        def work(db: SqlConnection) -> int:
            return int(db.execute(_SIZE, (job_id, name)).fetchone()[0])

        return await self._read(work)

    async def put(self, job_id: str, key: bytes, name: str, content: bytes) -> None:
        """Store a file of a page, unless the crawl was deleted meanwhile."""

        def work(db: SqlConnection) -> None:
            if row := db.execute(_NUMBER, (job_id,)).fetchone():
                sealed = self._cipher.seal(sealed_name(key, name), content)
                bulk_sql.insert(db, INSERT_FILES, [(row[0], key, name, sealed)])

        await self._write(work)


def sealed_name(key: bytes, name: str) -> bytes:
    """Return the name under which a file of a page is sealed."""
    return key + b"f" + name.encode()
