"""How many bytes of screenshots one crawl may store."""

from dataclasses import replace

from webquarry.crawl.visit_results import VisitedPage
from webquarry.reading.browser.screenshots import Screenshot


class ScreenshotBudget:
    """Counts the bytes of the screenshots of a crawl; spent with the first that is refused."""

    def __init__(self, max_bytes: int, stored: int = 0) -> None:
        self._left = max_bytes - stored
        self.is_spent = self._left <= 0

    def admits(self, size: int) -> bool:
        """Tell whether a screenshot may be stored, and count it."""
        if self.is_spent or size > self._left:
            self.is_spent = True
            return False
        self._left -= size
        return True


def with_screenshot(
    visit: VisitedPage, image: Screenshot | None, budget: ScreenshotBudget | None
) -> VisitedPage:
    """Return the page with its screenshot, if the crawl has room for it."""
    if budget is None or (image and budget.admits(len(image.content))):
        return replace(visit, screenshot=image)
    return replace(visit, screenshot_over_limit=budget.is_spent)
