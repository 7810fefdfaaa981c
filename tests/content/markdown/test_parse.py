"""Blocks of Markdown, and its text without markup."""

import pytest

from webquarry.content.markdown.parse import MarkdownBlock, markdown_blocks, visible_text

PAGE = """# Barn *owls*

An [owl](https://owls.test/a_(b)) ![picture](p.png) hunts `at*night`, \\*not\\* by day.
It has **good** ears.

- mice
- small __birds__
  and frogs

| Owl | Weight |
|:---|---:|
| Barn | 300 g |

> Quoted words.

```
if owl:

    hunt()
```

5 * 3 is snake_case, H<sub>2</sub>O, <https://owls.test/>
"""


def test_words_stay_and_markup_is_removed() -> None:
    assert visible_text(PAGE).split("\n") == [
        "Barn owls",
        "An owl hunts at*night, *not* by day. It has good ears.",
        "mice",
        "small birds and frogs",
        "Owl | Weight",
        "Barn | 300 g",
        "Quoted words.",
        "if owl:",
        "hunt()",
        "5 * 3 is snake_case, H2O, https://owls.test/",
    ]


def test_blank_lines_separate_blocks_but_not_inside_code() -> None:
    assert markdown_blocks("# A\n\nb\nc\n\n\n```\nd\n\ne\n```\n") == [
        MarkdownBlock("# A", is_heading=True),
        MarkdownBlock("b\nc"),
        MarkdownBlock("```\nd\n\ne\n```", is_code=True),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "   "])
def test_an_empty_text_has_no_blocks(text: str) -> None:
    assert markdown_blocks(text) == []
    assert visible_text(text) == ""


def test_the_text_of_a_link_may_have_code_or_brackets_in_it() -> None:
    assert visible_text("See [`dict.get(x)`](https://x.example/d) and `[a](b)`.") == (
        "See dict.get(x) and [a](b)."
    )
    assert visible_text("As shown [[1]](#fn1) before.") == "As shown [1] before."
