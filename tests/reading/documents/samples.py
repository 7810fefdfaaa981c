"""Small documents, written by hand or created with other libraries."""

import io
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zipped(parts: Mapping[str, str | bytes], *, first: Mapping[str, str] | None = None) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (first or {}).items():
            archive.writestr(zipfile.ZipInfo(name), content)  # stored, as formats demand
        for name, content in parts.items():
            # without the time of day, so that every run reads the same bytes
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def saved(document: Any) -> bytes:
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def relations(*entries: tuple[str, str, str]) -> str:
    outside = ' TargetMode="External"'
    listed = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"'
        f"{outside if '://' in target else ''}/>"
        for name, kind, target in entries
    )
    return f'<Relationships xmlns="{_REL}">{listed}</Relationships>'


def docx(body: str, **parts: str) -> bytes:
    """Return a Word file with that body; further parts by the names of their relations."""
    links = [(f"r{kind}", kind, f"{kind}.xml") for kind in parts if kind != "links"]
    held = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {W} {R}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(
            *links, *([("rLink", "hyperlink", parts["links"])] if "links" in parts else [])
        ),
    }
    held |= {f"word/{kind}.xml": part for kind, part in parts.items() if kind != "links"}
    return zipped(held)


def paragraph(text: str, layout: str = "", font: str = "") -> str:
    return (
        f"<w:p><w:pPr>{layout}</w:pPr><w:r><w:rPr>{font}</w:rPr>"
        f'<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def pdf(
    *pages: Callable[[Any], None], title: str = "", author: str = "", password: str | None = None
) -> bytes:
    """Return a PDF whose pages are drawn by the functions."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    target = io.BytesIO()
    lock = StandardEncryption(password) if password else None
    canvas = Canvas(target, pagesize=A4, encrypt=lock, invariant=True)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def lines(*texts: str, top: float = 760, left: float = 72, size: float = 11,
          font: str = "Helvetica") -> Callable[[Any], None]:  # fmt: skip
    """Draw lines one below the other."""

    def draw(canvas: Any) -> None:
        canvas.setFont(font, size)
        for place, text in enumerate(texts):
            canvas.drawString(left, top - place * 1.3 * size, text)

    return draw


def together(*parts: Callable[[Any], None]) -> Callable[[Any], None]:
    def draw(canvas: Any) -> None:
        for part in parts:
            part(canvas)

    return draw


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    return saved(book)


def epub(chapters: Mapping[str, str], *, package: str = "", **parts: str | bytes) -> bytes:
    """Return a book with the chapters in the order of the mapping, packed in reverse."""
    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    held: dict[str, str | bytes] = {
        "META-INF/container.xml": (
            '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
        ),
        "OEBPS/book.opf": (
            '<package xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "<metadata><dc:title>A Book</dc:title><dc:creator>Ann</dc:creator>"
            "<dc:creator>Bob</dc:creator><dc:language>en</dc:language><dc:date>1999-05</dc:date>"
            f"</metadata><manifest>{items}{package}</manifest>"
            f'<spine toc="ncx">{spine}</spine></package>'
        ),
    }
    for name in reversed(list(chapters)):
        held[f"OEBPS/text/{name}.xhtml"] = f"<html><body>{chapters[name]}</body></html>"
    held |= {name.replace("__", "/").replace("_dot_", "."): part for name, part in parts.items()}
    return zipped(held, first={"mimetype": "application/epub+zip"})


def odt(body: str, styles: str = "", *, named_styles: str = "", **parts: str) -> bytes:
    """Return a text document; named styles are in a part of their own."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "style", "draw")
    )
    spaces += (
        ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink"'
        ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
        ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    )
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    held = {"content.xml": content, **{f"{name}.xml": part for name, part in parts.items()}}
    if named_styles:
        held["styles.xml"] = (
            f"<office:document-styles {spaces}>{named_styles}</office:document-styles>"
        )
    return zipped(held, first={"mimetype": "application/vnd.oasis.opendocument.text"})


