"""Compares two lists of authors: names, order and number."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from typing import Literal, NamedTuple

from webquarry.content.citations.author_match import PARTICLES
from webquarry.content.text.spelling import normalized_words, same_name
from webquarry.content.text.word_list import word_set

_ET_AL = re.compile(
    r"^\W*+(?:(?:and\s+)?others|et\.?\s*al\.?|et alii|u\.?\s?a\.?)\W*$"
    r"|^(?=\W*?(?:\.{3}|\u2026))\W*$",
    re.IGNORECASE,
)
_ET_AL_AT_END = re.compile(
    r"(?<![\s,;])[\s,;]+(?:et\.?\s*al\.?|and others|\.{3}|\u2026)\W{0,20}$", re.IGNORECASE
)
_GROUP = re.compile(
    r"\b(?:consortium|collaboration|group|team|network|committee|investigators|initiative|project)\b",
    re.IGNORECASE,
)
_SUFFIXES = word_set("jr sr ii iii iv phd md")
_MAX_LISTED = 10  # some registries cut longer lists
# given names whose short forms begin with another letter
_NICKNAMES = frozenset(
    frozenset(pair.split("/"))
    for pair in word_set(
        "bill/william will/william billy/william bob/robert rob/robert bobby/robert dick/richard "
        "rick/richard ted/edward ned/edward ted/theodore jack/john hank/henry tony/anthony "
        "peggy/margaret meg/margaret betty/elizabeth liz/elizabeth beth/elizabeth polly/mary "
        "molly/mary nancy/ann sasha/alexander sasha/aleksandr sandy/alexander jim/james "
        "drew/andrew gene/eugene misha/mikhail kolya/nikolai lena/elena tanya/tatiana tom/thomas "
        "zhenya/evgeny zhenya/eugene eugene/evgeny george/georgy jorge/george"
    )
)


class _Name(NamedTuple):
    words: tuple[str, ...]
    family: str
    given: tuple[str, ...]


def compare_authors(
    given: Sequence[str], known: Sequence[str]
) -> Literal["match", "mismatch", "not_checked"]:
    """Compare the authors of a reference with those of a record; et al. stands for the rest."""
    cited, cited_open = _people(given)
    listed, listed_open = _people(known)
    if not cited or not listed:
        return "not_checked"
    if _same_list(cited, listed, cut=cited_open):
        return "match"
    # some registries cut long lists without a sign
    cut_record = listed_open or len(listed) >= _MAX_LISTED
    if cut_record and _same_list(listed, cited, cut=True):
        return "match"
    people = [_without_groups(names) for names in (cited, listed)]
    return "match" if all(people) and _same_list(*people, cut=cited_open) else "mismatch"


def same_author(one: str, other: str) -> bool:
    """Tell whether two names can be those of one person."""
    left, right = _parsed(one), _parsed(other)
    return bool(left.words and right.words) and _same_person(left, right)


def _same_list(cited: Sequence[str], listed: Sequence[str], *, cut: bool) -> bool:
    """Tell whether two lists name the same people in the same order; one may be cut."""
    if len(cited) > len(listed) or (len(cited) < len(listed) and not cut):
        return False
    if all(map(same_author, cited, listed)):
        return True
    # A, B, et al., Z: the last author is often kept
    rest = iter(listed[1:])
    first = same_author(cited[0], listed[0])
    return cut and first and all(any(same_author(name, o) for o in rest) for name in cited[1:])


def _people(names: Sequence[str]) -> tuple[list[str], bool]:
    """Return the names without et al., and whether there was one."""
    plain = [_ET_AL_AT_END.sub("", name) for name in names if not _ET_AL.match(name)]
    is_open = len(plain) < len(names) or any(map(_ET_AL_AT_END.search, names))
    return [name for name in plain if normalized_words(name)], is_open


def _without_groups(names: Sequence[str]) -> list[str]:
    return [name for name in names if not _GROUP.search(name)]


@lru_cache(maxsize=1 << 14)
def _parsed(name: str) -> _Name:
    name = unescape(name)
    family, comma, given = name.partition(",")
    if comma and set(normalized_words(given)) <= _SUFFIXES:  # Smith, Jr.
        name, comma = family, ""
    words = _without(normalized_words(name), _SUFFIXES)
    if not words:
        return _Name((), "", ())
    families = _without(normalized_words(family), PARTICLES) if comma else [_last(name, words)]
    rest = [word for word in words if word not in families and word not in PARTICLES]
    return _Name(tuple(words), families[-1] if families else words[-1], tuple(rest))


def _without(words: Sequence[str], left_out: frozenset[str]) -> list[str]:
    """Return the words that are not to be left out; all of them if none remains."""
    return [word for word in words if word not in left_out] or list(words)


def _last(name: str, words: Sequence[str]) -> str:
    """Return the family name; in the Vancouver style, initials follow it: Smith JR."""
    initials_last = len(words[-1]) <= 2 < len(words[0]) and name.rsplit(maxsplit=1)[-1].isupper()
    return words[0] if initials_last else words[-1]


def _same_person(one: _Name, other: _Name) -> bool:
    if sorted(one.words) == sorted(other.words) or "".join(one.words) == "".join(other.words):
        return True
    if not (_has(other, one.family) or _has(one, other.family)):
        return False
    return not one.given or not other.given or _same_given(one, other)


def _has(name: _Name, family: str) -> bool:
    return any(same_name(family, word) for word in name.words)


def _same_given(one: _Name, other: _Name) -> bool:
    """Tell whether given names can be the same: they share an initial, or one is a short form."""
    # any word may be a given name: family names come first in some languages
    if {word[0] for word in one.given} & {word[0] for word in (*other.given, other.family)}:
        return True
    if {word[0] for word in other.given} & {one.family[0]}:
        return True
    return any(
        frozenset((a, b)) in _NICKNAMES or (len(a) > 2 and a in b) or (len(b) > 2 and b in a)
        for a in one.given
        for b in other.given
    )
