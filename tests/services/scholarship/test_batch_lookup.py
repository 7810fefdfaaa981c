"""References that are looked up at the same time share requests."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from tests.services.trust.fakes import DOWN, OWLS, Notices, Registry, Second, about
from webquarry.content.citations.identifiers import doi_key
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Lookup, Work
from webquarry.providers.provider import ProviderInfo
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.batch_lookup import BatchLookup

pytestmark = pytest.mark.anyio


class Batches(Registry):
    """Looks up two DOIs with one request."""

    about: ClassVar[ProviderInfo] = about("crossref")
    batch_size: ClassVar[int] = 2
    batches: ClassVar[list[list[str]]] = []

    async def works_by_dois(self, dois: Sequence[str]) -> Mapping[str, Work]:
        self.batches.append(list(dois))
        if self.fails:
            raise self.fails
        return {doi_key(w.doi or ""): w for w in self.works if w.doi in dois}


def batches(*providers: Any) -> BatchLookup:
    return BatchLookup(ProviderDirectory(providers))


async def test_dois_of_the_same_moment_share_a_request() -> None:
    registry = Batches(OWLS)
    registry.batches.clear()
    dois = ("10.1000/owl.1", "10.1000/b", "10.1000/c", "10.1000/B")

    async with batches(registry) as lookup:
        found = await asyncio.gather(*(lookup.doi("crossref", doi) for doi in dois))

    missing = Lookup(provider="crossref", status="not_found")
    assert found == [
        Lookup(provider="crossref", status="found", work=OWLS), missing, missing, missing,
    ]  # fmt: skip
    assert registry.batches == [["10.1000/owl.1", "10.1000/b"], ["10.1000/c"]]


async def test_a_failed_batch_is_unchecked_and_never_not_found() -> None:
    async with batches(Batches(fails=DOWN)) as lookup:
        found = await asyncio.gather(*(lookup.doi("crossref", f"10.1000/{n}") for n in range(3)))

    assert [each.status for each in found] == ["unchecked"] * 3
    assert {each.reason for each in found} == {str(DOWN)}


async def test_notices_share_a_request_and_a_missing_one_was_not_checked() -> None:
    notice = RetractionStatus(retracted=True, kind="retraction")
    known = {"10.1000/a": notice, "10.1000/b": None}

    async with batches(Notices(known)) as lookup:
        found = await asyncio.gather(*(lookup.notice(f"10.1000/{n}") for n in "abc"))

    note = ("notices: retractions could not be checked",)
    assert found == [(notice, ()), (None, ()), (None, note)]


async def test_each_registry_is_the_first_for_its_share_of_the_titles() -> None:
    async with batches(Registry(), Second()) as lookup:
        first = [lookup.title_registries()[0] for _ in range(6)]

    assert first.count(["crossref"]) == 2
    assert first.count(["openalex"]) == 4
