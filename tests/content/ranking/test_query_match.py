"""Which words of a query a page and its links contain."""

from webquarry.content.html.link_contexts import LinkContext
from webquarry.content.ranking.query_match import MAX_TERMS, LinkMatch, PageMatch, QueryWords


def test_terms_are_found_in_other_forms() -> None:
    words = QueryWords("How do I renew certificates?")

    assert len(words.terms) == 2
    assert words.terms_in("renewing the certificate") == 0b11
    assert words.terms_in("CERTIFICATION is new") == 0b10
    assert words.terms_in("nothing of this") == 0


def test_terms_are_found_within_the_words_of_a_url() -> None:
    words = QueryWords("create an index of columns")

    assert words.terms_in_url("https://create.test/sql-createindex.html") == 0b011
    assert words.terms_in_url("https://a.test/multicolumn/index_of") == 0b110
    assert words.terms_in_url("https://a.test/%63reate") == 0b001


def test_short_words_are_not_found_within_others() -> None:
    assert QueryWords("art").terms_in_url("https://a.test/startup") == 0
    assert QueryWords("art").terms_in_url("https://a.test/art/1") == 1


def test_a_page_has_counts_passages_and_links() -> None:
    words = QueryWords("renew certificate")
    far = "filler " * 50
    text = f"Renew it. {far} The certificate. {far} Renew the certificate."

    match = words.match("Certificates", text, [LinkContext("/a", "Renew", "every certificate")])

    assert match == PageMatch(
        title=0b10,
        passages=(0b11,),
        counts=(2, 2),
        words=104,
        links=(LinkMatch("/a", 0b01, 0b10),),
    )


def test_terms_that_are_far_apart_are_in_different_passages() -> None:
    match = QueryWords("renew certificate").match("", f"Renew {'filler ' * 50} certificate", [])

    assert match.passages == (0b01, 0b10)


def test_a_long_query_is_cut_and_one_of_common_words_has_no_terms() -> None:
    assert len(QueryWords(" ".join(f"word{n}x" for n in "abcdefgh" * 9)).terms) <= MAX_TERMS
    assert len(QueryWords(" ".join(f"{n}1" for n in range(100, 200))).terms) == MAX_TERMS
    assert QueryWords("how is it to be").terms == ()
