import pytest

from tests.reading.documents.samples import (
    compound_file,
    docx,
    epub,
    ods,
    odt,
    pdf,
    workbook,
    xls,
    xlsb,
    zipped,
)
from webquarry.models.document_content import DocumentKind
from webquarry.reading.documents.document_type import sniff

RSS = b'<?xml version="1.0"?><!-- made by x --><rss version="2.0"><channel/></rss>'
EMBEDDED = "Workbook\0".encode("utf-16-le")  # the name of a stream in the document
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@pytest.mark.parametrize(
    ("data", "content_type", "name", "kind"),
    [
        (pdf(lambda _: None), "text/html", "x", "pdf"),
        (b"\xef\xbb\xbf\n%PDF-1.4\n", None, "x", "pdf"),
        (b"garbage before it %PDF-1.4", "application/pdf", "x", "pdf"),
        (b"An article about the %PDF- mark", "text/plain", "x.txt", "text"),
        (b"<p>About the %PDF- mark", "text/html", "x.pdf", None),
        (docx(""), "application/octet-stream", "x.bin", "docx"),
        (docx(""), "application/zip", "report.pdf", "docx"),
        (workbook({"A": [["x"]]}), None, "x", "xlsx"),
        (zipped({"[Content_Types].xml": "", "ppt/slides/slide1.xml": ""}), None, "x", "pptx"),
        (epub({"a": "x"}), "application/octet-stream", "x", "epub"),
        (odt(""), None, "x", "odt"),
        (zipped({"readme.txt": "x"}), None, "x.docx", "archive"),
        (b"PK\x03\x04 cut off", "application/vnd.openxmlformats", "x.docx", "archive"),
        (OLE, "application/msword", "x.doc", "legacy_office"),
        (xls({"A": [["x"]]}), "application/vnd.ms-excel", "x.xls", "xls"),
        (
            compound_file("WordDocument", "Workbook\0".encode("utf-16-le")),
            None,
            "x",
            "legacy_office",
        ),
        (compound_file("EncryptedPackage", b""), None, "x.xlsx", "legacy_office"),
        (xlsb([["x"]]), None, "x", "xlsb"),
        (ods(""), None, "x", "ods"),
        (b"{\\rtf1 x}", "text/plain", "x", "rtf"),
        (RSS, "text/html", "feed", "feed"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', "application/atom+xml", "x", "feed"),
        (b'<atom:feed xmlns:atom="x"/>', "text/xml", "x", "feed"),
        (b'<rdf:RDF xmlns="http://purl.org/rss/1.0/"/>', None, "x", "feed"),
        ("<rss/>".encode("utf-16"), "text/xml", "x", "feed"),
        (b'<?xml version="1.0"?><html xmlns="x"/>', "application/xhtml+xml", "x", None),
        (b"<!DOCTYPE html><title>x", "text/plain", "x.txt", None),
        (b'<?xml version="1.0"?><urlset/>', "application/xml", "sitemap.xml", "xml"),
        (b'{"a": 1}', "application/json; charset=utf-8", "x", "json"),
        (b'{"a": 1}', "application/ld+json", "x", "json"),
        (b'{"a": 1}', "text/plain", "x", "json"),
        (b"[link] in brackets", "text/plain", "x", "text"),
        (b"{curly} words", "text/plain", "x", "text"),
        (b"a,b\n1,2\n", "text/csv", "x", "csv"),
        (b"a\tb\n", "application/octet-stream", "data.tsv?x=1", "csv"),
        (b"a,b", "text/plain", "data.csv", "csv"),
        (b"# Title", "text/markdown", "x", "markdown"),
        (b"# Title", "text/plain", "README.md", "markdown"),
        (b"words", "text/plain", "x", "text"),
        (b"words", None, "x.txt", "text"),
        (b"words", None, "x", None),
        (b"words", "text/html", "x.txt", None),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png", "x.png", None),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/plain", "x.txt", None),
        (b"", "text/html", "x", None),
    ],
)
def test_the_kind_follows_from_content_then_type_then_name(
    data: bytes, content_type: str | None, name: str, kind: DocumentKind | None
) -> None:
    assert sniff(data, content_type, f"https://example.org/{name}") == kind


def test_an_invalid_url_has_no_extension() -> None:
    assert sniff(b"words", None, "http://[") is None
