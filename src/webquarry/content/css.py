"""The few things about style sheets that decide whether text can be seen."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_RELEVANT = re.compile(
    r"display|visibility|opacity|font-size|text-indent|clip|color|background|height|left\s*:\s*-"
    r"|top\s*:\s*-|scale\(|translate"
)
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_NAME = re.compile(r"([.#])([\w-]+)")
_SEEN_MEDIA = re.compile(r"@media\s*(only\s+)?(all|screen)\s*$", re.IGNORECASE)
MAX_SHEET = 400_000
_MAX_RULES = 6_000


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


@dataclass(slots=True)
class Sheet:
    """Rules that may hide text, found by what their last part asks for."""

    by_id: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    by_class: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    by_tag: dict[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])

    def add(self, rule: Rule) -> None:
        """File the rule under its most telling part."""
        last = rule.path[-1]
        if last.ids:
            self.by_id.setdefault(min(last.ids), []).append(rule)
        elif last.classes:
            self.by_class.setdefault(min(last.classes), []).append(rule)
        else:
            self.by_tag.setdefault(last.tag, []).append(rule)

    def __bool__(self) -> bool:
        return bool(self.by_id or self.by_class or self.by_tag)


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


def sheet_of(sources: list[str]) -> Sheet:
    """Collect the rules of a page's own style sheets that could hide or show text."""
    sheet, order = Sheet(), 0
    for source in sources:
        if not _RELEVANT.search(source):
            continue
        for selectors, body in _rules(_COMMENT.sub(" ", source[:MAX_SHEET])):
            if order > _MAX_RULES:
                return sheet
            if not _RELEVANT.search(body):
                continue
            declarations = declarations_of(body)
            for selector in selectors.split(","):
                order += 1
                path = _path(selector)
                if path:
                    sheet.add(Rule(path, _weight(path, order), declarations))
    return sheet


def _rules(source: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of the rules that apply to a screen."""
    outside: list[bool] = []  # for each open at-rule, whether what is inside applies
    start, opened = 0, -1
    head = ""
    for brace in _BRACE.finditer(source):
        place = brace.start()
        if brace[0] == "{":
            if opened >= 0:  # a block in a block: the outer one is an at-rule
                outside.append(_applies(head))
            head, opened = source[start:place].strip(), place
        elif opened >= 0:
            if all(outside) and not head.startswith("@"):
                yield head, source[opened + 1 : place]
            opened = -1
        elif outside:
            outside.pop()
        start = place + 1


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
