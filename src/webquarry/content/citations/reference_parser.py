"""Finds the title in a reference given as free text."""

import re

from webquarry.content.citations.reference_match import ReferenceParts

_DOUBLE_QUOTED = re.compile(
    r'["\u201c\u201e\u00ab]([^"\u201c-\u201e\u00ab\u00bb]{8,}?)[,.]?["\u201d\u201c\u00bb]'
)
_SINGLE_QUOTED = re.compile(r"(?<!\w)['\u2018](\S.{7,250}?)[,.]?['\u2019](?!\w)")
_AFTER_YEAR = re.compile(r"\(\s*(?:1[5-9]|20)\d\d[a-z]?(?:,[^)]{0,80})?\)(?:\s*+[.,:]\s+|\s+)(.+)")
_URL_OR_DOI = re.compile(r"(?:https?://\S+|doi:?\s*10\.\S+|10\.\d{4,9}/\S+)", re.IGNORECASE)
# A sentence ends at a full stop after a word of four letters or more, so not after "Vol.", and
# after an initial only if a lower-case word follows: "Smith J. the decline of …", not "J. van Dyk".
_LOWER_CASE_WORD = r"(?!(?:and|et|und|y|van|von|de|der|den|del|da|di|du|la|le|ter|al)\b)[a-z]{2,}\s"
_SENTENCE_END = re.compile(
    r"(?<=[^\W\d_]{4})[.?!]\s+|(?<=[?!])\s+|(?<=\))[.,]\s+"
    rf"|(?<=[A-Z])\.\s+(?=(?:[^\W\d_][^\s,.]*\s+)?{_LOWER_CASE_WORD})"
)
_MIN_TITLE_WORDS = 4
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_YEAR_ONLY = re.compile(r"\W*(?:1[5-9]|20)\d\d[a-z]?\W*")


def without_urls(text: str) -> str:
    """Return the text without DOIs and URLs."""
    return " ".join(_URL_OR_DOI.sub(" ", text).split())


def cited_parts(reference: str) -> ReferenceParts:
    """Return the most likely parts of a reference, as it writes them."""
    text, title = without_urls(reference), title_in(reference)
    before, _, after = text.partition(title or text or " ")
    years = re.findall(r"\b(?:1[5-9]|20)\d\d\b", f"{before} {after}")
    authors = re.split(r"(?:(?<!\W)\W++)?\b(?:1[5-9]|20)\d\d", before)[0].strip(' .,"\u201c(')
    venue = re.split(r"\d", after)[0].strip(' .,"\u201d:;()')
    pages = re.search(r"\b[A-Za-z]?\d+\s*[-\u2013]\s*[A-Za-z]?\d+\b", after)
    return ReferenceParts(
        title,
        (authors,) if authors else (),
        int(years[0]) if years else None,
        venue.removeprefix("In ").strip(),
        pages[0] if pages else "",
    )


def title_in(reference: str) -> str:
    """Return the most likely title; the whole text when no part stands out."""
    text = without_urls(reference)
    if quoted := _DOUBLE_QUOTED.search(text) or _SINGLE_QUOTED.search(text):
        return quoted[1].strip()
    after_year = _AFTER_YEAR.search(text)
    # with fewer words it is a year near the end, followed by the pages
    if after_year and len(_LONG_WORD.findall(after_year[1])) >= _MIN_TITLE_WORDS - 1:
        return _sentences(after_year[1])[0]
    return _title_after_names(_sentences(text))


def _title_after_names(sentences: list[str]) -> str:
    """Return the first sentence after the author names, or the longer of two short ones."""
    if len(sentences) > 1 and _lists_names(sentences[0]):
        sentences = sentences[1:]
    if len(sentences[0].split()) >= _MIN_TITLE_WORDS:
        return sentences[0]
    return max(sentences[:2], key=len)


def _sentences(text: str) -> list[str]:
    parts = [part.strip(" .,") for part in _SENTENCE_END.split(text)]
    sentences = [part for part in parts if part and not _YEAR_ONLY.fullmatch(part)]
    return sentences or [text]


def _lists_names(text: str) -> bool:
    """Tell whether a sentence lists people: most of its words are names or initials."""
    words = re.findall(r"[^\W\d_]+", text)
    names = [word for word in words if word.lower() not in ("and", "et", "al", "und", "van", "de")]
    capitalized = sum(word[0].isupper() for word in names)
    return bool(names) and capitalized >= 0.8 * len(names) and ("," in text or len(names) <= 4)
