"""Crawls as files: a folder of Markdown, tables, and lists for language models."""
