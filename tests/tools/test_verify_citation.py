"""`verify_citation`: what a client sees."""

from typing import Any

import pytest

from tests.services.trust.fakes import APA, DOWN, OWLS, Handles, Notices, Registry, Site, page
from tests.support import CallHarness, override, services
from webquarry.calls.tool import ToolAnnotations
from webquarry.models.reading import RetractionStatus
from webquarry.services.link_check import LinkChecker
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.verify_citation import verify_citation

pytestmark = pytest.mark.anyio
TRUST = "untrusted-external-content"
RECORD = {
    "title": "The hearing of owls in dense forests: a field study",
    "url": "https://doi.org/10.1000/owl.1",
    "source": "crossref",
    "doi": "10.1000/owl.1",
    "authors": ["Jürgen Müller", "Olga Ivanova"],
    "journal": "Journal of Applied Ecology",
    "year": 2019,
}


async def verified(*providers: Any, site: Site | None = None, **arguments: Any) -> dict[str, Any]:
    site = site or Site({})
    made = services(*providers, reader=site)
    made = override(made, links=LinkChecker(site, None, MemoryStore()))
    result = await CallHarness((verify_citation,), services=made).call("verify_citation", arguments)
    assert result.structured, result
    return result.structured


async def test_a_doi_with_its_title_is_confirmed() -> None:
    found = await verified(Registry(OWLS), citation=f"{APA} doi:10.1000/owl.1")

    assert found == {
        "input": f"{APA} doi:10.1000/owl.1",
        "inputType": "doi",
        "verificationStatus": "confirmed",
        "exists": True,
        "matchedRecord": RECORD,
        "matchConfidence": "high",
        "titleMatch": "match",
        "provenance": ["crossref: found"],
        "trust": TRUST,
    }


async def test_a_made_up_doi_has_no_record() -> None:
    found = await verified(Registry(OWLS), Handles(), citation="10.1000/absent")

    assert found == {
        "input": "10.1000/absent",
        "inputType": "doi",
        "verificationStatus": "not_found",
        "exists": False,
        "reason": "No agency has registered this DOI.",
        "provenance": ["crossref: not found", "doi: not found"],
        "trust": TRUST,
    }


async def test_a_doi_that_nobody_filled_in_is_none() -> None:
    found = await verified(Registry(OWLS), Handles(), citation="10.1016/xxxx")

    assert (found["inputType"], found["exists"], found["reason"]) == (
        "doi",
        False,
        "10.1016/xxxx is not a valid DOI.",
    )


async def test_a_network_fault_is_no_fabrication() -> None:
    found = await verified(
        Registry(fails=DOWN), Handles(fails=DOWN), citation="10.1038/nature12373"
    )

    assert "exists" not in found
    assert (found["verificationStatus"], found["reason"]) == (
        "unchecked",
        "Could not check: no response from crossref, doi.",
    )


async def test_a_wrong_year_is_named_and_the_neighbour_is_only_possible() -> None:
    citation = APA.replace("2019", "2009")

    found = await verified(Registry(OWLS), citation=citation)

    assert found == {
        "input": citation,
        "inputType": "reference",
        "verificationStatus": "uncertain",
        "possibleMatch": RECORD,
        "matchConfidence": "low",
        "mismatches": ["year"],
        "differences": [{"part": "year", "cited": "2009", "recorded": "2019"}],
        "titleMatch": "match",
        "reason": 'The record differs in: year (cited "2009", recorded "2019").',
        "provenance": ["crossref: 1 candidates"],
        "trust": TRUST,
    }


async def test_a_concern_is_reported_but_is_no_retraction() -> None:
    work = OWLS.model_copy(update={"noticesKnown": False})
    notice = RetractionStatus(
        retracted=False, kind="expression_of_concern", date="2021", noticeDoi="10.1/n", source="x"
    )

    found = await verified(
        Registry(work), Notices({"10.1000/owl.1": notice}), citation="10.1000/owl.1"
    )

    assert found["retractionStatus"] == {
        "retracted": False,
        "kind": "expression_of_concern",
        "date": "2021",
        "noticeDoi": "10.1/n",
        "source": "x",
    }


async def test_a_url_tells_its_status_and_a_claim_its_evidence() -> None:
    url = "https://blog.test/owls"
    site = Site({url: page(url, "Owls do not hunt in heavy rain.")})

    found = await verified(site=site, citation=url, claim="Owls hunt in heavy rain")

    (anchor,) = found.pop("claimAnchors")
    assert anchor == {
        "sentence": 0,  # the sentence itself is in claimEvidence only
        "url": f"{url}#:~:text=Owls%20do%20not%20hunt%20in%20heavy%20rain.",
        "sha256": anchor["sha256"],
    }
    assert found == {
        "input": url,
        "inputType": "url",
        "verificationStatus": "confirmed",
        "exists": True,
        "httpStatus": 200,
        "claim": "Owls hunt in heavy rain",
        "claimSupport": "addressed",
        "claimScore": 0.77,
        "claimEvidence": ["Owls do not hunt in heavy rain."],
        "claimSourceUrl": url,
        "contrastSignal": True,
        "provenance": ["link: live"],
        "trust": TRUST,
    }


async def test_the_tool_only_reads_and_is_not_cached() -> None:
    assert (verify_citation.options.annotations, verify_citation.options.cache) == (
        ToolAnnotations(),
        None,
    )
