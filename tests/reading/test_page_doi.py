"""The DOI a page declares for itself."""

import pytest

from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.reading.page_doi import find_doi

JOURNAL = "https://www.nejm.org"


def found(address: str, text: str = "", **about: object) -> str:
    reading = Reading(
        url=address,
        final_url=address,
        markdown=text,
        kind="html",
        metadata=PageMetadata.model_validate(about),
    )
    return find_doi(reading)


@pytest.mark.parametrize(
    ("doi", "found"),
    [
        (found(f"{JOURNAL}/a", doi="10.1000/tag"), "10.1000/tag"),
        (found(f"{JOURNAL}/doi/full/10.1056/NEJMoa1", doi="10.1000/tag"), "10.1000/tag"),
        (found(f"{JOURNAL}/doi/full/10.1056/NEJMoa1"), "10.1056/NEJMoa1"),
        (found(f"{JOURNAL}/doi/10.1056%2FNEJMoa1/full"), "10.1056/NEJMoa1"),
        (found(f"{JOURNAL}/a", "# Owls\n\ndoi: 10.1000/front."), "10.1000/front"),
        (found(f"{JOURNAL}/a", "x" * 4001 + " 10.1000/late"), ""),
        (found(f"{JOURNAL}/a", "Owls.\n\n## References\n\n1. 10.1000/other"), ""),
        (found("https://x.test/a", "Owls.", doi="10.1000/t", kinds=("ScholarlyArticle",)),
         "10.1000/t"),
    ],
)  # fmt: skip
def test_the_most_authoritative_doi_declaration_is_used(doi: str, found: str) -> None:
    assert doi == found
