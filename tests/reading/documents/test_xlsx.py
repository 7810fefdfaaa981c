from datetime import date, datetime, time

import pytest
from openpyxl import Workbook

from tests.reading.documents.reading import read
from tests.reading.documents.samples import relations, saved, workbook, zipped
from webquarry.reading.documents.draft import UnreadableDocument

SHEET = '<sheets><sheet name="S" r:id="r1" xmlns:r="x"/></sheets>'


def book_of(sheet: str, **parts: str) -> bytes:
    """Return a workbook with one sheet, written by hand."""
    links = [("r1", "worksheet", "sheet.xml")]
    links += [(f"r{kind}", kind, f"{kind}.xml") for kind in parts]
    return zipped(
        {
            "xl/workbook.xml": f"<workbook>{SHEET}</workbook>",
            "xl/_rels/workbook.xml.rels": relations(*links),
            "xl/sheet.xml": f"<worksheet><sheetData>{sheet}</sheetData></worksheet>",
            **{f"xl/{kind}.xml": part for kind, part in parts.items()},
        }
    )


def test_sheets_become_tables_with_values_as_shown() -> None:
    found = read(
        workbook(
            {
                "Data|1": [
                    ["name", "when", "n", "ok"],
                    ["a|b", date(2024, 3, 5), 0.1 + 0.2, True],
                    ["two\nlines", datetime(2024, 3, 5, 14, 30), 12345678901234, None],
                    [None, time(9, 5), -1, False],
                ],
                "Empty": [],
                "Other": [["x"], ["y"]],
            }
        )
    )

    assert found.markdown == (
        "## Data|1\n\n| name | when | n | ok |\n| --- | --- | --- | --- |\n"
        "| a\\|b | 2024-03-05 | 0.3 | TRUE |\n"
        "| two<br>lines | 2024-03-05 14:30 | 12345678901234 |  |\n"
        "|  | 09:05 | -1 | FALSE |\n\n"
        "## Other\n\n| x |\n| --- |\n| y |"
    )
    assert found.page_count == 3


def test_percentages_and_custom_date_formats() -> None:
    source = Workbook()
    sheet = source.worksheets[0]
    for row, (value, code) in enumerate(
        [(0.125, "0.0%"), (45356, 'dd/mm/yyyy "at"'), (3, '0 "days"')], 1
    ):
        sheet.cell(row, 1, value).number_format = code

    assert read(saved(source)).markdown == ("## Sheet\n\n| 12.5% |\n| --- |\n| 2024-03-05 |\n| 3 |")


def test_the_result_of_a_formula_is_shown_not_its_source() -> None:
    cells = (
        '<row><c r="A1" t="str"><f>A2&amp;"x"</f><v>done</v></c>'
        '<c r="C1"><f>1+1</f><v>2</v></c></row>'
    )

    assert read(book_of(cells)).markdown == "## S\n\n| done |  | 2 |\n| --- | --- | --- |"


def test_inline_and_shared_strings() -> None:
    cells = (
        '<row><c t="inlineStr"><is><t>in</t></is></c><c t="s"><v>0</v></c><c t="s"><v>9</v></c>'
        "<c><v>1</v></c></row>"
    )
    strings = "<sst><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>guide</t></rPh></si></sst>"

    assert read(book_of(cells, sharedStrings=strings)).markdown == (
        "## S\n\n| in | shared |  | 1 |\n| --- | --- | --- | --- |"
    )


def test_many_rows_are_cut_and_counted() -> None:
    found = read(book_of("".join(f"<row><c><v>{n}</v></c></row>" for n in range(6_000))))

    assert found.markdown.count("\n") == 2 + 5_001
    assert (found.truncated, found.warnings) == (
        True,
        ("sheet 'S': 999 further rows were left out after the first 5,001",),
    )


def test_columns_beyond_the_limit_are_cut_and_reported() -> None:
    found = read(book_of('<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))

    assert (found.markdown, found.truncated) == ("## S\n\n| 1 |\n| --- |", True)


def test_hidden_sheets_and_rows_are_left_out_and_named() -> None:
    source = Workbook()
    sheet = source.worksheets[0]
    for row in range(1, 4):
        sheet.cell(row, 1, f"v{row}")
    sheet.row_dimensions[2].hidden = True
    source.create_sheet("Secret").sheet_state = "hidden"

    found = read(saved(source))

    assert found.markdown == "## Sheet\n\n| v1 |\n| --- |\n| v3 |"
    assert found.warnings == (
        "sheet 'Secret' is hidden and was left out",
        "1 hidden rows were left out",
    )


def test_a_sheet_can_be_chosen() -> None:
    found = read(workbook({"A": [["1"]], "B": [["2"]]}), pages="2")

    assert found.markdown == "## B\n\n| 2 |\n| --- |"


def test_a_damaged_sheet_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="is broken"):
        read(book_of("<row><c>"))


def test_xml_entities_in_a_sheet_are_rejected() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaa">]><worksheet><sheetData/></worksheet>'
    parts = {
        "xl/workbook.xml": f"<workbook>{SHEET}</workbook>",
        "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "sheet.xml")),
        "xl/sheet.xml": bomb,
    }

    with pytest.raises(UnreadableDocument, match="entities of its own"):
        read(zipped(parts))


def test_a_workbook_without_values_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="no values"):
        read(workbook({"A": []}))
