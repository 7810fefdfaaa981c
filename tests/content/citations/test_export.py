"""References come back whole when other programs read what we wrote."""

import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.citations.author_names import split_name
from webquarry.content.citations.export import (
    KeyedReference,
    Reference,
    bibtex,
    csl_json,
    date_parts,
    ris,
    with_keys,
)

# the other programs; none of them says what types it has
bibtexparser: Any = import_module("bibtexparser")
middlewares: Any = import_module("bibtexparser.middlewares")
rispy: Any = import_module("rispy")
citeproc: Any = import_module("citeproc.source.json")

PAPER = Reference(
    url="https://doi.org/10.1000/owl_(1)",
    title="Owls & 100% of {their} #calls: a_b ~ c^2 \\ path",
    authors=("Vaswani, Ashish", "Ludwig van Slate", "World Health Organization", "Åsa Öberg-Noël"),
    site="Journal of Night & Day",
    published="2017-06-12T10:00:00Z",
    doi="10.1000/owl_(1)",
)
PAGE = Reference(url="https://quarry.example/a?b={1}&c=%20x", title="The pit\nTY  - HACK")
_CARET = "\N{MODIFIER LETTER CIRCUMFLEX ACCENT}"
BARE = Reference(url="https://bare.example/", published="2019")


def _plain(reference: Reference) -> dict[str, Any]:
    """Return what any format must bring back."""
    names = [split_name(author) for author in reference.authors]
    return {
        "title": " ".join(reference.title.split()) or reference.url,
        "authors": [f"{n.family}, {n.given}" if n.given else n.family for n in names],
        "site": reference.site,
        "date": date_parts(reference.published),
        "doi": reference.doi,
        "url": reference.url,
    }


def _from_bibtex(text: str) -> dict[str, dict[str, Any]]:
    raw = bibtexparser.parse_string(text)
    assert raw.failed_blocks == []
    links = {
        entry.key: {name: field.value for name, field in entry.fields_dict.items()}
        for entry in raw.entries
    }
    decoded = bibtexparser.parse_string(
        text,
        append_middleware=[
            middlewares.SeparateCoAuthors(),
            middlewares.LatexDecodingMiddleware(),
        ],
    )
    found: dict[str, dict[str, Any]] = {}
    for entry in decoded.entries:
        fields = {name: field.value for name, field in entry.fields_dict.items()}
        date = fields.get("date", "")
        found[entry.key] = {
            # the decoder has another character for \textasciicircum
            "title": _unwrapped(fields["title"]).replace(
                "\N{MODIFIER LETTER CIRCUMFLEX ACCENT}", "^"
            ),
            "authors": [_unwrapped(name) for name in fields.get("author", [])],
            "site": fields.get("journal", fields.get("organization", "")),
            "date": tuple(int(part) for part in date.split("-")) if date else (),
            # not text: TeX takes these as they are
            "doi": links[entry.key].get("doi", ""),
            "url": links[entry.key]["url"].replace("%7B", "{").replace("%7D", "}"),
        }
    return found


def _unwrapped(text: str) -> str:
    return text[1:-1] if text.startswith("{") and text.endswith("}") else text


def _from_ris(text: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for entry in rispy.loads(text):
        date = entry.get("date", "")
        found[entry["id"]] = {
            "title": entry["title"],
            "authors": entry.get("authors", []),
            "site": entry.get("secondary_title", ""),
            "date": tuple(int(part) for part in date.split("/")) if date else (),
            "doi": entry.get("doi", ""),
            "url": entry["urls"][0],
        }
    return found


def _from_csl(text: str) -> dict[str, dict[str, Any]]:
    data = json.loads(text)
    read = citeproc.CiteProcJSON(data)  # refuses unknown types and fields
    found: dict[str, dict[str, Any]] = {}
    for entry in data:
        parsed: Any = read[entry["id"]]
        date = parsed.get("issued")
        found[entry["id"]] = {
            "title": str(parsed["title"]),
            "authors": [
                f"{n['family']}, {n['given']}" if n.get("given") else n.get("literal", "")
                for n in entry.get("author", [])
            ],
            "site": str(parsed.get("container_title", "")),
            "date": tuple(date[part] for part in ("year", "month", "day") if part in date)
            if date
            else (),
            "doi": str(parsed.get("DOI", "")),
            "url": str(parsed["URL"]),
        }
    return found


READERS = {"bibtex": (bibtex, _from_bibtex), "ris": (ris, _from_ris), "csl": (csl_json, _from_csl)}


@pytest.mark.parametrize("form", READERS)
def test_what_we_write_another_program_reads_without_loss(form: str) -> None:
    references = with_keys([PAPER, PAGE, BARE])
    write, read = READERS[form]
    found = read(write(references))
    assert found == {key: _plain(reference) for key, reference in references}


_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" "), min_size=1
).filter(lambda text: text.strip() == text and "  " not in text)


