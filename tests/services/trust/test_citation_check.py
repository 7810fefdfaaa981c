"""One citation: a DOI, an address, or a text."""

from typing import Any

import pytest

from tests.services.trust.fakes import APA, DOWN, OWLS, Handles, Registry, Site, page
from tests.support import ALICE, services
from webquarry.models.links import Snapshot
from webquarry.models.reading import RetractionStatus
from webquarry.models.trust import InputType
from webquarry.services.link_check import LinkChecker
from webquarry.services.trust.citation_check import CitationCheck, CitationChecker, citation_kind
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
ARTICLE = "https://www.nature.com/articles/owls"
PLAIN = "https://blog.test/owls"
COPY = Snapshot(url="https://web.archive.org/web/2024/x", takenAt="2024-01-01T00:00:00Z")


class Archive:
    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        del url, near
        return COPY


async def verify(
    citation: str,
    site: Site,
    registry: Registry | None = None,
    claim: str | None = None,
    existing: ExistenceChecker | None = None,
) -> CitationCheck:
    registries: Any = (registry or Registry(OWLS), Handles())
    made = services(*registries, reader=site)
    archive: Any = Archive()
    citations = CitationChecker(
        existing or ExistenceChecker(made.providers),
        LinkChecker(site, archive, MemoryStore()),
        made.reading,
        ClaimChecker(made.reading, made.research.evidence),
    )
    return await citations.verify(citation, claim, ALICE)


@pytest.mark.parametrize(
    ("text", "kind", "doi"),
    [
        ("10.1000/owl.1", "doi", "10.1000/owl.1"),
        ("https://doi.org/10.1000/owl.1", "doi", "10.1000/owl.1"),
        ("doi:10.1000/owl.1", "doi", "10.1000/owl.1"),
        (f"{APA} doi:10.1000/owl.1", "doi", "10.1000/owl.1"),
        (PLAIN, "url", None),
        ("https://nejm.org/doi/full/10.1056/x", "url", None),
        (APA, "reference", None),
    ],
)
def test_the_kind_of_a_citation_is_detected(text: str, kind: InputType, doi: str | None) -> None:
    assert citation_kind(text) == (kind, doi)


@pytest.mark.parametrize("status", [403, 429])
async def test_a_page_that_refuses_programs_exists(status: int) -> None:
    found = await verify(PLAIN, Site({PLAIN: status}))

    assert (found.existence.standing, found.existence.exists) == ("confirmed", True)
    assert found.link
    assert (found.link.status, found.link.snapshot) == (status, None)


async def test_a_dead_page_is_gone_and_its_copy_is_named() -> None:
    found = await verify(PLAIN, Site({}))

    assert (found.existence.standing, found.existence.exists) == ("not_found", False)
    assert found.link
    assert (found.link.status, found.link.snapshot) == (404, COPY)


async def test_a_url_that_does_not_respond_is_unchecked() -> None:
    found = await verify(PLAIN, Site({PLAIN: DOWN}))

    assert (found.existence.standing, found.existence.exists) == ("unchecked", None)


async def test_a_scholarly_page_is_checked_by_its_doi() -> None:
    reading = page(ARTICLE, "Owls hear well.", title=OWLS.title, doi="10.1000/owl.1")

    found = await verify(ARTICLE, Site({ARTICLE: reading}))

    assert found.kind == "url"
    assert found.detected_doi == "10.1000/owl.1"
    assert (found.existence.standing, found.existence.title) == ("confirmed", "match")
    assert found.existence.record
    assert found.existence.provenance == (
        "link: live",
        "page: DOI 10.1000/owl.1",
        "crossref: found",
    )


