"""The part of the stdio server that starts at once.

Importing the MCP SDK takes half a second. This package imports nothing but a few modules of the
standard library, answers what a client asks first from a snapshot, and hands the connection over
to the real server when that has loaded. It answers only requests of exactly the expected shape;
everything else waits for the real server.
"""
