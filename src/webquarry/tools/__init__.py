"""The tools. To add one: write its file, add it to `TOOLS`."""

from webquarry.tools.base import AnyTool
from webquarry.tools.clinical_search import clinical_search
from webquarry.tools.echo import echo
from webquarry.tools.econ_search import econ_search
from webquarry.tools.filing_search import filing_search
from webquarry.tools.image_search import image_search
from webquarry.tools.legal_search import legal_search
from webquarry.tools.local_search import local_search
from webquarry.tools.news_search import news_search
from webquarry.tools.scrape_page import scrape_page
from webquarry.tools.searxng_search import searxng_search
from webquarry.tools.web_search import web_search

TOOLS: tuple[AnyTool, ...] = (
    clinical_search,
    echo,
    econ_search,
    filing_search,
    image_search,
    legal_search,
    local_search,
    news_search,
    scrape_page,
    searxng_search,
    web_search,
)
