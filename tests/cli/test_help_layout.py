"""What help texts say about values, and the commands of a group."""

import re

import pytest

from webquarry.cli.help_texts import requested_help
from webquarry_build.distribution.help_table import help_table

TABLE = help_table()
PYTHON_TYPES = re.compile(r"<(?:list\[)?(?:str|int|float|path)\b|x[<>]=|<=x|\{")


@pytest.mark.parametrize("command", TABLE)
def test_help_names_no_types_of_python(command: str) -> None:
    without_examples = TABLE[command].partition("Examples:")[0].replace('{"do"', "")

    assert PYTHON_TYPES.findall(without_examples) == []


@pytest.mark.parametrize("command", TABLE)
def test_lists_of_commands_show_whole_sentences(command: str) -> None:
    assert "..." not in re.sub(r"Usage: .*", "", TABLE[command])


def test_required_arguments_stand_without_brackets() -> None:
    assert TABLE["read"].startswith("Usage: webquarry read [OPTIONS] [URL|FILE]...\n")
    assert TABLE["verify"].startswith("Usage: webquarry verify [OPTIONS] CITATION...\n")
    assert "CITATION  DOI, URL or reference text.\n" in TABLE["verify"]


def test_limits_of_numbers_are_words() -> None:
    assert "[default: 150; 0 to 500]" in " ".join(TABLE["check"].split())


def test_the_packaged_table_is_shown() -> None:
    assert requested_help(["check", "--help"]) == TABLE["check"]
