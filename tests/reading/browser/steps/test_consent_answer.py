"""Questions for consent in every language that is known, in a real browser."""

import json
from collections.abc import Generator
from importlib.resources import files
from typing import Any

import pytest

from tests.reading.browser.steps.browser_thread import BrowserThread, browser_thread
from tests.reading.chromium import needs_chromium
from webquarry.reading.browser.steps.consent_answer import answer_consent

pytestmark = needs_chromium

WORDS: dict[str, Any] = json.loads(
    files("webquarry.reading.browser").joinpath("consent_words.json").read_text("utf-8")
)
LANGUAGES = tuple(WORDS["reject"])
# how sites ask in each language
QUESTIONS = {
    "en": "We use cookies", "de": "Wir verwenden Cookies", "fr": "Nous utilisons des cookies",
    "es": "Usamos cookies", "it": "Usiamo i cookie", "pt": "Usamos cookies",
    "nl": "Wij gebruiken cookies", "sv": "Vi använder kakor", "da": "Vi bruger cookies",
    "nb": "Vi bruker informasjonskapsler", "fi": "Käytämme evästeitä",
    "pl": "Używamy ciasteczek", "cs": "Používáme soubory cookie",
    "sk": "Používame súbory cookie", "hu": "Sütiket használunk", "ro": "Folosim cookie-uri",
    "bg": "Използваме бисквитки", "el": "Χρησιμοποιούμε cookies",
    "ru": "Мы используем файлы куки", "uk": "Ми використовуємо файли cookie",
    "tr": "Çerez", "hr": "Koristimo kolačiće", "sl": "Uporabljamo piškotke",
    "lt": "Naudojame slapukus", "lv": "Mēs izmantojam sīkdatnes", "et": "Kasutame küpsiseid",
    "ja": "当サイトはクッキーを使用します", "ko": "쿠키를 사용합니다",
    "zh": "我们使用 cookie 来保护您的隐私", "ar": "نستخدم ملفات تعريف الارتباط",
}  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Generator[BrowserThread]:
    with browser_thread() as opened:
        yield opened


def banner(text: str, *labels: str) -> str:
    buttons = "".join(
        f'<button onclick="document.title=this.textContent">{label}</button>' for label in labels
    )
    return (
        f"<title>open</title><main><p>News</p></main><div role=dialog><p>{text}.</p>{buttons}</div>"
    )


def answers(
    browser: BrowserThread, pages: list[str], *, accept: bool = False
) -> list[tuple[str, str]]:
    """Return the label that was clicked on each page, and what its page shows then."""

    async def work(context: Any) -> list[tuple[str, str]]:
        page = await context.new_page()
        found: list[tuple[str, str]] = []
        for html in pages:
            await page.set_content(html)
            found.append((await answer_consent(page, accept=accept), await page.title()))
        return found

    return browser.run(browser.tier.browser.run(work, 170))


def test_there_are_more_than_twenty_languages() -> None:
    assert len(LANGUAGES) >= 20
    assert set(LANGUAGES) == set(WORDS["accept"]) == set(QUESTIONS)


@pytest.mark.parametrize("accept", [False, True], ids=["reject", "accept"])
def test_every_label_of_every_language_is_found_beside_the_other(
    browser: BrowserThread, *, accept: bool
) -> None:
    wanted, other = ("accept", "reject") if accept else ("reject", "accept")
    cases = [
        (QUESTIONS[language], WORDS[other][language][0], label)
        for language in LANGUAGES
        for label in WORDS[wanted][language]
    ]
    pages = [banner(text, not_this, label.capitalize()) for text, not_this, label in cases]
    found = answers(browser, pages, accept=accept)
    labels = [label.capitalize() for _, _, label in cases]

    assert [pair for pair in zip(found, labels, strict=True) if pair[0] != (pair[1],) * 2] == []


def test_without_a_button_that_rejects_nothing_is_clicked(browser: BrowserThread) -> None:
    pages = [
        banner(QUESTIONS[language], *WORDS["accept"][language][:2], "…") for language in LANGUAGES
    ]

    assert answers(browser, pages) == [("", "open")] * len(LANGUAGES)
