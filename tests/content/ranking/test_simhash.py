from webquarry.content.ranking.simhash import distance, sketch

TEXT = " ".join(f"Sentence {n} is about {n * 7919 % 1000} things and more." for n in range(300))


def test_a_small_change_changes_few_bits() -> None:
    whole = sketch(TEXT.encode())
    other = sketch(f"Welcome back, user 17! {TEXT}".encode())

    assert distance(whole.bits, other.bits) <= 3
    assert whole.words == 2400


def test_another_text_is_far_away() -> None:
    other = " ".join(f"{word[::-1]}x" for word in TEXT.split())

    assert distance(sketch(TEXT.encode()).bits, sketch(other.encode()).bits) > 10


def test_a_short_text_has_no_sketch() -> None:
    assert sketch(b"a few words").bits == 0
    assert sketch(b"") == (0, 0)
