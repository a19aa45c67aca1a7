"""Bytes to something real or to its virtual twin.

Protocol machines own no socket, file or clock: bytes and the time go in, events and bytes come
out.  `udp` is what carries the bytes.
"""
