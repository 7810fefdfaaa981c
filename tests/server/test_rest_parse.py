"""`POST /v1/parse`: a document of the caller."""

import base64
import io
import zipfile
from typing import Any

import pytest

from tests.server.rest_client import rest_client
from tests.support import services

pytestmark = pytest.mark.anyio
PARSE = "/v1/parse"


async def parse(name: str, data: bytes, **fields: str) -> tuple[int, dict[str, Any]]:
    built = services()
    async with rest_client(built) as client:
        response = await client.post(PARSE, files={"file": (name, data)}, data=fields)
    await built.documents.aclose()
    return response.status_code, response.json()


async def test_an_uploaded_document_is_read_whole() -> None:
    text = "Owls hunt at night. " * 900

    status, body = await parse("owls.txt", text.encode())

    assert (status, body["url"], body["contentType"]) == (200, "owls.txt", "text")
    assert (body["content"], body["truncated"]) == (text.strip(), False)


async def test_the_parts_of_a_document_are_named() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.md", "# Owls")
        archive.writestr("b.csv", "x,y\n1,2\n")

    status, body = await parse("all.zip", target.getvalue())

    assert (status, body["content"]) == (
        200,
        "# a.md\n\n# Owls\n\n# b.csv\n\n| x | y |\n| --- | --- |\n| 1 | 2 |",
    )
    assert body["_meta"]["document"] == {
        "pageCount": 2,
        "outline": [
            {"level": 1, "title": "a.md"},
            {"level": 1, "title": "b.csv"},
        ],
    }


async def test_a_page_is_read_and_its_source_returned_on_request() -> None:
    html = b"<h1>Owls</h1><p>They hunt at night, mostly.</p>"

    _, page = await parse("owls.html", html)
    _, raw = await parse("owls.html", html, mode="raw")

    assert page["content"] == "# Owls\n\nThey hunt at night, mostly."
    assert raw["content"] == html.decode()


async def test_a_document_can_be_sent_as_json() -> None:
    async with rest_client(services()) as client:
        response = await client.post(
            PARSE, json={"url": "owls.md", "data": base64.b64encode(b"# Owls").decode()}
        )

    assert (response.status_code, response.json()["content"]) == (200, "# Owls")


@pytest.mark.parametrize(
    ("name", "data", "status", "reason"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(40), 422, "an image without text"),
        ("a.pdf", b"%PDF-1.7 broken", 422, "a.pdf"),
        ("a.zip", b"PK\x03\x04" + bytes(60), 422, "zip container cannot be opened"),
        ("a.txt", b"", 400, "file: a.txt is empty"),
        ("a.txt", b" \n", 400, "a.txt is empty"),
    ],
)
async def test_what_cannot_be_read_is_explained(
    name: str, data: bytes, status: int, reason: str
) -> None:
    found, body = await parse(name, data)

    assert found == status
    assert reason in body["detail"]


async def test_a_document_that_is_too_large_is_refused() -> None:
    status, body = await parse("owls.txt", b"x" * 20_001)

    assert (status, body["detail"]) == (
        413,
        "The document is larger than MAX_UPLOAD_BYTES=20000.",
    )


async def test_a_form_without_a_file_is_refused() -> None:
    async with rest_client(services()) as client:
        response = await client.post(PARSE, files={"other": ("a.txt", b"x")})
        missing = await client.post(
            PARSE,
            content=b'--b\r\nContent-Disposition: form-data; name="mode"\r\n\r\nraw\r\n--b--\r\n',
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        )

    assert response.json()["detail"] == "other: the file must be in the field `file`."
    assert missing.json()["detail"] == "file: is missing; send the document in the field `file`"
