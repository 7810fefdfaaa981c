"""Detects walls: captcha, block, consent, login, paywall, not found, empty script shell."""

import re
from typing import NamedTuple

from webquarry.content.ranking.known_sites import ascii_host
from webquarry.content.text.length_limits import cap_text
from webquarry.models.page import Wall, WallKind


class _WallPattern(NamedTuple):
    """A pattern that identifies a wall on a page with few words."""

    kind: WallKind
    max_words: int
    hints: tuple[str, ...]  # each match contains one of these
    pattern: re.Pattern[str]


def _split(phrases: str) -> tuple[str, ...]:
    return tuple(phrases.split("|"))


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern for any of the phrases, with straight or curly apostrophes."""
    return re.compile("|".join(phrases).replace("'", "['\u2019]"))


_SHORT_PAGE = 300  # words: a longer page is content, whatever it mentions
_BARE_PAGE = 120
_LOGIN_PAGE = 60  # with so few words, a password field is all there is
_EMPTY_PAGE = 30
_SHELL_SIZE = 20_000  # characters of source
_TEXT_SEARCHED, _START_SEARCHED, _SOURCE_SEARCHED = 4_000, 600, 200_000  # characters
_PATTERNS: tuple[_WallPattern, ...] = (
    _WallPattern(
        "captcha",
        _SHORT_PAGE,
        _split(
            "human|robot|bot|captcha|security check|hold|traffic|connection|"
            "your browser|a moment|characters you|mensch|robô|робот|人机|验证|ロボット"
        ),
        _any_of(
            r"verify(ing)? (that )?you('re| are) (a )?(human|not a (ro)?bot)",
            r"are you (a robot|human)",
            r"(confirm|prove)( that)? you('re| are) (a )?(human|not a (ro)?bot)",
            r"i'?m not a robot",
            r"(complete|solve|pass) (the|this|a) (security check|captcha)",
            r"press (&|and) hold",
            r"unusual traffic from your",
            r"checking (if the site connection is secure|your browser)",
            r"just a moment\.\.\.",
            r"enter the characters you see",
            r"(human|bot) verification",
            r"sind sie ein (mensch|roboter)|dass sie (ein mensch|kein roboter) sind",
            r"(ich bin kein|je ne suis pas un|no soy un|non sono un|não sou um) rob(ot|oter|ô)",
            r"вы не робот|人机验证|安全验证|请完成(下列|以下)?验证",
            r"ロボットではありません",
        ),
    ),
    _WallPattern(
        "blocked",
        _SHORT_PAGE,
        _split(
            "denied|blocked|cloudflare|1020|403|interruption|your ip|automated|"
            "reference #|too many requests|javascript and cookies|bot detection"
        ),
        _any_of(
            r"access (to this page has been )?denied",
            r"(you|your request) (have|has) been blocked",
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
    _WallPattern(
        "consent",
        _BARE_PAGE,
        _split(
            "continue|privacy|accept|cookie|zustimmen|akzeptieren|aceptar|reject|accetta|aceitar"
        ),
        _any_of(
            r"before you continue to",
            r"we value your privacy",
            r"accept (all|cookies)",
            r"accept and continue",
            r"manage (your )?(cookie|privacy) (preferences|settings)",
            r"wir (und unsere partner )?verwenden cookies",
            r"zustimmen und weiter|alle(s)? akzeptieren|akzeptieren und weiter",
            r"tout accepter|accepter et (continuer|fermer)",
            r"aceptar (todo|cookies|y continuar)",
            r"accetta (tutto|tutti|e continua)",
            r"aceitar (tudo|todos)",
            r"reject all",
        ),
    ),
    _WallPattern(
        "login",
        _BARE_PAGE,
        _split(
            "log|sign|an account|passwor|mot de passe|melden|connect|sesión|join now|"
            "войдите|登录|ログイン"
        ),
        _any_of(
            r"(log|sign) in to (continue|view|see|read|your account|access)",
            r"(log|sign) (in|up) or (log|sign) (in|up)",
            r"(please|you must|you need to) (be logged in|log in|sign in)",
            r"create an account to",
            r"login required",
            r"forgot(ten)? (your )?password|passwort vergessen|mot de passe oublié",
            r"join now to see",
            r"anmelden, um|bitte (melden sie sich an|einloggen)",
            r"connectez-vous pour|inicia(r)? sesión para|войдите, чтобы",
            r"请先登录|ログインしてください",
        ),
    ),
    _WallPattern(
        "paywall",
        _SHORT_PAGE,
        ("subscribe", "members", "reading", "articles left", "article left", "member to read"),
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
_NOT_FOUND = _any_of(
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
_NEEDS_SCRIPT = _any_of(
    r"(enable|requires?|turn on|activate) java ?script",
    r"javascript (is )?(required|disabled|must)",
)
# source code of wall vendors, which is the same in every language
_SOURCE_MARKERS: tuple[tuple[WallKind, tuple[str, ...]], ...] = (
    (
        "captcha",
        _split(
            "/cdn-cgi/challenge-platform/h/|captcha-delivery.com|geo.captcha|"
            'aws-waf-captcha|awswafcookiedomainlist|id="px-captcha|id="challenge-form|'
            "id='challenge-form"
        ),
    ),
    (
        "blocked",
        _split(
            "_incapsula_resource|errors.edgesuite.net|cf-error-details|"
            "your request has been blocked|<title>blocked</title>"
        ),
    ),
    (
        "consent",
        _split(
            'action="https://consent.youtube.|action="https://consent.google.|'
            "action='https://consent.youtube.|action='https://consent.google.|"
            "//consent.yahoo.com/|//guce.|//www.guce."
        ),
    ),
)
_CAPTCHA_WIDGET = re.compile(r"class=[\"'][^\"']*(g-recaptcha|h-captcha|cf-turnstile|px-captcha)")
_WIDGET_HINTS = ("recaptcha", "h-captcha", "cf-turnstile", "px-captcha")
_OTHER_FORM_FIELDS = ("<textarea", "<select", 'type="email"', "type=email", "type='email'")
# scripts with which vendors watch visitors of ordinary pages
_PASSIVE_CHECKS = re.compile(
    r"/cdn-cgi/challenge-platform/(?:h/\w{1,8}/)?scripts/jsd|_incapsula_resource\?swjiylwa"
)
_INPUT = re.compile(r"<input[^>]*")
_NOT_TYPED = re.compile(
    r"\btype=[\"']?(?:hidden|submit|button|image|reset|checkbox|radio|password)"
)
_PASSWORD = re.compile(r"\btype=[\"']?password")
_CONSENT_HOST = re.compile(r"^consent\.|^(www\.)?guce\.")


def detect_wall(text: str, *, title: str, words: int, source: str, url: str = "") -> Wall | None:
    """Return what is shown instead of the requested page; None for content."""
    if words >= _SHORT_PAGE:
        return None
    host = ascii_host(url)
    if _CONSENT_HOST.match(host):
        return Wall(kind="consent", evidence=host)
    start = f"{title}\n{cap_text(text, _TEXT_SEARCHED)}".lower()
    return (
        _match_text(start, words)
        or _match_not_found(title.lower(), start, words)
        or _match_source(cap_text(source, _SOURCE_SEARCHED).lower(), words)
        or _match_script_shell(start, words, len(source))
    )


def _match_text(start: str, words: int) -> Wall | None:
    for kind, max_words, hints, pattern in _PATTERNS:
        # substring search is far cheaper than the pattern, and most pages have no hint
        if words < max_words and any(hint in start for hint in hints):
            match = pattern.search(start)
            if match:
                return Wall(kind=kind, evidence=match[0])
    return None


def _match_not_found(title: str, start: str, words: int) -> Wall | None:
    match = _NOT_FOUND.search(title)
    if not match and words < _BARE_PAGE:
        match = _NOT_FOUND.search(cap_text(start, _START_SEARCHED))
    return Wall(kind="not_found", evidence=match[0]) if match else None


def _match_source(source: str, words: int) -> Wall | None:
    """Return the wall that the source code of its vendor identifies."""
    if words > _BARE_PAGE:  # ordinary sites load scripts of these vendors too
        return None
    if words >= _EMPTY_PAGE:
        source = _PASSIVE_CHECKS.sub("", source)
    for kind, markers in _SOURCE_MARKERS:
        marker = next((marker for marker in markers if marker in source), None)
        if marker:
            return Wall(kind=kind, evidence=marker)
    widget = _CAPTCHA_WIDGET.search(source) if _has_any(source, _WIDGET_HINTS) else None
    # such a widget usually protects a form of the page's own
    if widget and not _has_form_to_fill_in(source, words):
        return Wall(kind="captcha", evidence=widget[1])
    if (
        words < _LOGIN_PAGE
        and "password" in source
        and any(map(_PASSWORD.search, _INPUT.findall(source)))
    ):
        return Wall(kind="login", evidence="password field")
    return None


def _has_form_to_fill_in(source: str, words: int) -> bool:
    if _has_any(source, _OTHER_FORM_FIELDS):
        return True
    if words < _EMPTY_PAGE:  # walls have text fields too
        return False
    return any(not _NOT_TYPED.search(field) for field in _INPUT.findall(source))


def _has_any(source: str, parts: tuple[str, ...]) -> bool:
    return any(part in source for part in parts)


def _match_script_shell(start: str, words: int, source_size: int) -> Wall | None:
    """Return the evidence that a page is empty until its script runs."""
    match = _NEEDS_SCRIPT.search(start) if words < _BARE_PAGE and "java" in start else None
    if match:
        return Wall(kind="script_shell", evidence=match[0])
    if words < _EMPTY_PAGE and source_size > _SHELL_SIZE:
        return Wall(kind="script_shell", evidence=f"{words} words in {source_size} bytes")
    return None
