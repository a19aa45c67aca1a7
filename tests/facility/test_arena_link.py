"""A circle flown over the bytes of a link: what arrives is what is flown."""

import numpy as np
import pytest

import proxops
from proxops.assembly.arena import arena_of, fence_of, mapping_of
from proxops.core.errors import InputError, StoppedError
from proxops.facility.arena.guard import LINK, NOTHING, REASON
from proxops.facility.arena.lab import Drawn, arena_lab, flown
from proxops.facility.arena.link import ArenaLink
from proxops.facility.arena.memory import FLYING, LANDED
from proxops.facility.arena.vehicle import flight
from proxops.facility.arena.virtual_vehicles import VirtualVehicles
from proxops.links.mavlink import events
from proxops.links.mavlink.audit import Limits, passing, rules
from proxops.links.mavlink.autopilot import DEFAULTS
from proxops.links.mavlink.content import Phase
from proxops.scenario.schema.arena import InArena
from tests.facility.arena_cases import CYCLES, circle, errors, shipped

PASSING = passing(rules(Limits()))
TIMES, TARGETS = circle(30.0, turns=0.2)


def _linked(lab, parameters) -> ArenaLink:
    return ArenaLink(lab, VirtualVehicles(lab, parameters))


class Linked:
    """An arena in the air; `fly` flies targets over the link, if there is one."""

    def __init__(self, link: bool = True, parameters=None, targets=TARGETS, **changes) -> None:
        given = shipped(**changes)
        arena = arena_of(given)
        state = flight(arena, targets[0, :, :3], np.zeros(2))
        self.drawn = Drawn(0, 2000 * CYCLES)
        self.lab = arena_lab(
            arena, state, mapping_of(given, InArena()), fence_of(given), self.drawn
        )
        self.lab.commands[:] = targets[0]
        self.link = _linked(self.lab, parameters or PASSING) if link else None
        self.states = self.link.begin() if self.link else ()

    def fly(self, targets=TARGETS):
        states = flown(self.lab, self.drawn, targets, CYCLES)
        if self.link:
            self.link.raise_failure()
        return states


@pytest.fixture(scope="module")
def both():
    """The same circle over the link and without it."""
    linked, direct = Linked(), Linked(link=False)
    return linked, linked.fly(), direct.fly()


def test_what_is_flown_over_the_link_is_what_is_flown_without(both):
    _, over, direct = both
    # Single precision of the targets, the same random numbers: far below the vibration's 20 mm
    assert np.abs(over[:, :, :3] - direct[:, :, :3]).max() < 1e-4
    assert not np.array_equal(over, direct)  # so the bytes are in between
    assert errors(over, TARGETS)[TIMES > 0.0].max() < 0.06


def test_both_vehicles_were_audited_armed_and_sent_every_target(both):
    linked, over, _ = both
    assert [state.name for state in linked.states] == ["audit", "arm"]
    assert {state.verdict for state in linked.states} == {"passed"}
    for station, autopilot in zip(
        linked.link.stations, linked.link.vehicles.autopilots, strict=True
    ):
        assert station.phase is Phase.FLYING
        assert station.audit.passed
        for machine in (station, autopilot):
            found = machine.statistics
            assert (found.lost, found.stale, found.corrupted, found.strangers) == (0, 0, 0, 0)
        assert autopilot.statistics.received > 2 * len(over)  # targets and poses


def test_odometry_carries_what_motion_capture_measured_and_not_the_truth():
    linked, poses = Linked(), []
    linked.link.vehicles.vehicles[1].set_pose = poses.append
    states = linked.fly(TARGETS[:600])[-100:, 1]
    p = np.array([pose.p_LV for pose in poses[-100:]])
    v = np.array([pose.v_LV for pose in poses[-100:]])
    # frames of 10 ms ago, of the cycle before: 12.5 ms, which are 5 mm at 0.38 m/s
    late = states[:, :3] - 0.0125 * states[:, 3:6]
    assert (p - late).std() == pytest.approx(2e-4, rel=4.0 / (2 * 300) ** 0.5)
    # differences over 40 ms, of a motion whose velocity turns by 3 mm/s meanwhile
    assert np.abs(v - states[:, 3:6]).max() < 5.0 * 2e-4 * 2**0.5 / 0.04 + 3e-3 + 0.02


