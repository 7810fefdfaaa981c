"""Classifies the source type, authority tier and topic category of a page."""

import re
from collections.abc import Iterable
from functools import lru_cache

from webquarry.content.ranking.known_sites import KnownSite, ascii_host, known_site, public_suffix
from webquarry.content.text.word_list import word_set, words
from webquarry.models.page import AuthorityTier, Classification, DomainCategory, SourceType

_SCHEMA_TYPES: dict[SourceType, str] = {
    "peer_reviewed": "scholarlyarticle medicalscholarlyarticle",
    "news_publication": "newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle "
    "backgroundnewsarticle reviewnewsarticle liveblogposting",
    "government": "governmentservice governmentorganization legislation",
    "blog": "blogposting blog",
    "official_docs": "techarticle apireference",
    "forum": "discussionforumposting qapage question",
    "social_media": "socialmediaposting",
}
_BY_SCHEMA_TYPE: dict[str, SourceType] = {
    name: kind for kind, names in _SCHEMA_TYPES.items() for name in words(names)
}
# on these sites the site decides the type, not what the page says about itself
_DECIDED_BY_SITE: frozenset[SourceType] = frozenset(
    ("social_media", "forum", "wiki", "blog", "preprint")
)
_SELF_PUBLISHED: frozenset[SourceType] = frozenset(("social_media", "forum", "blog"))
# public suffixes: gov, gov.uk, gouv.fr, edu, edu.au, ac.uk
_GOVERNMENT = re.compile(r"(?:gov|mil)(?:\.|$)|(?:gouv|gob|govt|gv|go|gub)\.")
_ACADEMIC = re.compile(r"edu(?:\.|$)|ac\.")
_UNIVERSITY = word_set("uni univ university universitaet universite unibo ethz college")
_UNKNOWN: SourceType = "unknown"
_FIRST_LABELS: dict[SourceType, str] = {
    "official_docs": "docs doc developer developers api",
    "blog": "blog blogs",
    "forum": "forum forums community discuss",
    "wiki": "wiki",
    "news_publication": "news",
}
_BY_FIRST_LABEL: dict[str, SourceType] = {
    label: kind for kind, labels in _FIRST_LABELS.items() for label in words(labels)
}
_CATEGORY_PATTERNS: dict[DomainCategory, str] = {
    "legal": r"^(law|laws|legal|court|courts|lawyer|lawyers|attorney|attorneys|justice|solicitors?"
    r"|abogados?|avocats?|rechtsanwalt|recht|jura|judiciary)$|law(yers?|firm|school)?$|^legis",
    "medical": r"^(med|health|healthcare|medical|medicine|clinic|clinics|hospital|hospitals|pharma"
    r"|pharmacy|nhs|doctors?|dental|cancer|heart|klinik|sante|salud|onkologie)$"
    r"|^(med|health|pharma|clinic)(?!ia|ium|ieval)\w{3,}|health$|clinic$|hospital$|medicine$",
    "financial": r"^(bank|banks|banking|finance|financial|invest|investing|investor|investors"
    r"|insurance|mortgage|credit|stocks|trading|markets?|tax|funds?|boerse|finanzen|bourse)$"
    r"|^(bank|financ|invest)\w{2,}|bank$|capital$|finance$",
    "technical": r"^(docs?|dev|developers?|api|code|tech|software|engineering|devops|security|linux"
    r"|programming|opensource|io|cloud|data|devtools|devdocs)$|tech$|soft$|code$",
}
_CATEGORY_SUFFIXES: dict[DomainCategory, str] = {
    "legal": "law legal lawyer attorney",
    "medical": "health healthcare hospital clinic dental",
    "financial": "bank finance insurance",
    "technical": "dev tech software",
}
_CATEGORY_BY_SUFFIX: dict[str, DomainCategory] = {
    suffix: category
    for category, suffixes in _CATEGORY_SUFFIXES.items()
    for suffix in words(suffixes)
}


def classify(url: str, *, kinds: Iterable[str] = (), cites: bool = False) -> Classification:
    """Classify a page by its URL, its schema.org types and whether it has citation_* tags."""
    return _classified(ascii_host(url), tuple(kinds), cites=cites)


@lru_cache(1024)  # only the host of a URL counts, and a site has many pages
def _classified(host: str, kinds: tuple[str, ...], *, cites: bool) -> Classification:
    site = known_site(host)
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
    if site and site.kind in _DECIDED_BY_SITE:
        return site.kind
    if cites:
        return "peer_reviewed"
    for kind in kinds:
        if declared := _BY_SCHEMA_TYPE.get(kind.lower()):
            return declared
    if site and site.kind != "unknown":
        return site.kind
    if _GOVERNMENT.match(suffix):
        return "government"
    return _BY_FIRST_LABEL.get(host.partition(".")[0], _UNKNOWN)


def _tier(suffix: str, site: KnownSite | None, kind: SourceType) -> AuthorityTier:
    """Return the tier of the site; the page's own metadata never raises it."""
    if site:
        return site.tier
    if _GOVERNMENT.match(suffix) or _ACADEMIC.match(suffix):
        return "high"
    return "low" if kind in _SELF_PUBLISHED else "medium"


def _category(host: str, suffix: str, site: KnownSite | None) -> DomainCategory:
    if site and site.category != "general":
        return site.category
    if by_suffix := _CATEGORY_BY_SUFFIX.get(suffix):
        return by_suffix
    labels = set(re.split(r"[-_\d.]+", host.removesuffix(suffix))) - {"", "www"}
    for category, pattern in _CATEGORY_PATTERNS.items():
        if any(re.search(pattern, label) for label in labels):
            return category
    is_academic = _ACADEMIC.match(suffix) or not _UNIVERSITY.isdisjoint(labels)
    return "academic" if is_academic else "general"
