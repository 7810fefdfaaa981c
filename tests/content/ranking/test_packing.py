"""One text out of several sources."""

from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.content.ranking.packing import GAP, PackedPart, PackedText, pack_passages
from webquarry.content.ranking.relevance import QueryTerms

OWLS = QueryTerms("how far can a barn owl hear")
FILLER = "This paragraph is about the weather in spring and says nothing on birds at all."
ANSWER = "A barn owl can hear a mouse from as far as 40 metres away."
FIRST = PackedPart(
    "## [1] Weather", f"# Spring\n\n{FILLER}\n\n## Birds\n\n{ANSWER}\n\n{FILLER}", 0.8
)
SECOND = PackedPart("## [2] Owls", f"{FILLER}\n\nThe barn owl can hear at 20 kHz and see far.", 0.4)


def size(text: str) -> int:
    return len(text.encode())


def test_the_full_text_is_returned_when_it_fits() -> None:
    assert pack_passages([FIRST, SECOND], [OWLS], 10_000, size) == PackedText(
        f"{FIRST.heading}\n\n{FIRST.text}\n\n{SECOND.heading}\n\n{SECOND.text}"
    )


def test_the_best_passages_of_every_source_stay_under_their_headings() -> None:
    packed = pack_passages([FIRST, SECOND], [OWLS], 200, size)

    assert packed == PackedText(
        f"{FIRST.heading}\n\n{GAP}\n\n## Birds\n\n{ANSWER}\n\n{GAP}\n\n"
        f"{SECOND.heading}\n\n{GAP}\n\nThe barn owl can hear at 20 kHz and see far.",
        truncated=True,
    )


def test_nothing_fits_into_no_room() -> None:
    assert pack_passages([FIRST], [OWLS], 10, size) == PackedText("", truncated=True)


def test_a_long_passage_is_shortened_rather_than_dropped() -> None:
    long = PackedPart(
        "## [1] Owls", " ".join(f"A barn owl can hear far, case {n}." for n in range(90)), 1
    )

    packed = pack_passages([long], [OWLS], 900, size)

    assert 500 < size(packed.text) <= 900
    assert packed.text.endswith(f"…\n\n{GAP}") or packed.text.endswith("…")


PARTS = st.lists(
    st.builds(
        PackedPart,
        st.just("## [n] Source"),
        st.lists(st.sampled_from([FILLER, ANSWER, "## Birds", "```\ncode\n\nhere\n```", "雪の夜"]))
        .map("\n\n".join),
        st.floats(0, 1),
    ),
    max_size=4,
)  # fmt: skip


@settings(deadline=None)
@given(PARTS, st.integers(0, 2000))
def test_the_room_is_never_exceeded_and_nothing_is_made_up(
    parts: list[PackedPart], room: int
) -> None:
    packed = pack_passages(parts, [OWLS], room, size)

    assert size(packed.text) <= room
    known = {piece for part in parts for piece in (part.heading, *part.text.split("\n\n"))}
    if packed.truncated and room < 400:
        assert set(packed.text.split("\n\n")) <= known | {GAP, ""}
