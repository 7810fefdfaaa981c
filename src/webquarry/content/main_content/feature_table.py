"""The features of the block classifier: the name and meaning of each matrix column.

Inference and training (scripts/) look columns up by name. The stored models refer to them by
number, so a change of the order or number of features requires training (`make train-extractor`).
"""

import re

from webquarry.content.main_content.vocabulary import GROUP_NAMES
from webquarry.content.text.word_list import words

ANCESTOR_TAGS = words(
    "nav header footer aside form ul ol table article main section figure button dialog "
    "details blockquote pre dl label noscript li"
)
ROLE_NAMES = words("main navigation banner complementary dialog search")  # by bit, as in ROLES
NEIGHBOUR_STEPS = {"prev3": -3, "prev2": -2, "prev1": -1, "next1": 1, "next2": 2, "next3": 3}
ANCESTOR_LEVELS = 6
PROSE_TAGS = ("article", "main", "li")
_PROSE_GROUPS = frozenset(("comment", "forum", "product", "review", "related", "content", "list"))
PROSE_GROUPS = tuple(name for name in GROUP_NAMES if name in _PROSE_GROUPS)
URL_PATTERNS = {
    "product": re.compile(r"/(products?|item|dp|p|shop)[/-]"),
    "category": re.compile(r"/(collections?|categor(y|ies)|c|cat|browse|shop)(/|$)"),
    "forum": re.compile(
        r"forum|thread|/t/|/questions?/|viewtopic|showthread|community|discuss|comments"
    ),
    "documentation": re.compile(
        r"docs?[./]|documentation|/api|manual|reference|wiki|guide|tutorial|readthedocs|developer"
    ),
    "service": re.compile(r"/(services?|solutions?|pricing|features?|about)"),
    "article": re.compile(r"/(blog|news|article|post|20\d\d)"),
    "listing": re.compile(r"list|tag|topics|search|archive|trending|directory"),
    "home": re.compile(r"^https?://[^/]+/?$"),
}
JSON_LD_TYPES = words(
    "article newsarticle blogposting product itemlist collectionpage qapage "
    "discussionforumposting faqpage techarticle offer review organization service "
    "localbusiness recipe howto event"
)

_NEIGHBOUR = {
    "size": "its size",
    "link_share": "its link share",
    "tag": "the number of its tag",
    "ends_sentence": "whether it ends as a sentence does",
    "depth": "the depth of its element",
}
_ANCESTOR = {
    "text_share": "its share of the page's text",
    "link_share": "the share of its text that is linked",
    "blocks": "how many blocks it holds",
    "prose_share": "its share of the page's prose",
    "prose_ratio": "the share of its text that is prose",
    "siblings": "how many siblings have its tag and classes, itself included",
}
_SCORED = {
    "path": "blocks of the same path",
    "parent": "blocks in the parent element",
    "ancestor3": "blocks in the element three steps up",
    "ancestor5": "blocks in the element five steps up",
    "page": "blocks of the page",
}

