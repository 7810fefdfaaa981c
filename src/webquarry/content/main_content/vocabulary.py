"""Words that pages use in class names, headings and buttons, and what they hint at."""

import re
from string import ascii_lowercase

from webquarry.content.text.word_list import words

# a word of a class or id that starts like one of these puts its element in that group
GROUPS = (
    ("content", "content article post entry body story text blog main prose markdown wysiwyg"),
    ("comment", "comment reply replies respond disqus discuss"),
    ("forum", "message thread answer question topic bbcode usertext"),
    ("nav", "nav menu crumb breadcrumb paginat pager tab toc toolbar skip sitenav subnav"),
    ("footer", "foot copyright colophon legal subfooter"),
    ("header", "head masthead topbar banner logo"),
    ("side", "side widget rail aside complementary secondary right left"),
    ("related", "relat recommend similar more also trending popular latest recent next"),
    ("promo", "upsell cross carousel slider slick swiper teaser promo cta hero"),
    ("social", "share sharing social follow twitter facebook addtoany sharedaddy"),
    ("signup", "newsletter subscri signup sign optin mailchimp login register"),
    ("ad", "ad ads adv advert sponsor outbrain taboola dfp gpt affiliate adsense"),
    (
        "modal",
        "modal popup overlay cookie consent gdpr dialog drawer offcanvas toast alert tooltip",
    ),
    ("meta", "meta byline author date time tag categor label info credit bio published posted"),
    ("caption", "caption figure media image img photo gallery thumb video embed"),
    ("product", "product price spec sku variant cart buy shop description feature"),
    ("review", "review rating testimonial star"),
    ("title", "title heading headline"),
    ("hidden", "hidden sr screen visually collapse invisible hide none"),
    ("list", "list grid card item result row col archive"),
    ("filter", "filter facet refine sort search form input field"),
    ("lead", "lead intro summary excerpt abstract subtitle standfirst dek"),
    ("code", "code highlight syntax snippet terminal console"),
)
ROLES = {
    "main": 1,
    "article": 1,
    "navigation": 2,
    "menu": 2,
    "menubar": 2,
    "banner": 4,
    "contentinfo": 4,
    "complementary": 8,
    "dialog": 16,
    "alertdialog": 16,
    "search": 32,
}
GROUP_NAMES = tuple(name for name, _ in GROUPS)
_STEMS: dict[str, list[tuple[str, int]]] = {}  # by their first two letters
for _place, (_, _stems) in enumerate(GROUPS):
    for _stem in _stems.split():
        _STEMS.setdefault(_stem[:2], []).append((_stem, 1 << _place))
_EXACT = frozenset(("ad", "sr", "toc", "gpt", "cta", "img", "row", "col", "tab", "nav"))
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")

