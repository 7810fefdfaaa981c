import pytest

from webquarry.searxng.content_quality import find_content_flaw

PROSE = (
    "Owls hunt at night, when most other birds are asleep, and their hearing guides them to mice, "
    "voles and larger insects that move under leaves or snow. Several species also fly by day. "
)


@pytest.mark.parametrize(
    ("text", "flaw"),
    [
        ("", "empty"),
        ("# Title", "empty"),
        (PROSE, None),
        (
            "Great story. Subscribe now to continue reading. Already a subscriber? Log in.",
            "paywall",
        ),
        ("This article is for subscribers only. Choose your plan.", "paywall"),
        ("Please log in to view this page of our site.", "login"),
        ("You must be logged in before you can read on here.", "login"),
        ("Verify you are human by completing the action below.", "captcha"),
        ("Just a moment... we are checking your browser before access.", "captcha"),
        ("cheap pills buy now " * 60, "spam"),
        ("".join(f"[link {n} to some page](https://x.example/{n})\n" for n in range(60)), "spam"),
    ],
)
def test_content_that_nobody_searched_for_is_recognised(text: str, flaw: str | None) -> None:
    assert find_content_flaw(text) == flaw


def test_a_long_article_may_mention_a_login() -> None:
    varied = " ".join(f"{PROSE} Paragraph {n} adds number {n * 7}." for n in range(20))

    assert find_content_flaw(f"{varied} Please log in to view comments.") is None
