from webquarry.content.changes.compare import compare_versions
from webquarry.content.changes.entry_differences import MAX_ENTRIES, merge_entries
from webquarry.models.changes import EntriesVersion, VersionComparison, WatchedEntry


def _entry(key: str, *, title: str = "", text: str = "") -> WatchedEntry:
    return WatchedEntry(key=key, title=title or f"Title {key}", url=f"https://x.example/{key}",
                        text=text)  # fmt: skip


def _version(
    *entries: WatchedEntry, rolling: bool = False, complete: bool = True
) -> EntriesVersion:
    return EntriesVersion(entries=entries, rolling=rolling, complete=complete)


def _told(comparison: VersionComparison) -> list[tuple[str, str, str]]:
    return [(each.kind, each.action, each.where) for each in comparison.changes]


def test_entries_are_new_gone_or_changed() -> None:
    before = _version(_entry("a"), _entry("b", text="It is tin."), _entry("c", title="Old"))
    after = _version(_entry("c", title="New"), _entry("b", text="It is steel."), _entry("d"))

    comparison = compare_versions(before, after)

    assert _told(comparison) == [
        ("title", "changed", "c"),
        ("text", "changed", "b"),
        ("entry", "added", "d"),
        ("entry", "removed", "a"),
    ]
    added = comparison.changes[2].after
    assert added is not None
    assert (added.quote, added.url) == ("Title d", "https://x.example/d")


def test_entries_of_a_rolling_or_incomplete_set_do_not_leave() -> None:
    before = _version(_entry("a"), _entry("b"))

    assert _told(compare_versions(before, _version(_entry("b"), rolling=True))) == []
    assert _told(compare_versions(before, _version(_entry("b"), complete=False))) == []


def test_an_entry_that_comes_back_is_not_new() -> None:
    first = _version(_entry("a"), _entry("b"), rolling=True)
    second = _version(_entry("b"), rolling=True)
    third = _version(_entry("a"), _entry("c"), rolling=True)

    assert _told(compare_versions(merge_entries(first, second), third)) == [("entry", "added", "c")]


def test_the_version_to_compare_with_is_bounded() -> None:
    many = _version(*(_entry(str(number)) for number in range(MAX_ENTRIES)), rolling=True)

    merged = merge_entries(many, _version(_entry("new"), rolling=True))

    assert (len(merged.entries), merged.entries[0].key) == (MAX_ENTRIES, "new")


def test_an_entry_that_was_not_read_has_no_changed_text() -> None:
    assert _told(compare_versions(_version(_entry("a", text="Text.")), _version(_entry("a")))) == []


def test_noise_in_the_text_of_an_entry_is_ignored() -> None:
    before, after = (_version(_entry("a", text=f"# A\n\n{n} views")) for n in (1, 2))

    comparison = compare_versions(before, after)

    assert (comparison.changes, len(comparison.ignored)) == ((), 1)
