from webquarry.searxng.query_values import DirectAnswer, Infobox, SearchExtras
from webquarry.searxng.search_extras import merge_extras


def test_each_extra_is_kept_once() -> None:
    one = SearchExtras(
        answers=(DirectAnswer(text="42"),),
        infoboxes=(Infobox(title="Owl"),),
        suggestions=("barn owl", "owl"),
        corrections=("owls",),
        unreadable=1,
    )
    two = SearchExtras(answers=(DirectAnswer(text="43"),), suggestions=("owl", "owlet"))

    assert merge_extras([one, two, one]) == SearchExtras(
        answers=(DirectAnswer(text="42"), DirectAnswer(text="43")),
        infoboxes=(Infobox(title="Owl"),),
        suggestions=("barn owl", "owl", "owlet"),
        corrections=("owls",),
        unreadable=2,
    )


def test_an_instance_does_not_decide_how_long_they_are() -> None:
    long = "word " * 10_000
    many = tuple(f"{number} {long}" for number in range(100))
    boxes = tuple(
        Infobox(title=text, content=text, attributes=((text, text),) * 50) for text in many
    )
    answers = tuple(DirectAnswer(text=text) for text in many)

    extras = merge_extras(
        [SearchExtras(answers=answers, infoboxes=boxes, suggestions=many, corrections=many)]
    )

    counts = [len(part) for part in (extras.answers, extras.infoboxes, extras.suggestions)]
    assert counts == [5, 2, 8]
    assert len(repr(extras)) < 20_000
