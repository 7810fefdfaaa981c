import pytest

from webquarry.settings.dotenv import Line, parse


def test_assignments_comments_and_quotes_are_read() -> None:
    text = "\n".join(
        [
            "\ufeff# a comment",
            "",
            "PLAIN=value",
            "  export EXPORTED = spaced  ",
            "COMMENTED=value # the rest is a comment",
            "HASH=value#not-a-comment",
            "SINGLE='$HOME # \\n'  # comment",
            'DOUBLE="a \\"quoted\\" \\\\ line\\n\\$HOME" # comment',
            "EMPTY=",
            "ONLY_COMMENT= # nothing",
            "EQUALS=a=b",
            "WINDOWS=line\r",
        ]
    )
    assert list(parse(text)) == [
        Line(3, "PLAIN", "value"),
        Line(4, "EXPORTED", "spaced"),
        Line(5, "COMMENTED", "value"),
        Line(6, "HASH", "value#not-a-comment"),
        Line(7, "SINGLE", "$HOME # \\n"),
        Line(8, "DOUBLE", 'a "quoted" \\ line\n\\$HOME'),
        Line(9, "EMPTY", ""),
        Line(10, "ONLY_COMMENT", ""),
        Line(11, "EQUALS", "a=b"),
        Line(12, "WINDOWS", "line"),
    ]


@pytest.mark.parametrize("line", ["garbage", "=value", "1NAME=value", "A B=value", "export"])
def test_a_line_without_an_assignment_is_a_problem(line: str) -> None:
    assert list(parse(line)) == [Line(1, problem="is not NAME=value")]


@pytest.mark.parametrize("value", ["'open", '"open', "'a'b'", '"a"b', '"open\\"'])
def test_a_quote_that_does_not_end_is_a_problem_without_its_text(value: str) -> None:
    problem = "gives NAME a quote that does not end properly"
    assert list(parse(f"NAME={value}")) == [Line(1, "NAME", problem=problem)]
