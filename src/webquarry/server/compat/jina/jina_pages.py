"""Pages as Jina Reader returns them: fields of JSON, or one text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from starlette.requests import Request

from webquarry.content.html.selected_elements import SelectedPage, selected_page
from webquarry.content.markdown.structure import links_of, without_images
from webquarry.content.text.token_count import cut_text, estimate_tokens
from webquarry.errors import BadInputError, PageError
from webquarry.parsing.task import ParseTask
from webquarry.server.compat.jina.jina_options import JinaOptions
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader

Json = dict[str, Any]

_HTML = "text/html; charset=utf-8"
_BYTES_PER_TOKEN = 4
_IMAGES_OF = ("screenshot", "pageshot")
_SUBJECT = "A page"


class BudgetError(BadInputError):
    """A page is longer than the token budget of the request."""


@dataclass(frozen=True)
class JinaPages:
    """Reads pages for one request."""

    context: VendorContext
    request: Request
    options: JinaOptions

    async def read(self, urls: list[str]) -> list[VendorPage]:
        """Return the pages."""
        return await VendorPageReader(self.context, self.request).read(urls, self.wish)

    @property
    def wish(self) -> PageWish:
        """How the pages are read."""
        body, wanted = self.options.body, self.options.contents
        formats = ["images"] if body.withImagesSummary else []
        formats += ["links"] if self.options.links else []
        if self._selects or body.waitForSelector or wanted & {"html", "markdown"}:
            formats.append("rawHtml")
        formats += ["text"] if "text" in wanted else []
        formats += ["screenshot"] if wanted & set(_IMAGES_OF) else []
        return PageWish(
            formats=tuple(formats),
            fresh=self.options.fresh,
            mode=self.options.mode,
            seconds=body.timeout,
        )

    async def data(self, page: VendorPage) -> Json:
        """Return the fields of a page that was read."""
        warnings = list(self.options.warnings)
        found: Json = {
            "title": page.title,
            "description": page.detail("description") or "",
            "url": page.url,
        }
        if published := page.detail("publishDate"):
            found["publishedTime"] = published
        found |= await self._contents(page, warnings)
        if self.options.body.withImagesSummary:
            urls = cast("list[str]", list(page.body.get("images") or ()))
            found["images"] = {f"Image {number}": url for number, url in enumerate(urls, 1)}
        if self.options.links:
            found["links"] = await self._links(page)
        if warnings:
            found["warning"] = "\n".join(warnings)
        found["usage"] = {"tokens": self._tokens(found)}
        return found

    @property
    def _selects(self) -> bool:
        return bool(self.options.body.targetSelector or self.options.body.removeSelector)

    async def _contents(self, page: VendorPage, warnings: list[str]) -> Json:
        """Return the wanted forms of the page."""
        wanted = self.options.contents or {"content"}
        markdown, html = page.markdown, str(page.body.get("rawHtml") or "")
        await self._note_missing(page, html, warnings)
        if self._selects or "markdown" in wanted:
            markdown, html = await self._selection(page, html, warnings)
        made: Json = {}
        if wanted & {"content", "markdown"}:
            made["content"] = self._cut(await self._images_kept(markdown), warnings)
        if "html" in wanted:
            made["html"] = self._cut(html, warnings)
        if "text" in wanted:
            text = str(page.body.get("text") or "")
            made["text"] = await self._text(markdown) if self._selects else text
        for name in _IMAGES_OF:
            if name in wanted:
                made[f"{name}Url"] = self._image_url(page)
        return made

    async def _selection(
        self, page: VendorPage, source: str, warnings: list[str]
    ) -> tuple[str, str]:
        """Return Markdown and HTML of the selected elements, or of the whole page."""
        body = self.options.body
        if not source:
            warnings.append("This page has no HTML, so selectors had no effect.")
            return page.markdown, ""
        chosen = await self._selected(
            source, page.url, body.targetSelector or (), body.removeSelector or ()
        )
        if body.targetSelector and not chosen.markdown.strip():
            selectors = ", ".join(body.targetSelector)
            raise PageError(f"x-target-selector: no element of {page.url} matches {selectors}")
        return chosen.markdown, chosen.html if self._selects else source

    async def _selected(
        self, source: str, url: str, include: Sequence[str], exclude: Sequence[str]
    ) -> SelectedPage:
        task = ParseTask(selected_page, subject=_SUBJECT)
        try:
            return await self.context.offer.services.parsers.run(
                task,
                source.encode("utf-8", "replace"),
                url=url,
                content_type=_HTML,
                include=list(include),
                exclude=list(exclude),
                main="markdown" not in self.options.contents,
            )
        except BadInputError as error:
            named = str(error).replace("includeTags", "selector")
            raise BadInputError(named.replace("excludeTags", "selector")) from error

    async def _note_missing(self, page: VendorPage, source: str, warnings: list[str]) -> None:
        """Say if an element that the client waits for is not on the rendered page."""
        for selector in self.options.body.waitForSelector or ():
            found = await self._selected(source, page.url, (selector,), ())
            if not found.html.strip():
                warnings.append(f"No element matched {selector} when the page was rendered.")

    async def _images_kept(self, markdown: str) -> str:
        kept = self.options.body.retainImages
        if kept.startswith("all"):
            return markdown
        task = ParseTask(without_images, subject=_SUBJECT)
        return await self.context.offer.services.parsers.run(
            task, markdown.encode("utf-8", "replace"), keep_text=kept.startswith("alt")
        )

    async def _text(self, markdown: str) -> str:
        return await VendorPageReader(self.context, self.request).text(markdown)

    async def _links(self, page: VendorPage) -> Json | list[tuple[str, str]]:
        """Return the links by their text, or all of them as pairs."""
        task = ParseTask(links_of, subject=_SUBJECT)
        content = page.markdown.encode("utf-8", "replace")
        named = await self.context.offer.services.parsers.run(task, content)
        known = {url for _, url in named}
        others = [str(url) for url in page.body.get("links") or () if url not in known]
        pairs = [*named, *((url, url) for url in others)]
        if self.options.links == "all":
            return pairs
        once = {url: text for text, url in reversed(pairs)}
        return {text or url: url for url, text in reversed(once.items())}

    def _cut(self, text: str, warnings: list[str]) -> str:
        limit = self.options.body.maxTokens
        if limit is None or estimate_tokens(len(text.encode("utf-8", "replace"))) <= limit:
            return text
        warnings.append(f"The content was cut to {limit} tokens.")
        return cut_text(text, limit * _BYTES_PER_TOKEN)

    def _tokens(self, found: Json) -> int:
        texts = (found.get(name) or "" for name in ("content", "html", "text"))
        tokens = estimate_tokens(sum(len(text.encode("utf-8", "replace")) for text in texts))
        budget = self.options.body.tokenBudget
        if budget is not None and tokens > budget:
            raise BudgetError(f"tokenBudget: the page has {tokens} tokens, more than {budget}")
        return tokens

    def _image_url(self, page: VendorPage) -> str:
        image: Json = page.body.get("screenshot") or {}
        base = str(self.request.base_url).rstrip("/")
        return f"{base}{image['url']}" if "url" in image else ""


def page_text(data: Json) -> str:
    """Return a page as one text."""
    if "content" not in data:
        names = ("pageshotUrl", "screenshotUrl", "html", "text")
        return next((str(data[name]) for name in names if data.get(name)), "")
    facts: list[str] = []
    if published := data.get("publishedTime"):
        facts.append(f"Published Time: {published}")
    if warning := data.get("warning"):
        facts.append("\n".join(f"Warning: {line}" for line in warning.split("\n")))
    head = "".join(f"\n{fact}\n" for fact in facts)
    tail = "".join(f"\n{summary}\n" for summary in summaries(data))
    return (
        f"Title: {data['title']}\n\nURL Source: {data['url']}\n{head}\n"
        f"Markdown Content:\n{data['content']}\n{tail}"
    )


def summaries(data: Json) -> list[str]:
    """Return the lists of images and links at the end of a text."""
    found: list[str] = []
    if "images" in data:
        lines = [f"- ![{name}]({url})" for name, url in data["images"].items()]
        found.append("\n".join(["Images:", *(lines or ["This page has no images."])]))
    if "links" in data:
        links = data["links"]
        pairs = cast("list[tuple[str, str]]", links if isinstance(links, list) else links.items())
        lines = [f"- [{text}]({url})" for text, url in pairs]
        found.append("\n".join(["Links/Buttons:", *(lines or ["This page has no links."])]))
    return found
