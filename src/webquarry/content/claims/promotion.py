"""Who gains from a recommendation, as far as its own words tell: too little before too much."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from webquarry.content.ranking.known_sites import host_of, registrable_domain
from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.word_list import words

Stake = Literal["founder", "employment", "equity", "funding"]

_FIRST = re.compile(
    r"^[\s#>*_-]*(?:#\s*1\b|1\s*[.):]|no\.?\s*1\b:?)\s*[*_\[\"\u201c]*(?P<name>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"(?:[A-Z][\w&+'\u2019.-]*[\w+]|[A-Z]{2,})(?:\s+[A-Z][\w&+'\u2019.-]*[\w+])*")
_GENERIC = frozenset(
    words(
        "the best top our review reviews guide why how what when for and with list ranking "
        "compared comparison overall choice pick editor editors most new free pro plus software "
        "platform tool tools app apps service services company product products small business "
        "businesses ecommerce e-commerce cloud data web online store stores marketing analytics "
        "ai crm"
    )
)
_ROLES = (
    r"(?:ceo|cto|cfo|coo|cmo|chief \w+ officer|president|vp|vice president|director|manager"
    r"|engineer|developer|designer|marketer|evangelist|advocate|employee|consultant|lead|head"
    r"|strategist)"
)
_WORK = r"(?:works?|working|employed|arbeitet|travaille|trabaja)"
_HOLDS = r"(?:advis[oe]r|board member|shareholder|investor|invested)"
_MARKS: dict[Stake, tuple[str, ...]] = {
    "founder": (
        r"(?:co-?)?found(?:er|ed|ing)\b[^.;,]{0,40}?\b{0}",
        r"{0}(?:['\u2019]s)? (?:co-?)?founder",
        r"(?:owner|creator|Gründer(?:in)?|fondat(?:eur|rice)|fundadora?) (?:of|von|de) {0}",
    ),
    "employment": (
        r"\b(?:at|bei|chez) {0}",
        rf"\b{_WORK} (?:at|for|by|with|für|pour|en|para) {{0}}",
        rf"\b{_ROLES}\b[^.;,]{{0,30}}? (?:at|of|for) {{0}}",
        rf"{{0}}(?:['\u2019]s)? (?:\w+ )?{_ROLES}\b",
    ),
    "equity": (
        rf"\b{_HOLDS}\b[^.;,]{{0,30}}? (?:to|of|at|in|for) {{0}}",
        r"\b(?:shares|stock|stake|equity)\b (?:in|of) {0}",
    ),
    "funding": (
        r"\b(?:funded|sponsored|supported|paid|financed) by {0}",
        r"\b(?:grant|grants|funding|sponsorship|commission|commissions) from {0}",
    ),
}
# what is over, or denied, is no stake
_NOT = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|until \d{4}|no longer|not|never|independent of|without"
    r"|no (?:affiliation|ties|relationship|stake))\b|\bex-",
    re.IGNORECASE,
)


class Conflict(NamedTuple):
    """What ties an author to what they recommend."""

    kind: Stake
    entity: str
    evidence: str


def brand_of(url: str) -> str:
    """Return the name in an address: shopify of www.shopify.com; nothing if it says too little."""
    label = registrable_domain(host_of(url)).partition(".")[0]
    return label if len(label) >= 3 else ""


def first_named(text: str) -> str:
    """Return what a ranking in the text puts first; nothing when it ranks nothing."""
    found = _FIRST.search(text)
    if not found:
        return ""
    name = re.split(r"\s[-\u2013\u2014:|(]|[:*_\]\"\u201d]", found["name"].strip(), maxsplit=1)[0]
    return name.strip(" .")


def promotes_itself(title: str, url: str) -> bool:
    """Tell whether a list puts the brand of its own address first."""
    brand, first = brand_of(url), first_named(title)
    named = re.findall(r"[^\W_]+", first.lower())
    return bool(brand and named) and brand in ("".join(named[:2]), named[0])


def entities_in(title: str) -> Iterator[str]:
    """Yield the names in a recommendation, without words that any of them has."""
    for found in _NAME.finditer(title):
        kept = [word for word in found[0].split() if word.lower() not in _GENERIC]
        name = " ".join(kept)
        if len(name) >= 3:
            yield name


def conflict_in(title: str, url: str, bio: str) -> Conflict | None:
    """Return the gravest stake that a biography admits in what is recommended."""
    names = dict.fromkeys([*entities_in(title), *filter(None, [brand_of(url)])])
    for kind, marks in _MARKS.items():
        for sentence in sentences_of(bio):
            for clause in re.split(r"[;,]\s+(?=(?:former|previous|ex-|now|and )\w*)", sentence):
                name = None if _NOT.search(clause) else _marked(clause, marks, [*names])
                if name:
                    return Conflict(kind, name, sentence)
    return None


def _marked(clause: str, marks: tuple[str, ...], names: list[str]) -> str | None:
    for name in names:
        wanted = rf"(?:the )?{re.escape(name)}\b"
        if any(re.search(mark.replace("{0}", wanted), clause, re.IGNORECASE) for mark in marks):
            return name
    return None
