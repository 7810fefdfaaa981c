"""Which work a caller means."""

import pytest

from webquarry.models.paper_text import PaperIds
from webquarry.models.works import Work
from webquarry.services.scholarship.paper_identity import identify, with_record


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("10.1038/nature12373", PaperIds(doi="10.1038/nature12373")),
        ("doi:10.1038/nature12373", PaperIds(doi="10.1038/nature12373")),
        (
            "https://doi.org/10.1038/nature12373",
            PaperIds(doi="10.1038/nature12373", url="https://doi.org/10.1038/nature12373"),
        ),
        ("2402.08954", PaperIds(arxiv="2402.08954")),
        ("arXiv:2402.08954v2", PaperIds(arxiv="2402.08954", arxiv_version="v2")),
        ("https://arxiv.org/abs/math/0309136", PaperIds(arxiv="math/0309136")),
        (
            "https://arxiv.org/pdf/2402.08954v1.pdf",
            PaperIds(arxiv="2402.08954", arxiv_version="v1"),
        ),
        ("10.48550/arXiv.2402.08954", PaperIds(arxiv="2402.08954")),
        ("PMC3257301", PaperIds(pmcid="PMC3257301")),
        ("pmcid: pmc3257301", PaperIds(pmcid="PMC3257301")),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3257301/", PaperIds(pmcid="PMC3257301")),
        ("https://europepmc.org/article/PMC/PMC3257301", PaperIds(pmcid="PMC3257301")),
        ("PMID: 24191168", PaperIds(pmid="24191168")),
        ("24191168", PaperIds(pmid="24191168")),
        ("https://pubmed.ncbi.nlm.nih.gov/24191168/", PaperIds(pmid="24191168")),
        ("https://europepmc.org/article/MED/24191168", PaperIds(pmid="24191168")),
        (
            "https://www.biorxiv.org/content/10.1101/2024.01.02.123456v2.full.pdf",
            PaperIds(
                doi="10.1101/2024.01.02.123456",
                url="https://www.biorxiv.org/content/10.1101/2024.01.02.123456v2.full.pdf",
            ),
        ),
        (
            "https://onlinelibrary.example.com/doi/full/10.1002/abc.123",
            PaperIds(
                doi="10.1002/abc.123",
                url="https://onlinelibrary.example.com/doi/full/10.1002/abc.123",
            ),
        ),
        ("https://example.org/owls.pdf", PaperIds(url="https://example.org/owls.pdf")),
        ("Attention  is all\nyou need", PaperIds(title="Attention is all you need")),
    ],
)
def test_identifiers_urls_and_titles_are_told_apart(text: str, ids: PaperIds) -> None:
    assert identify(text) == ids


def test_a_record_adds_what_is_missing() -> None:
    record = Work(
        title="Owls",
        url="https://example.org",
        source="openalex",
        doi="10.48550/arXiv.2402.08954",
        ids={"pmid": "1", "pmcid": "PMC2"},
    )

    assert with_record(PaperIds(pmid="7"), record) == PaperIds(
        doi="10.48550/arXiv.2402.08954", arxiv="2402.08954", pmid="7", pmcid="PMC2", title="Owls"
    )
