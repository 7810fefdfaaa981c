"""Pages that stand in front of the page that was asked for."""

import re

from webquarry.models.page import Wall, WallKind


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern for any of the phrases, with straight or curly apostrophes."""
    return re.compile("|".join(phrases).replace("'", "['\u2019]"), re.IGNORECASE)


_SHORT = 300  # words: a longer page is content, whatever it mentions
_BARE = 120
_SIGNS: tuple[tuple[WallKind, int, re.Pattern[str]], ...] = (
    (
        "captcha",
        _SHORT,
        _any_of(
            r"verify (that )?you('re| are) (a )?(human|not a (ro)?bot)",
            r"are you a robot",
            r"i'?m not a robot",
            r"complete the (security check|captcha)",
            r"press (&|and) hold",
            r"unusual traffic from your",
            r"checking (if the site connection is secure|your browser)",
            r"just a moment\.\.\.",
            r"enter the characters you see",
            r"human verification",
            r"(confirm|prove) you('re| are) human",
        ),
    ),
    (
        "blocked",
        _SHORT,
        _any_of(
            r"access (to this page has been )?denied",
            r"you have been blocked",
            r"request (was )?blocked",
            r"attention required! \| cloudflare",
            r"error 1020",
            r"403 forbidden",
            r"pardon our interruption",
            r"your ip (address )?has been",
            r"automated (access|requests|queries)",
            r"reference #\d+\.\w+",
            r"too many requests",
            r"enable javascript and cookies to continue",
            r"bot detection",
        ),
    ),
    (
        "consent",
        _BARE,
        _any_of(
            r"before you continue to",
            r"we value your privacy",
            r"accept (all|cookies)",
            r"manage (your )?(cookie|privacy) (preferences|settings)",
            r"wir (und unsere partner )?verwenden cookies",
            r"zustimmen und weiter",
            r"tout accepter",
            r"aceptar (todo|cookies)",
            r"reject all",
        ),
    ),
    (
        "login",
        _BARE,
        _any_of(
            r"(log|sign) in to (continue|view|see|your account|access)",
            r"(please|you must) (be logged in|log in|sign in)",
            r"create an account to",
            r"login required",
            r"forgot(ten)? (your )?password",
            r"join now to see",
            r"anmelden, um",
        ),
    ),
    (
        "paywall",
        _SHORT,
        _any_of(
            r"subscribe (now )?to (continue|read|unlock|keep reading)",
            r"this (article|content|story) is (reserved |only available )?(for|to) (our )?"
            r"(subscribers|members)",
            r"to continue reading",
            r"already a subscriber\?",
            r"continue reading with",
            r"free articles? left",
            r"become a (subscriber|member) to read",
        ),
    ),
)
_MISSING = _any_of(
    r"page (was |could )?not (be )?found",
    r"\b404\b",
    r"page you[^.]{0,60}(exist|found|moved|removed|available)",
    r"(doesn't|does not|no longer) exist",
    r"nothing (was )?found",
    r"oops!",
    r"content (is )?(not|un)available",
    r"seite (wurde )?nicht gefunden",
    r"page (introuvable|non trouvée)",
    r"página no encontrada",
    r"pagina non trovata",
    r"страница не найдена",
    r"页面不存在",
    r"ページが見つかりません",
)
_SCRIPT = _any_of(
    r"(enable|requires?|turn on|activate) java ?script",
    r"javascript (is )?(required|disabled|must)",
)


def wall_of(text: str, *, title: str, words: int, raw_size: int) -> Wall | None:
    """Return what stands in the way, judged by short pages' words; None for content."""
    head = f"{title}\n{text[:4000]}"
    for kind, most, pattern in _SIGNS:
        found = pattern.search(head) if words < most else None
        if found:
            return Wall(kind=kind, evidence=found[0])
    missing = _MISSING.search(title) or (_MISSING.search(text[:600]) if words < _BARE else None)
    if missing and words < _SHORT:
        return Wall(kind="not_found", evidence=missing[0])
    return _shell(head, words, raw_size)


def _shell(head: str, words: int, raw_size: int) -> Wall | None:
    """Return the sign of a page that is empty until its script runs."""
    asks = _SCRIPT.search(head)
    if asks and words < _BARE:
        return Wall(kind="script_shell", evidence=asks[0])
    if words < 30 and raw_size > 20_000:
        return Wall(kind="script_shell", evidence=f"{words} words in {raw_size} bytes")
    return None