@given(title=_TEXT, site=_TEXT)
def test_no_title_can_break_a_record(title: str, site: str) -> None:
    references = with_keys([Reference(url="https://a.example/", title=title, site=site)])
    assert rispy.loads(ris(references))[0]["title"] == title
    assert rispy.loads(ris(references))[0]["secondary_title"] == site
    (entry,) = json.loads(csl_json(references))
    assert (entry["title"], entry["container-title"]) == (title, site)
    raw = bibtexparser.parse_string(bibtex(references))
    assert raw.failed_blocks == []
    assert list(raw.entries[0].fields_dict) == ["title", "organization", "url"]


def test_keys_are_surname_year_and_first_word_and_never_collide() -> None:
    twins = [
        Reference(url=f"https://a.example/{n}", title="The attention", authors=("Vaswani, A.",),
                  published="2017")
        for n in range(3)
    ]  # fmt: skip
    attention = Reference(
        url="https://b.example/",
        title="Attention is all",
        authors=("Müller, Jo",),
        published="2017",
    )
    nameless = Reference(url="https://c.example/", title="日本語")
    assert [key for key, _ in with_keys([*twins, attention, nameless])] == [
        "muller2017attention",
        "source",
        "vaswani2017attentiona",
        "vaswani2017attentionb",
        "vaswani2017attentionc",
    ]


def test_a_suffix_never_makes_the_key_of_another_reference() -> None:
    twins = [Reference(url=f"https://a.example/{n}", title="B") for n in range(2)]
    other = Reference(url="https://b.example/", title="B", authors=("B",))

    assert [key for key, _ in with_keys([*twins, other])] == ["ba", "bc", "bb"]


def test_one_url_is_one_reference_and_the_order_does_not_matter() -> None:
    other = Reference(url=PAPER.url, title="Another title")
    assert with_keys([PAPER, other]) == [KeyedReference("vaswani2017owls", PAPER)]
    assert with_keys([PAGE, BARE, PAPER]) == with_keys([PAPER, PAGE, BARE])


@pytest.mark.parametrize(
    ("published", "parts"),
    [
        ("2017", (2017,)),
        ("2017-06", (2017, 6)),
        ("2017-06-12T10:00:00Z", (2017, 6, 12)),
        ("2017/6/2", (2017, 6, 2)),
        ("2017-13-01", (2017,)),
        ("12 June 2017", (2017, 6, 12)),
        ("", ()),
        ("recently", ()),
    ],
)
def test_a_date_is_as_precise_as_it_was_given(published: str, parts: tuple[int, ...]) -> None:
    assert date_parts(published) == parts


def test_records_have_the_form_that_reference_managers_expect() -> None:
    references = with_keys([PAPER])
    assert ris(references).splitlines()[0] == "TY  - JOUR"
    assert ris(references).splitlines()[-1] == "ER  - "
    assert ris(with_keys([PAGE])).splitlines()[0] == "TY  - ELEC"
    assert bibtex(references).startswith(
        "@article{vaswani2017owls,\n  author = {Vaswani, Ashish and"
    )
    assert bibtex(with_keys([PAGE])).startswith("@misc{pit,\n  title = {{The pit TY - HACK}}")
    (entry,) = json.loads(csl_json(references))
    assert entry["type"] == "article-journal"
    assert entry["author"] == [
        {"family": "Vaswani", "given": "Ashish"},
        {"family": "van Slate", "given": "Ludwig"},
        {"literal": "World Health Organization"},
        {"family": "Öberg-Noël", "given": "Åsa"},
    ]
