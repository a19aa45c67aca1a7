"""What crossed a link to one vehicle during a run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LinkStatistics:
    """Frames of the ground station, from the connection to the landing."""

    vehicle: str  # target | chaser: whose mock-up it carries
    sent: int
    received: int  # and acted upon
    corrupted: int  # cut short, wrong checksum, not of this protocol
    unknown: int  # of a message outside the dialect
    unsigned: int  # signature absent, wrong or old, where a key is set
    strangers: int  # of a system that is not obeyed
    stale: int  # duplicated, replayed, reordered or late
    lost: int  # by the gaps between sequence numbers
    round_trip_s: float | None  # the shortest; None: no clock was compared
    max_pose_age_s: float  # of motion capture, while armed

    @property
    def rejected(self) -> int:
        """Frames that were not acted upon, except stale ones."""
        return self.corrupted + self.unknown + self.unsigned + self.strangers

    @property
    def cells(self) -> tuple[str, ...]:
        """A row below HEADS."""
        trip = "-" if self.round_trip_s is None else f"{1e3 * self.round_trip_s:.1f}"
        counts = (self.sent, self.received, self.lost, self.stale, self.rejected)
        return (self.vehicle, *map(str, counts), trip, f"{1e3 * self.max_pose_age_s:.0f}")


HEADS = (
    "vehicle", "sent", "received", "lost", "stale", "rejected",
    "round trip [ms]", "oldest pose [ms]",
)  # fmt: skip
