"""Markdown shapes: lists, tables, code, links, images, notes, formulas."""

from tests.content.traps.base import Trap, article

_SITE = "https://quarry.example"

TRAPS = (
    Trap(
        "code keeps indentation, blank lines and language",
        article(
            "<pre><code class='language-python'>def dig(depth):\n    if depth:\n"
            "        return 1\n\n    return 0</code></pre>"
        ),
        has=("```python\ndef dig(depth):\n    if depth:\n        return 1\n\n    return 0\n```",),
    ),
    Trap(
        "code in coloured spans and lines",
        article(
            "<div class='highlight-rust notranslate'><pre><span class='k'>fn</span> main() {\n"
            "    <span>go</span>();\n}</pre></div>"
        ),
        has=("```rust\nfn main() {\n    go();\n}\n```",),
    ),
    Trap(
        "code with fences inside",
        article("<pre>before\n```\ninner\n```\nafter</pre>"),
        has=("````\nbefore\n```\ninner\n```\nafter\n````",),
    ),
    Trap(
        "inline code with a backtick",
        article("<p>Use <code>a`b</code> here.</p>"),
        has=("``a`b``",),
    ),
    Trap(
        "nested lists appear once and nested",
        article(
            "<ul><li>Outer one<ul><li>Inner a</li><li>Inner b</li></ul></li><li>Outer two</li></ul>"
        ),
        has=("- Outer one\n  - Inner a\n  - Inner b\n- Outer two",),
        lacks=("Outer oneInner",),
    ),
    Trap(
        "ordered list that starts at four",
        article("<ol start='4'><li>Fourth step of it</li><li value='9'>Ninth step of it</li></ol>"),
        has=("4. Fourth step of it\n9. Ninth step of it",),
    ),
    Trap(
        "list items with paragraphs and code",
        article("<ul><li><p>First part</p><pre>a\n  b</pre></li><li>Next item</li></ul>"),
        has=("- First part\n\n```\na\n  b\n```\n- Next item",),
    ),
    Trap(
        "task list",
        article(
            "<ul><li><input type='checkbox' checked> Fence</li><li>"
            "<input type='checkbox'> Path</li></ul>"
        ),
        has=("- [x] Fence\n- [ ] Path",),
    ),
    Trap(
        "table with pipes in its cells",
        article(
            "<table><tr><th>Sign</th><th>Use</th></tr><tr><td>a|b</td><td>either</td></tr></table>"
        ),
        has=("| Sign | Use |\n| --- | --- |\n| a\\|b | either |",),
    ),
    Trap(
        "table with rowspan and colspan",
        article(
            "<table><tr><th>Year</th><th>Tons</th><th>Men</th></tr>"
            "<tr><td rowspan='2'>1901</td><td>12</td><td>3</td></tr><tr><td>14</td><td>4</td></tr>"
            "<tr><td colspan='2'>none</td><td>0</td></tr></table>"
        ),
        has=("| 1901 | 12 | 3 |\n|  | 14 | 4 |\n| none |  | 0 |",),
    ),
    Trap(
        "table in a layout table",
        article(
            "<table><tr><td><p>Left column words.</p></td><td><table><tr><th>A</th><th>B</th></tr>"
            "<tr><td>1</td><td>2</td></tr></table></td></tr></table>"
        ),
        has=("Left column words.", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
        lacks=("| Left",),
    ),
    Trap(
        "table with headings in its first column only",
        article(
            "<table><tr><th>Depth</th><td>30 m</td></tr><tr><th>Width</th><td>90 m</td></tr>"
            "</table>"
        ),
        has=("|  |  |\n| --- | --- |\n| Depth | 30 m |\n| Width | 90 m |",),
    ),
    Trap(
        "a long table of links in the text",
        article(
            "<table><tr><th>Pit</th><th>Tons</th></tr>"
            + "".join(
                f"<tr><td><a href='/p{n}'>Pit {n}</a></td><td>{n}0</td></tr>" for n in range(30)
            )
            + "</table>"
        ),
        has=(f"| [Pit 7]({_SITE}/p7) | 70 |",),
    ),
    Trap(
        "several lines in a cell",
        article(
            "<table><tr><th>A</th><th>B</th></tr><tr><td>x<br>y</td><td><p>p</p><p>q</p></td>"
            "</tr></table>"
        ),
        has=("| x<br>y | p<br>q |",),
    ),
    Trap(
        "quote in a quote",
        article(
            "<blockquote><p>Outer said</p><blockquote><p>Inner said</p></blockquote></blockquote>"
        ),
        has=("> Outer said\n>\n> > Inner said",),
    ),
    Trap(
        "heading levels and anchors",
        article(
            "<h2 id='a'>Tools <a class='headerlink' href='#a'>¶</a></h2><p>Words.</p><h3>"
            "<a href='#b'>#</a>Deep part</h3>"
        ),
        has=("## Tools\n", "### Deep part"),
        lacks=("¶",),
    ),
    Trap(
        "relative links become absolute",
        article(
            "<p>See <a href='../map?a=1&amp;b=2'>the map</a> and "
            "<a href='//cdn.example/x'>that</a>.</p>"
        ),
        has=(f"[the map]({_SITE}/map?a=1&b=2)", "[that](https://cdn.example/x)"),
    ),
    Trap(
        "base href",
        article("<p>See <a href='deep'>the base</a> of it.</p>", head="<base href='/other/dir/'>"),
        has=(f"[the base]({_SITE}/other/dir/deep)",),
    ),
    Trap(
        "links that run scripts",
        article("<p>Do <a href='javascript:alert(1)'>not run</a> this.</p>"),
        has=("Do not run this.",),
        lacks=("javascript:",),
    ),
    Trap(
        "link target with brackets and spaces",
        article("<p>Read <a href='/wiki/Pit_(mine) now'>on pits</a> first.</p>"),
        has=(f"[on pits]({_SITE}/wiki/Pit_%28mine%29%20now)",),
    ),
    Trap(
        "lazy image",
        article(
            "<p>Look:</p>"
            "<img src='data:image/gif;base64,R0' data-src='/i/crane.jpg' alt='The crane'>"
        ),
        has=(f"![The crane]({_SITE}/i/crane.jpg)",),
        lacks=("base64",),
    ),
    Trap(
        "image with a set of sizes",
        article("<img srcset='s.jpg 300w, l.jpg 1200w, m.jpg 600w' alt='The pond'>"),
        has=(f"![The pond]({_SITE}/notes/l.jpg)",),
    ),
    Trap(
        "tracking pixel",
        article("<img src='https://t.example/p.gif' width='1' height='1' alt='pixel'>"),
        lacks=("t.example",),
    ),
    Trap(
        "footnotes",
        article(
            "<p>Blasting began early<sup><a href='#fn1'>1</a></sup> there.</p><ol>"
            "<li id='fn1'>In 1901, by letter.</li></ol>"
        ),
        has=("early[^1] there", "[^1]: In 1901, by letter."),
    ),
    Trap(
        "MathML with its TeX",
        article(
            "<p>Area <math><semantics><mrow><mi>a</mi></mrow>"
            "<annotation encoding='application/x-tex'>\\pi r^2</annotation></semantics>"
            "</math> of it.</p>"
        ),
        has=("Area $\\pi r^2$ of it.",),
    ),
    Trap(
        "MathJax source",
        article(
            "<p>So <script type='math/tex'>x_1</script> holds.</p>"
            "<script type='math/tex; mode=display'>E=mc^2</script>"
        ),
        has=("So $x_1$ holds.", "$$E=mc^2$$"),
    ),
    Trap(
        "KaTeX shows its formula once",
        article(
            "<p>Let <span class='katex'><span class='katex-mathml'><math><semantics><mi>k</mi>"
            "<annotation encoding='application/x-tex'>k_0</annotation></semantics></math></span>"
            "<span class='katex-html' aria-hidden='true'>k0</span></span> be it.</p>"
        ),
        has=("Let $k_0$ be it.",),
    ),
    Trap(
        "definition list",
        article(
            "<dl><dt>Bench</dt><dd>A step in the wall.</dd><dt>Face</dt><dd>The wall itself."
            "</dd></dl>"
        ),
        has=("Bench\n: A step in the wall.\n\nFace\n: The wall itself.",),
    ),
    Trap(
        "text that looks like Markdown",
        article("<p>1. not a list</p><p># not a heading</p><p>2*3*4 and a_b_c and &lt;b&gt;</p>"),
        has=("1\\. not a list", "\\# not a heading", "2\\*3\\*4 and a_b_c and \\<b>"),
    ),
    Trap(
        "emphasis beside spaces",
        article("<p>Very<b> bold </b>and <strong><b>twice</b></strong> and <i></i>done.</p>"),
        has=("Very **bold** and **twice** and done.",),
    ),
    Trap(
        "line breaks",
        article("<p>First line<br>second line</p>"),
        has=("First line  \nsecond line",),
    ),
    Trap(
        "paragraphs made of double breaks",
        article("<div>One paragraph of words here.<br><br>Another paragraph of words here.</div>"),
        has=("One paragraph of words here.", "Another paragraph of words here."),
    ),
    Trap(
        "ruby",
        article("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> sign</p>"),
        has=("漢(kan) sign",),
    ),
    Trap(
        "indices",
        article("<p>H<sub>2</sub>O and 10<sup>3</sup></p>"),
        has=("H<sub>2</sub>O and 10<sup>3</sup>",),
    ),
)
