"""Export and erasure of the crawls that a person started."""

from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.storage.personal_data import Record

_BATCH = 500


class CrawlPersonalData:
    """`KeepsPersonalData` for crawls and their pages."""

    kinds = ("crawls.sqlite3",)

    def __init__(self, crawling: CrawlService) -> None:
        self._crawling = crawling

    async def export(self, tenant: str, user: str) -> list[Record]:
        caller = Caller(tenant=tenant, user=user)
        records: list[Record] = []
        while True:
            jobs = await self._crawling.jobs(caller, offset=len(records), limit=_BATCH)
            records += [
                job.model_dump(mode="json") | {"pages": await self._pages(job.id, caller)}
                for job in jobs
            ]
            if len(jobs) < _BATCH:
                return records

    async def erase(self, tenant: str, user: str) -> int:
        return await self._crawling.erase(tenant=tenant, user=user)

    async def _pages(self, job_id: str, caller: Caller) -> list[Record]:
        """Return the metadata of the pages; their content is public and can be long."""
        records: list[Record] = []
        while True:
            pages, _ = await self._crawling.pages(job_id, caller, len(records), _BATCH, ())
            records += [page.model_dump(mode="json", exclude_none=True) for page in pages]
            if len(pages) < _BATCH:
                return records
