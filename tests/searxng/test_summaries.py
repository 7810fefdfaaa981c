import pytest

from webquarry.searxng.summaries import summarize, without_code, word_count

PAGE = """# Owls

![an owl](https://example.org/owl.png)

Owls are birds of the order Strigiformes. They hunt at night and hear very well.

```python
print("owls are not code and this is not a sentence about them.")
```

| order | family |
|---|---|
| Strigiformes | Strigidae |

- The [snowy owl](https://example.org/snowy) lives in the Arctic and hunts by day.

The weather was nice on that day in spring, somebody told us later on.
"""


def test_words_are_counted_as_a_reader_would() -> None:
    assert word_count("A [snowy owl](https://example.org/a/b/c) *flies*.") == 4


def test_scripts_without_spaces_are_counted_by_sign() -> None:
    assert word_count("猫が好き cats") == 5


def test_a_summary_is_made_of_the_sentences_about_the_query() -> None:
    assert summarize(PAGE, "snowy owl arctic", 130) == (
        "Owls are birds of the order Strigiformes. "
        "The snowy owl lives in the Arctic and hunts by day."
    )


@pytest.mark.parametrize("most", [50, 120, 500])
def test_a_summary_keeps_its_length_and_order_and_holds_no_code(most: int) -> None:
    made = summarize(PAGE * 20, "owls", most)

    assert 0 < len(made) <= most
    assert "print" not in made
    assert "|" not in made


def test_a_summary_of_one_endless_sentence_is_cut_between_words() -> None:
    made = summarize("word " * 500, "word", 100)

    assert len(made) <= 100
    assert made.endswith("word…")


def test_a_short_text_is_its_own_summary() -> None:
    assert summarize("Just this.", "owls", 500) == "Just this."
    assert summarize("", "owls", 500) == ""


def test_code_can_be_left_out() -> None:
    assert without_code("before\n\n```\ncode\n```\n\nafter\n~~~ sh\nmore\n~~~") == "before\n\nafter"


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert without_code("before\n```\ncode") == "before"
