"""Reading the JSON of an upstream."""

import pytest
from pydantic import BaseModel

from webquarry.errors import PayloadError
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.json_payload import decode_json


class Item(BaseModel):
    name: str


class Listing(BaseModel):
    items: tuple[Item, ...]


def _response(content: bytes, content_type: str = "application/json") -> FetchedResponse:
    return FetchedResponse(
        status=200, headers=Headers([("content-type", content_type)]), content=content
    )


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

    assert decode_json(Listing, _response(content, content_type), provider="acme") == expected


def test_a_json_list_is_validated_without_a_wrapper_model() -> None:
    found = decode_json(tuple[Item, ...], _response(b'[{"name": "a"}]'), provider="acme")

    assert found == (Item(name="a"),)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the response is empty"),
        (b" \n", "the response is empty"),
        (b"\n<!doctype html><title>Sorry</title>", "a web page or XML instead of JSON"),
        (b"\xff\xfe\xfd", "it is not valid in its charset"),
        (b'{"items": [{"name": "\xe9"}]}', "it is not valid in its charset"),
        (b'{"items": [{"name": "a"}, {"nom": "secret"}]}', "items.1.name: Field required"),
        (b'{"items": null}', "items: Input should be a valid array"),
        (b"[1]", "Input should be an object"),
        (b'{"items": [', "Invalid JSON: EOF while parsing a list at line 1 column 11"),
    ],
)
def test_invalid_json_is_an_error_with_provider_and_reason(content: bytes, what: str) -> None:
    with pytest.raises(PayloadError) as caught:
        decode_json(Listing, _response(content), provider="acme")

    assert str(caught.value) == f"Unexpected response (acme): {what}. Try a different provider."
    assert caught.value.provider == "acme"
