"""Takes a reference in free text apart, as far as its punctuation tells."""

import re

from webquarry.content.citations.identifiers import clean_doi

_QUOTED = re.compile(
    r'["\u201c\u201e\u00ab]([^"\u201c\u201d\u00bb]{8,}?)[,.]?["\u201d\u201c\u00bb]'
)
_SINGLE = re.compile(r"(?<!\w)['\u2018](\S.{7,}?)[,.]?['\u2019](?!\w)")
_DATED = re.compile(r"\(\s*(?:1[5-9]|20)\d\d[a-z]?(?:,[^)]*)?\)\s*[.,:]?\s+(.+)")
_ADDRESS = re.compile(r"(?:https?://\S+|doi:?\s*10\.\S+|10\.\d{4,9}/\S+)", re.IGNORECASE)
# a sentence ends at a stop that follows a word of some length, not an initial or "Vol."
# unless small letters follow: "Smith J. the decline of …", but not "J. van Dyk"
_SMALL = r"(?!(?:and|et|und|y|van|von|de|der|den|del|da|di|du|la|le|ter|al)\b)[a-z]{2,}\s"
_STOP = re.compile(
    r"(?<=[^\W\d_]{4})[.?!]\s+|(?<=[?!])\s+|(?<=\))[.,]\s+"
    rf"|(?<=[A-Z])\.\s+(?=(?:[^\W\d_][^\s,.]*\s+)?{_SMALL})"
)
_A_TITLE = 4  # words that make it one
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_YEAR_ONLY = re.compile(r"\W*(?:1[5-9]|20)\d\d[a-z]?\W*")


def doi_in(text: str) -> str | None:
    """Return the first DOI in a text."""
    for found in re.finditer(r"10\.\d{4,9}/\S+", text):
        if doi := clean_doi(found.group()):
            return doi
    return None


def without_addresses(text: str) -> str:
    """Return the text without its DOIs and addresses."""
    return " ".join(_ADDRESS.sub(" ", text).split())


def title_in(reference: str) -> str:
    """Return what is most likely the title; the whole text when nothing stands out."""
    text = without_addresses(reference)
    if quoted := _QUOTED.search(text) or _SINGLE.search(text):
        return quoted[1].strip()
    dated = _DATED.search(text)
    if dated and len(_LONG_WORD.findall(dated[1])) < _A_TITLE - 1:
        dated = None  # a year near the end, with the pages behind it
    sentences = _sentences(dated[1] if dated else text)
    if dated:
        return sentences[0]
    # without a year in front, the names come first, and the title is the longest that follows
    rest = sentences[1:] if len(sentences) > 1 and _is_names(sentences[0]) else sentences
    return rest[0] if len(rest[0].split()) >= _A_TITLE else max(rest[:2], key=len)


def _sentences(text: str) -> list[str]:
    found = [part.strip(" .,") for part in _STOP.split(text)]
    solid = [part for part in found if part and not _YEAR_ONLY.fullmatch(part)]
    return solid or [text]


def _is_names(text: str) -> bool:
    """Tell whether a sentence lists people: most of its words are names or initials."""
    words = re.findall(r"[^\W\d_]+", text)
    plain = [word for word in words if word.lower() not in ("and", "et", "al", "und", "van", "de")]
    capital = sum(word[0].isupper() for word in plain)
    return bool(plain) and capital >= 0.8 * len(plain) and ("," in text or len(plain) <= 4)
