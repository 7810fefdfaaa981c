"""The APIs of other vendors, over the same tools, limits and errors."""

from webquarry.server.compat.exa.exa_api import EXA
from webquarry.server.compat.firecrawl.firecrawl_api import FIRECRAWL
from webquarry.server.compat.jina.jina_api import JINA
from webquarry.server.compat.tavily.tavily_api import TAVILY
from webquarry.server.compat.vendor_api import VendorApi

# in the order in which the documentation lists them
VENDORS: tuple[VendorApi, ...] = (FIRECRAWL, TAVILY, EXA, JINA)
