"""Detects self-promotion and conflicts of interest; prefers missing one to a false report."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from webquarry.content.ranking.known_sites import ascii_host, registrable_domain
from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.word_list import word_set

Stake = Literal["founder", "employment", "equity", "funding"]

_RANKED_FIRST = re.compile(
    r"^(?:[^\S\n]|[#>*_-])*(?:#\s*1\b|1\s*[.):]|no\.?\s*1\b:?)\s*[*_\[\"\u201c]*(?P<name>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)
# a ranking in one line: "Best shops: 1. Wix, 2. Shopify"
_RANKED_INLINE = re.compile(
    r"(?:^|[\s:;,(\u2013\u2014])(?:#\s?1\b[.):]?|1[.):])\s?(?P<name>[^\n]{1,100}?)"
    r"[\s,;.(]{1,3}(?:#\s?2\b|2[.):])",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[A-Z][\w&+'\u2019.-]*[\w+]|[A-Z]{2,})(?:\s+[A-Z][\w&+'\u2019.-]*[\w+])*")
_GENERIC = word_set(
    "the best top our review reviews guide why how what when for and with list ranking "
    "compared comparison overall choice pick editor editors most new free pro plus software "
    "platform tool tools app apps service services company product products small business "
    "businesses ecommerce e-commerce cloud data web online store stores marketing analytics "
    "ai crm"
)
_ROLES = (
    r"(?:ceo|cto|cfo|coo|cmo|chief \w+ officer|president|vp|vice president|director|manager"
    r"|engineer|developer|designer|marketer|evangelist|advocate|employee|consultant|lead|head"
    r"|strategist)"
)
_WORKS = r"(?:works?|working|employed|arbeitet|travaille|trabaja)"
_STAKEHOLDER = r"(?:advis[oe]r|board member|shareholder|investor|invested)"
_STAKE_PATTERNS: dict[Stake, tuple[str, ...]] = {
    "founder": (
        r"(?:co-?)?found(?:er|ed|ing)\b[^.;,]{0,40}?\b{0}",
        r"{0}(?:['\u2019]s)? (?:co-?)?founder",
        r"(?:owner|creator|Gründer(?:in)?|fondat(?:eur|rice)|fundadora?) (?:of|von|de) {0}",
    ),
    "employment": (
        r"\b(?:at|bei|chez) {0}",
        rf"\b{_WORKS} (?:at|for|by|with|für|pour|en|para) {{0}}",
        rf"\b{_ROLES}\b[^.;,]{{0,30}}? (?:at|of|for) {{0}}",
        rf"{{0}}(?:['\u2019]s)? (?:\w+ )?{_ROLES}\b",
    ),
    "equity": (
        rf"\b{_STAKEHOLDER}\b[^.;,]{{0,30}}? (?:to|of|at|in|for) {{0}}",
        r"\b(?:shares|stock|stake|equity)\b (?:in|of) {0}",
    ),
    "funding": (
        r"\b(?:funded|sponsored|supported|paid|financed) by {0}",
        r"\b(?:grant|grants|funding|sponsorship|commission|commissions) from {0}",
    ),
}
# a past or denied connection is not a conflict
_NEGATION = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|until \d{4}|no longer|not|never|independent of|without"
    r"|no (?:affiliation|ties|relationship|stake))\b|\bex-",
    re.IGNORECASE,
)


class Conflict(NamedTuple):
    """A connection of an author with something they recommend."""

    kind: Stake
    entity: str
    evidence: str


def brand_of(url: str) -> str:
    """Return the brand label of a URL: shopify of www.shopify.com; empty if it is too short."""
    label = registrable_domain(ascii_host(url)).partition(".")[0]
    return label if len(label) >= 3 else ""


def top_ranked_name(text: str) -> str:
    """Return what a ranking in the text puts first; empty when there is no ranking."""
    match = _RANKED_INLINE.search(text) or _RANKED_FIRST.search(text)
    if not match:
        return ""
    name = re.split(r"\s[-\u2013\u2014:|(]|[:*_\]\"\u201d]", match["name"].strip(), maxsplit=1)[0]
    return name.strip(" .,;")


def promotes_itself(title: str, url: str) -> bool:
    """Tell whether a list puts the brand of its own domain first."""
    brand, first = brand_of(url), top_ranked_name(title)
    name_words = re.findall(r"[^\W_]+", first.lower())
    return bool(brand and name_words) and brand in ("".join(name_words[:2]), name_words[0])


def entities_in(title: str) -> Iterator[str]:
    """Yield the names in a title, without generic words."""
    for match in _NAME.finditer(title):
        name = " ".join(word for word in match[0].split() if word.lower() not in _GENERIC)
        if len(name) >= 3:
            yield name


def conflict_in(title: str, url: str, bio: str) -> Conflict | None:
    """Return the most serious conflict that a biography states with something recommended."""
    names = [*dict.fromkeys([*entities_in(title), *filter(None, [brand_of(url)])])]
    clauses = [*_clauses(bio)]
    for kind, patterns in _STAKE_PATTERNS.items():
        for sentence, clause in clauses:
            if name := _first_match(clause, patterns, names):
                return Conflict(kind, name, sentence)
    return None


def _clauses(bio: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence with each of its clauses that is neither past nor negated."""
    for sentence in sentences_of(bio):
        for clause in re.split(r"[;,]\s+(?=(?:former|previous|ex-|now|and )\w*)", sentence):
            if not _NEGATION.search(clause):
                yield sentence, clause


def _first_match(clause: str, patterns: tuple[str, ...], names: list[str]) -> str | None:
    for name in names:
        entity = rf"(?:the )?{re.escape(name)}\b"
        if any(re.search(each.replace("{0}", entity), clause, re.IGNORECASE) for each in patterns):
            return name
    return None
