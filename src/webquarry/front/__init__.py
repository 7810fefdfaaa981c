"""The fast start of the stdio server.

Importing the MCP SDK takes half a second. This package imports only a few modules of the standard
library, answers the first requests of a client from a snapshot, and hands the connection over to
the real server when that is loaded. It answers only requests of exactly the expected form; all
others wait for the real server.
"""
