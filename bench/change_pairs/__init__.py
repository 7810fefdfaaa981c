"""Pairs of versions of web pages whose changes are known."""
