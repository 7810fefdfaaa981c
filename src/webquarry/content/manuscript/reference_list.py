"""Finds the reference list and the footnotes of a manuscript, and takes their entries apart."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webquarry.content.citations.author_names import PARTICLES
from webquarry.content.citations.reference_fields import ReferenceFields, reference_fields
from webquarry.content.manuscript.case_entries import case_citation
from webquarry.content.manuscript.list_end import YEAR, continues_entry, end_of_list
from webquarry.content.manuscript.manuscript_blocks import ManuscriptBlock
from webquarry.content.manuscript.manuscript_model import PART_NAMES, ReferenceEntry, Span

_LIST_TITLE = re.compile(
    r"(?:[\dIVXA-Z]{1,4}[.):]?\s)?(?:list of )?(?:cited )?"
    r"(?:references?(?: list| cited| and notes)?"
    r"|bibliography|works cited|literature(?: cited)?|sources|citations|end ?notes|notes"
    r"|literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?|r[ée]f[ée]rences|bibliographie"
    r"|bibliograf[íi]a|referencias|referenze|literatuur)\s*:?",
    re.IGNORECASE,
)
_NOTE_WORK = re.compile(r"\b(?:1[5-9]|20)\d\d\b|https?://|\bdoi\b|\bibid", re.IGNORECASE)
# repeats a work of a note before: Ibid., 4 · Id. at 5 · Stone, supra note 3, at 8
_REPEATS = re.compile(
    r"\W*(?:ibid|ebd|ebenda|id)\b|[^().;]{0,80}\b(?:supra|op\.\s?cit)\b", re.IGNORECASE
)
_SIGNAL = re.compile(r"^\W*(?:See(?:,?\s(?:e\.g\.|also|generally),?)?|Cf\.|But see)\s")
# where one entry of an unnumbered list ends and the next begins, within one block
_NEXT_ENTRY = re.compile(
    r"(?<=[.\d)/])\s(?=[^\W\d_a-z][\w\u2019'-]{1,30}(?:\s[^\W\d_a-z][\w\u2019'-]{1,30})?,\s"
    r"[^\W\d_a-z][.\w])"
)
_ENTRY_YEAR = re.compile(r"[(\s](?:1[5-9]|20)\d\d[a-z]?[).,]")
_INITIAL = re.compile(r"\b[^\W\d_a-z]\.$")
_LOWER_WORD = re.compile(r"(?<![^\s(])[a-z][a-z-]*")
_NAME_WORDS = PARTICLES | {"and", "et", "al", "of", "for", "the", "on", "eds", "ed"}
_MAX_NAMES = 300  # characters before the year of an entry
_EMPHASIS = "*_ "


class ReferenceBlocks(NamedTuple):
    """The blocks of the reference list, and the other ones."""

    entries: list[ManuscriptBlock]
    notes: list[ManuscriptBlock]
    body: list[ManuscriptBlock]


def split_references(text: str, blocks: Sequence[ManuscriptBlock]) -> ReferenceBlocks:
    """Tell the blocks of the reference list and the notes from those of the running text."""
    notes = [block for block in blocks if block.kind == "note"]
    others = [block for block in blocks if block.kind != "note"]
    starts = [number for number, block in enumerate(others) if _is_list_title(text, block)]
    lists = [_list_range(others, start) for start in starts]
    start, end = max(lists, key=_length, default=(len(others), len(others)))
    if start < len(others) and not _has_works(text, others[start + 1 : end]):
        start = end = len(others)
    entries, rest = end_of_list(text, others[start + 1 : end])
    return ReferenceBlocks(entries, notes, [*others[:start], *rest, *others[end:]])


def reference_entries(
    text: str, found: ReferenceBlocks, *, by_layout: bool = False
) -> tuple[ReferenceEntry, ...]:
    """Return the entries of the list, then the notes, in order.

    `by_layout`: blocks are those of a printed page, which may divide and join entries.
    """
    loose = by_layout and _is_author_date(text, found.entries)
    spans = list(_entry_spans(text, found.entries, loose=loose))
    entries = [
        reference_entry(f"ref-{number}", label, text, span)
        for number, (label, span) in enumerate(spans, 1)
    ]
    notes = [_note(f"note-{number}", text, block) for number, block in enumerate(found.notes, 1)]
    return (*entries, *notes)


def _is_list_title(text: str, block: ManuscriptBlock) -> bool:
    if block.kind not in ("heading", "text", "item"):
        return False
    start = block.start if block.kind == "item" else block.span.start
    title = text[start : block.span.end].strip(_EMPHASIS + "\n:")
    return len(title) < 60 and bool(_LIST_TITLE.fullmatch(title))


def _list_range(blocks: Sequence[ManuscriptBlock], start: int) -> tuple[int, int]:
    """Return where a list starts and ends: at the next heading that is not below its own."""
    level = blocks[start].level or 6
    for number in range(start + 1, len(blocks)):
        block = blocks[number]
        if block.kind == "heading" and (block.level <= level or number > start + 1):
            return start, number
    return start, len(blocks)


def _length(found: tuple[int, int]) -> int:
    return found[1] - found[0]


def _has_works(text: str, blocks: Sequence[ManuscriptBlock]) -> bool:
    """Tell whether blocks look like references: a third of them has a year or a link."""
    with_year = sum(bool(_NOTE_WORK.search(text, b.span.start, b.span.end)) for b in blocks)
    return bool(blocks) and 3 * with_year >= len(blocks)


def _is_author_date(text: str, blocks: Sequence[ManuscriptBlock]) -> bool:
    """Tell whether a list without numbers has the years after the names."""
    plain = [block for block in blocks if not block.label and block.kind in ("text", "item")]
    starts = sum(_starts_entry(text, block.span.start, block.span.end) for block in plain)
    starts += sum(len(list(_cuts(text, b.span.start, b.span.end, loose=True))) for b in plain)
    return 3 * starts >= len(plain) > 0 and 2 * len(plain) > len(blocks)


def _entry_spans(
    text: str, blocks: Sequence[ManuscriptBlock], *, loose: bool
) -> Iterator[tuple[str, Span]]:
    """Yield label and place of each entry; blocks that continue one are joined to it."""
    current: tuple[str, Span] | None = None
    for block in blocks:
        if block.kind in ("heading", "code", "table"):
            continue
        for label, span in _block_entries(text, block, loose=loose):
            # the year may be in the next block
            outside = loose and not _starts_entry(text, span.start, len(text))
            if current and not label and (outside or continues_entry(text, current[1], span)):
                current = (current[0], Span(current[1].start, span.end))
                continue
            if current:
                yield current
            current = (label, span)
    if current:
        yield current


def _block_entries(text: str, block: ManuscriptBlock, *, loose: bool) -> Iterator[tuple[str, Span]]:
    """Yield the entries of one block: one, or one for each line of a plain text."""
    start, end = block.span.start, block.span.end
    if block.label:
        yield block.label, block.span
        return
    cuts = _line_starts(text, start, end) or list(_cuts(text, start, end, loose=loose))
    for first, last in zip([start, *cuts], [*cuts, end], strict=True):
        inner = text[first:last]
        left = first + len(inner) - len(inner.lstrip())
        if inner.strip():
            yield "", Span(left, left + len(inner.strip()))


def _cuts(text: str, start: int, end: int, *, loose: bool) -> Iterator[int]:
    """Yield where further entries begin within a block: names and a year after a full stop."""
    last = start
    for match in _NEXT_ENTRY.finditer(text, start, end):
        after_initial = bool(_INITIAL.search(text, max(start, match.start() - 3), match.start()))
        is_next = not after_initial and _starts_entry(text, match.end(), end)
        if is_next and (loose or YEAR.search(text, last, match.start())):
            last = match.end()
            yield last


def _starts_entry(text: str, start: int, end: int) -> bool:
    """Tell whether an entry by author and year starts here: only names before a year."""
    year = _ENTRY_YEAR.search(text, start, min(end, start + _MAX_NAMES))
    if year is None or not text[start : start + 1].isupper():
        return False
    names = text[start : year.start()]
    has_other = any(char.isdigit() or char in '\u201c"?:' for char in names)
    return not has_other and _NAME_WORDS.issuperset(_LOWER_WORD.findall(names))


def _line_starts(text: str, start: int, end: int) -> list[int]:
    """Return where lines begin that are entries of their own; none if lines are wrapped text."""
    lines = text[start:end].split("\n")
    offsets = [start]
    for line in lines[:-1]:
        offsets.append(offsets[-1] + len(line) + 1)
    # an indented line continues the entry above
    starts = [at for at, line in zip(offsets, lines, strict=True) if line[:1].strip()]
    if len(starts) == len(lines) and not all(map(YEAR.search, lines)):
        return []
    return starts[1:]


def reference_entry(entry_id: str, label: str, text: str, span: Span) -> ReferenceEntry:
    """Return the entry at a place of the text, taken apart."""
    written = text[span.start : span.end]
    if _REPEATS.match(written):
        return ReferenceEntry(entry_id, label, written, span, kind="note")
    return _from_fields(entry_id, label, written, span, reference_fields(written))


def _note(note_id: str, text: str, block: ManuscriptBlock) -> ReferenceEntry:
    """Return a footnote: a reference, or a note that names no work."""
    written = text[block.span.start : block.span.end]
    if _REPEATS.match(written) or not _NOTE_WORK.search(written):
        return ReferenceEntry(note_id, block.label, written, block.span, kind="note")
    if case := case_citation(_SIGNAL.sub("", written)):
        return ReferenceEntry(
            note_id, block.label, written, block.span, title=case[0], year=case[1]
        )
    return _from_fields(note_id, block.label, written, block.span, reference_fields(written))


def _from_fields(
    entry_id: str, label: str, written: str, span: Span, fields: ReferenceFields
) -> ReferenceEntry:
    found: dict[str, str] = {name: getattr(fields, name) for name in PART_NAMES}
    return ReferenceEntry(
        id=entry_id,
        label=label,
        text=written,
        span=span,
        authors=fields.authors,
        authors_cut=fields.cut,
        kind=fields.kind,
        **{name: value or None for name, value in found.items()},
    )