RETRACTED = OWLS.model_copy(
    update={
        "doi": "10.1056/owl1",
        "retraction": RetractionStatus(retracted=True, kind="retraction"),
    }
)


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_the_doi_in_the_url_of_a_publisher_that_shows_no_page_is_looked_up(
    status: int,
) -> None:
    url = "https://www.nejm.org/doi/full/10.1056/owl1"

    found = await verify(url, Site({url: status}), Registry(RETRACTED))

    assert (found.kind, found.detected_doi) == ("url", "10.1056/owl1")
    assert (found.existence.standing, found.existence.exists) == ("confirmed", True)
    assert found.existence.retraction == RETRACTED.retraction


async def test_a_dead_url_with_an_unregistered_doi_stays_dead() -> None:
    url = "https://www.nejm.org/doi/full/10.1056/unlisted"

    found = await verify(url, Site({url: 404}))

    assert (found.existence.standing, found.detected_doi) == ("not_found", "10.1056/unlisted")


async def test_a_url_without_scheme_is_a_url() -> None:
    found = await verify("a.test/live", Site({"https://a.test/live": 200}))

    assert (found.kind, found.existence.standing) == ("url", "confirmed")


@pytest.mark.parametrize(
    "text",
    [
        "Darwin, C. (1859). On the Origin of Species. London: John Murray.",
        "World Health Organization (2020). Report on the hearing of owls. Geneva.",
        "Brown v. Board of Education, 347 U.S. 483 (1954)",
        "arXiv:1706.03762",
        "PMID: 23903748",
        "ISBN 978-0-13-468599-1",
        "PMCID: PMC3814466",
        "Directive 95/46/EC of the European Parliament",
        "42 U.S.C. § 1983",
        "RFC 2616",
        "US Patent 6,285,999",
    ],
)
async def test_what_nobody_was_asked_for_who_could_know_it_is_unchecked(text: str) -> None:
    registries: Any = (Registry(), Handles(fails=DOWN))

    checker = ExistenceChecker(services(*registries).providers)
    found = await verify(text, Site({}), existing=checker)

    assert (found.existence.standing, found.existence.exists) == ("unchecked", None)


async def test_a_page_with_the_doi_of_another_work_is_uncertain() -> None:
    reading = page(ARTICLE, "Prices.", title="Volatile markets and grain", doi="10.1000/owl.1")

    found = await verify(ARTICLE, Site({ARTICLE: reading}))

    assert (found.existence.standing, found.existence.title) == ("uncertain", "mismatch")
    assert found.existence.exists is True


async def test_a_live_page_exists_even_if_its_doi_is_not_registered() -> None:
    reading = page(ARTICLE, "Owls.", title="Owls", doi="10.1000/unknown.1")

    found = await verify(ARTICLE, Site({ARTICLE: reading}))

    assert (found.existence.standing, found.existence.exists) == ("confirmed", True)
    assert found.existence.reason == "No agency has registered this DOI."


async def test_a_doi_in_the_prose_of_a_plain_page_is_not_its_own() -> None:
    reading = page(PLAIN, "We like 10.1000/owl.1 very much.", title="Blog")

    found = await verify(PLAIN, Site({PLAIN: reading}))

    assert (found.detected_doi, found.existence.record) == (None, None)


async def test_a_claim_is_checked_at_the_url_of_the_record() -> None:
    address = "https://doi.org/10.1000/owl.1"
    site = Site({address: page(address, "Owls hear mice under snow.")})

    found = await verify("10.1000/owl.1", site, claim="Owls hear mice")

    assert found.claim
    assert (found.claim.support, found.claim.source) == ("addressed", address)


async def test_without_a_claim_no_source_is_read() -> None:
    site = Site({})

    found = await verify("10.1000/owl.1", site)

    assert (found.claim, site.read_urls) == (None, [])


async def test_the_claim_of_a_dead_link_is_checked_in_its_archived_copy() -> None:
    site = Site({COPY.url: page(COPY.url, "Owls hear mice under snow.")})

    found = await verify(PLAIN, site, claim="Owls hear mice")

    assert found.claim
    assert found.claim.source == COPY.url
