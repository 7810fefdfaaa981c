"""The one place where a credential becomes a principal."""

from webquarry.auth.access_tokens import AccessTokens
from webquarry.auth.api_keys import PREFIX, ApiKeys
from webquarry.auth.principal import MissingScopeError, Principal, UnauthenticatedError


class Authenticator:
    """Lets in whoever has a token of the issuer or an API key."""

    def __init__(
        self, *, tokens: AccessTokens | None, keys: ApiKeys | None, required: tuple[str, ...] = ()
    ) -> None:
        self._tokens = tokens
        self._keys = keys
        self._required = required

    async def admit(self, credential: str) -> Principal:
        """Return whose credential this is."""
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
