"""Reasons of flags on recommendations."""

from webquarry.models.links import LinkCheck
from webquarry.services.trust.recommendation_check import RecommendedItem, assess_item


def test_reasons_end_with_one_full_stop_and_name_the_site() -> None:
    item = RecommendedItem("1. Acme Inc., 2. Other", "acme.test/list")
    link = LinkCheck(url=item.url, outcome="dead", status=0, reason="there is no such host.")

    assessment = assess_item(item, link, (), "Holding Inc.")

    assert assessment.reasons == (
        "The link is dead: there is no such host.",
        "acme.test/list is not on our list of sites.",
    )


def test_an_owner_that_ranks_its_product_first_is_named() -> None:
    item = RecommendedItem("1. Marketo, 2. Other", "https://adobe.com/list")

    assessment = assess_item(item, None, (), "Adobe Inc.")

    assert assessment.promotion == "adobe.com puts Marketo first, which belongs to Adobe Inc."
