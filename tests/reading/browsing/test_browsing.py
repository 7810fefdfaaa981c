"""Operating pages in a real Chromium: sign-in, widgets, downloads, dialogs, windows."""

from pathlib import Path

import pytest

from tests.net.servers import serve
from tests.reading.browsing.open_pages import ADA, BOB, Pages, open_browsing
from tests.reading.browsing.sample_apps import PRIVATE_TITLE, sample_apps
from tests.reading.chromium import kill_main_process, needs_chromium
from webquarry.content.text.token_count import BYTES_PER_TOKEN
from webquarry.errors import BadInputError, BlockedError, RateLimitError, SessionNotFoundError
from webquarry.models.browsing import Download, PageAction
from webquarry.reading.browsing.browsing_session import SessionLife
from webquarry.reading.browsing.browsing_sessions import BrowsingLimits

pytestmark = [pytest.mark.anyio, needs_chromium]


async def test_a_person_signs_in_through_a_form_with_a_token(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        opened = await pages.go(site.url("/private"))
        filled = await pages.do(
            pages.type('textbox "Name"', "ada"), pages.type('textbox "Password"', "hunter2")
        )
        entered = await pages.do(pages.click('button "Enter"'))

    assert opened.url == site.url("/login")
    assert "hunter2" not in filled.snapshot
    assert (entered.url, entered.failed) == (site.url("/private"), "")
    assert f'heading 1 "{PRIVATE_TITLE}"' in entered.snapshot


async def test_a_snapshot_lists_what_is_shown_and_later_only_what_changed(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        opened = await pages.go(site.url())
        chosen = await pages.do(
            PageAction(do="select", id=pages.id("combobox"), value="peru"),
            pages.click("checkbox"),
            pages.type('textbox "Day"', "2026-11-18"),
        )
        same = await pages.do()

    assert opened.snapshot.splitlines() == [
        '[e1] combobox "Country" = "Norway" (Norway, Peru)',
        '[e2] checkbox "Remember me"',
        '[e3] textbox "Day"',
        '[e4] button "Delete"',
        '[e5] button "Later" (disabled)',
        '[e6] button "Custom"',
        '[e7] link "Report"',
        '[e8] link "Paper"',
        '[e9] link "More"',
        '[e10] button "Shadow"',
        '[e11] frame "Inner"',
        '[e12] button "In frame"',
    ]
    assert chosen.snapshot.splitlines() == [
        "Changes since the last snapshot (~ changed):",
        '~ [e1] combobox "Country" = "Peru" (Norway, Peru)',
        '~ [e2] checkbox "Remember me" (checked)',
        '~ [e3] textbox "Day" = "2026-11-18"',
    ]
    assert same.snapshot == "Nothing has changed."


async def test_frames_and_shadow_roots_are_operated(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        clicked = await pages.do(
            pages.click('button "Shadow"'),
            pages.click('button "In frame"'),
            pages.click('button "Custom"'),
        )

    assert (clicked.title, clicked.failed) == ("pressed", "")
    assert 'button "1"' in clicked.snapshot
    assert 'button "framed"' in clicked.snapshot


async def test_a_dialog_is_dismissed_unless_the_action_accepts_it(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        dismissed = await pages.do(pages.click('button "Delete"'))
        accepted = await pages.do(pages.click('button "no"', dialog="accept"))

    assert dismissed.events == ("Dialog (confirm) 'Sure?' was dismissed.",)
    assert accepted.events == ("Dialog (confirm) 'Sure?' was accepted.",)
    assert 'button "yes"' in accepted.snapshot


async def test_a_download_is_read_as_a_document(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        clicked = await pages.do(pages.click('link "Report"'))

    table = "| name | age |\n| --- | --- |\n| owl | 3 |"
    assert clicked.downloads == (
        Download(
            url=site.url("/report.csv"), name="report.csv", contentType="text/csv", content=table
        ),
    )
    assert clicked.url == site.url()


async def test_a_download_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path, max_bytes=4) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        clicked = await pages.do(pages.click('link "Report"'))

    assert [each.content for each in clicked.downloads] == [""]
    assert "MAX_DOCUMENT_BYTES" in (clicked.downloads[0].error or "")


async def test_a_new_window_is_shown_until_it_closes(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        await pages.do(pages.click('link "More"'))
        opened = await pages.until_title("Popup")
        await pages.do(pages.click('button "Close"'))
        closed = await pages.until_title("Widgets")

    assert (opened, closed) == (site.url("/popup"), site.url())


async def test_an_endless_list_grows_while_it_is_scrolled(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        opened = await pages.go(site.url("/endless"))
        scrolled = await pages.do(PageAction(do="scroll", value="bottom"))
        shown = scrolled.snapshot
        while "Item 59" not in shown:  # the list grows a moment after the page was scrolled
            shown += (await pages.do(PageAction(do="wait", value="50"))).snapshot

    assert "Item 30" not in opened.snapshot
    assert 'link "Item 3"' not in shown  # it was shown before


async def test_an_action_that_fails_says_which_and_why_and_shows_the_page(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        failed = await pages.do(
            pages.click("checkbox"), PageAction(do="click", id="e99"), pages.click("checkbox")
        )
        disabled = await pages.do(pages.click('button "Later"'))
        no_option = await pages.do(PageAction(do="select", id="e1", value="Chile"))

    assert (failed.done, failed.failed) == (
        1,
        "action 2 (click e99): e99 is not on the page any more; use an id of the latest snapshot",
    )
    assert "(checked)" in failed.snapshot
    assert disabled.failed == "action 1 (click e5): e5 is disabled"
    assert no_option.failed == ("action 1 (select e1): e1 has no such option; it has: Norway, Peru")


async def test_the_snapshot_of_a_large_page_keeps_to_its_limit(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        opened = await pages.go(site.url("/large"), max_tokens=1000)
        bottom = await pages.do(PageAction(do="scroll", value="bottom"), max_tokens=1000)
        while "Window at 0 of" in bottom.snapshot:  # the browser scrolls a moment later
            bottom = await pages.do(PageAction(do="wait", value="50"), max_tokens=1000)
        found = await pages.do(find="Open 3333", max_tokens=1000)

    sizes = [len(each.snapshot.encode()) for each in (opened, bottom, found)]
    assert max(sizes) <= 1000 * BYTES_PER_TOKEN
    assert 'button "Open 6699"' in bottom.snapshot
    assert "Row 3\n" not in bottom.snapshot
    assert found.snapshot.endswith('button "Open 3333"')


async def test_read_returns_the_page_as_markdown(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url("/login"))
        read = await pages.do(PageAction(do="read"))

    assert read.content.startswith("# Sign in")


async def test_scripts_of_callers_run_only_where_the_operator_allows_them(tmp_path: Path) -> None:
    action = PageAction(do="script", value="document.title.length")
    async with serve(sample_apps) as site, open_browsing(tmp_path, scripts=True) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        service.check([action])
        ran = await pages.do(action)
    async with open_browsing(tmp_path) as service:
        with pytest.raises(BadInputError, match="BROWSE_SCRIPTS"):
            service.check([action])

    assert ran.results == ["7"]


async def test_nobody_else_finds_a_session(tmp_path: Path) -> None:
    async with open_browsing(tmp_path) as service:
        pages = await Pages.opened(service, ADA)
        with pytest.raises(SessionNotFoundError, match="no browser session"):
            service.sessions.get(BOB, pages.session.id)

        assert service.sessions.get(ADA, pages.session.id) is pages.session
        assert service.sessions.of(BOB) == []


async def test_a_session_whose_browser_died_says_so(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        kill_main_process()
        with pytest.raises(SessionNotFoundError, match="the browser died"):
            await pages.do(PageAction(do="wait", value="10000"))
        with pytest.raises(SessionNotFoundError, match="the browser died"):
            service.sessions.get(ADA, pages.session.id)
        again = await Pages.opened(service)
        opened = await again.go(site.url())

    assert opened.title == "Widgets"


async def test_a_closed_session_is_gone(tmp_path: Path) -> None:
    async with serve(sample_apps) as site, open_browsing(tmp_path) as service:
        pages = await Pages.opened(service)
        await pages.go(site.url())
        closed = await pages.do(PageAction(do="close"))
        await pages.session.wait_until_closed()
        with pytest.raises(SessionNotFoundError, match="its owner closed it"):
            service.sessions.get(ADA, pages.session.id)

    assert closed.closed


async def test_an_internal_page_is_refused(tmp_path: Path) -> None:
    async with (
        serve(sample_apps) as site,
        open_browsing(tmp_path, private=False) as service,
    ):
        pages = await Pages.opened(service)
        with pytest.raises(BlockedError):
            await pages.go(site.url())

    assert site.targets == []


async def test_twenty_sessions_are_open_at_once_and_the_next_is_told(tmp_path: Path) -> None:
    limits = BrowsingLimits(sessions=20, per_user=20)
    async with (
        serve(sample_apps) as site,
        open_browsing(tmp_path, limits=limits) as service,
    ):
        opened = [await Pages.opened(service) for _ in range(20)]
        titles = {(await pages.go(site.url())).title for pages in opened}
        used = await service.sessions.memory()
        with pytest.raises(
            RateLimitError, match=r"20 browser sessions are open, as many as BROWSE_SESSIONS allows"
        ):
            await Pages.opened(service, BOB)
        await service.sessions.end(opened[0].session, "enough")
        next_one = await Pages.opened(service, BOB)

        assert titles == {"Widgets"}
        assert 0 < used <= limits.memory
        assert service.sessions.of(BOB) == [next_one.session]


async def test_one_user_cannot_take_all_sessions(tmp_path: Path) -> None:
    async with open_browsing(tmp_path, limits=BrowsingLimits(per_user=1)) as service:
        await Pages.opened(service, ADA)
        with pytest.raises(RateLimitError, match=r"you have 1 open .* BROWSE_SESSIONS_PER_USER"):
            await Pages.opened(service, ADA)
        await Pages.opened(service, BOB)


async def test_no_session_is_opened_when_the_browser_uses_too_much_memory(tmp_path: Path) -> None:
    async with open_browsing(tmp_path, limits=BrowsingLimits(memory=2**20)) as service:
        await Pages.opened(service)
        with pytest.raises(RateLimitError, match=r"MiB of memory, more than BROWSE_MEMORY"):
            await Pages.opened(service)


async def test_a_session_that_is_not_used_ends(tmp_path: Path) -> None:
    limits = BrowsingLimits(life=SessionLife(idle=0.0))
    async with open_browsing(tmp_path, limits=limits) as service:
        pages = await Pages.opened(service)
        await pages.session.wait_until_closed()
        with pytest.raises(SessionNotFoundError, match="it was not used for 0 seconds"):
            service.sessions.get(ADA, pages.session.id)
