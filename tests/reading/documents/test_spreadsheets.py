"""Spreadsheets of other formats than xlsx."""

import pytest

from tests.reading.documents.reading import read
from tests.reading.documents.samples import ods, xls, xlsb, zipped
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.draft import EncryptedDocument, UnreadableDocument

TABLE = "## Owls\n\n| name | n |\n| --- | --- |\n| Ada | 1 |\n| b\\|c | 0.3 |"
ROWS = (("name", "n"), ("Ada", 1.0), ("b|c", 0.1 + 0.2))


def cell(kind: str, shown: str, **attributes: str) -> str:
    more = "".join(f' office:{name.replace("_", "-")}="{v}"' for name, v in attributes.items())
    return (
        f'<table:table-cell office:value-type="{kind}"{more}><text:p>{shown}</text:p>'
        "</table:table-cell>"
    )


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def test_sheets_of_an_old_workbook_become_tables() -> None:
    found = read(xls({"Owls": ROWS, "Empty": (), "Secret": (("x",),)}, hidden="Secret"))

    assert (found.kind, found.markdown, found.page_count) == ("xls", TABLE, 3)
    assert found.warnings == ("sheet 'Secret' is hidden and was left out",)


def test_binary_workbooks_are_read() -> None:
    found = read(xlsb(ROWS))

    assert (found.kind, found.markdown) == ("xlsb", TABLE)


def test_open_document_spreadsheets_are_read_with_their_metadata() -> None:
    values = row(
        cell("string", "x"),
        cell("boolean", "WAHR", boolean_value="true"),
        cell("date", "5.3.24", date_value="2024-03-05"),
        cell("date", "5.3.24", date_value="2024-03-05T14:30:00"),
        cell("float", "1,50", value="1.5"),
    )
    names = 'xmlns:office="o" xmlns:dc="d" xmlns:meta="m"'
    meta = f"<x {names}><office:meta><dc:title>Counts</dc:title></office:meta></x>"

    found = read(ods(values, **{"meta.xml": meta}))

    assert (found.kind, found.title, found.page_count) == ("ods", "Counts", 1)
    assert found.markdown == (
        "## Owls\n\n| x | TRUE | 2024-03-05 | 2024-03-05 14:30 | 1.5 |\n"
        "| --- | --- | --- | --- | --- |"
    )


def test_a_sheet_can_be_chosen() -> None:
    found = read(xls({"A": (("1",),), "B": (("2",),)}), pages="2")

    assert found.markdown == "## B\n\n| 2 |\n| --- |"


def test_many_rows_are_cut_and_counted() -> None:
    found = read(xlsb([(float(n),) for n in range(5_100)]))

    assert found.markdown.count("\n") == 2 + 5_001
    assert (found.truncated, found.warnings) == (
        True,
        ("sheet 'Owls': 99 further rows were left out after the first 5,001",),
    )


def test_a_workbook_without_values_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="no values"):
        read(xls({"A": ()}))


def test_a_damaged_workbook_is_an_error() -> None:
    whole = xls({"Owls": ROWS})

    with pytest.raises(UnreadableDocument, match="is broken"):
        read(whole[:1600])


def test_a_zip_bomb_is_rejected_before_it_is_unpacked() -> None:
    mimetype = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}

    with pytest.raises(UnreadableDocument, match="zip bomb"):
        read(zipped({"content.xml": b"0" * (9 * 2**20)}, first=mimetype))


def test_encrypted_spreadsheets_are_rejected() -> None:
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>'
        "</manifest:file-entry></manifest:manifest>"
    )

    with pytest.raises(EncryptedDocument, match="password"):
        read(ods("", **{"META-INF/manifest.xml": manifest}))


@pytest.mark.anyio
async def test_the_sandboxed_worker_reads_spreadsheets() -> None:
    documents = DocumentReader()
    try:
        found = await documents.read(xls({"Owls": ROWS}), content_type="", url="https://a.test/x")
    finally:
        await documents.aclose()

    assert found.markdown == TABLE
