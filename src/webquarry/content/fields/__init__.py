"""Fills a JSON Schema from the content of a page; each value has a quote as its source."""
