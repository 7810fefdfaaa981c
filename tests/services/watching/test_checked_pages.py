"""Each page of a check is new, changed, removed or the same."""

from webquarry.models.changes import (
    Change,
    ChangeAction,
    ChangeKind,
    EntriesVersion,
    PageVersion,
    WatchedEntry,
)
from webquarry.models.monitor import PageCounts
from webquarry.models.research import Anchor
from webquarry.services.watching.checked_pages import page_counts, page_statuses

SITE = EntriesVersion(
    entries=tuple(WatchedEntry(key=f"https://owls.test/{n}", url=f"https://owls.test/{n}")
                  for n in range(4))
)  # fmt: skip


def change(url: str, action: ChangeAction, kind: ChangeKind = "entry") -> Change:
    anchor = Anchor(url=url, quote="Owls", sha256="0")
    return Change(
        id="c",
        kind=kind,
        action=action,
        before=None if action == "added" else anchor,
        after=None if action == "removed" else anchor,
        size=1,
    )


def test_pages_of_a_site_are_counted_once_each() -> None:
    changes = [
        change("https://owls.test/1", "added"),
        change("https://owls.test/2", "changed", "text"),
        change("https://owls.test/2", "removed", "text"),
        change("https://owls.test/gone", "removed"),
    ]

    counts = page_counts(SITE, changes, is_first=False)

    assert counts == PageCounts(total=5, new=1, changed=1, removed=1)
    assert page_statuses(SITE, changes, is_first=False)["https://owls.test/2"] == "changed"


def test_all_pages_of_a_first_check_are_new() -> None:
    page = PageVersion(url="https://owls.test/", markdown="Owls")

    assert page_counts(SITE, (), is_first=True) == PageCounts(total=4, new=4)
    assert page_counts(page, (), is_first=True) == PageCounts(total=1, new=1)


def test_without_a_version_only_what_differs_is_known() -> None:
    changes = [change("https://owls.test/1", "added")]

    assert page_statuses(None, changes, is_first=False) == {"https://owls.test/1": "new"}
