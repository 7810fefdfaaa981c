"""Upstream services, one module each; `all_providers` lists them."""
