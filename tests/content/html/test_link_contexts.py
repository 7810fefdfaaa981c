"""The links of a page, with the text around them."""

from webquarry.content.html.link_contexts import LinkContext, link_contexts


def test_a_link_has_its_own_text_and_that_of_its_paragraph() -> None:
    html = '<p>Renew a <a href="/c">certificate</a> every year.</p><a href="/n">Next</a>'

    assert link_contexts(html) == [
        LinkContext("/c", "certificate", "Renew a certificate every year."),
        LinkContext("/n", "Next", ""),
    ]


def test_a_term_is_described_by_its_definition() -> None:
    html = (
        '<dl><dt><a href="add.html">add(1)</a></dt>\n<dd>Add files.</dd>'
        '<dt><a href="rm.html">rm(1)</a></dt><dd>Remove files.</dd></dl>'
    )

    assert link_contexts(html) == [
        LinkContext("add.html", "add(1)", "add(1) Add files."),
        LinkContext("rm.html", "rm(1)", "rm(1) Remove files."),
    ]


def test_a_section_is_described_by_its_chapters_and_not_by_other_sections() -> None:
    html = (
        '<ul><li><a href="1">Security</a><ul>'
        '<li><a href="2">Keys</a></li><li><a href="3">Logs</a></li></ul></li></ul>'
    )

    assert link_contexts(html) == [
        LinkContext("1", "Security", "Security Keys Logs"),
        LinkContext("2", "Keys", "Keys Security"),
        LinkContext("3", "Logs", "Logs Security"),
    ]


def test_an_image_is_described_by_its_title_and_links_without_a_target_are_left_out() -> None:
    html = '<p><a href="/i" title="Photo of a cat"><img src="c.png"></a><a name="top">Top</a></p>'

    assert link_contexts(html) == [LinkContext("/i", "Photo of a cat", "Top")]


def test_the_same_link_with_the_same_text_is_there_once() -> None:
    html = '<p><a href="/a">A</a> <a href="/a">A</a> <a href="/a">B</a></p>'

    assert link_contexts(html) == [
        LinkContext("/a", "A", "A A B"),
        LinkContext("/a", "B", "A A B"),
    ]


def test_long_texts_are_cut() -> None:
    html = f'<p><a href="/a">{"word " * 1000}</a>{"more " * 1000}</p>'

    (link,) = link_contexts(html)

    assert (len(link.text), len(link.around)) == (200, 300)
