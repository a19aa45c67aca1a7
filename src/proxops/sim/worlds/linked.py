"""A flight arena behind a link."""

import logging
from typing import TYPE_CHECKING

from proxops.core.clock import NS_PER_S
from proxops.core.link_statistics import LinkStatistics

if TYPE_CHECKING:
    from proxops.facility.arena.lab import ArenaLab
    from proxops.facility.arena.link import ArenaLink

_log = logging.getLogger("proxops")


def linked(lab: "ArenaLab", link: str) -> "ArenaLink":
    """The link: to virtual vehicles with parameters that pass its audit, or to those that are at
    the addresses.  What it needs is the extra `arena`, loaded here."""
    from proxops.facility.arena.link import ArenaLink
    from proxops.facility.arena.remote_vehicles import RemoteVehicles
    from proxops.facility.arena.stations import audited
    from proxops.facility.arena.virtual_vehicles import VirtualVehicles
    from proxops.links.arena_wire import ArenaWire, is_address, parse_links
    from proxops.links.mavlink.audit import passing, rules

    if is_address(link):
        return ArenaLink(lab, RemoteVehicles(lab, ArenaWire(parse_links(link))))
    return ArenaLink(lab, VirtualVehicles(lab, passing(rules(audited(lab)))))


def close(link: "ArenaLink") -> None:
    """Lands what it still flies, and closes it; says why that takes a while where it does."""
    from proxops.facility.arena.link import LANDING_NS

    if link.vehicles.real and link.may_be_armed:
        _log.warning(
            "proxops: vehicles land; poses are sent to them until they stand, for at most %d s (a "
            "third Ctrl-C ends this process at once, and they land without poses)",
            LANDING_NS // NS_PER_S,
        )
    link.close()


def link_statistics(link: "ArenaLink | None") -> tuple[LinkStatistics, ...]:
    """What crossed the links to the vehicles that fly; nothing without a link."""
    if link is None:
        return ()
    from proxops.facility.arena.stations import statistics_of

    return tuple(each for each in statistics_of(link.stations) if each.sent)
