"""The main content of a parsed page: hidden text removed, blocks chosen, the rest pruned."""

from dataclasses import dataclass
from itertools import compress
from urllib.parse import urljoin

from webquarry.content.html.dom import Element, body_of, drop
from webquarry.content.html.embedded_data import embedded_markdown
from webquarry.content.html.head_hints import hints_of
from webquarry.content.main_content.blocks import PageBlock, PageBlocks, outline_of
from webquarry.content.main_content.choose import BlockChoice, choose
from webquarry.content.main_content.simple_pages import easy_story
from webquarry.content.markdown.writer import markdown_of
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.hidden_text import HiddenTextReport, hidden_in, take_out
from webquarry.content.visibility.invisible_characters import without_invisible

_LITTLE = 300  # characters: with less, look for the text in the page's data
_CLEARLY_MORE = 2
_EASY = 0.95  # the confidence of a choice that took no judgement


@dataclass(slots=True)
class ChosenContent:
    """A page whose main content has been chosen but not yet written."""

    root: Element
    part: Element  # what holds the content
    outline: PageBlocks | None  # of a page that took judgement
    choice: BlockChoice
    sweep: HiddenTextReport

    def text(self) -> str:
        """Return the words of the main content, one block a line."""
        if self.outline is None:
            kept = [block.text for block in outline_of(self.part).blocks]
        else:
            pairs = zip(self.outline.blocks, self.choice.keep, strict=True)
            kept = [block.text for block, keep in pairs if keep]
        return without_invisible("\n".join(kept))


@dataclass(frozen=True, slots=True)
class Written:
    """The main content as Markdown, and whether it comes from data a script would show."""

    markdown: str
    embedded: bool


def find_content(root: Element, url: str = "", survey: ElementIndex | None = None) -> ChosenContent:
    """Remove from the page what is hidden, and choose its main content."""
    gone = hidden_in(root, survey)
    # read only where they are needed, and before anything that may hold some of them goes
    hints = hints_of(root, url) if gone else None
    sweep = take_out(root, gone)
    story = easy_story(root)
    if story is not None:
        return ChosenContent(root, story, None, BlockChoice([], _EASY), sweep)
    part = body_of(root)
    outline = outline_of(part)
    return ChosenContent(root, part, outline, choose(outline, hints or hints_of(root, url)), sweep)


def write_content(found: ChosenContent, base: str) -> Written:
    """Take everything but the main content out of the tree and write the rest."""
    if found.outline is not None:
        _prune(found.outline, found.choice.keep)
    text = markdown_of(found.part, base=base)
    embedded = ""
    if len(text) < _LITTLE:
        embedded = embedded_markdown(found.root, base)
        embedded = embedded if len(embedded) > max(_LITTLE, _CLEARLY_MORE * len(text)) else ""
    return Written(without_invisible(embedded or text, found.sweep.counts), bool(embedded))


def base_of(root: Element, url: str) -> str:
    """Return the address that relative links of the page start from."""
    base = root.find(".//base[@href]")
    href = base.get("href") if base is not None else None
    try:
        return urljoin(url, href.strip()) if href else url
    except ValueError:
        return url


def _prune(outline: PageBlocks, keep: list[bool]) -> None:
    """Drop the elements without kept text or images, and refused text beside kept one."""
    alive = bytearray(len(outline.parent))
    refused = [block for block, kept in zip(outline.blocks, keep, strict=True) if not kept]
    for block in compress(outline.blocks, keep):
        if not alive[block.node]:
            _mark(outline, block.node, alive)
    _prune_images(outline, keep, alive)
    for node, parent in enumerate(outline.parent):
        if parent >= 0 and alive[parent] and not alive[node]:
            _take_out(outline.elements[node])
    for block in refused:
        if alive[block.node]:
            _blank(block)


def _take_out(element: Element) -> None:
    """Drop the element; a table cell is emptied instead, so that its row keeps its columns."""
    if element.tag not in ("td", "th"):
        drop(element)
        return
    element.text = None
    for child in list(element):
        element.remove(child)


def _prune_images(outline: PageBlocks, keep: list[bool], alive: bytearray) -> None:
    for image in outline.images:
        if _among_kept(keep, image.before):
            _mark(outline, image.node, alive)
        elif alive[image.node]:
            drop(image.element)


def _mark(outline: PageBlocks, node: int, alive: bytearray) -> None:
    while node >= 0 and not alive[node]:
        alive[node] = 1
        node = outline.parent[node]


def _blank(block: PageBlock) -> None:
    for element in block.tails:
        element.tail = None
    for element in block.texts:
        if element.tag in ("math", "script"):
            drop(element)
        else:
            element.text = None


def _among_kept(keep: list[bool], place: int) -> bool:
    """Tell whether an image before block `place` stands in kept text."""
    after = place < len(keep) and keep[place]
    before = place > 0 and keep[place - 1]
    return (before and after) or (after and place == 0) or (before and place == len(keep))