def test_a_vehicle_that_nothing_reaches_holds_and_then_lands():
    linked = Linked()
    linked.fly(TARGETS[:450])
    place = linked.lab.flight.y[1, :3].copy()
    for autopilot in linked.link.vehicles.autopilots:
        autopilot.receive = lambda *_: None
    after = linked.fly(TARGETS[450:530])  # 1.6 s
    # 0.37 m/s for half a second, GUID_TIMEOUT, and what braking takes
    assert np.linalg.norm(after[-1, 1, :2] - place[:2]) < 0.5
    assert np.linalg.norm(after[-1, 1, :2] - TARGETS[530, 1, :2]) > 0.1
    assert np.linalg.norm(after[-1, 1, 3:6]) < 0.1
    linked.fly(np.repeat(TARGETS[530:531], 60, axis=0))
    assert all(autopilot.mode.name == "LAND" for autopilot in linked.link.vehicles.autopilots)


def test_a_lost_pose_lands_both_over_the_link_within_half_a_second():
    linked = Linked(motion_capture__lost_at_s=4.0, motion_capture__timeout_s=2.0)
    linked.fly(TARGETS[: 50 * 4])
    assert linked.lab.ended[REASON] == NOTHING
    linked.fly(TARGETS[50 * 4 : 50 * 4 + 25])  # 0.5 s
    assert linked.lab.ended[REASON] == LINK
    assert not (linked.lab.flight.modes == FLYING).any()
    assert any(isinstance(event, events.PoseLost) for _, event in linked.link.happened)


def test_a_landing_over_the_link_ends_disarmed():
    linked = Linked()
    linked.fly(TARGETS[:50])
    linked.link.land()
    for _ in range(10):
        linked.fly(TARGETS[50:150])
        if (linked.lab.flight.modes == LANDED).all():
            break
    assert linked.link.end().verdict == "passed"
    assert not any(autopilot.armed for autopilot in linked.link.vehicles.autopilots)
    assert linked.lab.ended[REASON] == NOTHING  # it was meant


def test_a_vehicle_with_the_parameters_of_the_factory_is_not_flown():
    with pytest.raises(StoppedError, match="cannot audit: vehicle 1: set GUID_TIMEOUT to"):
        Linked(parameters=DEFAULTS)


def test_a_target_outside_the_arena_is_not_sent():
    linked = Linked()
    linked.fly(TARGETS[:20])
    outside = TARGETS[20:70].copy()
    outside[:, 1, 0] = 50.0
    states = linked.fly(outside)
    assert abs(states[-1, 1, 0] - TARGETS[20, 1, 0]) < 0.1
    assert any(isinstance(event, events.Blocked) for _, event in linked.link.happened)


def test_a_motion_that_leans_is_rejected():
    leaning = circle(30.0, turns=0.1, roll_deg=10.0)[1]
    with pytest.raises(InputError, match=r"leans a vehicle by 10.0 deg"):
        Linked(targets=leaning)
    linked = Linked()
    with pytest.raises(InputError, match="leans"):
        linked.fly(leaning[:10])


@pytest.mark.slow
def test_a_rehearsal_over_the_link_replays_to_the_bit():
    short = {"time.duration_s": 1.0, "time.phases.circle.until_s": 1.0}
    scenario = proxops.load("arena-circle").replace(short)
    run = proxops.rehearse(scenario, "flight-arena", link="virtual")
    names = [state.name for state in run.procedure]
    assert names[:3] == ["audit", "arm", "take off"]
    assert names[-2:] == ["land", "disarm"]
    made = run.provenance
    again = proxops.rehearse(
        proxops.Scenario.from_dict(made["scenario"]),
        made["facility"],
        representation=made["representation"],
        nominal=made["nominal"],
        no_contact=made["no_contact"],
        speed=made["speed"],
        link=made["link"],
    )
    assert again.hash == run.hash
    assert again.hash != proxops.rehearse(scenario, "flight-arena").hash


@pytest.mark.parametrize(
    ("facility", "link", "word"),
    [
        ("flight-arena", "tcp://127.0.0.1:14550", "link: write virtual or udp"),
        ("flight-arena", "udp://127.0.0.1:65530", "choose a lower port"),
        ("flight-arena", "udp://127.0.0.1", "write the link as udp://"),
        ("oos-sim", "virtual", "only flight arenas are flown over a link"),
    ],
)
def test_links_that_nothing_is_flown_over_are_rejected(facility, link, word):
    with pytest.raises(InputError, match=word):
        proxops.rehearse(proxops.load("arena-circle"), facility, link=link)
