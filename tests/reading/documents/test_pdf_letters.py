from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from reportlab.pdfbase.ttfonts import TTFont

from tests.reading.documents.reading import read
from tests.reading.documents.samples import lines, pdf, together
from webquarry.reading.documents.pdf.glyphs import WordRun
from webquarry.reading.documents.pdf.layout import page_columns
from webquarry.reading.documents.pdf.reading_direction import in_reading_order, is_right_to_left

register: Any = import_module("reportlab.pdfbase.pdfmetrics").registerFont
_DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def pieces(*parts: tuple[str, float], y: float = 700, font: str = "Helvetica") -> Any:
    """Draw texts at places of one line, each as an object of its own."""

    def draw(canvas: Any) -> None:
        canvas.setFont(font, 12)
        for text, x in parts:
            canvas.drawString(x, y, text)

    return draw


def arabic(*words: tuple[str, float]) -> Callable[[Any], None]:
    """Draw words as they stand on the page: their letters from left to right."""
    try:
        register(TTFont("DejaVu", _DEJAVU))
    except OSError:
        pytest.skip("the font DejaVu Sans is not installed")
    return pieces(*((word[::-1], x) for word, x in words), font="DejaVu")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("no such letters, 1 2", "no such letters, 1 2"),
        ("ג ב א", "א ב ג"),
        ("ד 12 (in English) א", "א (in English) 12 ד"),
        ("see ב א page 3", "see א ב page 3"),
        ("see ב א", "see א ב"),
        ("בדגה one", "one בדגה"),
        ("ג 2 1 ב א", "א ב 1 2 ג"),
    ],
)
def test_words_are_read_in_the_direction_of_their_line(line: str, expected: str) -> None:
    assert in_reading_order(line) == expected


def test_a_page_is_read_from_right_to_left_if_most_of_its_texts_are() -> None:
    assert is_right_to_left(["אב", "גד", "1 2"])
    assert not is_right_to_left(["אב", "one", "1 2"])


def test_lines_of_arabic_are_read_from_right_to_left() -> None:
    found = read(pdf(arabic(("سلام", 300), ("دنیا", 250), ("21", 200))))

    assert found.markdown == "سلام دنیا 12"


def test_arabic_words_that_touch_in_the_text_of_the_file_are_separate() -> None:
    found = read(pdf(together(arabic(("سلام", 254), ("دنیا", 225)), lines("Latin text.", top=600))))

    assert found.markdown == "سلام دنیا\n\nLatin text."


@pytest.mark.parametrize(
    ("text", "expected"),
    [("and some words of prose", ["left", "right"]), ("ושוב כמה מלים כאן", ["right", "left"])],
)
def test_columns_are_read_in_the_direction_of_their_text(text: str, expected: list[str]) -> None:
    runs = [
        WordRun(f"{side} {text}", x, x + 200, 700 - 14 * at, 10)
        for side, x in (("left", 60), ("right", 330))
        for at in range(8)
    ]

    columns = page_columns([runs])[0]

    sides = [
        next(side for side in ("left", "right") if side in column[0].text) for column in columns
    ]
    assert sides == expected


def test_accents_that_are_painted_over_letters_are_joined_with_them() -> None:
    def draw(canvas: Any) -> None:
        text = canvas.beginText(72, 700)
        text.setFont("Helvetica", 12)
        # as TeX: the accent, back by its width, the letter
        # reportlab has no method for it
        text._code.append(  # noqa: SLF001
            r"[(Br) -60 (\250) 393 (oker, P) -110 (\264) 443 (eter)] TJ"
        )
        canvas.drawText(text)

    assert read(pdf(draw)).markdown == "Bröker, Péter"


def test_a_lone_accent_stays() -> None:
    assert read(pdf(lines("Type \u00b4 or \u00a8 for accents."))).markdown == (
        "Type \u00b4 or \u00a8 for accents."
    )


def test_numerator_and_denominator_are_not_one_word() -> None:
    def draw(canvas: Any) -> None:
        lines("The derivative", "is small.", top=700)(canvas)
        canvas.setFont("Helvetica", 7)
        canvas.drawString(150, 703, "dy")
        canvas.drawString(150, 696, "dx")

    assert "dydx" not in read(pdf(draw)).markdown


def test_page_numbers_of_a_table_of_contents_are_kept() -> None:
    def contents(*titles: str) -> Callable[[Any], None]:
        def draw(canvas: Any) -> None:
            canvas.drawString(72, 800, "CONTENTS")
            canvas.drawString(520, 800, str(len(titles[0])))
            for at, title in enumerate(titles):
                canvas.drawString(72, 770 - 24 * at, title)
                canvas.drawString(520, 770 - 24 * at, str(10 + len(title)))

        return draw

    found = read(
        pdf(
            contents("Batch", "Canvas size", "Command line", "Comments"),
            contents("Coordinates", "Datastrings", "Escape sequences"),
            contents("Environment", "Expressions", "Functions", "Operators"),
        )
    )

    assert "Canvas size 21" in found.markdown.replace(" | ", " ")
    assert "CONTENTS" not in found.markdown
