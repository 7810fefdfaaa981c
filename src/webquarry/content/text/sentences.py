"""Splits text of any script into sentences."""

import re

# full stops of Latin, Arabic, Devanagari, Ethiopic, Armenian and East Asian scripts
_END = re.compile(
    r"""(?P<wide>[。\uff01\uff1f｡\uff0e]+[」』”\u2019\uff09》\]]*)  # needs no space after it
      | (?<![.!?…؟\u06d4।॥።\u0589])  # needs a space or the end after it
        (?P<narrow>[.!?…؟\u06d4।॥።\u0589]++["'”\u2019»)\]]*)(?=\s|$)
      | (?P<line>(?:(?<!\s)[^\S\n]++)?\n\s*)""",
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"(?<!\S)(\S+)\.$")
_INITIALS = re.compile(r"(?:[^\W\d]\.)*[^\W\d]")  # J, U.S, e.g
_ABBREVIATIONS = frozenset({
    "dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "gen", "sen", "rep", "gov", "vs", "etc",
    "al", "inc", "ltd", "corp", "co", "dept", "univ", "approx", "est", "cf", "ca", "ed", "eds",
    "bzw", "usw", "ggf", "evtl", "vgl", "inkl", "mio", "mrd", "str", "av", "sra", "srta", "dra",
    "mme", "mlle",
})  # fmt: skip
# abbreviations only before a number
_BEFORE_NUMBERS = frozenset({
    "no", "nos", "nr", "fig", "figs", "eq", "ref", "refs", "vol", "pp", "abb", "art", "chap",
    "núm", "pág", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec",
})  # fmt: skip


def sentences_of(text: str, *, min_length: int = 1) -> list[str]:
    """Return the sentences of at least `min_length` characters, in order."""
    sentences = (" ".join(text[start:end].split()) for start, end in sentence_spans(text))
    return [sentence for sentence in sentences if len(sentence) >= max(1, min_length)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences start and end; together they are the whole text."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.lastgroup == "narrow" and _is_abbreviation(text, start, match):
            continue
        spans.append((start, match.end()))
        start = match.end()
    return [*spans, (start, len(text))]


def _is_abbreviation(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether this full stop belongs to an abbreviation, an initial or an ordinal."""
    if match["narrow"] != ".":
        return False
    following = text[match.end() : match.end() + 80].lstrip()
    if not following:
        return False
    word = _LAST_WORD.search(text[max(start, match.end() - 40) : match.end()])
    before = word[1].strip("(\"'\u201c\u2018[").lower() if word else ""
    if before in _ABBREVIATIONS or _INITIALS.fullmatch(before):
        return True
    if before in _BEFORE_NUMBERS:
        return following[0].isdecimal()
    # an ordinal ("am 3. Mai", "1. FC"), or a lower-case word that cannot start a sentence
    return following[0].islower() or (before.isdecimal() and len(before) <= 2)
