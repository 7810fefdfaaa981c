"""Authority comes from whose site it is, never from what stands in the address or the page."""

import pytest

from webquarry.content.ranking.known_sites import ascii_host, registrable_domain
from webquarry.content.ranking.source_type import classify

_CASES = [
    ("https://www.nature.com/articles/x", "peer_reviewed", "high", "academic"),
    ("http://evil.test/nature.com/", "unknown", "medium", "general"),
    ("https://nature.com.evil.test/", "unknown", "medium", "general"),
    ("https://evil-nature.com/", "unknown", "medium", "general"),
    ("https://nature.com@evil.test/", "unknown", "medium", "general"),
    ("https://service.gov.uk/tax", "government", "high", "general"),
    ("https://gov.evil.test/", "unknown", "medium", "general"),
    ("https://www.cdc.gov/flu", "government", "high", "medical"),
    ("https://www.supremecourt.gov/", "government", "high", "legal"),
    ("https://www.sec.gov/edgar", "government", "high", "financial"),
    ("https://docs.python.org/3/", "official_docs", "high", "technical"),
    ("https://docs.unknown-tool.example/", "official_docs", "medium", "technical"),
    ("https://en.wikipedia.org/wiki/Pit", "wiki", "medium", "general"),
    ("https://someone.medium.com/post", "blog", "low", "general"),
    ("https://www.reddit.com/r/x", "forum", "low", "general"),
    ("https://www.bbc.co.uk/news", "news_publication", "high", "general"),
    ("https://cs.stanford.edu/", "unknown", "high", "academic"),
    ("https://www.ox.ac.uk/", "unknown", "high", "academic"),
    ("https://smith-law.com/", "unknown", "medium", "legal"),
    ("https://cityhospital.org/", "unknown", "medium", "medical"),
    ("http://127.0.0.1/", "unknown", "medium", "general"),
    ("not an address", "unknown", "medium", "general"),
]


@pytest.mark.parametrize(("url", "kind", "tier", "category"), _CASES)
def test_site_decides(url: str, kind: str, tier: str, category: str) -> None:
    found = classify(url)
    assert (found.sourceType, found.authorityTier, found.domainCategory) == (kind, tier, category)


def test_page_claims_change_the_kind_but_not_the_tier() -> None:
    claimed = classify("https://evil.test/", kinds=("ScholarlyArticle",), cites=True)
    assert (claimed.sourceType, claimed.authorityTier) == ("peer_reviewed", "medium")


def test_open_platform_stays_one_whatever_a_page_claims() -> None:
    claimed = classify("https://medium.com/x", kinds=("ScholarlyArticle",), cites=True)
    assert (claimed.sourceType, claimed.authorityTier) == ("blog", "low")


def test_known_site_comes_with_the_basis_of_its_tier() -> None:
    found = classify("https://www.nejm.org/doi/x").reputation
    assert found is not None
    assert (found.host, found.tier, bool(found.basis)) == ("nejm.org", "high", True)


def test_registrable_domain_follows_the_public_suffix_list() -> None:
    hosts = ("a.b.example.co.uk", "example.com", "co.uk", "127.0.0.1", "[::1]", "")
    assert [registrable_domain(host) for host in hosts] == [
        "example.co.uk",
        "example.com",
        "",
        "",
        "",
        "",
    ]


def test_host_is_read_past_user_and_port() -> None:
    assert ascii_host("https://nature.com:x@EVIL.test.:8443/p") == "evil.test"


@pytest.mark.parametrize("host", ["arxiv.org", "www.biorxiv.org", "www.medrxiv.org"])
def test_a_preprint_is_not_called_peer_reviewed(host: str) -> None:
    found = classify(f"https://{host}/abs/1", kinds=("ScholarlyArticle",), cites=True)

    assert (found.sourceType, found.domainCategory) == ("preprint", "academic")
    assert found.reputation
    assert "not peer reviewed" in found.reputation.basis
