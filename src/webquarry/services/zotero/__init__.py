"""A Zotero library: its references, marks on them, and sources added to it."""