def ods(rows: str, *, style: str = "", **parts: str) -> bytes:
    """Return a spreadsheet of one table."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "meta", "style")
    )
    content = (
        f"<office:document-content {names}>{style}<office:body><office:spreadsheet>"
        f'<table:table table:name="Owls">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    mimetype = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}
    return zipped(
        {"META-INF/manifest.xml": "<manifest/>", "content.xml": content, **parts}, first=mimetype
    )


def xls(sheets: Mapping[str, Sequence[Sequence[str | float]]], *, hidden: str = "") -> bytes:
    """Return a workbook of Excel 97 (BIFF8 in an OLE compound file)."""
    bodies = [
        _biff_start(0x10) + b"".join(_biff_cells(rows)) + _biff(0x0A) for rows in sheets.values()
    ]

    def directory(offsets: Sequence[int]) -> bytes:
        entries = (
            _biff(0x85, struct.pack("<IBBBB", at, name == hidden, 0, len(name), 0) + name.encode())
            for name, at in zip(sheets, offsets, strict=True)
        )
        return _biff_start(0x05) + b"".join(entries) + _biff(0x0A)

    offset = len(directory([0] * len(sheets)))
    offsets = [offset + sum(map(len, bodies[:n])) for n in range(len(bodies))]
    return compound_file("Workbook", directory(offsets) + b"".join(bodies))


def _biff(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _biff_start(kind: int) -> bytes:
    return _biff(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 0, 0, 0))


def _biff_cells(rows: Sequence[Sequence[str | float]]) -> Iterator[bytes]:
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            place = struct.pack("<HHH", row, column, 0)
            if isinstance(value, str):
                yield _biff(0x204, place + struct.pack("<HB", len(value), 0) + value.encode())
            else:
                yield _biff(0x203, place + struct.pack("<d", value))


def compound_file(name: str, stream: bytes) -> bytes:
    """Return an OLE compound file with one stream."""
    none, end, fat_sector = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    sectors = len(stream) // 512
    fat = [fat_sector, end, *range(3, 2 + sectors), end]
    fat += [none] * (128 - len(fat))

    def entry(name: str, kind: int, start: int, size: int, child: int = none) -> bytes:
        text = name.encode("utf-16-le") + b"\0\0"
        head = text.ljust(64, b"\0") + struct.pack("<HBBIII", len(text), kind, 1, none, none, child)
        return head + b"\0" * 36 + struct.pack("<IQ", start, size)

    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, end, 0, end, 0)
    header += struct.pack("<109I", 0, *[none] * 108)
    directory = entry("Root Entry", 5, end, 0, 1) + entry(name, 2, 2, len(stream))
    return header + struct.pack("<128I", *fat) + directory.ljust(512, b"\0") + stream


def xlsb(rows: Sequence[Sequence[str | float]]) -> bytes:
    """Return a binary workbook of one sheet."""
    sheet = _brt(129) + _brt(148, struct.pack("<4I", 0, len(rows), 0, 9)) + _brt(145)
    for number, values in enumerate(rows):
        sheet += _brt(0, struct.pack("<I13x", number))
        for column, value in enumerate(values):
            place = struct.pack("<II", column, 0)
            if isinstance(value, str):
                sheet += _brt(6, place + _wide(value))
            else:
                sheet += _brt(5, place + struct.pack("<d", value))
    entry = struct.pack("<II", 0, 1) + _wide("r1") + _wide("Owls")
    return zipped(
        {
            "xl/workbook.bin": _brt(131) + _brt(143) + _brt(156, entry) + _brt(144) + _brt(132),
            "xl/_rels/workbook.bin.rels": relations(("r1", "worksheet", "worksheets/sheet1.bin")),
            "xl/worksheets/sheet1.bin": sheet + _brt(146) + _brt(130),
        }
    )


def _brt(kind: int, data: bytes = b"") -> bytes:
    assert len(data) < 128
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return head + bytes([len(data)]) + data


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")
