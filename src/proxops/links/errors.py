"""Errors of links: ours, and the other side's."""

from proxops.core.errors import ProxopsError


class LocalProtocolError(ProxopsError):
    """This side asked for something that the protocol, or its state, forbids.  Nothing was sent."""


class RemoteProtocolError(ProxopsError):
    """The other side sent something that no correct peer sends."""

    exit_code = 4
