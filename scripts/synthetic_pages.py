"""Synthetic pages for training: plain markup that is rare in the annotated corpora."""

import random
from collections.abc import Iterator

from webquarry.content.text.word_list import words

_WORDS = words(
    "stone river council winter machine letter harbour engine garden report market school window "
    "bridge summer paper village teacher doctor mountain coast signal record member station corner "
    "system result number version method value model release server memory device battery camera "
    "city people minister player season team music film story history science energy water climate "
    "price product order delivery account service customer travel hotel flight family child house "
    "small large early late quiet green narrow public private common recent annual local foreign "
    "simple careful modern wooden heavy bright open slow quick broad useful strange northern "
    "begins ends takes gives shows finds keeps leaves turns holds moves brings writes reads builds "
    "carries follows reaches returns remains appears explains expects includes reports suggests "
    "and the of in to with from over under between during after before against without because "
    "although while their every another several most few some this that those which where when"
)


def pages(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield pages, each with the text of its main content."""
    for number in range(count):
        # reproducible training needs a fixed seed, not a secure generator
        rng = random.Random(seed * 100_003 + number)  # noqa: S311
        yield _PageGenerator(rng).page()


class _PageGenerator:
    """Generates one page."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._gold: list[str] = []

    def page(self) -> tuple[str, str]:
        """Return a page and its main text."""
        rng = self._rng
        title = self._phrase(3, 9)
        article = self._article(title)
        before = [part() for part in (self._nav, self._header, self._banner) if rng.random() < 0.6]
        if rng.random() < 0.3:
            before.append(self._teasers())
        generators = (self._comments, self._teasers, self._related, self._side, self._signup)
        after = [part() for part in generators if rng.random() < 0.4]
        if rng.random() < 0.3:
            before.append(after.pop() if after else "")
        after.append(self._footer())
        body = "\n".join([*before, article, *after])
        html = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
        return html, "\n".join(self._gold)

    def _phrase(self, min_count: int, max_count: int) -> str:
        chosen = self._rng.choices(_WORDS, k=self._rng.randint(min_count, max_count))
        return " ".join(chosen).capitalize()

    def _sentence(self) -> str:
        comma = ", " if self._rng.random() < 0.5 else " "
        return f"{self._phrase(4, 12)}{comma}{self._phrase(4, 12).lower()}."

    def _paragraph(self, min_count: int = 1, max_count: int = 6) -> str:
        return " ".join(self._sentence() for _ in range(self._rng.randint(min_count, max_count)))

    def _gold_text(self, text: str) -> str:
        self._gold.append(text)
        return text

    def _article(self, title: str) -> str:
        """Return the main part: headings, paragraphs, lists, quotes, code and tables."""
        rng = self._rng
        generators = (self._text, self._text, self._text, self._text, self._list, self._quote)
        generators += (self._code, self._table, self._section) if rng.random() < 0.4 else ()
        parts = [rng.choice(generators)() for _ in range(rng.randint(2, 14))]
        inner = f"<h1>{title}</h1>{self._byline()}{self._text()}{''.join(parts)}"
        wrapper = rng.choice(
            (
                "<article>{}</article>",
                "<main>{}</main>",
                "<main><article>{}</article></main>",
                "<div class='content'>{}</div>",
                "<div id='main'><div class='post'>{}</div></div>",
                "<div>{}</div>",
                "<form><div>{}</div></form>",
                "<table><tr><td>{}</td></tr></table>",
                "{}",
            )
        )
        return wrapper.format(inner)

    def _byline(self) -> str:
        day = f"{self._rng.randint(1, 28)} May {self._rng.randint(1999, 2026)}"
        if self._rng.random() < 0.5:
            return ""
        name = f"{self._phrase(1, 1)} {self._phrase(1, 1)}"
        return f"<p class='byline'>By {name}, <time>{day}</time></p>"

    def _text(self) -> str:
        return f"<p>{self._gold_text(self._paragraph())}</p>"

    def _section(self) -> str:
        level = self._rng.choice("23")
        return f"<h{level}>{self._gold_text(self._phrase(2, 6))}</h{level}>{self._text()}"

    def _list(self) -> str:
        items = [self._gold_text(self._phrase(2, 14)) for _ in range(self._rng.randint(2, 7))]
        return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"

    def _quote(self) -> str:
        return f"<blockquote><p>{self._gold_text(self._sentence())}</p></blockquote>"

    def _code(self) -> str:
        lines = [f"{self._phrase(1, 1).lower()}_{n} = call({n})" for n in range(4)]
        return "<pre><code>" + self._gold_text("\n".join(lines)) + "</code></pre>"

    def _table(self) -> str:
        rows = [[self._gold_text(self._phrase(1, 3)) for _ in range(3)] for _ in range(4)]
        head = "".join(f"<th>{cell}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows[1:])
        return f"<table><tr>{head}</tr>{body}</table>"

    def _links(self, min_count: int, max_count: int) -> str:
        count = self._rng.randint(min_count, max_count)
        return "".join(f"<li><a href='/{n}'>{self._phrase(1, 3)}</a></li>" for n in range(count))

    def _nav(self) -> str:
        return f"<nav><ul>{self._links(3, 12)}</ul></nav>"

    def _header(self) -> str:
        return f"<header><a href='/'>{self._phrase(1, 3)}</a><p>{self._phrase(3, 8)}</p></header>"

    def _banner(self) -> str:
        line = "We use cookies to improve this site."
        return f"<div class='cookie'><p>{line}</p><button>Accept</button></div>"

    def _teasers(self) -> str:
        tag = self._rng.choice(("article", "div", "li", "section"))
        name = self._rng.choice((" class='teaser'", " class='card'", ""))
        cards = [
            f"<{tag}{name}><h3><a href='/t/{n}'>{self._phrase(3, 9)}</a></h3>"
            f"<p>{self._paragraph(1, 2)}</p></{tag}>"
            for n in range(self._rng.randint(3, 9))
        ]
        return f"<div>{''.join(cards)}</div>"

    def _comments(self) -> str:
        name = self._rng.choice(("comment", "reply", "c"))
        count = self._rng.randint(2, 30)
        posts = [
            f"<li class='{name}'><b>{self._phrase(1, 2)}</b><p>{self._paragraph(1, 4)}</p></li>"
            for _ in range(count)
        ]
        heading = self._rng.choice(("Comments", f"{count} comments", "What readers say"))
        return f"<section id='comments'><h2>{heading}</h2><ol>{''.join(posts)}</ol></section>"

    def _related(self) -> str:
        return f"<div><h3>Related stories</h3><ul>{self._links(3, 8)}</ul></div>"

    def _side(self) -> str:
        return f"<aside><h3>{self._phrase(1, 3)}</h3><p>{self._paragraph(1, 2)}</p></aside>"

    def _signup(self) -> str:
        line = "Sign up for our newsletter and never miss a story."
        return f"<div class='newsletter'><p>{line}</p><button>Subscribe</button></div>"

    def _footer(self) -> str:
        return f"<footer><p>© 2026 {self._phrase(1, 3)}. All rights reserved.</p></footer>"
