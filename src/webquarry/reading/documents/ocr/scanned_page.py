"""Turns recognized words into the words of a page, so that a scan is read like any other page."""

import re
from collections.abc import Iterator, Sequence
from statistics import median

from webquarry.reading.documents.ocr.recognized import RecognizedLine, RecognizedWord
from webquarry.reading.documents.pdf.glyphs import Glyphs, PlacedWord, WordRun
from webquarry.reading.documents.pdf.page_rules import PageRules

_EM = 0.93  # of the height of a line's box
_BASELINE = 0.25  # of that height, above the lower edge
_USUAL = (0.82, 1.25)  # times the median: sizes of ordinary text, whose boxes vary
_COLUMN_GAP = 1.0  # em between the runs of a line
_SPACE = 0.12  # em
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]")


def page_of(
    lines: Sequence[RecognizedLine], rules: PageRules, scale: float, height: float
) -> Glyphs:
    """Return the page in points, of which a pixel has `scale`; y grows upwards."""
    runs = [run for line in lines for run in _runs(line, scale, height)]
    if runs:
        usual = median([run.size for run in runs for _ in run.words])
        for run in runs:
            if _USUAL[0] * usual <= run.size <= _USUAL[1] * usual:
                run.size = usual
    return Glyphs(runs=runs, height=height, rules=rules)


def confidence_of(lines: Sequence[RecognizedLine]) -> float:
    """Return the mean confidence of the characters, 0 to 1."""
    words = [word for line in lines for word in line]
    size = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / size if size else 0.0


def _runs(line: RecognizedLine, scale: float, height: float) -> Iterator[WordRun]:
    top = min(word.top for word in line)
    bottom = max(word.bottom for word in line)
    size = max(_EM * (bottom - top) * scale, 1.0)
    y = height - (bottom - _BASELINE * (bottom - top)) * scale
    run: WordRun | None = None
    for word in _joined(line, size / scale):
        x0, x1 = word.left * scale, word.right * scale
        placed = PlacedWord(word.text, x0, x1)
        if run is None or x0 - run.x1 >= _COLUMN_GAP * size:
            if run:
                yield run
            run = WordRun(word.text, x0, x1, y, size, words=[placed])
        else:
            run.text += f" {word.text}"
            run.x1 = max(run.x1, x1)
            run.words.append(placed)
    if run:
        yield run


def _joined(line: RecognizedLine, em: float) -> list[RecognizedWord]:
    """Join Chinese and Japanese characters, which have boxes of their own, to words."""
    words: list[RecognizedWord] = []
    for word in line:
        last = words[-1] if words else None
        if last and _is_one(last, word, em):
            words[-1] = last._replace(
                text=last.text + word.text,
                right=word.right,
                confidence=min(last.confidence, word.confidence),
            )
        else:
            words.append(word)
    return words


def _is_one(last: RecognizedWord, word: RecognizedWord, em: float) -> bool:
    if word.left - last.right > _COLUMN_GAP * em:
        return False
    return bool(_CJK.match(last.text[-1]) and _CJK.match(word.text))
