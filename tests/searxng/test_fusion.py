from hypothesis import given
from hypothesis import strategies as st

from webquarry.searxng.fusion import fuse_hits
from webquarry.searxng.query_values import Hit


def hit(path: str, **more: str) -> Hit:
    return Hit(title=path, url=f"https://example.org/{path}", **more)  # pyright: ignore[reportArgumentType]


def test_a_page_of_two_instances_comes_before_those_of_one() -> None:
    fused = fuse_hits([[hit("a"), hit("b")], [hit("c"), hit("b")]])

    assert [(found.title, found.score) for found in fused] == [
        ("b", 0.9839),
        ("a", 0.5),
        ("c", 0.5),
    ]


def test_one_list_keeps_its_order() -> None:
    assert [(h.title, h.score) for h in fuse_hits([[hit("a"), hit("b")], []])] == [
        ("a", 1.0),
        ("b", 0.9839),
    ]


def test_a_page_is_known_by_its_url_without_tracking_and_keeps_what_either_knows() -> None:
    one = Hit(title="Owl", url="https://example.org/owl", description="Bird", engines=("bing",))
    two = Hit(
        title="owl",
        url="https://www.example.org/owl?utm_source=x",
        description="A bird of the night",
        engines=("brave", "bing"),
        published="2024-05-17T08:30:00Z",
        thumbnail="https://img.example/owl.png",
    )

    assert fuse_hits([[one], [two]]) == (
        Hit(
            title="Owl",
            url="https://example.org/owl",
            description="A bird of the night",
            score=1.0,
            engines=("bing", "brave"),
            published="2024-05-17T08:30:00Z",
            thumbnail="https://img.example/owl.png",
        ),
    )


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=4))
def test_each_page_comes_once_with_a_score_that_only_falls(lists: list[list[int]]) -> None:
    fused = fuse_hits([[hit(str(number)) for number in numbers] for numbers in lists])

    scores = [found.score for found in fused]
    assert sorted(h.title for h in fused) == sorted({str(n) for numbers in lists for n in numbers})
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
