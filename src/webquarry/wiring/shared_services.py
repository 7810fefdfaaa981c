"""What the services of one process share: storage, metrics, network, browser, language model.

As in `wiring.container`, each member imports what it needs when it is first used.
"""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from webquarry.observe.metrics import Metrics
    from webquarry.parsing.parsers import Parsers
    from webquarry.reading.browser.browser import Browser
    from webquarry.reading.documents.document_reader import DocumentReader
    from webquarry.reading.local_files import LocalFiles
    from webquarry.services.bundles.capturing import Capturing
    from webquarry.services.llm.language_model import LanguageModel
    from webquarry.settings.load import Settings
    from webquarry.storage.artifacts import Artifacts
    from webquarry.storage.page_index import PageIndex
    from webquarry.storage.store import Store
    from webquarry.wiring.open_network import NetworkServices
    from webquarry.wiring.open_storage import StorageKeys


class SharedServices:
    """The base of `Services`."""

    def __init__(self, settings: "Settings", keys: "StorageKeys", stack: "AsyncExitStack") -> None:
        self._settings = settings
        self._keys = keys
        self._stack = stack

    @cached_property
    def metrics(self) -> "Metrics":
        from webquarry.observe.metrics import Metrics
        from webquarry.settings.redact import secret_values

        return Metrics(secrets=secret_values(self._settings))

    @cached_property
    def store(self) -> "Store":
        from webquarry.wiring.open_storage import open_store

        return open_store(self._settings, self._keys, self._stack)

    @property
    def always_captures(self) -> bool:
        """Whether the exchanges of every call are captured."""
        return self._settings.evidence.capture

    @cached_property
    def capturing(self) -> "Capturing":
        from webquarry.wiring.open_capturing import open_capturing

        return open_capturing(self._settings, self.store, self._stack)

    @cached_property
    def artifacts(self) -> "Artifacts":
        from webquarry.storage.artifacts import Artifacts

        return Artifacts(self.store, ttl=self._settings.cache.artifact_ttl)

    @cached_property
    def page_index(self) -> "PageIndex | None":
        from webquarry.wiring.open_shared import open_index

        return open_index(self._settings, self._stack)

    @cached_property
    def network(self) -> "NetworkServices":
        from webquarry.wiring.open_network import open_network

        return open_network(self._settings, lambda: self.parsers, self._stack)

    @cached_property
    def parsers(self) -> "Parsers":
        from webquarry.wiring.open_shared import open_parsers

        return open_parsers(self._stack)

    @cached_property
    def documents(self) -> "DocumentReader":
        from webquarry.wiring.open_shared import open_documents

        return open_documents(self._settings, self._stack)

    @cached_property
    def local_files(self) -> "LocalFiles":
        from webquarry.wiring.open_shared import build_local_files

        return build_local_files(self._settings, self)

    @cached_property
    def browser(self) -> "Browser":
        from webquarry.wiring.open_shared import open_browser

        return open_browser(self._settings, self.network, self._stack)

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        if not self._settings.llm.model:
            return None
        from webquarry.wiring.build_language_model import build_language_model

        return build_language_model(self._settings.llm, self.store, self.network.upstreams)
