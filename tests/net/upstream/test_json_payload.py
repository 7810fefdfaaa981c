"""Reading the JSON of an upstream."""

import pytest
from pydantic import BaseModel

from webquarry.errors import PayloadError
from webquarry.net.client.headers import Headers
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.json_payload import decode


class Item(BaseModel):
    name: str


class Listing(BaseModel):
    items: tuple[Item, ...]


def _response(content: bytes, content_type: str = "application/json") -> Response:
    return Response(status=200, headers=Headers.of({"content-type": content_type}), content=content)


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        ('{"items": [{"name": "é"}]}'.encode(), "application/json"),
        ('\ufeff{"items": [{"name": "é"}]}'.encode(), "application/json"),
        ('{"items": [{"name": "é"}]}'.encode("latin-1"), "application/json; charset=ISO-8859-1"),
        ('{"items": [{"name": "é"}]}'.encode("utf-16"), "application/json"),
        ('{"items": [{"name": "é"}]}'.encode(), "text/html; charset=nonsense"),
    ],
)
def test_json_becomes_a_model_in_any_charset(content: bytes, content_type: str) -> None:
    expected = Listing(items=(Item(name="é"),))

    assert decode(Listing, _response(content, content_type), provider="acme") == expected


def test_a_bare_list_needs_no_model_of_its_own() -> None:
    found = decode(tuple[Item, ...], _response(b'[{"name": "a"}]'), provider="acme")

    assert found == (Item(name="a"),)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the answer is empty"),
        (b" \n", "the answer is empty"),
        (b"\n<!doctype html><title>Sorry</title>", "a web page or XML came instead of JSON"),
        (b"\xff\xfe\xfd", "its charset is not what it says"),
        (b'{"items": [{"name": "\xe9"}]}', "its charset is not what it says"),
        (b'{"items": [{"name": "a"}, {"nom": "secret"}]}', "items.1.name: Field required"),
        (b'{"items": null}', "items: Input should be a valid array"),
        (b"[1]", "Input should be an object"),
        (b'{"items": [', "Invalid JSON: EOF while parsing a list at line 1 column 11"),
    ],
)
def test_anything_else_says_who_sent_what(content: bytes, what: str) -> None:
    with pytest.raises(PayloadError) as caught:
        decode(Listing, _response(content), provider="acme")

    assert str(caught.value) == f"Unexpected answer (acme): {what}. Try a different provider."
    assert caught.value.provider == "acme"
