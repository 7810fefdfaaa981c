"""What is read from a page, and what is rather left out."""

from typing import Any

import pytest

from webquarry.content.fields.extract_fields import fill_from_html, fill_from_text
from webquarry.content.fields.json_schema import resolve_schema
from webquarry.content.fields.prompt_schema import schema_from_prompt
from webquarry.errors import BadInputError

URL = "https://pages.test/a/"
TEXT = {"type": "string"}


def filled(html: str, **fields: dict[str, Any]) -> Any:
    schema = resolve_schema({"type": "object", "properties": fields})
    return fill_from_html(html, schema, url=URL)


def test_two_different_values_are_none() -> None:
    found = filled("<p>Brand: Ruota</p><p>Brand: Nordkamm</p>", brand=TEXT)

    assert found.data == {"brand": None}
    assert found.missing == {"/brand": "ambiguous: the page says Ruota, Nordkamm"}


def test_hidden_text_is_not_read() -> None:
    found = filled('<h1>Mug</h1><p style="display:none">Brand: Evil</p>', brand=TEXT)

    assert found.data == {"brand": None}


def test_prices_in_prose_are_not_the_price() -> None:
    page = "<h1>Mug</h1><p>Orders over $75.00 ship free of charge to everyone in the country.</p>"

    assert filled(page, price={"type": "number"}).data == {"price": None}


def test_what_is_crossed_out_or_beside_the_point_is_not_the_price() -> None:
    page = """<h1>Mug</h1><p class="price"><del>$9.00</del> <ins>$7.00</ins></p>
    <div class="related"><p class="price">$1.00</p></div>"""

    assert filled(page, price={"type": "number"}).data == {"price": 7}


def test_the_name_of_an_organization_is_not_that_of_the_product() -> None:
    page = """<script type="application/ld+json">{"@type":"Organization","name":"Shop"}</script>
    <h1>Mug</h1>"""

    found = filled(page, name=TEXT)

    assert found.data == {"name": "Mug"}
    assert found.sources["/name"].method == "heading"


def test_nested_objects_are_filled_only_with_their_own_values() -> None:
    page = """<script type="application/ld+json">{"@type":"Product","name":"Mug",
    "brand":{"@type":"Brand","name":"Nordkamm"},
    "aggregateRating":{"@type":"AggregateRating","ratingValue":4.5,"reviewCount":12},
    "offers":{"@type":"Offer","price":"7.00","priceCurrency":"EUR"}}</script><h1>Mug</h1>"""
    inner: Any = {"type": "object", "properties": {"name": TEXT}}
    rating: Any = {
        "type": "object",
        "properties": {"value": {"type": "number"}, "count": {"type": "integer"}},
    }
    offer: Any = {
        "type": "object", "properties": {"price": {"type": "number"}, "currency": TEXT},
    }  # fmt: skip

    found = filled(page, brand=inner, manufacturer=inner, rating=rating, offers=offer)

    assert found.data == {
        "brand": {"name": "Nordkamm"},
        "manufacturer": {"name": None},  # not Mug
        "rating": {"value": 4.5, "count": 12},
        "offers": {"price": 7, "currency": "EUR"},
    }


def test_postal_addresses_links_and_contacts() -> None:
    page = """<h1>Office</h1><a href="mailto:hi@office.test?subject=x">write</a>
    <p>Address: Main Street 5, 1000 Town</p><p>Website: <a href="/home">our site</a></p>
    <p>Phone: +32 2 555 01 00</p>"""

    found = filled(page, email={"type": "string", "format": "email"}, address=TEXT,
                   website={"type": "string", "format": "uri"}, phone=TEXT)  # fmt: skip

    assert found.data == {
        "email": "hi@office.test", "address": "Main Street 5, 1000 Town",
        "website": "https://pages.test/home", "phone": "+32 2 555 01 00",
    }  # fmt: skip


def test_titles_and_descriptions_name_a_field_too() -> None:
    page = "<h1>Mug</h1><p>Capacity: 450 ml</p><p>Country of origin: Austria</p>"

    found = filled(page, f1={"type": "number", "title": "Capacity"},
                   f2={"type": "string", "description": "Country of origin"})  # fmt: skip

    assert found.data == {"f1": 450, "f2": "Austria"}


def test_a_list_at_the_top_of_the_schema() -> None:
    page = """<table><tr><th>Name</th><th>Price</th></tr><tr><td>A</td><td>$1.00</td></tr>
    <tr><td>B</td><td>ask us</td></tr></table>"""
    item = {"type": "object", "properties": {"name": TEXT, "price": {"type": "number"}}}
    schema = resolve_schema({"type": "array", "items": item})

    found = fill_from_html(page, schema, url=URL)

    assert found.data == [{"name": "A", "price": 1}, {"name": "B", "price": None}]
    assert found.sources["/0/price"].quote == "A | $1.00"
    assert found.missing == {"/1/price": "found 'ask us', which is not clearly one number"}


def test_a_value_the_schema_forbids_is_none() -> None:
    found = filled("<p>Weight: 900</p>", weight={"type": "number", "maximum": 100})

    assert found.data == {"weight": None}
    assert found.missing == {"/weight": "found '900', which is outside the range the schema allows"}


@pytest.mark.parametrize(
    "html", ["", "   ", "<", "<html></html>", "<table><tr></table>", "\x00<p>"]
)
def test_broken_pages_hold_nothing(html: str) -> None:
    assert filled(html, name=TEXT, tags={"type": "array"}).data == {"name": None, "tags": None}


def test_documents_are_read_by_their_labels() -> None:
    schema = resolve_schema({"type": "object", "properties": {"title": TEXT, "author": TEXT}})

    found = fill_from_text("# Report\n\n**Author:** Ada Owl\n", schema, url=URL)

    assert found.data == {"title": "Report", "author": "Ada Owl"}


def test_prompts_become_schemas() -> None:
    assert schema_from_prompt("Extract the price and the publication date from this page.") == {
        "type": "object",
        "properties": {
            "price": {"type": "number", "title": "price"},
            "publicationDate": {"type": "string", "format": "date", "title": "publication date"},
        },
    }
    assert schema_from_prompt("List all products with their name and price") == {
        "type": "object",
        "properties": {
            "products": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "title": "name"},
                        "price": {"type": "number", "title": "price"},
                    },
                },
            }
        },
    }
    assert schema_from_prompt("Tell me everything") is None


@pytest.mark.parametrize("selector", ["li:nth-child(2)", "li ~ li", "//li/following-sibling::li"])
def test_selectors_that_compare_all_siblings_are_refused_on_large_pages(selector: str) -> None:
    page = f"<ul>{'<li>x</li>' * 3500}</ul>"

    with pytest.raises(BadInputError, match="too large"):
        filled(page, a={"type": "string", "x-selector": selector})
    assert filled(page, a={"type": "string", "x-selector": "li"}).data == {"a": "x"}
