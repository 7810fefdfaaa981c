"""Crawling for callers: jobs that survive, and the pages they bring."""

from webquarry.services.crawling.service import Crawling

__all__ = ["Crawling"]
