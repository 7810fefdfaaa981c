import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document


def test_values_become_a_table() -> None:
    found = read(b'name,note\n"Smith, J.","a|b"\nLee,"two\nlines"\n\n', "text/csv")

    assert found == Document(
        kind="csv",
        markdown="| name | note |\n| --- | --- |\n| Smith, J. | a\\|b |\n| Lee | two<br>lines |",
        word_count=10,
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_recognised(delimiter: str) -> None:
    rows = [["city", "share"], ["Bonn", "1.5"], ["Köln, Rhein", "2.5"]]
    source = "\n".join(
        delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in row) for row in rows
    )

    assert read(source.encode(), "text/csv").markdown.split("\n")[2:] == [
        "| Bonn | 1.5 |",
        "| Köln, Rhein | 2.5 |",
    ]


def test_decimal_commas_do_not_make_columns() -> None:
    source = b"name;price\nA;1,50\nB;2,50\nC;3,50\n"

    assert read(source, "text/csv").markdown.split("\n")[2] == "| A | 1,50 |"


def test_the_sep_hint_of_excel_is_followed() -> None:
    assert read(b"sep=;\na,a;b\n1;2\n", "text/csv").markdown == (
        "| a,a | b |\n| --- | --- |\n| 1 | 2 |"
    )


def test_legacy_encodings_are_decoded() -> None:
    assert "Größe" in read("Größe;Länge\n1;2\n".encode("cp1252"), "text/csv").markdown


def test_too_many_rows_are_cut_and_counted() -> None:
    source = "n,m\n" + "".join(f"{n},x\n" for n in range(7_000))

    found = read(source.encode(), "text/csv")

    assert found.markdown.count("\n") == 5_001
    assert (found.truncated, found.warnings) == (
        True,
        ("2,000 further rows were left out after the first 5,000",),
    )


def test_short_rows_are_padded() -> None:
    assert read(b"a,b,c\n1\n1,2\n", "text/csv").markdown == (
        "| a | b | c |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 |  |"
    )
