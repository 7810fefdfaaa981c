"""Turns a credential, an access token or an API key, into a principal."""

from typing import TYPE_CHECKING

from webquarry.auth.api_keys import PREFIX, ApiKeys
from webquarry.auth.principal import MissingScopeError, Principal, UnauthenticatedError

if TYPE_CHECKING:
    # PyJWT takes 30 ms to import, and few servers have an issuer
    from webquarry.auth.access_tokens import AccessTokens


class Authenticator:
    """Accepts access tokens of the issuer and API keys."""

    def __init__(
        self, *, tokens: "AccessTokens | None", keys: ApiKeys | None, required: tuple[str, ...] = ()
    ) -> None:
        self._tokens = tokens
        self._keys = keys
        self._required = required

    async def authenticate(self, credential: str) -> Principal:
        """Return the principal of a credential, or raise `ForbiddenError`."""
        if self._keys and credential.startswith(PREFIX):
            return await self._keys.verify(credential)
        if self._tokens is None:
            raise UnauthenticatedError("This server accepts API keys only.", code="bad_api_key")
        principal, scopes = await self._tokens.verify(credential)
        missing = [scope for scope in self._required if scope not in scopes]
        if missing:
            raise MissingScopeError(
                f"The access token lacks the scopes {' '.join(missing)}.", scopes=self._required
            )
        return principal
