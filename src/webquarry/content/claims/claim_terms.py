"""The terms of a claim and of a text: words, names, numbers and dates in comparable forms."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from webquarry.content.claims.claim_sentences import stem_word
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.content.text.word_list import word_set

TermKind = Literal["name", "number", "word"]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?|[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_ISO_DATE = re.compile(r"\b((?:1\d|20)\d\d)-(\d\d)-(\d\d)\b")
_PREFIX = 5  # letters that related words have in common: produce, production
# scripts written without spaces: pairs of characters are used as words
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
# words that say little about what a sentence states
_LIGHT = word_set(
    "also although around across along became become several many much well however though "
    "later further include included including made make per said same since take took until "
    "went would via auch sowie wurde wurden aussi ainsi également también además fue fueron"
)
_NUMBER_WORDS = {
    word: str(value)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for value, word in enumerate(words.split())
    if value > 1  # "one" is also a pronoun
}
_MONTHS = {
    word: f"month-{number}"
    for words in (
        "january february march april - june july august september october november december",
        "jan feb mar apr - jun jul aug sept oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    )
    for number, word in enumerate(words.split(), 1)
    if word != "-"  # "may" is also a verb
} | {"sep": "month-9"}
_SYNONYMS = """
    marry married wed wedding wife husband spouse bride
    release launch issue publish unveil debut premiere
    win won victory champion award prize honor
    defeat beat beaten
    die death dead decease
    born birth baby
    appoint name select choose chose elect nominate pick
    join sign
    film movie
    begin began start commence open
    buy bought acquire purchase takeover acquisition
    company firm business corporation
    build built construct erect
    kill murder assassinate
    found establish create form
    leave left depart resign quit
    announce reveal declare
    help assist support aid
    song single track
    album record
    show series programme program
    game match fixture
    car vehicle automobile
    school college university
    child children son daughter kid
    end finish conclude close
    prior before ahead
    final last
    sue lawsuit suit
    lead led head chair chairman director
    live reside residence
    attend enrol enroll
    earn receive gain
    increase rise rose grow grew
    decrease decline fall fell drop reduce
    big large huge
    small little
    bicycle bike
    doctor physician
    lawyer attorney
    author writer write wrote
    photo photograph image picture
    play star role cast portray appear
    hit reach top
    job work employ
    fund finance money
    poll survey
    score goal
    renovate renovation refurbish
    damage destroy ruin
    arrest detain
    convict guilty sentence
    injure wound hurt
    fire blaze
    attack assault
    police officer
    tv television
    retire retirement
    graduate degree
    teach teacher taught professor
    speak spoke speech talk
    agree agreement accord deal
    donate donation gift
    locate location site
    replace succeed successor
    american america us usa
    british britain uk
    canadian canada
    australian australia
    heiraten hochzeit ehefrau ehemann
    gründen gründung
    sterben starb tod gestorben
    mourir mort décès
    morir murió muerte
    fonder création créer
    fundar fundación crear
"""


class Term(NamedTuple):
    """A word, name or number in the form in which terms are compared."""

    stem: str
    kind: TermKind


class Vocabulary:
    """The terms of a piece of text, for looking up terms and related forms of them."""

    def __init__(self, stems: Iterable[str]) -> None:
        self.stems = frozenset(stems)
        self._prefixes = {stem[:_PREFIX] for stem in self.stems if len(stem) >= _PREFIX}
        self._meanings = {group for stem in self.stems for group in _GROUPS.get(stem, ())}

    def match(self, term: Term) -> float:
        """Return 1 for the same word, less for a related word or a synonym, 0 for none."""
        if term.stem in self.stems:
            return 1.0
        if term.kind == "number":
            return 0.0
        if len(term.stem) >= _PREFIX and term.stem[:_PREFIX] in self._prefixes:
            return 0.8
        meanings = _GROUPS.get(term.stem, ())
        return 0.7 if any(group in self._meanings for group in meanings) else 0.0


def terms_of(text: str) -> list[Term]:
    """Return the terms of a text, in order."""
    normal = unicodedata.normalize("NFKC", text)
    terms = [term for match in _TOKEN.finditer(_UNSPACED.sub(" ", normal)) for term in _term(match)]
    for run in _UNSPACED.findall(normal):
        terms.extend(Term(run[at : at + 2], "word") for at in range(max(1, len(run) - 1)))
    for year, month, day in _ISO_DATE.findall(normal):
        terms.extend(Term(each, "number") for each in (year, f"month-{int(month)}", str(int(day))))
    return terms


def _term(match: re.Match[str]) -> Iterator[Term]:
    token = match[0]
    word = token.casefold()
    if word[0].isdecimal():
        digits = word.replace(",", "") if _GROUPED.fullmatch(word) else word
        yield Term(digits.rstrip("stndrh").lstrip("0") or "0", "number")
    elif number := _NUMBER_WORDS.get(word) or _MONTHS.get(word):
        yield Term(number, "number")
    elif len(word) > 1 and word not in STOPWORDS and word not in _LIGHT:
        yield Term(stem_word(word), "name" if token[0].isupper() else "word")


def _synonym_groups() -> dict[str, tuple[int, ...]]:
    groups: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(_SYNONYMS.split("\n")):
        for word in line.split():
            stem = stem_word(word)
            groups[stem] = (*groups.get(stem, ()), number)
    return groups


_GROUPS = _synonym_groups()
