"""Finds the domain and the brand guidelines of a company by web search."""

import re

from webquarry.content.ranking.known_sites import ascii_host, known_site, registrable_domain
from webquarry.content.text.company_names import company_key, contains_name, name_words, short_name
from webquarry.errors import NotFoundError, UnconfiguredError
from webquarry.models.search import WebQuery, WebResult
from webquarry.services.searching.service import SearchService

PORTAL_VENDORS = (
    "brandfetch.com", "brandfetch.io", "brand.ai", "frontify.com", "bynder.com", "corebook.io",
    "marq.com", "lucidpress.com", "canto.com", "canva.com", "figma.com",
)  # fmt: skip
_NOT_COMPANY_SITES = frozenset((
    "wikipedia.org", "linkedin.com", "facebook.com", "instagram.com", "twitter.com", "x.com",
    "youtube.com", "crunchbase.com", "bloomberg.com", "glassdoor.com", "indeed.com", "github.com",
    *PORTAL_VENDORS,
))  # fmt: skip
_COUNT = 10


async def find_company_domain(searching: SearchService, name: str) -> str:
    """Return the domain whose name is the company's.

    Raises `NotFoundError` when the search finds none, `UnconfiguredError` without a provider.
    """
    try:
        found = await searching.web.search(WebQuery(text=f"{name} official website", count=_COUNT))
    except UnconfiguredError as error:
        raise UnconfiguredError(
            f"A company name needs a search provider to find its site: give url instead. ({error})"
        ) from error
    label = _joined_words(company_key(name))
    domains = (registrable_domain(ascii_host(result.url)) for result in found.items)
    for domain in filter(None, domains):
        may_be_company = domain not in _NOT_COMPANY_SITES and known_site(domain) is None
        if may_be_company and _joined_words(domain.partition(".")[0]) == label:
            return domain
    raise NotFoundError(f"No site was found whose domain is named {name!r}. Give url instead.")


async def guideline_pages(searching: SearchService, name: str, domain: str) -> list[str]:
    """Return pages that may be the brand's guidelines, on its domain or at a portal vendor."""
    query = WebQuery(text=f"{short_name(name)} brand guidelines", count=_COUNT)
    found = await searching.web.search(query)
    return [result.url for result in found.items if _is_about_company(result, name, domain)]


def _is_about_company(result: WebResult, name: str, domain: str) -> bool:
    owner = registrable_domain(ascii_host(result.url))
    if owner == registrable_domain(domain):
        return True
    if owner not in PORTAL_VENDORS:
        return False
    label = _joined_words(domain.partition(".")[0])
    words = {_joined_words(word) for word in re.split(r"[/._-]", result.url.partition("//")[2])}
    return label in words and contains_name(name or label, f"{result.title} {label}")


def _joined_words(text: str) -> str:
    return "".join(name_words(text))
