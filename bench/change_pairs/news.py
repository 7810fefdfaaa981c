"""Generated news: articles that are corrected, and front pages, both with rotating parts."""

import random

from bench.change_pairs.pair import ChangePair, ExpectedChange

_PLACES = ("Harrow Bay", "Lindfeld", "Port Ansel", "Northmoor", "Valdery", "Esk")
_TOPICS = ("the new tram line", "flood walls at the harbour", "a tax on empty houses",
           "the school kitchens", "the old airfield", "night buses", "the library")  # fmt: skip
_NAMES = ("Ines Calder", "Tomas Wray", "Lena Osei", "Piet Marlow", "Ruth Adeyemi", "Juri Halm")
_SENTENCES = (
    "The council approved the plan by {n} votes to {m}.",
    "Work is expected to cost {n} million and to take {m} months.",
    "About {n} residents came to the hearing in the town hall.",
    "“We have waited {m} years for this,” said {name}, who runs a shop nearby.",
    "Critics say that the figures are out of date and leave out the upkeep.",
    "The opposition wants an independent report before the first contract is signed.",
    "A similar scheme in {place} was stopped after {m} weeks.",
    "The mayor, {name}, called the vote a turning point for the district.",
    "Shops along the route will be paid for lost trade, the city promised.",
    "An appeal can be lodged until the end of the quarter.",
    "Engineers have found {m} weak spots that need repairs first.",
    "The ministry has not yet said whether it will share the costs.",
)
_TEASERS = ("Cat returns after six years", "What the frost did to the vines", "Quiz of the week",
            "Ten walks for a wet Sunday", "The baker who paints", "Chess: local hero wins",
            "Weather: wind from the west", "Podcast: voices of the river", "Letters to the editor",
            "Recipe: leek tart", "Night market opens", "Owl seen in the park")  # fmt: skip
_ADS = ("Hear better at once", "Your new kitchen from 1,999", "Invest in wind", "Shoes that walk")


def news_pairs(seeds: range) -> list[ChangePair]:
    """Return one pair for each seed: three articles for each front page."""
    return [_front_page(seed) if seed % 4 == 3 else _article(seed) for seed in seeds]


def _story(draw: random.Random) -> list[str]:
    return [
        text.format(n=draw.randint(12, 99), m=draw.randint(2, 11), name=draw.choice(_NAMES),
                    place=draw.choice(_PLACES))
        for text in draw.sample(_SENTENCES, 9)
    ]  # fmt: skip


def _title(draw: random.Random) -> str:
    return f"{draw.choice(_PLACES)} decides on {draw.choice(_TOPICS)}"


def _article(seed: int) -> ChangePair:
    draw = random.Random(f"news {seed}")  # noqa: S311 - a sample, not a secret
    title, place = _title(draw), draw.choice(_PLACES)
    sentences = _story(draw)
    story = [" ".join(sentences[at : at + 2]) for at in range(0, len(sentences), 2)]
    changed, new_title = list(story), title
    expected: list[ExpectedChange] = []
    for kind in draw.sample(("number", "added", "removed", "title", "word"),
                            k=draw.choice((0, 1, 2, 2, 3))):  # fmt: skip
        if kind == "title":
            new_title = f"{title}, but not today"
            expected.append(ExpectedChange(title, new_title, kind="title"))
        elif kind == "added":
            text = f"On the evening of the vote, {draw.choice(_NAMES)} resigned in {place}."
            changed.insert(draw.randrange(2, len(changed)), text)
            expected.append(ExpectedChange("", text))
        elif kind == "removed":
            expected.append(ExpectedChange(changed.pop(), ""))
        else:
            at = 0 if kind == "number" else 1
            text = _reworded(changed[at], kind, draw)
            expected.append(ExpectedChange(changed[at], text))
            changed[at] = text
    style = draw.randrange(3)
    pages = [_article_page(title, story, style, number, draw) for number in range(4)]
    pages.append(_article_page(new_title, changed, style, 4, draw))
    return ChangePair(f"article {seed} style {style}", tuple(pages[:3]), pages[3], pages[4],
                      tuple(expected), days=draw.choice((0.02, 0.5, 1.0)),
                      url=f"https://news.example/{seed}")  # fmt: skip


