"""Words in class names, headings and texts of pages, and what they indicate."""

import re
from string import ascii_lowercase

from webquarry.content.text.word_list import words

# a word of a class or id that starts with one of these stems puts its element in the group
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
ROLES = {  # ARIA role -> bit
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
_STEMS: dict[str, list[tuple[str, int]]] = {}  # first two letters -> stems with their group's bit
for _bit, (_, _stems) in enumerate(GROUPS):
    for _stem in _stems.split():
        _STEMS.setdefault(_stem[:2], []).append((_stem, 1 << _bit))
_EXACT_STEMS = frozenset(("ad", "sr", "toc", "gpt", "cta", "img", "row", "col", "tab", "nav"))
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")

# words of boilerplate, in the most frequent languages
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
# headings after which the main content has ended
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
# DATE for lower-case ASCII, split by rare characters: a pattern that can begin with any letter is
# tried at every position
_DATE_FROM_DIGIT = re.compile(
    r"\d(?<=\b\d)(?:(?:(?<=1)9|(?<=2)0)\d\d[-/.]"
    r"|\d?(?:[./]\d{1,2}[./](?:19|20)?\d\d\b|:\d\d\b"
    r"|\.? ?(?:jan|feb|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)))"
)
_DAY_AFTER_SPACE = re.compile(r" \d{1,2}\b")
_MONTHS = frozenset(words("jan feb mar apr may jun jul aug sep oct nov dec"))
# every date contains one of these
_DATE_HINT = re.compile(r"[-/.:]|jan|feb|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec| ago")
_AGO = re.compile(r"\b(minutes?|hours?|days?|weeks?|months?|years?) ago\b")
BYLINE = re.compile(
    r"^\W*(by|von|par|por|di|door|written by|posted by|author|作者|記者|记者)\b", re.I
)
MONEY = re.compile(r"[$€£¥₹]")

_MAX_CACHED = 60_000
_token_cache: dict[str, int] = {}
_word_cache: dict[str, int] = {}


def has_date(text: str) -> bool:
    """Tell whether a lower-case text contains a date or a time."""
    if not text.isascii():
        return DATE.search(text) is not None
    if not _DATE_HINT.search(text):
        return False
    if _DATE_FROM_DIGIT.search(text) or (" ago" in text and _AGO.search(text)):
        return True
    if " " not in text:
        return False
    return any(_ends_in_month(text[: day.start()]) for day in _DAY_AFTER_SPACE.finditer(text))


def _ends_in_month(text: str) -> bool:
    text = text.removesuffix(".")
    before = text.rstrip(ascii_lowercase)
    word, previous = text[len(before) :], before[-1:]
    return word[:3] in _MONTHS and not (previous.isalnum() or previous == "_")


def attribute_groups(attributes: dict[str, str]) -> tuple[str, int, int]:
    """Return the classes of an element, and the bits of its groups and its role."""
    classes = attributes.get("class", "")
    groups = name_groups(classes) if classes else 0
    element_id, itemprop = attributes.get("id"), attributes.get("itemprop")
    if element_id or itemprop:
        groups |= name_groups(f"{element_id or ''} {itemprop or ''}")
    return classes, groups, ROLES.get(attributes.get("role", ""), 0)


def name_groups(names: str) -> int:
    """Return the bits of the groups that the words of a class or id attribute belong to."""
    bits = _token_cache.get(names)
    if bits is not None:
        return bits
    bits = 0
    for token in names.split():
        cached = _token_cache.get(token)
        bits |= _token_groups(token) if cached is None else cached
    if len(_token_cache) < _MAX_CACHED:  # names recur from page to page
        _token_cache[names] = bits
    return bits


def _token_groups(token: str) -> int:
    bits = 0
    for word in _WORD.findall(token[:80]):
        cached = _word_cache.get(word)
        bits |= _word_groups(word) if cached is None else cached
    if len(_token_cache) < _MAX_CACHED:
        _token_cache[token] = bits
    return bits


def _word_groups(word: str) -> int:
    lower, bits = word.lower(), 0
    for stem, bit in _STEMS.get(lower[:2], ()):
        if lower.startswith(stem) and (stem not in _EXACT_STEMS or lower in (stem, stem + "s")):
            bits |= bit
    if len(_word_cache) < _MAX_CACHED:
        _word_cache[word] = bits
    return bits
