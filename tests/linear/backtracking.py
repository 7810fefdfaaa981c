"""Counts the steps of a backtracking regular-expression engine, independent of the machine.

`re` itself parses the pattern. The result is compiled to instructions that run on an explicit
stack and try alternatives in the order of `re`. One instruction is one step.
"""

import importlib
import re
from collections.abc import Iterator
from typing import Any

from tests.linear.char_sets import CharSet, Part

_parser: Any = importlib.import_module("re._parser")
_LARGE = 256  # repetitions: a larger bound counts as none
_SMALL = 6  # stands for a smaller bound, which only multiplies linear work

Operation = tuple[Any, ...]
Code = list[Operation]
Registers = dict[Any, int]
State = tuple[int, Registers] | None


def parsed(pattern: "re.Pattern[Any]") -> Any:
    """Return the parse tree of a pattern."""
    source = pattern.pattern
    if isinstance(source, bytes):
        return _parser.parse(source.decode("latin-1"), (pattern.flags & ~re.U) | re.A)
    return _parser.parse(source, pattern.flags)


def is_unbounded(repeat: Part) -> bool:
    """Return whether a repetition has no bound, or one that is too large to help."""
    return repeat[1][1] > _LARGE


class Matcher:
    """A pattern whose steps can be counted."""

    def __init__(self, pattern: "re.Pattern[Any]") -> None:
        code = _Compiler(pattern.flags).compiled(parsed(pattern))
        self._code: dict[str, Code] = {
            "search": [*code, ("accept",)],
            "match": [*code, ("accept",)],
            "fullmatch": [*code, ("at", "AT_END_STRING"), ("accept",)],
        }

    def steps(self, text: str, method: str, limit: int) -> int:
        """Return the steps for all matches in a text, `limit` if there are more."""
        run = _Run(text, limit)
        if method == "search":
            for _ in self._found(run, text):
                pass
        else:
            run.match(self._code[method], 0, {})
        return run.steps

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the matches are, as `re.finditer` finds them."""
        return list(self._found(_Run(text, 1_000_000), text))

    def _found(self, run: "_Run", text: str) -> Iterator[tuple[int, int]]:
        start = 0
        while start <= len(text):
            end, _ = run.match(self._code["search"], start, {})
            if end is not None:
                yield start, end
            start = start + 1 if end is None or end <= start else end


class _Run:
    def __init__(self, text: str, limit: int) -> None:
        self.steps = 0
        self._text = text
        self._limit = limit

    def match(self, code: Code, start: int, registers: Registers) -> tuple[int | None, Registers]:
        """Return where the first match ends, and the registers there."""
        text, size = self._text, len(self._text)
        stack = [(0, start, registers)]
        while stack:
            index, at, registers = stack.pop()
            while index >= 0:
                self.steps += 1
                if self.steps >= self._limit:
                    return None, {}
                operation = code[index]
                name = operation[0]
                if name == "char":
                    index = index + 1 if at < size and text[at] in operation[1] else -1
                    at += 1
                elif name == "split":
                    stack.append((index + operation[2], at, registers))
                    index += operation[1]
                elif name == "jump":
                    index += operation[1]
                elif name == "accept":
                    return at, registers
                else:
                    then = getattr(self, f"_{name}")(operation, at, registers)
                    index, at, registers = (
                        (-1, at, registers) if then is None else (index + 1, *then)
                    )
        return None, {}

    def _at(self, operation: Operation, at: int, registers: Registers) -> State:
        return (at, registers) if _holds(operation[1], self._text, at) else None

    def _save(self, operation: Operation, at: int, registers: Registers) -> State:
        return at, {**registers, operation[1]: at}

    def _moved(self, operation: Operation, at: int, registers: Registers) -> State:
        """Leave a loop whose last round matched nothing, as `re` does."""
        return (at, registers) if registers[operation[1]] != at else None

    def _again(self, operation: Operation, at: int, registers: Registers) -> State:
        """Match the text of a group once more."""
        start, end = (registers.get((edge, operation[1])) for edge in ("open", "close"))
        if start is None or end is None:
            return None
        text = self._text[start:end]
        self.steps += len(text)
        return (at + len(text), registers) if self._text.startswith(text, at) else None

    def _atomic(self, operation: Operation, at: int, registers: Registers) -> State:
        end, inner = self.match(operation[1], at, registers)
        return None if end is None else (end, inner)

    def _look(self, operation: Operation, at: int, registers: Registers) -> State:
        _, code, width, is_wanted = operation
        end, inner = self.match(code, at - width, registers) if at >= width else (None, registers)
        if (end is not None) != is_wanted:
            return None
        return at, inner if is_wanted else registers


def _holds(name: str, text: str, at: int) -> bool:
    if name in {"AT_BOUNDARY", "AT_NON_BOUNDARY"}:
        before, after = text[at - 1 : at] if at else "", text[at : at + 1]
        is_boundary = _is_word(before) != _is_word(after)
        return is_boundary == (name == "AT_BOUNDARY")
    if name.startswith("AT_BEGINNING"):
        return at == 0 or (name == "AT_BEGINNING_LINE" and text[at - 1] == "\n")
    rest = text[at : at + 2]
    return (
        rest == ""
        or (name == "AT_END" and rest == "\n")
        or (name == "AT_END_LINE" and rest[0] == "\n")
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


class _Compiler:
    def __init__(self, flags: int) -> None:
        self._flags = flags
        self._loops = 0

    def compiled(self, tree: Any) -> Code:
        """Return the instructions of a sequence; jumps are relative."""
        return [operation for part in tree for operation in self._part(part)]

    def _part(self, part: Part) -> Code:
        name = str(part[0])
        if name in {"LITERAL", "NOT_LITERAL", "ANY", "IN"}:
            return [("char", CharSet(part, self._flags))]
        if name == "AT":
            return [("at", _line_position(str(part[1]), self._flags))]
        return getattr(self, f"_{name.lower()}")(part[1])

    def _branch(self, value: Any) -> Code:
        return self._either([self.compiled(branch) for branch in value[1]])

    def _either(self, branches: list[Code]) -> Code:
        code = branches[-1]
        for branch in reversed(branches[:-1]):
            code = [("split", 1, len(branch) + 2), *branch, ("jump", len(code) + 1), *code]
        return code

    def _subpattern(self, value: Any) -> Code:
        group, added, removed, tree = value
        before, self._flags = self._flags, (self._flags | added) & ~removed
        code = self.compiled(tree)
        self._flags = before
        if group is None:
            return code
        return [("save", ("open", group)), *code, ("save", ("close", group))]

    def _groupref(self, value: Any) -> Code:
        return [("again", value)]

    def _groupref_exists(self, value: Any) -> Code:
        return self._either([self.compiled(tree or ()) for tree in value[1:]])

    def _assert(self, value: Any, *, is_wanted: bool = True) -> Code:
        direction, tree = value
        width = tree.getwidth()[1] if direction < 0 else 0
        return [("look", [*self.compiled(tree), ("accept",)], width, is_wanted)]

    def _assert_not(self, value: Any) -> Code:
        return self._assert(value, is_wanted=False)

    def _atomic_group(self, value: Any) -> Code:
        return [("atomic", [*self.compiled(value), ("accept",)])]

    def _possessive_repeat(self, value: Any) -> Code:
        return [("atomic", [*self._max_repeat(value), ("accept",)])]

    def _min_repeat(self, value: Any) -> Code:
        return self._max_repeat(value, is_greedy=False)

    def _max_repeat(self, value: Any, *, is_greedy: bool = True) -> Code:
        least, most, tree = value
        body = self.compiled(tree)
        code = body * min(least, _SMALL)
        if most > _LARGE:
            return code + self._loop(body, is_nullable=tree.getwidth()[0] == 0, is_greedy=is_greedy)
        rest: Code = []
        for _ in range(min(most, max(_SMALL, 1)) - min(least, _SMALL)):
            rest = [_choice(1, len(body) + len(rest) + 1, is_greedy=is_greedy), *body, *rest]
        return code + rest

    def _loop(self, body: Code, *, is_nullable: bool, is_greedy: bool) -> Code:
        if is_nullable:
            self._loops += 1
            name = ("loop", self._loops)
            body = [("save", name), *body, ("moved", name)]
        return [_choice(1, len(body) + 2, is_greedy=is_greedy), *body, ("jump", -len(body) - 1)]


def _choice(first: int, second: int, *, is_greedy: bool) -> Operation:
    return ("split", first, second) if is_greedy else ("split", second, first)


def _line_position(name: str, flags: int) -> str:
    is_line = flags & re.M and name in {"AT_BEGINNING", "AT_END"}
    return f"{name}_LINE" if is_line else name
