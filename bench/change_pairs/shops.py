"""Generated product pages: prices, stock and texts change; counters, teasers and tokens rotate."""

import random
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bench.change_pairs.pair import ChangePair, ExpectedChange

_GOODS = ("coffee mill", "desk lamp", "rain jacket", "bread knife", "folding bike", "wall clock",
          "garden hose", "sleeping bag", "stock pot", "radio")  # fmt: skip
_MATERIALS = ("steel", "beech wood", "aluminium", "recycled nylon", "enamel", "brass", "cotton")
_TEASERS = ("Paper filters, pack of 100", "Cast iron kettle", "Spare blade", "Cleaning brush",
            "Travel case", "Gift wrapping", "Linen towel", "Storage tin", "Repair kit",
            "Chalk board", "Cork mat", "Wool blanket")  # fmt: skip
_REVIEWS = ("Does what it should, and quietly.", "The handle came loose after a month.",
            "Bought as a present, well received.", "Heavier than I expected.",
            "Our second one, the first lasted ten years.", "Packaging could use less plastic.",
            "Colour is darker than in the picture.", "Good value for the price.")  # fmt: skip
_DEALS = ("tea for two", "free engraving", "garden week", "buy two lamps", "winter socks")
_ADS = ("Fly to Lisbon from 49", "Switch your power supplier", "Learn to paint in a weekend",
        "Cheap hosting for shops")  # fmt: skip
_FIRST_DAY = date(2026, 11, 16)


@dataclass(frozen=True)
class _Words:
    price: str
    stock: dict[str, str]
    viewers: str
    delivery: str
    related: str
    reviews: str
    deal: str
    advertisement: str
    cookies: str
    count: str
    updated: str
    months: tuple[str, ...]


_MONTHS = (
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
)
_LANGUAGES = {
    "en": _Words("Price", {"in": "In stock", "out": "Sold out", "few": "Only {} left"},
                 "{} people are viewing this", "Delivery by {}", "You may also like",
                 "Customer reviews", "Deal of the day: {}", "Advertisement",
                 "We use cookies to improve this shop. Accept all cookies?", "{} ratings",
                 "Prices updated {} minutes ago", tuple(_MONTHS[0].split())),
    "de": _Words("Preis", {"in": "Auf Lager", "out": "Ausverkauft", "few": "Nur noch {} auf Lager"},
                 "{} Kunden sehen sich das gerade an", "Lieferung bis {}", "Das könnte Sie auch "
                 "interessieren", "Bewertungen der Kunden", "Angebot des Tages: {}", "Anzeige",
                 "Wir verwenden Cookies. Alle akzeptieren?", "{} Bewertungen",
                 "Preise aktualisiert vor {} Minuten", tuple(_MONTHS[1].split())),
    "fr": _Words("Prix",
                 {"in": "En stock", "out": "Rupture de stock", "few": "Plus que {} en stock"},
                 "{} personnes regardent ce produit", "Livraison le {}", "Vous aimerez aussi",
                 "Avis des clients", "Offre du jour : {}", "Publicité",
                 "Nous utilisons des cookies. Tout accepter ?", "{} avis",
                 "Prix mis à jour il y a {} minutes", tuple(_MONTHS[2].split())),
}  # fmt: skip


@dataclass(frozen=True)
class _Product:
    name: str
    cents: int
    stock: str
    left: int
    text: str
    material: str
    weight: int
    reviews: tuple[str, ...]
    manual: int


def shop_pairs(seeds: range) -> list[ChangePair]:
    """Return one pair for each seed, with versions to learn from."""
    return [_pair(seed) for seed in seeds]


def _pair(seed: int) -> ChangePair:
    draw = random.Random(f"shop {seed}")  # noqa: S311 - a sample, not a secret
    language = draw.choice(sorted(_LANGUAGES))
    layout = draw.randrange(3)
    product = _product(draw)
    changed, expected = _changes(product, _LANGUAGES[language], language, draw)
    days = draw.choice((0.01, 1.0, 3.0))
    pages = [
        _page(version, language, layout, int(number * days), draw)
        for number, version in enumerate((product, product, product, product, changed))
    ]
    return ChangePair(
        f"shop {seed} {language} layout {layout}", tuple(pages[:3]), pages[3], pages[4], expected,
        days=days, url=f"https://shop.example/{seed}",
    )  # fmt: skip


def _product(draw: random.Random) -> _Product:
    name = f"{draw.choice(_GOODS).capitalize()} {draw.choice('ABCDEFG')}{draw.randint(10, 99)}"
    material = draw.choice(_MATERIALS)
    return _Product(
        name=name, cents=draw.randint(499, 249_999), stock=draw.choice(("in", "in", "out", "few")),
        left=draw.randint(2, 9), material=material, weight=draw.randint(2, 90) * 50,
        text=f"The {name} is made by hand in a small workshop. Its body of {material} lasts for "
             "decades, and every part can be replaced. It comes with a warranty of five years.",
        reviews=tuple(draw.sample(_REVIEWS, 3)), manual=draw.randint(1, 5),
    )  # fmt: skip


