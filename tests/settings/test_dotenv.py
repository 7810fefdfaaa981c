import pytest

from webquarry.settings.dotenv import DotenvLine, parse


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
        DotenvLine(3, "PLAIN", "value"),
        DotenvLine(4, "EXPORTED", "spaced"),
        DotenvLine(5, "COMMENTED", "value"),
        DotenvLine(6, "HASH", "value#not-a-comment"),
        DotenvLine(7, "SINGLE", "$HOME # \\n"),
        DotenvLine(8, "DOUBLE", 'a "quoted" \\ line\n\\$HOME'),
        DotenvLine(9, "EMPTY", ""),
        DotenvLine(10, "ONLY_COMMENT", ""),
        DotenvLine(11, "EQUALS", "a=b"),
        DotenvLine(12, "WINDOWS", "line"),
    ]


@pytest.mark.parametrize("line", ["garbage", "=value", "1NAME=value", "A B=value", "export"])
def test_a_line_without_an_assignment_is_a_problem(line: str) -> None:
    assert list(parse(line)) == [DotenvLine(1, problem="is not NAME=value")]


@pytest.mark.parametrize("value", ["'open", '"open', "'a'b'", '"a"b', '"open\\"'])
def test_a_quote_that_does_not_end_is_a_problem_without_its_text(value: str) -> None:
    problem = "the quoted value of NAME has no closing quote"
    assert list(parse(f"NAME={value}")) == [DotenvLine(1, "NAME", problem=problem)]
