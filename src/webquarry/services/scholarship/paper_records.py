"""What registries say about one work while its text is searched for."""

import asyncio
from dataclasses import dataclass, field

from webquarry.content.citations.title_match import title_similarity
from webquarry.errors import NotFoundError, ProviderError, WebquarryError
from webquarry.models.paper_text import PaperIds
from webquarry.models.works import Lookup, OpenCopy, Work
from webquarry.providers.capabilities_works import FindsOpenCopies, LooksUpIdentifiers
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import DirectLookup, query
from webquarry.services.scholarship.paper_identity import with_record

_SAME_TITLE = 0.8  # similarity of titles of one work
_TOGETHER = 2  # registries that are asked at the same time
_KINDS = ("pmcid", "pmid", "arxiv")


@dataclass
class PaperRecords:
    """The identifiers and records of a work, and what could not be looked up."""

    choices: ProviderDirectory
    ids: PaperIds
    works: list[Work] = field(default_factory=list[Work])
    copies: list[OpenCopy] = field(default_factory=list[OpenCopy])
    failures: list[str] = field(default_factory=list[str])

    async def resolve(self) -> None:
        """Find the identifiers of a work that is named by its title or by a PMID."""
        if self.ids.title and not self.ids.doi:
            await self._resolve_title(self.ids.title)
        elif self.ids.pmid and not self.ids.pmcid:
            await self._look_up_number("pmid", self.ids.pmid)

    async def look_up(self) -> None:
        """Ask the registries for the work, and where copies of it are open."""
        if self.ids.doi:
            await self._look_up_doi(self.ids.doi)
        else:
            for kind in _KINDS:
                if not self.works and (number := getattr(self.ids, kind)):
                    await self._look_up_number(kind, number)
        if self.ids.doi:
            await self._find_copies(self.ids.doi)

    def add(self, work: Work) -> None:
        """Take a record, and its identifiers."""
        self.works.append(work)
        self.ids = with_record(self.ids, work)

    def fail(self, name: str, error: object) -> None:
        """Note what could not be checked."""
        self.failures.append(f"{name}: {error}".rstrip("."))

    async def _resolve_title(self, title: str) -> None:
        lookup = DirectLookup(self.choices)
        closest: list[Work] = []
        for group in lookup.title_registries():
            found = await asyncio.gather(*(lookup.title(name, title) for name in group))
            for each in found:
                if isinstance(each, Lookup):
                    self.fail(each.provider, each.reason)
                else:
                    closest += each
            closest.sort(key=lambda work: -title_similarity(work.title, title))
            if closest and title_similarity(closest[0].title, title) >= _SAME_TITLE:
                self.add(closest[0])
                return
        raise _no_such_title(title, closest, self.failures)

    async def _look_up_number(self, kind: str, number: str) -> None:
        for name, provider in self.choices.of(LooksUpIdentifiers).ready.items():
            if kind not in provider.identifiers:
                continue
            found = await query(name, lambda it=provider: it.work_by_identifier(kind, number))
            if isinstance(found, Lookup):
                self.fail(name, found.reason)
            elif found:
                self.add(found)

    async def _look_up_doi(self, doi: str) -> None:
        lookup = DirectLookup(self.choices)
        names = sorted(
            lookup.doi_registries(), key=lambda name: name not in ("openalex", "crossref")
        )
        groups = [names[:_TOGETHER], *([name] for name in names[_TOGETHER:])]
        known = len(self.works)
        for group in groups:
            for each in await asyncio.gather(*(lookup.doi(name, doi) for name in group)):
                if each.status == "unchecked":
                    self.fail(each.provider, each.reason)
                elif each.work:
                    self.add(each.work)
            if len(self.works) > known:
                return
        if not self.failures and (await lookup.registration(doi)).status == "not_found":
            raise NotFoundError(f"{doi} is not a registered DOI. Check it, or give the title.")

    async def _find_copies(self, doi: str) -> None:
        for name, provider in self.choices.of(FindsOpenCopies).ready.items():
            found = await query(name, lambda it=provider: it.open_copy(doi))
            if isinstance(found, Lookup):
                self.fail(name, found.reason)
            elif found:
                self.copies.append(found)


def _no_such_title(title: str, closest: list[Work], failures: list[str]) -> WebquarryError:
    if failures:
        return ProviderError(f"The title could not be looked up: {'; '.join(failures)}. Retry.")
    hint = f" The closest is {closest[0].title!r} ({closest[0].url})." if closest else ""
    return NotFoundError(f"No work has the title {title[:200]!r}.{hint} Give its DOI.")
