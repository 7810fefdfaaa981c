"""What kind of source a page is: by whose site it is on, then by what it says of itself."""

import re
from collections.abc import Iterable
from functools import lru_cache

from webquarry.content.ranking.known_sites import KnownSite, host_of, public_suffix, site_of
from webquarry.content.text.word_list import words
from webquarry.models.page import AuthorityTier, Classification, DomainCategory, SourceType

_BY_KIND: dict[str, SourceType] = {
    "scholarlyarticle": "peer_reviewed",
    "medicalscholarlyarticle": "peer_reviewed",
    "newsarticle": "news_publication",
    "reportagenewsarticle": "news_publication",
    "analysisnewsarticle": "news_publication",
    "opinionnewsarticle": "news_publication",
    "backgroundnewsarticle": "news_publication",
    "reviewnewsarticle": "news_publication",
    "liveblogposting": "news_publication",
    "governmentservice": "government",
    "governmentorganization": "government",
    "legislation": "government",
    "blogposting": "blog",
    "blog": "blog",
    "techarticle": "official_docs",
    "apireference": "official_docs",
    "discussionforumposting": "forum",
    "qapage": "forum",
    "question": "forum",
    "socialmediaposting": "social_media",
}
# sites where anyone may post decide what a page on them is, whatever the page claims
_OPEN: frozenset[SourceType] = frozenset(("social_media", "forum", "wiki", "blog"))
_SELF_PUBLISHED: frozenset[SourceType] = frozenset(("social_media", "forum", "blog"))
_OFFICIAL = frozenset(words("gov mil gouv gob govt gv go gub"))
_ACADEMIC = frozenset(["edu", "ac"])
_UNIVERSITY = frozenset(words("uni univ university universitaet universite unibo ethz college"))
_UNKNOWN: SourceType = "unknown"
_FIRST_LABEL: dict[str, SourceType] = {
    "docs": "official_docs",
    "doc": "official_docs",
    "developer": "official_docs",
    "developers": "official_docs",
    "api": "official_docs",
    "blog": "blog",
    "blogs": "blog",
    "forum": "forum",
    "forums": "forum",
    "community": "forum",
    "discuss": "forum",
    "wiki": "wiki",
    "news": "news_publication",
}
_TOPICS: tuple[tuple[DomainCategory, re.Pattern[str]], ...] = (
    (
        "legal",
        re.compile(
            r"^(law|laws|legal|court|courts|lawyer|lawyers|attorney|attorneys|justice|solicitors?"
            r"|abogados?|avocats?|rechtsanwalt|recht|jura|judiciary)$|law(yers?|firm|school)?$|^legis"
        ),
    ),
    (
        "medical",
        re.compile(
            r"^(med|health|healthcare|medical|medicine|clinic|clinics|hospital|hospitals|pharma"
            r"|pharmacy|nhs|doctors?|dental|cancer|heart|klinik|sante|salud|onkologie)$"
            r"|^(med|health|pharma|clinic)(?!ia|ium|ieval)\w{3,}|health$|clinic$|hospital$|medicine$"
        ),
    ),
    (
        "financial",
        re.compile(
            r"^(bank|banks|banking|finance|financial|invest|investing|investor|investors|insurance"
            r"|mortgage|credit|stocks|trading|markets?|tax|funds?|boerse|finanzen|bourse)$"
            r"|^(bank|financ|invest)\w{2,}|bank$|capital$|finance$"
        ),
    ),
    (
        "technical",
        re.compile(
            r"^(docs?|dev|developers?|api|code|tech|software|engineering|devops|security|linux"
            r"|programming|opensource|io|cloud|data|devtools|devdocs)$|tech$|soft$|code$"
        ),
    ),
)
_TOPIC_SUFFIX: dict[str, DomainCategory] = {
    "law": "legal",
    "legal": "legal",
    "lawyer": "legal",
    "attorney": "legal",
    "health": "medical",
    "healthcare": "medical",
    "hospital": "medical",
    "clinic": "medical",
    "dental": "medical",
    "bank": "financial",
    "finance": "financial",
    "insurance": "financial",
    "dev": "technical",
    "tech": "technical",
    "software": "technical",
}


def classify(url: str, *, kinds: Iterable[str] = (), cites: bool = False) -> Classification:
    """Classify a page by its address, its schema.org types and whether it has citation_* tags."""
    return _classified(host_of(url), tuple(kinds), cites=cites)


@lru_cache(1024)  # of an address only the host counts, and a site has many pages
def _classified(host: str, kinds: tuple[str, ...], *, cites: bool) -> Classification:
    site = site_of(host)
    suffix = public_suffix(host)
    kind = _source_type(host, suffix, site, kinds, cites=cites)
    return Classification(
        sourceType=kind,
        authorityTier=_tier(suffix, site, kind),
        domainCategory=_category(host, suffix, site),
        reputation=site.reputation() if site else None,
    )


def _source_type(
    host: str, suffix: str, site: KnownSite | None, kinds: Iterable[str], *, cites: bool
) -> SourceType:
    if site and site.kind in _OPEN:
        return site.kind
    if cites:
        return "peer_reviewed"
    for declared in kinds:
        if declared.lower() in _BY_KIND:
            return _BY_KIND[declared.lower()]
    if site and site.kind != "unknown":
        return site.kind
    if _is_official(suffix):
        return "government"
    return _FIRST_LABEL.get(host.partition(".")[0], _UNKNOWN)


def _tier(suffix: str, site: KnownSite | None, kind: SourceType) -> AuthorityTier:
    """Return the tier of the site; what a page claims about itself never raises it."""
    if site:
        return site.tier
    if _is_official(suffix) or _is_academic(suffix):
        return "high"
    return "low" if kind in _SELF_PUBLISHED else "medium"


def _category(host: str, suffix: str, site: KnownSite | None) -> DomainCategory:
    if site and site.category != "general":
        return site.category
    by_suffix = _TOPIC_SUFFIX.get(suffix)
    if by_suffix:
        return by_suffix
    own = host.removesuffix(suffix).rstrip(".")
    words = [word for label in own.split(".") for word in re.split(r"[-_\d]+", label) if word]
    for category, pattern in _TOPICS:
        if any(pattern.search(word) for word in words if word != "www"):
            return category
    scholarly = _is_academic(suffix) or not _UNIVERSITY.isdisjoint(words)
    return "academic" if scholarly else "general"


def _is_official(suffix: str) -> bool:
    labels = suffix.split(".")
    first, count = labels[0], len(labels)
    return first in ("gov", "mil") or (count > 1 and first in _OFFICIAL)


def _is_academic(suffix: str) -> bool:
    labels = suffix.split(".")
    return labels[0] == "edu" or (len(labels) > 1 and labels[0] in _ACADEMIC)
