"""The one family of errors that proxops raises for reasons a user can act on."""


class ProxopsError(Exception):
    """Root of every error raised on purpose; `exit_code` is what the command line returns.

    >>> try:
    ...     proxops.load("free-tumbel")
    ... except proxops.ProxopsError as error:
    ...     error.exit_code
    2
    """

    exit_code = 3


class InputError(ProxopsError):
    """Something given is wrong: the message says where, what was found and what was possible."""

    exit_code = 2


class OutputError(ProxopsError):
    """A result could not be written (no permission, no space); nothing half-written is left."""

    exit_code = 2


class ControllerError(ProxopsError):
    """A user's controller has raised an error before the run; the message shows where in its own
    code."""

    exit_code = 2


class WorkerError(ProxopsError):
    """A process that flew cases of a campaign has ended: killed, out of memory, or a bug."""


class StoppedError(ProxopsError):
    """The guard has stopped both robots before anything was run."""

    exit_code = 4


class LinkLostError(ProxopsError):
    """What cases of a campaign are flown by does not answer, or has gone; the same command goes
    on with it."""

    exit_code = 4
