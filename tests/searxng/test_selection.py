import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

from tests.replay import FakeClock
from webquarry.searxng.instance import Instance
from webquarry.searxng.selection import InstanceSelection, SelectedInstance

A, B, C = (Instance(url=f"https://{n}.example", grade="A+") for n in "abc")


def roster(*instances: Instance, shuffle: bool = False) -> InstanceSelection:
    # seeded: the test must see the same turns every time
    chance = random.Random(7).random  # noqa: S311
    clock = replace(FakeClock().clock(), random=chance)
    made = InstanceSelection(clock, shuffle=shuffle, max_failures=3)
    for instance in instances:
        made.add(instance)
    return made


def urls(made: InstanceSelection, times: int) -> list[str]:
    picks = [made.select() for _ in range(times)]
    return [pick.instance.url for pick in picks if pick]


def test_instances_of_one_grade_take_turns() -> None:
    assert urls(roster(A, B, C), 6) == [A.url, B.url, C.url, A.url, B.url, C.url]


def test_random_turns_use_every_instance_and_none_twice_in_a_row() -> None:
    turns = urls(roster(A, B, C, shuffle=True), 300)

    assert min(Counter(turns).values()) >= 60
    assert all(first != second for first, second in pairwise(turns))


def test_a_better_grade_is_asked_first() -> None:
    own = Instance(url="https://own.example")
    worse = Instance(url="https://worse.example", grade="B")

    made = roster(worse, A, own)

    assert urls(made, 2) == [own.url, own.url]
    assert [i.grade for i in made.ranked()] == ["own", "A+", "B"]


def test_the_reason_names_those_who_were_passed_over() -> None:
    made = roster(A, Instance(url="https://b.example", grade="A"))
    made.update(A.url, lambda i: i.after_rate_limit(1000.0, 30, 60))

    pick = made.select()

    assert pick == SelectedInstance(
        instance=Instance(url="https://b.example", grade="A"),
        reason="grade A, the only one of its grade available",
        skipped=((A.url, "rate limited for 30 s more"),),
    )


def test_the_next_one_after_a_failure_says_so() -> None:
    pick = roster(A, B, C).select([A.url], "tried after another failed")

    assert pick is not None
    assert pick.reason == "grade A+, next of 2 in rotation; tried after another failed"


def test_a_slow_instance_comes_after_the_others_of_its_grade() -> None:
    made = roster(
        replace(A, grade="A", response_time=8000),
        replace(B, grade="A", response_time=70),
        replace(C, grade="A", response_time=560),
        Instance(url="https://d.example", grade="B", response_time=10),
        Instance(url="https://new.example", grade="A"),
    )

    picked = [pick.instance.url for _ in range(4) if (pick := made.select())]

    # those that are fast enough, or not measured, take turns
    assert picked == [B.url, C.url, "https://new.example", B.url]
    assert [i.url for i in made.available([B.url, C.url, "https://new.example"])] == [
        A.url,
        "https://d.example",
    ]


def test_a_slow_instance_gets_another_chance_later() -> None:
    time = FakeClock()
    made = InstanceSelection(time.clock(), shuffle=False, max_failures=3)
    made.add(replace(A, grade="A").after_success(time.time, 8000))
    made.add(replace(B, grade="A").after_success(time.time, 70))
    assert made.available()[0].url == B.url

    time.time += 600
    made.update(B.url, lambda i: i.after_success(time.time, 70))

    assert made.available()[0].url == A.url


def test_grades_below_b_are_never_asked() -> None:
    assert roster(Instance(url="https://c.example", grade="C")).select() is None


def test_what_no_source_lists_is_forgotten() -> None:
    made = roster(A, B)
    made.retain([B.url])
    made.update(A.url, lambda i: i.after_success(0, 0))

    assert [i.url for i in made.ranked()] == [B.url]


def test_one_instance_is_known_once() -> None:
    assert len(roster(A, A).by_url) == 1
