"""Markdown of complete trees, without the choice of main content."""

import pytest

from webquarry.content.html.dom import parse_html
from webquarry.content.markdown.writer import write_markdown

_CASES = [
    (
        "<a href='/card'><div><h3>Card title</h3><p>Card words.</p></div></a>",
        "### [Card title](https://quarry.example/card)\n\nCard words.",
    ),
    (
        "<figure><img src='/f.png' alt=''><figcaption>The floor in May.</figcaption></figure>",
        "![](https://quarry.example/f.png)\n\nThe floor in May.",
    ),
    (
        "<p><a href='#top'>Top</a> <a>no target</a></p>",
        "[Top](https://quarry.example/#top) no target",
    ),
    ("<ul><ul><li>Only nested</li></ul></ul>", "- Only nested"),
    ("<ul><li>One</li><ul><li>Under one</li></ul></ul>", "- One\n  - Under one"),
    (
        "<ul><li><h3>Card one</h3><p>Words.</p></li><li><h3>Card two</h3></li></ul>",
        "### Card one\n\nWords.\n\n### Card two",
    ),
    ("<h2><br></h2><p></p><ul><li></li></ul>", ""),
    ("<details><summary>More</summary><p>Inside words.</p></details>", "**More**\n\nInside words."),
    ("<p>a <kbd>Ctrl</kbd> <del>old</del> <q>said</q></p>", "a `Ctrl` ~~old~~ “said”"),
    ("<pre><div>one</div><div>  two</div></pre>", "```\none\n  two\n```"),
    (
        "<pre><span class='lineno'>1</span>x = 1</pre>",
        "```\nx = 1\n```",
    ),
    (
        "<p>See <img class='mwe-math-fallback-image-inline' src='m.svg' "
        "alt='{\\displaystyle x^2}'></p>",
        "See $x^2$",
    ),
    (
        "<p>Height <mjx-container jax='SVG' data-latex='h_1'><svg></svg></mjx-container> is</p>",
        "Height $h_1$ is",
    ),
    (
        "<p>Here <mjx-container display='true'><svg></svg><mjx-assistive-mml><math><mi>h</mi>"
        "</math></mjx-assistive-mml></mjx-container> is the height.</p>",
        "Here $$h$$ is the height.",
    ),
    ("<p>a <mjx-container><svg></svg></mjx-container> drawing</p>", "a drawing"),
    (
        "<p>is <span class='katex'><span class='katex-mathml'><math><annotation encoding="
        "'application/x-tex'>x_1</annotation></math></span>"
        "<span class='katex-html'>x1</span></span>",
        "is $x_1$",
    ),
    ("<p>a <span class='math'>x plus y</span></p>", "a x plus y"),
    ("<table><tr><td>only cell</td></tr></table>", "only cell"),
    ("<blockquote><pre>a {\n  b\n}</pre></blockquote>", "```\na {\n  b\n}\n```"),
    (
        f"<table><tr><th>T</th><td></td></tr><tr><td>{'<p>x</p>' * 13}</td><td></td></tr></table>",
        "\n\n".join(["T", *["x"] * 13]),
    ),
    (
        "<table><caption>Sizes</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>",
        "Sizes\n\n| A | B |\n| --- | --- |\n| 1 |  |",
    ),
    (
        "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan=2>1</td><td>2</td>"
        "<td>3</td></tr><tr><td colspan=2>4</td></tr><tr><td>5</td></tr></table>",
        "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 |  |\n| 5 |  |  |",
    ),
    ("<ul><h3>Owls</h3><li>Barn</li><li>Eagle</li></ul>", "### Owls\n\n- Barn\n- Eagle"),
]


@pytest.mark.parametrize(("html", "markdown"), _CASES)
def test_tree_becomes_markdown(html: str, markdown: str) -> None:
    root = parse_html(html)
    assert root is not None
    assert write_markdown(root, base="https://quarry.example/") == markdown
