"""Frames that should have no effect, thrown at either end while a vehicle holds its position.

`python -m tests.links.hostile 100000` throws so many each way, unsigned and signed.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from tests.links.flying import Flight, target
from tests.links.wire_format import rewritten

from proxops.links.mavlink import events

KEY = bytes(range(32))
HELD = target((1.5, -0.5, 1.25), yaw=0.3)
A_STEP = 20  # hostile frames in 20 ms


def hostile_frames(pool: list[bytes], chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Recorded frames, spoilt in every way or as they were; without an end."""
    kinds: dict[str, Callable[[bytes], bytes]] = {
        "corrupted": lambda frame: _flip(frame, chance),
        "truncated": lambda frame: frame[: chance.randrange(1, len(frame))],
        "replayed": lambda frame: frame,
        "duplicated": lambda frame: frame + frame,
        "stranger": lambda frame: rewritten(frame, 5, chance.choice([2, 42, 254])),
        "garbage": lambda frame: chance.randbytes(chance.randrange(1, 300)),
        "run together": lambda frame: frame[:-1] + chance.choice(pool),
    }
    late: list[bytes] = []
    while True:
        kind = chance.choice([*kinds, "reordered"])
        frame = chance.choice(pool)
        if kind != "reordered":
            yield kind, kinds[kind](frame)
            continue
        late.append(frame)
        if len(late) > 5:
            chance.shuffle(late)
            yield kind, late.pop()


def _flip(frame: bytes, chance: random.Random) -> bytes:
    """One to eight bits inverted.  A checksum of 16 bits misses one in 65 536 of such frames."""
    spoilt = bytearray(frame)
    for _ in range(chance.randrange(1, 9)):
        at = chance.randrange(8 * len(spoilt))
        spoilt[at // 8] ^= 1 << at % 8
    return bytes(spoilt)


def holding(signed: bool) -> tuple[Flight, list[bytes], list[bytes]]:
    """A flight that holds its position, and what was sent each way up to then; with the key also
    all frames of another flight, its landing among them."""
    flight = Flight(key=KEY if signed else None).fly()
    flight.circle(3.0)
    flight.station.send_target(HELD, flight.now_ns)
    flight.run(0.5)
    up, down = list(flight.to_vehicle), list(flight.to_station)
    if signed:
        other = Flight(key=KEY).fly()
        other.circle(1.0)
        other.station.land()
        other.until(events.Disarmed)
        up, down = up + other.to_vehicle, down + other.to_station
    return flight, up, down


def attack_vehicle(count: int, seed: int, signed: bool) -> Counter[str]:
    """Throws frames at the autopilot; AssertionError where one had an effect."""
    flight, pool, _ = holding(signed)
    frames = hostile_frames(pool, random.Random(seed))
    thrown: Counter[str] = Counter()
    calls = list(flight.vehicle.calls)
    held = flight.vehicle.p
    for at in range(count):
        kind, frame = next(frames)
        thrown[kind] += 1
        flight.autopilot.receive(frame, flight.now_ns)
        assert flight.vehicle.p == held, f"{kind} frame {at} moved the vehicle: {frame.hex()}"
        if at % A_STEP == A_STEP - 1:
            flight.step()
            _unchanged(flight, calls)
    return thrown


def attack_station(count: int, seed: int, signed: bool) -> Counter[str]:
    """Throws frames at the ground station; AssertionError where it commanded something."""
    flight, _, pool = holding(signed)
    frames = hostile_frames(pool, random.Random(seed))
    thrown: Counter[str] = Counter()
    calls = list(flight.vehicle.calls)
    held = flight.vehicle.p
    sent = len(flight.to_vehicle)
    for at in range(count):
        kind, frame = next(frames)
        thrown[kind] += 1
        flight.happened += flight.station.receive(frame, flight.now_ns)
        if at % A_STEP == A_STEP - 1:
            flight.step()
            _unchanged(flight, calls)
            assert flight.vehicle.p == held
    commands = [frame for frame in flight.to_vehicle[sent:] if frame[7:10] == bytes((76, 0, 0))]
    assert commands == []
    return thrown


def _unchanged(flight: Flight, calls: list[str]) -> None:
    did = flight.vehicle.calls[len(calls) :]
    assert set(did) <= {"hold"}, f"the vehicle did {did}"


def main(count: int) -> None:
    for signed in (False, True):
        for attack in (attack_vehicle, attack_station):
            thrown = attack(count, 1, signed)
            name = f"{attack.__name__}, {'signed' if signed else 'unsigned'}"
            sys.stdout.write(f"{name}: {sum(thrown.values())} frames, no effect; {dict(thrown)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
