"""What prompts say about crawls."""

import pytest

from webquarry.server.compat.firecrawl.crawl_prompt import crawl_hints


@pytest.mark.parametrize(
    ("prompt", "hints"),
    [
        ("Everything", {}),
        ("At most 50 pages", {"limit": 50}),
        ("Get 20 blog pages, 3 levels deep", {"limit": 20, "maxDiscoveryDepth": 3}),
        ("Only the docs", {"includePaths": ["^/docs(/.*)?$"]}),
        (
            "Read /blog/ but skip /blog/tags, and news",
            {
                "includePaths": ["^/blog(/.*)?$"],
                "excludePaths": ["^/blog/tags(/.*)?$"],
            },
        ),
        ("Everything except the blog", {"excludePaths": ["^/blog(/.*)?$"]}),
        (
            "The entire site with its subdomains",
            {"allowSubdomains": True, "crawlEntireDomain": True},
        ),
    ],
)
def test_a_prompt_is_understood_by_rules(prompt: str, hints: dict[str, object]) -> None:
    assert crawl_hints(prompt) == hints
