"""Front matter: whatever a page says, its properties are read back as they were written."""

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from webquarry.content.export.front_matter import with_front_matter


def test_properties_stand_before_the_text() -> None:
    text = with_front_matter({"url": "https://x.test/", "words": 3, "changed": None}, "\n# A\n")

    assert text == '---\nurl: "https://x.test/"\nwords: 3\n---\n\n# A\n'


@given(st.text())
@example('"---\n: #')
@example("\x85\u2028\ufeff\x7f😀")
@example("no")
def test_any_title_is_read_back_by_a_yaml_parser(title: str) -> None:
    text = with_front_matter({"title": title, "status": 200}, "body\n---\nmore")

    head = text.split("\n---\n", 1)[0].removeprefix("---\n")
    assert yaml.safe_load(head) == {"title": title, "status": 200}
