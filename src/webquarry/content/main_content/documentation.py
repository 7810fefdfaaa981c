"""Pages of documentation generators: each puts the content into the same element on every page."""

import re
from itertools import chain
from typing import NamedTuple

from webquarry.content.html.dom import HEADINGS, Element, body_of, drop_tree, element_finder
from webquarry.content.text.word_list import words
from webquarry.content.visibility.element_index import ElementIndex

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_find_main_role = element_finder("//*[@role='main']")
_MAIN_ROLE = "role=main"
_DROPPED_TAGS = ("button",)
_MIN_TEXT = 20  # characters


class _Template(NamedTuple):
    """How the pages of a generator can be told, and where they have their content."""

    marks: frozenset[str]  # classes and ids, and words of the meta generator; one is enough
    content: tuple[str, ...] = ()  # classes and ids, the best first; none: the body
    furniture: frozenset[str] = frozenset()  # classes and ids of what is not content
    title: str = ""  # class of the title, where it is no heading
    code: str = ""  # class of code blocks, where they are no <pre>


def _names(text: str) -> frozenset[str]:
    return frozenset(words(text))


_TEMPLATES = (
    # Sphinx and MkDocs with their themes
    _Template(
        _names(
            "generator:docutils generator:sphinx generator:mkdocs headerlink documentwrapper "
            "md-content__inner rst-content mkdocs_search_modal"
        ),
        ("md-content__inner", "bd-article", _MAIN_ROLE, "body", "yui-main"),
        _names(
            "headerlink prev-next-area prev-next-footer prev-next-bottom rst-footer-buttons "
            "related-pages bd-header-article header-article md-content__button md-source-file "
            "md-feedback sphinxsidebar related edit-this-page back-to-top content-icon-container"
        ),
    ),
    # Javadoc, also before it had a main element
    _Template(
        _names("generator:javadoc"),
        (_MAIN_ROLE,),
        _names(
            "top-nav sub-nav skip-nav legal-copy topnav bottomnav subnav legalcopy fixednav "
            "topNav bottomNav subNav legalCopy fixedNav skipNav anchor-link"
        ),
    ),
    _Template(
        _names("generator:rustdoc"),
        ("main-content", "main"),
        _names("sub-container anchor copy-path toggle-all-docs render-detail settings-menu"),
    ),
    _Template(_names("menu-bar-hover-placeholder"), ("content",), _names("nav-wrapper")),  # mdBook
    # DocBook, GTK-Doc
    _Template(
        _names("generator:docbook generator:gtk-doc"),
        (),
        _names("navheader navfooter navigation spirit-nav footer"),
    ),
    _Template(_names("devhelp-hidden"), ("main",)),  # gi-docgen
    _Template(_names("generator:asciidoc generator:asciidoctor"), (), _names("footer toc")),
    _Template(
        _names("generator:doxygen"),
        ("doc-content",),
        _names(
            "top side-nav nav-path navpath footer summary titlearea main-nav tabs tabs2 tabs3 "
            "MSearchSelectWindow MSearchResultsWindow MSearchBox ttc lineno"
        ),
        title="title",
        code="fragment",
    ),
    # Texinfo
    _Template(
        _names("generator:makeinfo generator:texi generator:texinfo"),
        (),
        _names("header nav-panel copiable-anchor copiable-link"),
    ),
    _Template(_names("package-header"), ("content",), _names("selflink"), "caption"),  # Haddock
    _Template(_names("qtdocheader main-rounded"), ("mainContent",), _names("sidebar toc")),  # QDoc
    _Template(_names("leftnav-tube"), ("content",), _names("footer")),  # Erlang
    _Template(_names("apicontent"), ("apicontent",), _names("mark copy-button")),  # Node.js
    _Template(
        _names("generator:docusaurus"),
        ("theme-doc-markdown",),
        _names("hash-link theme-doc-toc-mobile theme-edit-this-page pagination-nav"),
    ),
    _Template(_names("generator:vitepress vp-doc"), ("vp-doc",), _names("header-anchor")),
    _Template(
        _names("generator:exdoc"),
        ("content",),
        _names("bottom-actions hover-link icon-action footer"),
    ),
    _Template(
        _names("generator:antora"), ("doc",), _names("breadcrumbs toc pagination anchor")
    ),
)  # fmt: skip


def documentation_content(root: Element, index: ElementIndex) -> Element | None:
    """Return the content of a page that a documentation generator made, without its furniture."""
    names = index.class_and_id_names | _generator_words(index)
    template = next((each for each in _TEMPLATES if not each.marks.isdisjoint(names)), None)
    if template is None:
        return None
    content = _content(root, index, template)
    if content is None:
        return None
    named = chain.from_iterable(index.by_id.get(name, ()) for name in template.furniture)
    for element in (*index.with_class(template.furniture), *named, *content.iter(*_DROPPED_TAGS)):
        if _is_inside(content, element):
            drop_tree(element)
    _mark_title_and_code(content, index, template)
    return content


def _generator_words(index: ElementIndex) -> frozenset[str]:
    generators = (
        meta.get("content", "").lower()
        for meta in index.by_tag["meta"]
        if meta.get("name", "").lower() == "generator"
    )
    return frozenset(f"generator:{word}" for text in generators for word in _WORD.findall(text))


def _content(root: Element, index: ElementIndex, template: _Template) -> Element | None:
    if not template.content:
        return body_of(root)
    for name in template.content:
        if name == _MAIN_ROLE:
            found = _find_main_role(root)
        else:
            found = [*index.by_id.get(name, ()), *index.with_class(frozenset((name,)))]
        content = next((e for e in found if _is_in_page(root, e) and _has_text(e)), None)
        if content is not None:
            return content
    return None


def _is_in_page(root: Element, element: Element) -> bool:
    """Tell whether the element was not removed as hidden."""
    return next(element.iterancestors("html"), None) is root


def _has_text(element: Element) -> bool:
    size = 0
    for text in element.itertext("*"):
        size += len(text.strip())
        if size >= _MIN_TEXT:
            return True
    return False


def _mark_title_and_code(content: Element, index: ElementIndex, template: _Template) -> None:
    """Make a heading of the title and code of code blocks that are only named so."""
    if template.title:
        titles = index.with_class(frozenset((template.title,)))
        title = next((element for element in titles if _is_inside(content, element)), None)
        if title is not None and next(title.iter(*HEADINGS), None) is None:
            title.tag = "h1"
    if template.code:
        for element in index.with_class(frozenset((template.code,))):
            element.tag = "pre"


def _is_inside(content: Element, element: Element) -> bool:
    return any(above is content for above in element.iterancestors())
