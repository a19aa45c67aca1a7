"""MAVLink 2 frames written by hand from the public wire format, without pymavlink.

Fields stand in the order of their size, largest first; zeros at the end of a payload are left out;
the checksum is X.25's over all but the first byte, and one byte more that belongs to the message
(mavlink.io: packet serialization, common message set).
"""

import struct

# Message: number, byte of the checksum, layout
LAYOUTS = {
    "HEARTBEAT": (0, 50, "<IBBBBB"),  # mode; type, autopilot, base mode, status, version
    "SYS_STATUS": (1, 124, "<IIIHHhHHHHHHbIII"),
    "PARAM_REQUEST_READ": (20, 214, "<hBB16s"),  # index; system, component, name
    "PARAM_VALUE": (22, 220, "<fHH16sB"),  # value; count, index; name, type
    "LOCAL_POSITION_NED": (32, 185, "<Iffffff"),
    "SET_GPS_GLOBAL_ORIGIN": (48, 41, "<iiiBQ"),
    "COMMAND_LONG": (76, 152, "<fffffffHBBB"),  # values; command; system, component, confirmation
    "COMMAND_ACK": (77, 143, "<HBBiBB"),
    "SET_POSITION_TARGET_LOCAL_NED": (84, 143, "<IfffffffffffHBBB"),
    "TIMESYNC": (111, 34, "<qq"),
    "STATUSTEXT": (253, 83, "<B50sHB"),
    "ODOMETRY": (331, 91, "<Q" + "f" * 3 + "4f" + "f" * 6 + "21f21f" + "BBBBb"),
}

EXTRA = {number: extra for number, extra, _ in LAYOUTS.values()}


def x25(data: bytes) -> int:
    """CRC-16/MCRF4XX, bit by bit: polynomial 0x1021 reflected, from 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def frame(name: str, *fields: object, sequence: int = 0, system: int = 255, component: int = 190):
    number, extra, layout = LAYOUTS[name]
    payload = struct.pack(layout, *fields).rstrip(b"\0") or b"\0"
    head = bytes((len(payload), 0, 0, sequence, system, component)) + number.to_bytes(3, "little")
    return b"\xfd" + head + payload + x25(head + payload + bytes((extra,))).to_bytes(2, "little")


def rewritten(frame: bytes, at: int, value: int) -> bytes:
    """One byte changed and the checksum right again, where its message is one of LAYOUTS."""
    changed = bytearray(frame)
    changed[at] = value
    number = int.from_bytes(frame[7:10], "little")
    end = 10 + frame[1]
    checksum = x25(bytes(changed[1:end]) + bytes((EXTRA.get(number, 0),)))
    changed[end : end + 2] = checksum.to_bytes(2, "little")
    return bytes(changed)
