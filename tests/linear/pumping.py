"""Hostile texts for a pattern: a part of what it matches, many times over, and then no match."""

import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from tests.linear.backtracking import Matcher, is_unbounded, parsed
from tests.linear.char_sets import CharSet, Part

_ROUNDS = 24  # how often the shortest text repeats a word
_STEP_LIMIT = 150_000
_MAX_CHARS = 5
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_CHARS = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


def pump(pattern: "re.Pattern[Any]", method: str = "search") -> tuple[str, str, str] | None:
    """Return prefix, repeated word and suffix for which the work grows faster than the text."""
    tree = parsed(pattern)
    shape = _Shape(pattern.flags)
    shape.visit(tree, "")
    matcher = Matcher(pattern)
    for attack in shape.attacks():
        if _is_super_linear(matcher, method, *attack):
            return attack
    return None


def _is_super_linear(matcher: Matcher, method: str, prefix: str, word: str, suffix: str) -> bool:
    """Return whether the work per round grows with the number of rounds."""

    def bend(rounds: int) -> float:
        one, three, two = (
            matcher.steps(prefix + word * (rounds * factor) + suffix, method, _STEP_LIMIT)
            for factor in (1, 3, 2)
        )
        return float("inf") if three >= _STEP_LIMIT else three - 2 * two + one

    rounds = max(8, _ROUNDS // len(word))
    first = bend(rounds)
    return first == float("inf") or (first > rounds and bend(2 * rounds) > 2.5 * first - 1)


class _Shape:
    """What a pattern repeats without bound, and a text that leads there."""

    def __init__(self, flags: int) -> None:
        self._flags = flags
        self._sets: list[CharSet] = []
        self._loops: list[tuple[str, str, list[CharSet]]] = []  # text before, one round, characters

    def visit(self, tree: Any, before: str, *, loops: tuple[list[CharSet], ...] = ()) -> str:
        """Collect from a sequence; return a short text that it matches after `before`."""
        for part in tree:
            before = self._visit_part(part, before, loops)
        return before

    def attacks(self) -> "Iterator[tuple[str, str, str]]":
        """Return prefix, repeated word and suffix of hostile texts, the likely ones first."""
        suffixes = ("", self._unlike(), "\n")
        found: dict[tuple[str, str], None] = {}
        for before, once, sets in self._loops:
            chars = self._chars(sets)
            pairs = ["".join(pair) for pair in permutations(chars[:3], 2)]
            words = [*chars, once, *pairs, before + once, before, *(before + c for c in chars[:2])]
            found |= dict.fromkeys(product(("", before), words))
            found |= dict.fromkeys(product((before + once, suffixes[1]), chars[:2]))
        likely = self._chars([each for *_, sets in self._loops for each in sets])[:4]
        literal = self._chars(self._sets)[:5]
        pairs = permutations(dict.fromkeys([*likely, *literal]), 2)
        found |= dict.fromkeys(("", first + second) for first, second in pairs)
        for prefix, word in found:
            if word:
                yield from product((prefix,), (word,), suffixes)

    def _visit_part(self, part: Part, before: str, loops: tuple[list[CharSet], ...]) -> str:
        name, value = str(part[0]), part[1]
        if name in _CHARS:
            return before + self._char(part, loops)
        if name in _REPEATS:
            return self._repeat(part, before, loops)
        if name == "SUBPATTERN":
            return self._group(value, before, loops)
        if name == "BRANCH":
            first, *_ = [self.visit(branch, before, loops=loops) for branch in value[1]]
            return first
        if name == "ATOMIC_GROUP":
            return self.visit(value, before, loops=loops)
        if name in {"ASSERT", "ASSERT_NOT"}:
            self.visit(value[1], before, loops=loops)
        return before

    def _char(self, part: Part, loops: tuple[list[CharSet], ...]) -> str:
        accepted = CharSet(part, self._flags)
        for sets in (self._sets, *loops):
            sets.append(accepted)
        return next((char for char in accepted.samples() if char in accepted), "")

    def _group(self, value: Any, before: str, loops: tuple[list[CharSet], ...]) -> str:
        flags, self._flags = self._flags, (self._flags | value[1]) & ~value[2]
        after = self.visit(value[3], before, loops=loops)
        self._flags = flags
        return after

    def _repeat(self, part: Part, before: str, loops: tuple[list[CharSet], ...]) -> str:
        least, _, tree = part[1]
        own: list[CharSet] = []
        once = self.visit(tree, before, loops=(*loops, own))[len(before) :]
        if is_unbounded(part):
            self._loops.append((before, once, own))
        return before + once * min(least, 6)

    def _chars(self, sets: list[CharSet]) -> list[str]:
        """Return characters of a loop, one of each kind, those first that most parts accept."""
        kinds: dict[tuple[bool, ...], str] = {}
        for char in dict.fromkeys(char for each in self._sets for char in each.samples()):
            if any(char in each for each in sets):
                kind = (char == "\n", *(char in each for each in self._sets))
                kinds.setdefault(kind, char)
        return sorted(kinds.values(), key=lambda c: -sum(c in each for each in self._sets))[
            :_MAX_CHARS
        ]

    def _unlike(self) -> str:
        return min("\x01~\u4e00a0 ", key=lambda char: sum(char in each for each in self._sets))
