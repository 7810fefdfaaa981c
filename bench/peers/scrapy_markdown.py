"""Scrapy with JOBDIR and trafilatura, converting every page to Markdown; runs in Scrapy's venv."""
# Scrapy is not installed in this environment, so its types are unknown
# ruff: noqa: ANN001, ANN201
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false

import os

import scrapy
import trafilatura
from common import START, UA, Sink, extract
from scrapy.crawler import AsyncCrawlerProcess

sink = Sink()


class Spider(scrapy.Spider):
    """Crawls the complete site."""

    name = "s"

    async def start(self):
        yield scrapy.Request(START)

    async def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        title, _, links = extract(response.body, response.url)
        text = trafilatura.extract(
            response.text, url=response.url, output_format="markdown", include_links=True
        )
        sink.add(response.url, title, text or "", links)
        for link in links:
            yield scrapy.Request(link)


process = AsyncCrawlerProcess(
    {
        "LOG_LEVEL": "WARNING",
        "USER_AGENT": UA,
        "ROBOTSTXT_OBEY": False,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "JOBDIR": os.environ["WORK"] + "/job",
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    }
)
process.crawl(Spider)
process.start()
sink.close()
