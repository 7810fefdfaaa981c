from webquarry.content.ranking.simhash import hamming_distance, simhash_of

TEXT = " ".join(f"Sentence {n} is about {n * 7919 % 1000} things and more." for n in range(300))


def test_a_small_change_changes_few_bits() -> None:
    whole = simhash_of(TEXT.encode())
    other = simhash_of(f"Welcome back, user 17! {TEXT}".encode())

    assert hamming_distance(whole.bits, other.bits) <= 3
    assert whole.words == 2400


def test_another_text_is_far_away() -> None:
    other = " ".join(f"{word[::-1]}x" for word in TEXT.split())

    assert hamming_distance(simhash_of(TEXT.encode()).bits, simhash_of(other.encode()).bits) > 10


def test_a_short_text_has_no_sketch() -> None:
    assert simhash_of(b"a few words").bits == 0
    assert simhash_of(b"") == (0, 0)
