"""llms.txt: title, summary, and the pages by folder with a description of each."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from webquarry.content.export.llms_text import (
    ListedPage,
    describe,
    full_text_part,
    llms_txt,
)

ROOT = "https://x.test/docs"


def listed(path: str, title: str, description: str = "") -> ListedPage:
    return ListedPage(f"{ROOT}{path}", f"{ROOT}{path}", title, description)


def test_pages_are_listed_by_folder() -> None:
    pages = [
        listed("/", "Home"),
        listed("/user-guide/a", "A [first]", "What a is."),
        listed("/user-guide/b", "B"),
        listed("/about/us", "Us"),
    ]

    assert llms_txt("The\nsite", "All of it.", pages) == (
        "# The site\n\n> All of it.\n\n"
        "## Pages\n\n- [Home](https://x.test/docs/)\n- [Us](https://x.test/docs/about/us)\n\n"
        "## User guide\n\n"
        "- [A \\[first\\]](https://x.test/docs/user-guide/a): What a is.\n"
        "- [B](https://x.test/docs/user-guide/b)\n"
    )


def test_a_page_without_title_is_listed_by_its_url() -> None:
    assert "- [https://x.test/docs/a](https://x.test/docs/a)" in llms_txt(
        "T", "", [listed("/a", "")]
    )


def test_the_description_is_the_first_prose() -> None:
    text = (
        "# Title\n\n- a list\n\n| a | table |\n\n```\nsome code that is long enough\n```\n"
        "\nBy **Ada**\n\nISBN: 979-10-91414-21-0 (English paperback)\n\n"
        "Heat pumps [move](https://x.test) *heat* from the air into the house.\n"
    )

    assert describe(text) == "Heat pumps move heat from the air into the house."
    assert describe("# Only a heading") == ""


def test_a_long_description_is_cut_between_words() -> None:
    found = describe("Many words follow each other here. " * 20)

    assert len(found) <= 160
    assert found.endswith("…")


def test_the_full_text_names_the_source_of_each_page() -> None:
    assert full_text_part(listed("/a", "A"), "\nText.\n") == (
        "# A\n\nSource: https://x.test/docs/a\n\nText.\n\n"
    )


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=8))
@example([("a\nb", "")])
def test_every_page_is_listed_once_on_its_own_line(rows: list[tuple[str, str]]) -> None:
    pages = [
        ListedPage(f"l{n}.md", f"https://x.test/{path}", title)
        for n, (path, title) in enumerate(rows)
    ]

    text = llms_txt("T", "", pages)

    lines = [line for line in text.split("\n") if line.startswith("- [")]
    targets = [re.search(r"\]\((l\d+\.md)\)$", line) for line in lines]
    assert sorted(match[1] for match in targets if match) == sorted(page.link for page in pages)
