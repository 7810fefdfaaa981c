"""The few things about style sheets that decide whether text can be seen."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_NAME = re.compile(r"([.#])([\w-]+)")
_ASKED = re.compile(r"[.#]([\w-]+)")
_SEEN_MEDIA = re.compile(r"@media\s*(only\s+)?(all|screen)\s*$", re.IGNORECASE)
MAX_SHEET = 400_000
_KEPT_SHEET = 65_536  # characters: pages of one site bring the same sheets
_USUAL = 200  # characters of a selector
_MAX_FILED = 1000  # rules about one class, id or tag


class Piece(NamedTuple):
    """One rule as written: where it stands, its selectors and its declarations."""

    order: int
    selectors: str
    body: str


@dataclass(frozen=True, slots=True)
class Compound:
    """One simple selector: a tag, ids and classes an element must have."""

    tag: str
    ids: frozenset[str]
    classes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector, outermost part first, with the declarations it sets."""

    path: tuple[Compound, ...]
    weight: tuple[int, int, int, int]  # ids, classes, tags, order: the later and heavier wins
    declarations: dict[str, str]
    around: frozenset[str]  # classes and ids that elements further out must have


@dataclass(slots=True)
class Sheet:
    """Rules that may hide text, found by what their last part asks for."""

    by_id: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    by_class: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    by_tag: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    _known: dict[tuple[Compound, ...], Rule] = field(
        default_factory=dict[tuple[Compound, ...], Rule]
    )

    def add(self, rule: Rule) -> None:
        """File the rule under its most telling part; one written again adds to the first."""
        last = rule.path[-1]
        if last.ids:
            filed = self.by_id.setdefault(min(last.ids), [])
        elif last.classes:
            filed = self.by_class.setdefault(min(last.classes), [])
        else:
            filed = self.by_tag.setdefault(last.tag, [])
        known = self._known.get(rule.path)
        if known is not None:
            known.declarations.update(rule.declarations)
        elif len(filed) < _MAX_FILED:
            self._known[rule.path] = rule
            filed.append(rule)


def declarations_of(style: str) -> dict[str, str]:
    """Return property -> value of a declaration block, lower case; `!important` wins."""
    found: dict[str, str] = {}
    firm: set[str] = set()
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not value:
            continue
        important = value.endswith("!important")
        if name not in firm or important:
            found[name] = value.removesuffix("!important").strip()
        if important:
            firm.add(name)
    return found


def pieces_of(source: str) -> tuple[Piece, ...]:
    """Return the rules of a style sheet that apply to a screen."""
    return _kept_pieces(source) if len(source) <= _KEPT_SHEET else tuple(_pieces(source))


@lru_cache(maxsize=64)
def _kept_pieces(source: str) -> tuple[Piece, ...]:
    return tuple(_pieces(source))


def _pieces(source: str) -> Iterator[Piece]:
    text = _COMMENT.sub(" ", source[:MAX_SHEET]) if "/*" in source else source[:MAX_SHEET]
    inside: list[bool] = []  # for each open at-rule, whether what is in it applies
    for order, part in enumerate(text.split("}")):
        head, *rest = part.split("{")
        if not rest:
            del inside[-1:]  # a brace that closes an at-rule
            continue
        while len(rest) > 1:
            inside.append(_applies(head.strip()))
            head, *rest = rest
        if all(inside) and "@" not in head:
            yield Piece(order, head, rest[0])


def sheet_of(
    pieces: Iterable[Piece], names: frozenset[str], wanted: Callable[[str], object]
) -> Sheet:
    """File the wanted rules that ask only for these classes and ids, under what they ask for."""
    sheet = Sheet()
    for order, selectors, body in pieces:
        if "," not in selectors and not names.issuperset(_asked(selectors)):
            continue  # most rules of a page are for other pages of its site
        able = [part for part in selectors.split(",") if names.issuperset(_asked(part))]
        if not able or not wanted(body):
            continue
        for path in map(_path, able):
            if path:
                declarations = declarations_of(body)  # each rule may be added to later
                around = frozenset[str]().union(*(part.ids | part.classes for part in path[:-1]))
                sheet.add(Rule(path, _weight(path, order), declarations, around))
    return sheet


def _asked(selector: str) -> frozenset[str]:
    """Return the classes and ids that a selector names."""
    if len(selector) <= _USUAL:
        return _kept_asked(selector)
    return frozenset(_ASKED.findall(selector))


@lru_cache(maxsize=4096)  # the rules of a site come back with every page of it
def _kept_asked(selector: str) -> frozenset[str]:
    return frozenset(_ASKED.findall(selector))


def _applies(head: str) -> bool:
    if head.lower().startswith("@media"):
        return bool(_SEEN_MEDIA.match(head))
    return head.lower().startswith(("@supports", "@layer", "@container"))


def _path(selector: str) -> tuple[Compound, ...]:
    """Return the parts of a selector, or nothing for those with conditions we do not judge."""
    path: list[Compound] = []
    for part in selector.replace(">", " ").split():
        match = _COMPOUND.fullmatch(part)
        if match is None or not part:
            return ()
        names = _NAME.findall(match[2])
        path.append(
            Compound(
                (match[1] or "*").lower(),
                frozenset(name for sign, name in names if sign == "#"),
                frozenset(name for sign, name in names if sign == "."),
            )
        )
    return tuple(path[-4:])


def _weight(path: tuple[Compound, ...], order: int) -> tuple[int, int, int, int]:
    return (
        sum(len(part.ids) for part in path),
        sum(len(part.classes) for part in path),
        sum(part.tag != "*" for part in path),
        order,
    )
