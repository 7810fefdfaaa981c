"""Pages that stand in front of the page that was asked for."""

import re
from typing import NamedTuple

from webquarry.content.ranking.known_sites import host_of
from webquarry.models.page import Wall, WallKind


class _Sign(NamedTuple):
    """Words that give a page away if it has few others, and what one of them always holds."""

    kind: WallKind
    most: int
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _listed(phrases: str) -> tuple[str, ...]:
    return tuple(phrases.split("|"))


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern for any of the phrases, with straight or curly apostrophes."""
    return re.compile("|".join(phrases).replace("'", "['\u2019]"))


_SHORT = 300  # words: a longer page is content, whatever it mentions
_BARE = 120
_FORM = 60  # with so few words, what a password is asked for is not on the page
_SIGNS: tuple[_Sign, ...] = (
    _Sign(
        "captcha",
        _SHORT,
        _listed(
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
    _Sign(
        "blocked",
        _SHORT,
        _listed(
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
    _Sign(
        "consent",
        _BARE,
        _listed(
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
    _Sign(
        "login",
        _BARE,
        _listed(
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
    _Sign(
        "paywall",
        _SHORT,
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
# what the makers of walls leave in the source, in whatever language the page speaks
_SEARCHED = 200_000
_MARKS: tuple[tuple[WallKind, tuple[str, ...]], ...] = (
    (
        "captcha",
        _listed(
            "/cdn-cgi/challenge-platform/h/|captcha-delivery.com|geo.captcha|"
            'aws-waf-captcha|awswafcookiedomainlist|id="px-captcha|id="challenge-form|'
            "id='challenge-form"
        ),
    ),
    (
        "blocked",
        _listed(
            "_incapsula_resource|errors.edgesuite.net|cf-error-details|"
            "your request has been blocked|<title>blocked</title>"
        ),
    ),
    (
        "consent",
        _listed(
            'action="https://consent.youtube.|action="https://consent.google.|'
            "action='https://consent.youtube.|action='https://consent.google.|"
            "//consent.yahoo.com/|//guce.|//www.guce."
        ),
    ),
)
_WIDGET = re.compile(r"class=[\"'][^\"']*(g-recaptcha|h-captcha|cf-turnstile|px-captcha)")
_WIDGETS = ("recaptcha", "h-captcha", "cf-turnstile", "px-captcha")
_OWN_FORM = ("<textarea", 'type="email"', "type=email", "type='email'")
_PASSWORD = re.compile(r"<input[^>]*\btype=[\"']?password")
_CONSENT_HOST = re.compile(r"^consent\.|^(www\.)?guce\.")


def wall_of(text: str, *, title: str, words: int, source: str, url: str = "") -> Wall | None:
    """Return what stands in the way of a page with few words; None for content."""
    if words >= _SHORT:
        return None
    if _CONSENT_HOST.match(host_of(url)):
        return Wall(kind="consent", evidence=host_of(url))
    head = f"{title}\n{text[:4000]}".lower()
    for kind, most, hints, pattern in _SIGNS:
        # a hint is far cheaper to look for than the pattern, and most pages have none
        if words < most and any(hint in head for hint in hints) and (found := pattern.search(head)):
            return Wall(kind=kind, evidence=found[0])
    low = title.lower()
    missing = _MISSING.search(low) or (_MISSING.search(head[:600]) if words < _BARE else None)
    if missing:
        return Wall(kind="not_found", evidence=missing[0])
    return _marked(source[:_SEARCHED].lower(), words) or _shell(head, words, len(source))


def _marked(source: str, words: int) -> Wall | None:
    """Return the wall that the marks of its maker give away."""
    if words > _BARE:  # whole sites load the scripts of such makers
        return None
    for kind, marks in _MARKS:
        for mark in marks:
            if mark in source:
                return Wall(kind=kind, evidence=mark)
    found = _WIDGET.search(source) if any(widget in source for widget in _WIDGETS) else None
    # a form of the page's own is what such a widget usually protects
    if found and not any(field in source for field in _OWN_FORM):
        return Wall(kind="captcha", evidence=found[1])
    if words < _FORM and "password" in source and _PASSWORD.search(source):
        return Wall(kind="login", evidence="password field")
    return None


def _shell(head: str, words: int, raw_size: int) -> Wall | None:
    """Return the sign of a page that is empty until its script runs."""
    if words < _BARE and "java" in head and (asks := _SCRIPT.search(head)):
        return Wall(kind="script_shell", evidence=asks[0])
    if words < 30 and raw_size > 20_000:
        return Wall(kind="script_shell", evidence=f"{words} words in {raw_size} bytes")
    return None
