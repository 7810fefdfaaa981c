"""Small documents, made by hand or by programs other than ours."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
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


def odt(body: str, styles: str = "", **parts: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "style", "draw")
    )
    spaces += (
        ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink"'
        ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    )
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    held = {"content.xml": content, **{f"{name}.xml": part for name, part in parts.items()}}
    return zipped(held, first={"mimetype": "application/vnd.oasis.opendocument.text"})
