"""Author names: splitting a list of authors, and a name into family and given name."""

import re
from typing import NamedTuple

from webquarry.content.text.word_list import word_set

PARTICLES = word_set("van von der den de del della di da la le du ter ten bin ibn al el")
_ORGANIZATION_WORDS = word_set(
    "academy administration agency alliance army association associates authority bbc board "
    "broadcasting bureau center centers centre centres clinic clinics co coalition collaboration "
    "collective college commission committee community company consortium contributor "
    "contributors corp corporation council department directorate division editor editorial "
    "editors embassy federation foundation fund gmbh government group guardian health hospital "
    "hospitals inc initiative institut institute institutes international journal laboratories "
    "laboratory labs library llc ltd magazine media ministry museum nations navy network news "
    "newspaper observatory office organisation organization parliament plc police press program "
    "programme project reuters school secretariat service services society staff studio studios "
    "system systems task team technologies telegraph times tribune trust union universität "
    "universite université university watch wikipedia working"
)
# surnames as well, so that two of these words may be a person: Emily Post
_DOUBTFUL_WORDS = word_set("bank church court herald house party post")
_KNOWN_BEFORE_DOUBTFUL = word_set(
    "central deutsche european huffington jerusalem national new supreme white world washington"
)
_ORGANIZATION_STARTS = word_set("the national federal world united")
_LINKING_WORDS = word_set("of for the on in and &")
_SUFFIX = re.compile(r"(?:jr|sr)\.?|I{2,3}|IV|V", re.IGNORECASE)
_MAX_NAME_WORDS = 5
# Chinese, Japanese and Korean names have the family name first and no initials
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s+and\s+")
_WORD = re.compile(r"[^\W\d_]+|&")


class Name(NamedTuple):
    """A person's name; an organisation has a family name only."""

    family: str
    given: str
    suffix: str = ""  # Jr., III

    @property
    def inverted(self) -> str:
        """The name with the family name first: `Curie, Marie`, `King, Martin Luther, Jr.`."""
        return ", ".join(filter(None, (self.family, self.given, self.suffix)))

    @property
    def is_east_asian(self) -> bool:
        """Whether the name is Chinese, Japanese or Korean: family name first, without a comma."""
        return bool(_EAST_ASIAN.search(self.family))

    @property
    def natural(self) -> str:
        """The name as spoken: `Marie Curie`, `山田太郎`."""
        if self.is_east_asian:
            return f"{self.family}{self.given}"
        return " ".join(filter(None, (self.given, self.family, self.suffix)))


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in a text that separates them with `;` or `and`."""
    return tuple(
        name.strip()
        for part in text.split(";")
        for name in ([part] if is_one_organization(part) else _SEPARATOR.split(part))
        if name.strip()
    )


def literal(name: str) -> str:
    """Return the name of an organisation marked as such, as BibTeX does."""
    return f"{{{name}}}"


def is_organization(name: str) -> bool:
    """Tell whether a name is that of an organisation, by its words."""
    found = [word.lower() for word in _WORD.findall(name)]
    if len(found) < 2:
        return False
    if found[0] in _ORGANIZATION_STARTS or not _LINKING_WORDS.isdisjoint(found[1:]):
        return True
    if not _ORGANIZATION_WORDS.isdisjoint(found):
        return True
    return found[-1] in _DOUBTFUL_WORDS and (len(found) > 2 or found[0] in _KNOWN_BEFORE_DOUBTFUL)


def is_one_organization(text: str) -> bool:
    """Tell whether `and` is a part of one name: Food and Drug Administration."""
    parts = _SEPARATOR.split(text.strip())
    one_word = any(len(part.split()) == 1 for part in parts)
    return len(parts) == 2 and one_word and is_organization(text.replace(" and ", " "))


def split_name(name: str) -> Name:
    """Return family and given name; organisations and single names are not split."""
    if name.startswith("{") and name.endswith("}"):
        return Name(name[1:-1], "")
    if "," in name:
        return _split_inverted(name)
    parts = name.split()
    suffix = parts.pop() if len(parts) > 2 and _SUFFIX.fullmatch(parts[-1]) else ""
    is_short = 2 <= len(parts) <= _MAX_NAME_WORDS
    is_person = is_short and name[0].isalpha() and not _EAST_ASIAN.search(name)
    if not is_person or is_organization(name):
        return Name(name, "")
    start = len(parts) - 1
    while start > 1 and parts[start - 1].lower() in PARTICLES:
        start -= 1
    return Name(" ".join(parts[start:]), " ".join(parts[:start]), _with_stop(suffix))


def _split_inverted(name: str) -> Name:
    """Return the parts of `King, Martin Luther, Jr.` and of `Martin Luther King, Jr.`."""
    parts = [part.strip() for part in name.split(",")]
    suffixes = [part for part in parts[1:] if _SUFFIX.fullmatch(part)]
    family, *given = [part for part in parts if part not in suffixes] or [name]
    if suffixes and not given:
        return split_name(family)._replace(suffix=_with_stop(suffixes[0]))
    # `Press, William`: a family name of one word is that of a person
    if len(family.split()) > 1 and is_organization(family):
        return Name(name, "")
    suffix = _with_stop(suffixes[0]) if suffixes else ""
    return Name(family, ", ".join(filter(None, given)), suffix)


def _with_stop(suffix: str) -> str:
    return f"{suffix}." if suffix.lower() in {"jr", "sr"} else suffix
