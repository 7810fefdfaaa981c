"""Connections to Redis or Valkey, and the translation of their errors."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import AuthenticationError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from webquarry.errors import AccessError, NetworkError, ProviderError, SettingsError

_MAX_CONNECTIONS = 32
_TIMEOUT = 5.0


def connect_redis(url: str) -> Redis:
    """Return a client of the server at `url`; its first command connects."""
    try:
        options = parse_url(url)
    except ValueError as exc:
        raise SettingsError(
            f"REDIS_URL is not valid: {exc}; example: redis://user:password@host:6379/0"
        ) from exc
    return Redis.from_pool(
        BlockingConnectionPool(
            max_connections=_MAX_CONNECTIONS,
            timeout=_TIMEOUT,
            socket_timeout=_TIMEOUT,
            socket_connect_timeout=_TIMEOUT,
            health_check_interval=30,
            retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), 2),
            **options,
        )
    )


@asynccontextmanager
async def translated_redis_errors() -> AsyncGenerator[None]:
    """Translate the errors of the client library."""
    try:
        yield
    except (RedisError, OSError) as exc:
        raise _translate(exc) from exc


def _translate(exc: Exception) -> ProviderError:
    # the library wraps a rejected password, because that happens while it connects
    if isinstance(exc, AuthenticationError) or isinstance(exc.__cause__, AuthenticationError):
        return AccessError(f"Redis rejected the credentials in REDIS_URL: {exc}", provider="redis")
    if isinstance(exc, RedisConnectionError | RedisTimeoutError | OSError):
        message = f"Redis did not respond: {exc}; check REDIS_URL and that the server is running"
        return NetworkError(message, provider="redis")
    return ProviderError(f"Redis rejected a command: {exc}", provider="redis")
