from webquarry.content.html.quick_parse import QuickParse, link_texts, quick_parse


def test_title_text_links_and_directives_are_read() -> None:
    html = b"""<html><head><title> A  page </title><base href="/base/">
      <link rel="canonical" href="/canonical"><meta name="robots" content="NOINDEX, nofollow">
      </head><body><nav><a href="/nav">menu</a></nav>
      <main><h1>Head</h1><script>var x</script><p>Some <b>text</b>.</p><a href="/a">a</a>
      <a href="/a">again</a><a>no link</a></main><map><area href="/area"></map></body></html>"""

    assert quick_parse(html) == QuickParse(
        title="A page",
        text="Head Some text . a again no link",
        links=("/nav", "/a", "/area"),
        base="/base/",
        canonical="/canonical",
        noindex=True,
        nofollow=True,
    )


def test_without_a_main_element_navigation_and_footer_are_left_out() -> None:
    html = b"<body><header>menu</header><div>words</div><footer>imprint</footer></body>"

    assert quick_parse(html).text == "words"
    assert quick_parse(b"<body><header>only this</header></body>").text == "only this"


def test_other_encodings_are_read() -> None:
    html = "<title>Größe</title><p>für</p>".encode("latin-1")

    page = quick_parse(html, "text/html; charset=iso-8859-1")

    assert (page.title, page.text) == ("Größe", "für")


def test_an_empty_page_has_no_content() -> None:
    assert quick_parse(b"") == QuickParse()


def test_links_have_their_first_text() -> None:
    html = b'<a href="/a"><img></a><a href="/a">The  words</a><a href="/b">b</a>'

    assert link_texts(html) == {"/a": "The words", "/b": "b"}
