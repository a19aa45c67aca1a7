"""A client of a dask scheduler, or in words why there is none."""

import logging
import sys
import warnings
from importlib import import_module
from typing import Any

from proxops.campaigns.reach import reach
from proxops.campaigns.scheduler import Scheduler
from proxops.core.errors import InputError, LinkLostError

_CONNECT_S = 5.0


def connected(scheduler: Scheduler) -> Any:
    """A client of dask's; InputError or LinkLostError if there can be none."""
    first = "distributed" not in sys.modules
    distributed: Any
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise InputError(
            "--scheduler needs dask, the extra 'campaign': pip install distributed"
        ) from error
    if first:  # its words on a worker that died are not ours
        for name in [each for each in logging.root.manager.loggerDict if "distributed" in each]:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="distributed")  # nor on versions
    reach(scheduler)
    security = None
    if scheduler.secure:
        security = distributed.Security(
            tls_ca_file=scheduler.ca,
            tls_client_cert=scheduler.cert,
            tls_client_key=scheduler.key,
            require_encryption=True,
        )
    where = f"scheduler {scheduler.address}"
    try:
        client = distributed.Client(
            scheduler.address, security=security, timeout=_CONNECT_S, set_as_default=False
        )
    except (OSError, TimeoutError, ValueError) as error:
        raise LinkLostError(f"{where}: does not answer as a dask scheduler: {error}") from None
    there = client.get_versions(check=False)["scheduler"]["packages"].get("distributed")
    if there != distributed.__version__:
        client.close()
        raise InputError(
            f"{where}: runs distributed {there}, here is {distributed.__version__}; start both "
            "from the same environment"
        )
    return client
