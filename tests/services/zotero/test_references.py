"""Items as CSL-JSON, and sources as items."""

from webquarry.models.session import ResearchSource
from webquarry.providers.capabilities_library import LibraryItem
from webquarry.services.zotero.references import csl_reference, item_ids, new_item, source_ids


def test_an_article_keeps_every_part_that_is_checked() -> None:
    item = LibraryItem.model_validate(
        {
            "key": "A",
            "itemType": "journalArticle",
            "title": "Heat",
            "creators": [
                {"creatorType": "author", "firstName": "Ada", "lastName": "Lovelace"},
                {"creatorType": "editor", "firstName": "Ed", "lastName": "Itor"},
                {"creatorType": "author", "name": "World Heat Council"},
            ],
            "publicationTitle": "Warmth",
            "volume": "3",
            "pages": "1-9",
            "date": "March 2021",
            "DOI": "10.5555/heat.1",
            "url": "",
            "extra": "PMID: 23903748",
        }
    )

    assert csl_reference(item) == {
        "id": "A",
        "type": "article-journal",
        "title": "Heat",
        "author": [{"family": "Lovelace", "given": "Ada"}, {"literal": "World Heat Council"}],
        "issued": {"raw": "March 2021"},
        "container-title": "Warmth",
        "volume": "3",
        "page": "1-9",
        "DOI": "10.5555/heat.1",
        "PMID": "23903748",
        "note": "PMID: 23903748",
    }


def test_the_same_work_has_the_same_id_however_its_doi_is_written() -> None:
    item = LibraryItem.model_validate(
        {"key": "A", "itemType": "book", "extra": "DOI: 10.1038/NATURE12373"}
    )
    source = ResearchSource(url="https://doi.org/10.1038/nature12373")

    assert item_ids(item) & source_ids(source) == {"10.1038/nature12373"}


def test_a_source_with_a_doi_becomes_an_article_and_another_a_web_page() -> None:
    paper = ResearchSource(
        url="https://doi.org/10.1038/nature12373",
        title="Thermometry",
        authors=("Ada Lovelace", "World Health Organization"),
        published="2013-08",
        foundAt="2026-11-18T05:00:00Z",
    )

    assert new_item(paper, "C") == {
        "itemType": "journalArticle",
        "DOI": "10.1038/nature12373",
        "title": "Thermometry",
        "creators": [
            {"creatorType": "author", "firstName": "Ada", "lastName": "Lovelace"},
            {"creatorType": "author", "name": "World Health Organization"},
        ],
        "url": "https://doi.org/10.1038/nature12373",
        "date": "2013-08",
        "accessDate": "2026-11-18",
        "collections": ["C"],
    }
    assert new_item(ResearchSource(url="https://example.org/a", site="Example"), "") == {
        "itemType": "webpage",
        "websiteTitle": "Example",
        "title": "https://example.org/a",
        "url": "https://example.org/a",
    }
