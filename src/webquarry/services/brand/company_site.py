"""Which site belongs to a company that is known by its name only."""

import re

from webquarry.content.ranking.known_sites import host_of, registrable_domain, site_of
from webquarry.content.text.company_names import company_key, is_named, name_words, short_name
from webquarry.errors import NotFoundError, UnconfiguredError
from webquarry.models.search import WebQuery, WebResult
from webquarry.services.searching.service import SearchService

VENDORS = (
    "brandfetch.com", "brandfetch.io", "brand.ai", "frontify.com", "bynder.com", "corebook.io",
    "marq.com", "lucidpress.com", "canto.com", "canva.com", "figma.com",
)  # fmt: skip
_OTHERS = frozenset((
    "wikipedia.org", "linkedin.com", "facebook.com", "instagram.com", "twitter.com", "x.com",
    "youtube.com", "crunchbase.com", "bloomberg.com", "glassdoor.com", "indeed.com", "github.com",
))  # fmt: skip
_COUNT = 10


async def site_of_company(searching: SearchService, name: str) -> str:
    """Return the domain whose own name is the company's.

    Raises `NotFoundError` when a search finds none, `UnconfiguredError` when nobody can search.
    """
    try:
        found = await searching.web.answer(WebQuery(text=f"{name} official website", count=_COUNT))
    except UnconfiguredError as error:
        raise UnconfiguredError(
            f"A company name needs a search provider to find its site: give url instead. ({error})"
        ) from error
    wanted = _squeezed(company_key(name))
    for result in found.items:
        domain = registrable_domain(host_of(result.url))
        is_other = domain in _OTHERS or domain in VENDORS or site_of(domain) is not None
        if domain and not is_other and _squeezed(domain.partition(".")[0]) == wanted:
            return domain
    raise NotFoundError(
        f"No site was found whose address bears the name {name!r}. Give url instead."
    )


async def guideline_pages(searching: SearchService, name: str, domain: str) -> list[str]:
    """Return pages that may be the brand's guidelines: on its own domain, or kept for it."""
    query = WebQuery(text=f"{short_name(name)} brand guidelines", count=_COUNT)
    found = await searching.web.answer(query)
    return [result.url for result in found.items if _is_kept_for(result, name, domain)]


def _is_kept_for(result: WebResult, name: str, domain: str) -> bool:
    host = host_of(result.url)
    owner = registrable_domain(host)
    if owner == registrable_domain(domain):
        return True
    if owner not in VENDORS:
        return False
    label = _squeezed(domain.partition(".")[0])
    words = {_squeezed(word) for word in re.split(r"[/._-]", result.url.partition("//")[2])}
    return label in words and is_named(name or label, f"{result.title} {label}")


def _squeezed(text: str) -> str:
    return "".join(name_words(text))
