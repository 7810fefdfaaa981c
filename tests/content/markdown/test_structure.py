"""The structure of Markdown as data."""

from webquarry.content.markdown.structure import image_urls, markdown_structure

PAGE = """\
Before the first heading.

# Owls \\*at night\\*

Read [about **owls**](https://owls.test/a_(b)) and [more](https://owls.test/2).

![An owl](https://owls.test/owl.png)

## Food

| Owl | Eats |
| --- | :--- |
| [Barn owl](https://owls.test/2) | voles \\| mice |

```
# no heading
| no | table |
```

### Last
"""


def test_sections_links_images_and_tables_are_in_their_order() -> None:
    assert markdown_structure(PAGE) == {
        "sections": [
            {"heading": "", "level": 0, "text": "Before the first heading."},
            {
                "heading": "Owls *at night*",
                "level": 1,
                "text": "Read [about **owls**](https://owls.test/a_(b)) and "
                "[more](https://owls.test/2).\n\n![An owl](https://owls.test/owl.png)",
            },
            {
                "heading": "Food",
                "level": 2,
                "text": "| Owl | Eats |\n| --- | :--- |\n"
                "| [Barn owl](https://owls.test/2) | voles \\| mice |\n\n"
                "```\n# no heading\n| no | table |\n```",
            },
            {"heading": "Last", "level": 3, "text": ""},
        ],
        "links": [
            {"text": "about owls", "url": "https://owls.test/a_(b)"},
            {"text": "more", "url": "https://owls.test/2"},
        ],
        "images": ["https://owls.test/owl.png"],
        "tables": [[["Owl", "Eats"], ["Barn owl", "voles | mice"]]],
    }


def test_an_empty_page_has_no_structure() -> None:
    assert markdown_structure("") == {"sections": [], "links": [], "images": [], "tables": []}


def test_an_image_is_listed_once() -> None:
    assert image_urls("![a](https://a.test/1) ![b](https://a.test/1)") == ("https://a.test/1",)
