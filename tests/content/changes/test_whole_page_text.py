"""What is outside of the main content tells whether a passage is new or was there all the time."""

from tests.content.changes.pages import DAY, MONDAY, page
from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.whole_page_text import page_text
from webquarry.models.changes import VersionComparison

_HTML = (
    b"<style>p.no{display:none}</style><nav>Home<br>Shop</nav><p>Some <b>bold</b> text</p>"
    b"<p class=no>Hidden</p><!-- no --><script>no()</script><table><tr><td>A<td>B</table>"
)


def _compared(before: tuple[str, str], after: tuple[str, str]) -> VersionComparison:
    """Compare versions with main content and the text of the whole page."""
    versions = [
        page(markdown, at=MONDAY + number * DAY).model_copy(update={"page_text": text})
        for number, (markdown, text) in enumerate((before, after))
    ]
    return compare_versions(versions[0], versions[1])


def test_the_text_of_a_page_is_what_a_visitor_sees() -> None:
    assert page_text(_HTML) == "Home\nShop\nSome bold text\nA\nB"


def test_a_page_that_is_no_page_has_no_text() -> None:
    assert page_text(b"") == ""


def test_a_passage_that_only_the_choice_of_main_content_adds_or_drops_is_ignored() -> None:
    whole = "Shop\nMill\u00b6\nThe mill is made of steel.\nDelivery to all islands is free."
    less = "# Shop\n\nThe mill is made of steel."
    more = "# Shop\n\n## Mill\n\nThe mill is made of steel.\n\nDelivery to all islands is free."

    for versions in (((less, whole), (more, whole)), ((more, whole), (less, whole))):
        comparison = _compared(*versions)

        assert comparison.changes == ()
        assert {each.ignored and each.ignored.reason for each in comparison.ignored} == {"outside"}


def test_noise_outside_of_the_main_content_is_recognised_as_the_same() -> None:
    comparison = _compared(
        ("# Mill\n\nDelivery by 24 November", "Mill\nDelivery by 24 November"),
        ("# Mill", "Mill\nDelivery by 25 November"),
    )

    assert [each.ignored and each.ignored.reason for each in comparison.ignored] == ["outside"]


def test_a_passage_that_the_page_lacked_is_told() -> None:
    comparison = _compared(
        ("# Mill\n\nExample\n\nOne.", "Mill\nExample\nOne."),
        ("# Mill\n\nExample\n\nOne.\n\nExample\n\nTwo.", "Mill\nExample\nOne.\nExample\nTwo."),
    )

    assert [each.after and each.after.quote for each in comparison.changes] == ["Example\nTwo."]


def test_the_label_of_an_advertisement_may_be_outside() -> None:
    comparison = _compared(
        ("# Mill\n\nFly to Rome", "Mill\nAdvertisement\nFly to Rome"),
        ("# Mill\n\nBuy socks", "Mill\nAdvertisement\nBuy socks"),
    )

    assert [each.ignored and each.ignored.reason for each in comparison.ignored] == [
        "advertisement"
    ]
