"""Finds the authors at the start of a reference, in the orders that citation styles use.

`Chen, X., & Yan, X.` · `Chen, X. & Yan, X.` · `Chen X, Yan X.` · `X. Chen and X. Yan,` ·
`Chen, Xi, and Xu Yan.` · `Eurostat.`
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webquarry.content.citations.author_names import (
    PARTICLES,
    is_one_organization,
    is_organization,
    split_name,
)
from webquarry.content.citations.name_lists import SEPARATOR, is_direct, is_name

_DASHES = "-\u2010\u2011"
_LETTER = r"(?:[^\W\d_]|Md|Th|Ch|Yu)"
_INITIALS = re.compile(
    rf"(?:{_LETTER}\.(?:\s?[{_DASHES}]?\s?))+(?:(?:de|van|von|der|da|di|la|le)\.?\s?)*|[^\W\d_a-z]{{1,4}}"
)
_COMPACT_INITIALS = re.compile(rf"[^\W\d_a-z](?:[{_DASHES}]?[^\W\d_a-z]){{0,3}}")
_ET_AL = re.compile(r"[,\s]{0,3}\b(?:et\.?\s?al\b\.?|and others\b|u\.\s?a\.)[.,]?", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|I{2,3}|IV", re.IGNORECASE)
_ROLE = re.compile(r"\(?\b(?:eds?|editors?|hrsg|trans|translators?)\b\.?\)?", re.IGNORECASE)
_STOP = re.compile(r"[.:](?=\s|$)")
_WORD = re.compile(r"[^\s,.;:()\u201c\u201d\"]+")
# a book in a footnote: … (Springer, 2004), 12.
_PUBLISHED = re.compile(r"\((?:[^()]{2,120}[,:]\s)?(?:1[5-9]|20)\d\d\)[^()]{0,40}$")
_SENTENCE = re.compile(r"[^\W\d_]{2}(?<!\bed)(?<!\bedn)\.\s")
_MAX_AREA = 1500  # characters


class AuthorList(NamedTuple):
    """The names as `Family, Given`, whether the list is cut, and where it ends."""

    names: tuple[str, ...] = ()
    cut: bool = False  # et al.
    end: int = 0


def authors_in(area: str, *, direct: bool = False) -> AuthorList:
    """Return the names of a text that is a list of authors; `direct`: given names come first."""
    cut = bool(_ET_AL.search(area))
    text = _without_stop(_ROLE.sub("", _ET_AL.sub(" ", area)).strip(" ,;:"))
    if not text:
        return AuthorList((), cut, len(area))
    if is_one_organization(text) or _is_one_name(text) or " " not in text:
        return AuthorList((text,), cut, len(area))
    parts = [part for part in SEPARATOR.split(text) if part.strip(" .,")]
    return AuthorList(tuple(_names(parts, direct=direct or is_direct(text))), cut, len(area))


def initialled_authors(text: str) -> AuthorList:
    """Return the authors with which a reference starts, if initials mark them as names."""
    for reader in _READERS[:4]:
        if (found := reader(text[:_MAX_AREA])).names:
            return found
    return AuthorList()


def leading_authors(text: str) -> AuthorList:
    """Return the authors with which a reference starts; none where no list of names stands out."""
    for reader in _READERS:
        if (found := reader(text[:_MAX_AREA])).names:
            return found
    return AuthorList()


def _names(parts: Sequence[str], *, direct: bool) -> Iterator[str]:
    """Yield the names; a part that is initials or a given name belongs to the one before."""
    position = 0
    while position < len(parts):
        part = parts[position].strip(" .") if not _INITIALS.fullmatch(parts[position]) else ""
        following = parts[position + 1].strip() if position + 1 < len(parts) else ""
        position += 1
        if not part:
            continue
        if _INITIALS.fullmatch(following) or (
            position == 1 and not direct and _is_given(part, following)
        ):
            position += 1
            part = f"{part}, {following}"
        if position < len(parts) and _SUFFIX.fullmatch(parts[position].strip()):
            part = f"{part}, {parts[position].strip()}"
            position += 1
        yield _canonical(part)


def _without_stop(text: str) -> str:
    """Return a list of names without the full stop at its end; that of an initial stays."""
    last = text.rstrip(".").rpartition(" ")[2]
    return text.rstrip(" .,") if len(last) > 2 and "." not in last else text


def _is_given(family: str, given: str) -> bool:
    """Tell whether the first two parts are one name: `Mijalkov, Mite`."""
    return bool(given) and len(family.split()) <= 3 and not is_organization(family)


def _canonical(name: str) -> str:
    """Return a name as `Family, Given`."""
    words = name.split()
    if "," not in name and len(words) > 1 and _is_compact(name):
        particles = [word for word in words if word.islower() and word != words[0]]
        *family, initials = [word for word in words if word not in particles]
        return " ".join([f"{' '.join(family)},", _dotted(initials), *particles])
    family, comma, given = name.partition(",")
    if (
        comma
        and _COMPACT_INITIALS.fullmatch(given.strip())
        and not _SUFFIX.fullmatch(given.strip())
    ):
        return f"{family}, {_dotted(given.strip())}"
    return split_name(name).inverted


def _dotted(initials: str) -> str:
    """Return `XY` as `X. Y.`: without stops, JR would be a suffix."""
    return " ".join(f"{letter}." for letter in initials if letter.isalpha())


def _is_one_name(text: str) -> bool:
    """Tell whether commas and `and` are parts of the name of one organisation."""
    joined = re.sub(r"\s(?:and|&)\s", " ", text)
    return is_organization(joined) and not re.search(r"\b[^\W\d_]\.", text)


def _is_compact(name: str) -> bool:
    """Tell whether a name is written as `Chen XY`."""
    *family, initials = name.split()
    while family and initials in PARTICLES and family[-1:] != family[:1]:
        initials = family.pop()  # Bézenac E de
    return bool(family) and bool(_COMPACT_INITIALS.fullmatch(initials)) and is_name(family)


def _compact(text: str) -> AuthorList:
    """Read `Chen X, Yan XY, et al.`, up to the first full stop."""
    stop = _STOP.search(text)
    area = text[: stop.start()] if stop else ""
    cut = bool(_ET_AL.search(f"{area}."))
    parts = [part.strip() for part in SEPARATOR.split(_ET_AL.sub("", area)) if part.strip()]
    if stop is None or not parts or not all(_is_compact(part) for part in parts):
        return AuthorList()
    return AuthorList(tuple(map(_canonical, parts)), cut, stop.end())


_FAMILY_WORD = r"(?!(?:and|und|et|in)\b)[^\W\d_][^\s,.;:()\u201c\u201d\"&]{0,40}"
_FAMILY = rf"{_FAMILY_WORD}(?:\s{_FAMILY_WORD}){{0,3}}"
_GIVEN = rf"{_LETTER}\.(?:\s?[{_DASHES}]?\s?{_LETTER}\.){{0,4}}(?:\sd[aeo]s?\s{_LETTER}\.)?"
_INVERTED = re.compile(
    rf"(?P<family>{_FAMILY}),\s(?P<given>{_GIVEN}(?:\s(?:de|van|von|der|da|di|la|le)\b\.?)*)(?:,\s(?:Jr|Sr)\.)?"
)
_FORWARD = re.compile(rf"(?P<given>{_GIVEN})\s?(?P<family>{_FAMILY})(?:,?\s(?:Jr|Sr)\.)?")
_FORWARD_COMPACT = re.compile(rf"(?P<given>[^\W\d_a-z]{{1,3}})\s(?P<family>{_FAMILY})")
_JOIN = re.compile(r"\s?(?:,\s?(?:&|and|und|\u2026|\. \. \.)|,|;|&|and|und)\s")


_FORWARDS = (_FORWARD, _FORWARD_COMPACT)


def _inverted_initials(text: str) -> AuthorList:
    """Read `Chen, X., Yan, X. & Shen, B.`, also `Chen, X., X. Yan, and B. Shen.`."""
    return _repeated(text, (_INVERTED, *_FORWARDS)) if _INVERTED.match(text) else AuthorList()


def _direct(text: str) -> AuthorList:
    """Read `X. Chen, X. Yan, and B. Shen, `."""
    found = _repeated(text, _FORWARDS) if _FORWARD.match(text) else AuthorList()
    if found.names and (found.cut or text[found.end : found.end + 1] in {",", ".", ":", ""}):
        return found._replace(end=found.end + (not found.cut))
    return AuthorList()


def _repeated(text: str, patterns: Sequence[re.Pattern[str]]) -> AuthorList:
    """Read names of these forms, as long as they follow each other."""
    names: list[str] = []
    position = 0
    while match := _first_match(patterns, text, position):
        names.append(f"{match['family']}, {match['given']}")
        position = match.end()
        joint = _JOIN.match(text, position)
        if joint is None or not _first_match(patterns, text, joint.end()):
            break
        position = joint.end()
    cut = _ET_AL.match(text, position) if names else None
    return AuthorList(tuple(names), cut is not None, cut.end() if cut else position)


def _first_match(
    patterns: Sequence[re.Pattern[str]], text: str, position: int
) -> re.Match[str] | None:
    found = (pattern.match(text, position) for pattern in patterns)
    return next((match for match in found if match and is_name(match["family"].split())), None)


def _full_names(text: str) -> AuthorList:
    """Read `Mijalkov, Mite, Giovanni Volpe, and Joana B. Pereira. `, up to a full stop.

    Also `Mite Mijalkov, Giovanni Volpe, and Joana B. Pereira. `.
    """
    end = _names_end(text)
    area = text[:end]
    cut = bool(_ET_AL.search(area))
    bare = _ROLE.sub("", _ET_AL.sub("", area)).strip(" .,")
    parts = [part for part in SEPARATOR.split(bare) if part.strip()]
    if not end or len(parts) < 2 or not all(is_name(_WORD.findall(part)) for part in parts):
        return AuthorList()
    return AuthorList(tuple(_names(parts, direct=is_direct(bare))), cut, end)


def _spoken_names(text: str) -> AuthorList:
    """Read `Mite Mijalkov and Joana B. Pereira, `, as footnotes name the authors of books."""
    published = _PUBLISHED.search(text)
    if not published or _SENTENCE.search(text, 0, published.start()):
        return AuthorList()
    first = text.partition(", ")[0]
    if _is_one_name(first) or f"({first}, " in published[0]:
        return AuthorList((first,), end=len(first) + 2)
    parts = re.split(r",\s", text)
    names: list[str] = []
    for number, part in enumerate(parts[:-1]):
        last = number > 0 and part.startswith("and ")
        people = re.split(r"\sand\s", part.removeprefix("and "))
        if not all(_is_spoken(person) for person in people):
            break
        names += people
        if last or len(people) > 1 or not _expects_more(parts[number + 1 :]):
            end = sum(len(each) + 2 for each in parts[: number + 1])
            return AuthorList(tuple(map(_canonical, names)), end=end)
    return AuthorList()


def _is_spoken(name: str) -> bool:
    words = name.split()
    return 2 <= len(words) <= 4 and is_name([word.rstrip(".") or "." for word in words])


def _expects_more(parts: Sequence[str]) -> bool:
    """Tell whether one of the next parts is the last name of a list: `and Joana B. Pereira`."""
    found = next((at for at, part in enumerate(parts) if not _is_spoken(part)), len(parts) - 1)
    return parts[found].startswith("and ") and _is_spoken(parts[found].removeprefix("and "))


def _names_end(text: str) -> int:
    """Return where the full stop after a list of names ends; not that of an initial in it."""
    for stop in _STOP.finditer(text):
        word = text[: stop.start()].rpartition(" ")[2]
        if len(word) > 1 or not _continues_name(text[stop.end() :].lstrip()):
            return stop.end()
    return 0


def _continues_name(rest: str) -> bool:
    """Tell whether a family name follows, which a comma or a full stop ends."""
    words = re.split(r"[,.]", rest, maxsplit=1)[0].split()
    is_short = len(words) <= 2 or "and" in words[:2]
    return bool(words) and is_short and is_name(words[:1])


def _organization(text: str) -> AuthorList:
    """Read the name of an organisation, which a full stop ends and a title follows."""
    stop = _STOP.search(text)
    if stop is None or not (name := text[: stop.start()].strip()):
        return AuthorList()
    words, rest = name.split(), text[stop.end() :].split(". ", maxsplit=1)[0].split()
    is_publisher = text.count(name) > 1  # organisations publish what they write
    if not is_publisher and (stop[0] == ":" or words[0] in ("A", "An")):
        return AuthorList()  # a title, and its subtitle
    is_title_next = is_publisher or len(rest) > max(3, len(words))
    is_short = len(words) <= 3 and is_name(words) and is_title_next
    if is_short or (is_organization(name) and len(words) <= 12 and not re.search(r"\d", name)):
        return AuthorList((name,), end=stop.end())
    return AuthorList()


# the first four know names by their initials, or by the form of the whole reference
_READERS = (_spoken_names, _compact, _inverted_initials, _direct, _full_names, _organization)