# group -> name -> meaning. Prose is the text of paragraphs and of blocks over 80 characters of
# which at most half is linked; core60 and core35 are the deepest elements with 60 % and 35 % of
# it; the path of a block is the tags and classes of its element and of all elements around it.
FEATURE_GROUPS: dict[str, dict[str, str]] = {
    "block": {
        "size": "characters, those of wide scripts counted three times",
        "link_share": "share of the characters that is inside links",
        "tag": "number of the element's tag, 0 for uncommon ones",
    },
    "text": {
        "ends_sentence": "the last character ends a sentence",
        "word_length": "characters per word",
        "capital_share": "share of capitals at the beginning",
        "digit_share": "share of digits at the beginning",
        "commas": "number of commas",
        "full_stops": "number of full stops",
        "question_marks": "number of question marks",
        "ends_with_colon": "the last character is a colon",
        "boilerplate_words": "number of words like 'subscribe' or 'cookies'",
        "has_date": "a short block with a date or time",
        "is_byline": "a short block that starts like 'By'",
        "has_money": "a short block with a currency sign",
        "has_pipe": "has a vertical bar",
        "starts_with_capital": "the first character is a capital",
        "starts_with_letter": "the first character is a letter",
    },
    "head": {
        "title_recall": "share of the words of the page's title that the block has",
        "title_share": "share of the block's words that are in the title",
        "description_share": "share of the block's words that are in the meta description",
        "declared_share": "share of its word triples in the JSON-LD text; -0.5 none, -1 no text",
    },
    "position": {
        "relative_index": "number of the block, 0 to 1",
        "relative_offset": "share of the page's text before it",
        "after_h1": "blocks since the first h1, -999 without one",
        "after_longest": "blocks since the block with the most unlinked text",
        "after_first_long": "blocks since the first long one",
        "after_last_long": "blocks since the last long one",
        "to_end": "blocks to the end of the page, at most 60",
        "unlinked_before": "share of the page's unlinked text before it",
        "repeats": "how often the page has this text",
        "heading_distance": "blocks since the last heading, at most 99",
        "heading_level": "1 to 6, 0 without a heading",
        "heading_ends_content": "2 for one like 'Related', 1 for others, 0 without",
        "heading_link_share": "its link share, -1 without a heading",
    },
    "path": {
        "path_blocks": "number of blocks of the same path",
        "path_mean_size": "their mean size",
        "path_link_share": "the share of their text that is linked",
        "path_text_share": "their share of the page's text",
        "path_sentence_share": "share of them that end as a sentence does",
    },
    "ancestor": {
        **{f"steps_to_{tag}": f"steps up to the nearest <{tag}>" for tag in ANCESTOR_TAGS},
        **{f"steps_to_{name}_names": f"steps up to a '{name}' class or id" for name in GROUP_NAMES},
        **{f"in_{role}_role": f"is inside an element of role {role}" for role in ROLE_NAMES},
        "steps_to_h1_path": "steps up to an element that also holds the first h1",
        "steps_to_longest_path": "steps up to an element that also holds the longest text",
        "steps_to_core60_path": "steps up to an element that also holds core60",
        "steps_to_core35_path": "steps up to an element that also holds core35",
    },
    "core": {
        "in_core60": "is inside core60",
        "in_core35": "is inside core35",
        "depth": "elements around the block",
    },
    "ancestor_text": {
        f"ancestor{level}_{name}": f"of the element {level} steps up: {meaning}"
        for level in range(ANCESTOR_LEVELS)
        for name, meaning in _ANCESTOR.items()
    },
    "neighbour": {
        f"{step}_{name}": f"of the block {step}: {meaning}"
        for step in NEIGHBOUR_STEPS
        for name, meaning in _NEIGHBOUR.items()
    },
    "neighbour_parent": {
        "prev1_same_parent": "its element or parent is that of the block before",
        "next1_same_parent": "its element or parent is that of the block after",
    },
    "page": {
        "page_blocks": "number of blocks",
        "page_long_blocks": "number of blocks over 200 characters",
        "page_articles": "number of <article>",
        "page_mains": "number of <main>",
        "page_paragraphs": "number of <p>",
        "page_list_items": "number of <li>",
        "page_subheadings": "number of <h2> and <h3>",
        "page_tables": "number of <table>",
        "page_code_blocks": "number of <pre>",
        "page_og_type": "og:type: 1 article, 2 product, 3 other, 0 none",
        "page_dates": "number of blocks with a date",
        "page_money": "number of blocks with a currency sign",
        "page_boilerplate": "number of boilerplate words",
    },
    "page_text": {
        "page_log_size": "logarithm of the characters",
        "page_link_share": "share of the text that is linked",
        "page_prose_share": "share of the text that is prose",
        "core60_text_share": "share of the text that is in core60",
        "core35_text_share": "share of the text that is in core35",
        "core60_prose_share": "share of the prose that is in core60",
        **{f"prose_in_{tag}": f"share of the prose inside <{tag}>" for tag in PROSE_TAGS},
        **{f"prose_in_{name}_names": f"share inside '{name}' names" for name in PROSE_GROUPS},
        "prose_in_repeated": "share of the prose in elements with more than three siblings",
        "max_element_prose": "prose directly inside the element with the most",
        "content_names_prose": "characters of prose inside 'content' names",
        "other_prose": "characters of prose elsewhere",
    },
    "url": {f"url_{name}": f"the URL looks like one of a {name} page" for name in URL_PATTERNS},
    "json_ld": {f"type_{kind}": f"the JSON-LD has a {kind}" for kind in JSON_LD_TYPES},
    "lexicon": {
        "word_score": "sum of the weights of the words at the block's beginning",
        "prev1_word_score": "of the block before",
        "prev2_word_score": "of the second block before",
        "next1_word_score": "of the block after",
        "next2_word_score": "of the second block after",
        "name_score": "sum of the weights of the names of its element and its ancestors",
        "prev1_name_score": "of the block before",
        "next1_name_score": "of the block after",
        **{f"{group}_word_score": f"mean over the {which}" for group, which in _SCORED.items()},
        **{f"{group}_name_score": f"mean over the {which}" for group, which in _SCORED.items()},
    },
}
FEATURES = tuple(name for group in FEATURE_GROUPS.values() for name in group)
COLUMN = {name: column for column, name in enumerate(FEATURES)}


def columns(group: str) -> slice:
    """Return the columns of a group of features."""
    names = list(FEATURE_GROUPS[group])
    return slice(COLUMN[names[0]], COLUMN[names[-1]] + 1)


# features that need the words of the blocks: `layout_features` leaves these columns empty
_WORD_FEATURES = frozenset(
    (*FEATURE_GROUPS["text"], *FEATURE_GROUPS["head"], *FEATURE_GROUPS["lexicon"])
) - {"ends_sentence"} | {"page_dates", "page_money", "page_boilerplate"}
LAYOUT_COLUMNS = tuple(COLUMN[name] for name in FEATURES if name not in _WORD_FEATURES)
