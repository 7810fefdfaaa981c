"""The difference of two short texts, word by word."""

import re
from collections.abc import Iterable, Iterator, Sequence

from webquarry.models.changes import DiffPart

MAX_WORDS = 3_000
# numbers keep their separators, so that 1,299.00 is one word
_TOKEN = re.compile(
    r"\d++(?:[.,:/]\d++)*+(?![^\W\d_])|[^\W_]++(?:['\u2019][^\W_]++)*+|\s++|\w|[^\w\s]"
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def tokens_of(text: str) -> list[str]:
    """Return the words, numbers, spaces and signs of a text, which together are the text."""
    found = _TOKEN.findall(text)
    if not _UNSPACED.search(text):
        return found
    return [part for token in found for part in (token if _UNSPACED.match(token) else (token,))]


def word_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """Return the parts that both texts have, and those that only one of them has."""
    left, right = tokens_of(before), tokens_of(after)
    if not left or not right or max(len(left), len(right)) > MAX_WORDS:
        return _parts([("delete", before), ("insert", after)] if before != after else
                      [("equal", before)])  # fmt: skip
    return _parts(_operations(left, right))


def words_changed(parts: Sequence[DiffPart]) -> int:
    """Return how many words and numbers were deleted or inserted, whichever is more."""
    counts = {"delete": 0, "insert": 0}
    for part in parts:
        if part.op != "equal":
            counts[part.op] += sum(token[0].isalnum() for token in tokens_of(part.text))
    return max(counts.values())


def _operations(left: list[str], right: list[str]) -> Iterator[tuple[str, str]]:
    from rapidfuzz.distance import LCSseq

    for code in LCSseq.opcodes(left, right):
        if code.tag == "equal":
            yield "equal", "".join(left[code.src_start : code.src_end])
            continue
        yield "delete", "".join(left[code.src_start : code.src_end])
        yield "insert", "".join(right[code.dest_start : code.dest_end])


def _parts(operations: "Iterable[tuple[str, str]]") -> tuple[DiffPart, ...]:
    """Join adjacent parts; a space between two changed words belongs to the change."""
    parts: list[list[str]] = []  # equal, deleted, inserted
    for op, text in operations:
        if not text:
            continue
        if op != "equal":
            if not parts or parts[-1][0]:
                parts.append(["", "", ""])
            parts[-1][1 if op == "delete" else 2] += text
        elif parts and parts[-1][0]:
            parts[-1][0] += text
        elif parts and not text.strip() and all(parts[-1][1:]):
            parts[-1][1] += text
            parts[-1][2] += text
        else:
            parts.append([_shared_end(parts) + text, "", ""])
    return tuple(_written(parts))


def _shared_end(parts: list[list[str]]) -> str:
    """Take the white space off that the deleted and the inserted words of a change end with."""
    if not parts:
        return ""
    deleted, inserted = parts[-1][1:]
    spaces = deleted[len(deleted.rstrip()) :]
    if not spaces or not inserted.endswith(spaces) or spaces in (deleted, inserted):
        return ""
    parts[-1][1:] = [deleted[: -len(spaces)], inserted[: -len(spaces)]]
    return spaces


def _written(parts: list[list[str]]) -> Iterator[DiffPart]:
    for equal, deleted, inserted in parts:
        if equal:
            yield DiffPart(op="equal", text=equal)
        if deleted:
            yield DiffPart(op="delete", text=deleted)
        if inserted:
            yield DiffPart(op="insert", text=inserted)
