"""The generated MAVLink dialect, the one place that imports pymavlink.

`common` is the smallest dialect that has all messages used here.  Nothing of `mavutil` is used:
it owns sockets and clocks.
"""

from typing import Any

from proxops.core.errors import InputError

try:
    from pymavlink.dialects.v20 import common
except ImportError as error:
    raise InputError("MAVLink needs pymavlink, the extra 'arena': pip install pymavlink") from error

mavlink: Any = common

if mavlink.MAVLINK_IGNORE_CRC:
    raise InputError(
        "unset MAV_IGNORE_CRC: with it pymavlink accepts corrupted frames, and a vehicle "
        "could be commanded by one"
    )