# what boilerplate says, in the languages pages are most often written in
BOILERPLATE = frozenset(
    words(
        "cookie cookies subscribe subscription newsletter signup login register password "
        "reserved © privacy policy terms share shares tweet follow advertisement sponsored "
        "related comment comments reply copyright cart checkout skip menu home contact search "
        "print email facebook twitter pinterest linkedin whatsapp instagram youtube anzeige "
        "werbung kommentar kommentare teilen drucken weiterlesen impressum datenschutz "
        "anmelden abonnieren abonner partager commentaire commentaires imprimer connexion "
        "compartir comentario comentarios suscribirse imprimir condividi commenti iscriviti "
        "accedi responder curtir udostępnij komentarze подписаться поделиться читайте "
        "комментарии войти"
    )
)
BOILERPLATE_SIGNS = re.compile(
    r"©|相关|推荐|评论|分享|版权|登录|注册|关注|責任編輯|责任编辑|転載|関連|シェア|コメント|ログイン|로그인|댓글|공유"
)
# headings after which a page stops being about its subject
ENDING_HEADING = re.compile(
    r"^\W*(related|recommended|similar|popular|trending|latest|recent|more (from|on|in|stories)"
    r"|you (may|might)|also (read|like)|read (more|next|also)|comments?\b"
    r"|\d+ (comments?|repl|thoughts)"
    r"|leave a|post a|share|follow|subscribe|newsletter|sign up|about the author|about us|contact"
    r"|categories|archives?|tags|search|navigation|menu|advert|sponsored|customers? (also|who)"
    r"|frequently bought|recently viewed|verwandte|ähnliche|mehr (zu|aus|von)|kommentare|teilen"
    r"|das könnte|beliebt|neueste|articles? (liés|similaires)|à lire|sur le même|commentaires"
    r"|relacionad|te puede|comentarios|últimas|leggi anche|potrebbe|correlati|commenti"
    r"|zobacz|podobne|komentarze|читайте|похожие|комментарии|相关|推荐|热门|评论|最新|関連|コメント)",
    re.IGNORECASE,
)
DATE = re.compile(
    r"\b(19|20)\d\d[-/.年]|\b\d{1,2}[./]\d{1,2}[./](19|20)?\d\d\b|\b\d{1,2}:\d\d\b"
    r"|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b"
    r"|\b\d{1,2}\.? ?(jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)"
    r"|\b(minutes?|hours?|days?|weeks?|months?|years?) ago\b",
    re.IGNORECASE,
)
# the same for plain text in lower case, by what is rare in it: a pattern that may begin with any
# letter is tried at every one
_FROM_DIGIT = re.compile(
    r"\d(?<=\b\d)(?:(?:(?<=1)9|(?<=2)0)\d\d[-/.]"
    r"|\d?(?:[./]\d{1,2}[./](?:19|20)?\d\d\b|:\d\d\b"
    r"|\.? ?(?:jan|feb|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)))"
)
_DAY = re.compile(r" \d{1,2}\b")
_MONTHS = frozenset(words("jan feb mar apr may jun jul aug sep oct nov dec"))
# one of these is in every date
_DATELIKE = re.compile(r"[-/.:]|jan|feb|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec| ago")
_AGO = re.compile(r"\b(minutes?|hours?|days?|weeks?|months?|years?) ago\b")
BYLINE = re.compile(
    r"^\W*(by|von|par|por|di|door|written by|posted by|author|作者|記者|记者)\b", re.I
)
MONEY = re.compile(r"[$€£¥₹]")

_LIMIT = 60_000
_tokens: dict[str, int] = {}
_words: dict[str, int] = {}


def has_date(text: str) -> bool:
    """Tell whether a text in lower case names a date or a time."""
    if not text.isascii():
        return DATE.search(text) is not None
    if not _DATELIKE.search(text):
        return False
    if _FROM_DIGIT.search(text) or (" ago" in text and _AGO.search(text)):
        return True
    if " " not in text:
        return False
    return any(_ends_in_month(text[: day.start()]) for day in _DAY.finditer(text))


def _ends_in_month(text: str) -> bool:
    text = text.removesuffix(".")
    before = text.rstrip(ascii_lowercase)
    last = before[-1:]
    return text[len(before) :][:3] in _MONTHS and not (last.isalnum() or last == "_")


def marks_of(given: dict[str, str]) -> tuple[str, int, int]:
    """Return the classes of an element, and the groups and roles its attributes put it in."""
    names, name, prop = given.get("class", ""), given.get("id"), given.get("itemprop")
    groups = groups_of(names) if names else 0
    if name or prop:
        groups |= groups_of(f"{name or ''} {prop or ''}")
    return names, groups, ROLES.get(given.get("role", ""), 0)


def groups_of(names: str) -> int:
    """Return the groups, as bits, that the words of a class or id attribute belong to."""
    bits = _tokens.get(names)
    if bits is not None:
        return bits
    bits = 0
    for token in names.split():
        found = _tokens.get(token)
        bits |= _groups_of_token(token) if found is None else found
    if len(_tokens) < _LIMIT:  # names repeat from page to page; a flood of new ones is not kept
        _tokens[names] = bits
    return bits


def _groups_of_token(token: str) -> int:
    bits = 0
    for word in _WORD.findall(token[:80]):
        found = _words.get(word)
        bits |= _groups_of_word(word) if found is None else found
    if len(_tokens) < _LIMIT:
        _tokens[token] = bits
    return bits


def _groups_of_word(word: str) -> int:
    low, bits = word.lower(), 0
    for stem, bit in _STEMS.get(low[:2], ()):
        if low.startswith(stem) and (stem not in _EXACT or low in (stem, stem + "s")):
            bits |= bit
    if len(_words) < _LIMIT:
        _words[word] = bits
    return bits
