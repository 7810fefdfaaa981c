"""Profiles: the company's own, or none."""

import pytest

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.brand.social import social_profiles


def socials(body: str, *same_as: str) -> dict[str, str]:
    return social_profiles(BrandPage(body, "https://kite.test/"), same_as, ("kite", "Kite Inc"))


def test_what_the_owner_states_comes_before_what_is_linked() -> None:
    footer = '<footer><a href="https://twitter.com/other">x</a></footer>'

    assert socials(footer, "https://x.com/kite") == {"twitter": "https://x.com/kite"}


@pytest.mark.parametrize(
    "href",
    [
        "https://twitter.com/intent/tweet",
        "https://x.com/share?text=a",
        "https://www.facebook.com/sharer.php?u=a",
        "https://www.linkedin.com/in/jane",
        "https://www.linkedin.com/shareArticle?url=a",
        "https://www.youtube.com/watch?v=1",
        "https://github.com/kite/kite",
        "https://gist.github.com/kite",
        "https://www.instagram.com/p/abc/",
        "https://nottwitter.com/kite",
        "javascript:alert(1)",
        "https://[broken",
    ],
)
def test_what_is_no_profile_is_left_out(href: str) -> None:
    assert socials(f'<footer><a href="{href}">x</a></footer>') == {}


def test_a_profile_in_the_text_counts_only_under_the_company_s_name() -> None:
    body = '<p><a href="https://github.com/kite">us</a> <a href="https://x.com/singer">her</a></p>'

    assert socials(body) == {"github": "https://github.com/kite"}