def _reworded(text: str, kind: str, draw: random.Random) -> str:
    words = text.split(" ")
    numbers = [at for at, word in enumerate(words) if word.isdigit()]
    if kind == "number" and numbers:
        words[numbers[0]] = str(int(words[numbers[0]]) + draw.randint(1, 40))
    else:
        words.insert(len(words) - 1, "reportedly")
    return " ".join(words)


def _article_page(
    title: str, story: list[str], style: int, number: int, draw: random.Random
) -> str:
    body = [f"<p>{each}</p>" for each in story]
    ad = f"<div><p>Advertisement</p><p>{draw.choice(_ADS)}</p></div>"
    teasers = "".join(
        f'<li><a href="/t/{draw.randint(1, 99)}">{each}</a></li>'
        for each in draw.sample(_TEASERS, 5)
    )
    stamps = (
        f"<p>By {_NAMES[len(title[:9]) % 6]} | Updated {draw.randint(2, 58)} minutes ago</p>",
        f"<p>Published 16 November 2026, last updated {16 + number} November 2026, "
        f"{draw.randint(8, 20)}:{draw.randint(10, 59)}</p>",
        f"<p>{draw.randint(2, 23)} hours ago · {draw.randint(20, 900)} comments · "
        f"{draw.randint(1000, 9000):,} views</p>",
    )
    box = ("Most read", "Related articles", "More from this section")[style]
    quote = f"<p>Word of the day</p><p>{draw.choice(_TEASERS)}</p>" if style == 1 else ""
    return f"""<html lang=en><head><title>{title}</title></head><body>
<header><p>{draw.choice(("Mild", "Rain", "Fog"))}, {draw.randint(-3, 19)} °C</p></header>
<article><h1>{title}</h1>{stamps[style]}{"".join(body[:3])}{ad}{"".join(body[3:])}{quote}
<p>Share this article: {draw.randint(3, 400)} shares</p></article>
<section><h2>{box}</h2><ul>{teasers}</ul></section>
<footer><p>© 2026 The Gazette. Page generated in 0.{draw.randint(100, 999)} seconds.</p></footer>
</body></html>"""


def _front_page(seed: int) -> ChangePair:
    draw = random.Random(f"front {seed}")  # noqa: S311 - a sample, not a secret
    stories: list[tuple[str, str]] = []
    while len(stories) < 12:
        title = _title(draw)
        if all(title != other for other, _ in stories):
            stories.append((title, _story(draw)[0]))
    pages = [_front(stories[5:], draw) for _ in range(4)]
    count = draw.choice((0, 1, 2))
    new = stories[5 - count : 5]
    shown = [*new, *stories[5:]]
    pages.append(_front(shown[:7], draw))
    expected = [ExpectedChange("", title) for title, _ in new]
    expected += [ExpectedChange("", lead, "optional") for _, lead in new]
    expected += [ExpectedChange(text, "", "optional") for story in shown[7:] for text in story]
    return ChangePair(f"front page {seed}", tuple(pages[:3]), pages[3], pages[4], tuple(expected),
                      days=0.25, url=f"https://news.example/front/{seed}")  # fmt: skip


def _front(stories: list[tuple[str, str]], draw: random.Random) -> str:
    items = "".join(
        f'<article><h2><a href="/a/{sum(map(ord, title))}">{title}</a></h2><p>{lead}</p>'
        f"<p>{draw.randint(1, 23)} hours ago · {draw.randint(1, 400)} comments</p></article>"
        for title, lead in stories
    )
    teasers = "".join(f"<li>{each}</li>" for each in draw.sample(_TEASERS, 4))
    return f"""<html lang=en><head><title>The Gazette</title></head><body><main>
<h1>The Gazette</h1><p>{draw.randint(10, 12)}:{draw.randint(10, 59)}</p>{items}
<section><h2>Picked for you</h2><ul>{teasers}</ul></section></main></body></html>"""