def _changes(
    product: _Product, words: _Words, language: str, draw: random.Random
) -> tuple[_Product, tuple[ExpectedChange, ...]]:
    expected: list[ExpectedChange] = []
    for kind in draw.sample(("price", "stock", "text", "review", "weight", "manual"),
                            k=draw.choice((0, 1, 1, 2, 3))):  # fmt: skip
        old = product
        if kind == "price":
            product = replace(product, cents=max(199, int(old.cents * draw.uniform(0.7, 1.2)) + 1))
            texts = (_money(old.cents, language), _money(product.cents, language))
            expected.append(ExpectedChange(*texts, kind="price"))
        elif kind == "stock":
            product = replace(product, stock="out" if old.stock != "out" else "in")
            texts = tuple(words.stock[each.stock].format(each.left) for each in (old, product))
            expected.append(ExpectedChange(texts[0], texts[1], kind="availability"))
        elif kind == "text":
            product = replace(product, text=old.text.replace("five years", "two years"))
            sentence = "It comes with a warranty of {} years."
            expected.append(ExpectedChange(sentence.format("five"), sentence.format("two")))
        elif kind == "review":
            new = next(each for each in _REVIEWS if each not in old.reviews)
            product = replace(product, reviews=(new, *old.reviews))
            expected.append(ExpectedChange("", new))
        elif kind == "weight":
            product = replace(product, weight=old.weight + 50)
            expected.append(ExpectedChange(f"{old.weight} g", f"{product.weight} g", "number"))
        else:
            product = replace(product, manual=old.manual + 1)
            urls = (f"manual-{each.manual}.pdf" for each in (old, product))
            expected.append(ExpectedChange(*urls, kind="link"))
    return product, tuple(expected)


def _money(cents: int, language: str) -> str:
    whole, rest = divmod(cents, 100)
    if language == "en":
        return f"${whole:,}.{rest:02}"
    grouped = f"{whole:,}".replace(",", "." if language == "de" else "\u202f")
    return f"{grouped},{rest:02} €"


def _page(product: _Product, language: str, layout: int, day: int, draw: random.Random) -> str:
    words = _LANGUAGES[language]
    sid = f"{draw.getrandbits(64):016x}"
    due = _FIRST_DAY + timedelta(days=day + 4)
    arrival = f"{due.day} {words.months[due.month - 1]}"
    facts = [
        (words.price, _money(product.cents, language)),
        ("Status", words.stock[product.stock].format(product.left)),
        ("Material", product.material),
        ("Weight", f"{product.weight} g"),
    ]
    buy = [
        f"<p class=viewers>{words.viewers.format(draw.randint(3, 60))}</p>",
        f"<p class=upd>{words.updated.format(draw.randint(1, 59))}</p>",
        f"<p class=delivery>{words.delivery.format(arrival)}</p>",
    ]
    if layout == 0:
        box = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts)
        box = f"<table>{box}</table>"
    elif layout == 1:
        box = "".join(f"<li><b>{name}:</b> {value}</li>" for name, value in facts)
        box = f"<ul class=facts>{box}</ul>"
    else:
        box = "".join(f"<p class=fact>{name}: <span>{value}</span></p>" for name, value in facts)
    reviews = "".join(f"<li><p>{each}</p></li>" for each in product.reviews)
    teasers = "".join(
        f'<li><a href="/p/{draw.randint(1, 999)}?sid={sid}">{each}</a></li>'
        for each in draw.sample(_TEASERS, 4)
    )
    deal = f"<p class=deal>{words.deal.format(draw.choice(_DEALS))}</p>"
    ad = f"<div class=promo><p>{words.advertisement}</p><p>{draw.choice(_ADS)}</p></div>"
    notice = f"<div class=consent><p>{words.cookies}</p></div>" if draw.random() < 0.5 else ""
    return f"""<html lang={language}><head><title>{product.name}</title></head><body>
<nav><a href="/?sid={sid}">Home</a> <a href="/cart?sid={sid}">Cart ({draw.randint(0, 4)})</a></nav>
{notice}<main><h1>{product.name}</h1>{deal if layout != 1 else ""}
<p>{product.text}</p>{box}{"".join(buy)}
<p>Read the <a href="/files/manual-{product.manual}.pdf?sid={sid}">manual</a> before the first use.
It explains how to clean the parts and how to store them in winter.</p>
{ad if layout == 2 else ""}
<h2>{words.reviews}</h2><p>{words.count.format(draw.randint(100, 999))}</p><ul>{reviews}</ul>
<h2>{words.related}</h2><ul>{teasers}</ul></main>
<footer>{deal if layout == 1 else ""}<p>© 2026 Workshop. Request ID: {sid}</p></footer>
</body></html>"""
