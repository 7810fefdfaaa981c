"""Fills a JSON Schema from what a page says, each value with its quote."""
