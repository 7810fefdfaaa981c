from webquarry.content.html.quick_parse import QuickParse, glance, link_titles


def test_one_look_tells_title_text_and_links() -> None:
    html = b"""<html><head><title> A  page </title><base href="/base/">
      <link rel="canonical" href="/canonical"><meta name="robots" content="NOINDEX, nofollow">
      </head><body><nav><a href="/nav">menu</a></nav>
      <main><h1>Head</h1><script>var x</script><p>Some <b>text</b>.</p><a href="/a">a</a>
      <a href="/a">again</a><a>no link</a></main><map><area href="/area"></map></body></html>"""

    assert glance(html) == QuickParse(
        title="A page",
        text="Head Some text . a again no link",
        links=("/nav", "/a", "/area"),
        base="/base/",
        canonical="/canonical",
        noindex=True,
        nofollow=True,
    )


def test_without_a_main_part_the_furniture_is_left_out() -> None:
    html = b"<body><header>menu</header><div>words</div><footer>imprint</footer></body>"

    assert glance(html).text == "words"
    assert glance(b"<body><header>only this</header></body>").text == "only this"


def test_other_encodings_are_read() -> None:
    html = "<title>Größe</title><p>für</p>".encode("latin-1")

    found = glance(html, "text/html; charset=iso-8859-1")

    assert (found.title, found.text) == ("Größe", "für")


def test_nothing_is_nothing() -> None:
    assert glance(b"") == QuickParse()


def test_links_come_with_their_words() -> None:
    html = b'<a href="/a"><img></a><a href="/a">The  words</a><a href="/b">b</a>'

    assert link_titles(html) == {"/a": "The words", "/b": "b"}
