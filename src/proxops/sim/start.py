"""Model and first state of the loop, from what was built of a scenario."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proxops.actuators.faults import start as start_faults
from proxops.actuators.thrusters import start as start_thrusters
from proxops.assembly.build import Built
from proxops.assembly.onboard import Onboard
from proxops.bus.bus import IdealViews
from proxops.bus.truth import (
    CENTRE_P,
    CENTRE_V,
    CENTRE_WIDTH,
    CHASER,
    HUB_WIDTH,
    IS_SHOWN,
    R_NO,
    RADIUS,
    SUN,
    TARGET,
    WRENCH,
    Truth,
    hub_views,
)
from proxops.core.by_address import pinned
from proxops.onboard.schedule import Schedule, nothing_done
from proxops.plant.peaks import none_yet
from proxops.plant.workspace import blank_workspace, quiet_drive
from proxops.sim.entries import ENTRIES_SIZE
from proxops.sim.pace import not_chosen
from proxops.sim.spans import Spans
from proxops.sim.state import Arrived, Log, Model, State
from proxops.sim.worlds.world import World


@dataclass(frozen=True)
class LoopArguments:
    """What the loop is called with, but for the span."""

    state: State
    log: Log
    works_on: tuple[Any, ...]  # model, state, workspace, lab and log by address


def loop_arguments(
    world: World, onboard: Onboard, schedule: Schedule, spans: Spans, width: int
) -> LoopArguments:
    """Model and first state of a world, and a log for rows of that width."""
    built, touching = world.built, world.touching
    model = Model(
        plant=built.plant,
        ports=built.ports,
        onboard=schedule,
        motors=built.motors,
        thrusters=built.thrusters,
        faults=built.faults,
        histories=built.histories,
        zones=built.zones,
        paces=spans.paces,
        entries=np.zeros(ENTRIES_SIZE, dtype=np.int64),
    )
    state = start_of(built, onboard, touching, brakes=int(world.has_brakes))
    log = spans.log_for(touching, onboard.functions, width)
    works_on = model, state, blank_workspace(built.plant), world.lab, log
    return LoopArguments(state, log, tuple(pinned(each) for each in works_on))


def start_of(built: Built, onboard: Onboard, touching: Built, brakes: int = 0) -> State:
    """The state at the start; `touching` has the contacts and holds, `brakes` is 1 where brakes of
    the arms are carried out."""
    joints = len(built.plant.chaser_topology)
    bus, ideal = onboard.bus, onboard.bus.views(IdealViews)
    commands = bus.commands.layout
    reported = len(touching.holds) if "latches.ready" in bus.measurements.layout else 0
    faults = start_faults(built.faults, commands.size)
    motors = slice(commands.where("joints").start, commands.where("wheels").stop)
    return State(
        clock=np.zeros(2, dtype=np.int64),
        y=built.y.copy(),
        measurements=bus.measurements.array,
        estimates=bus.estimates.array,
        commands=bus.commands.array,
        t=bus.measurements["t"],
        ideal=ideal,
        compression=np.zeros(2),
        progress=nothing_done(),
        drawn=onboard.draws.used,
        q=ideal.ideal_q,
        qd=ideal.ideal_qd,
        hubs=np.zeros((2, HUB_WIDTH)),
        centres=np.zeros((2, CENTRE_WIDTH)),
        sky=built.sky.copy(),
        wrench=np.zeros(WRENCH),
        ready=np.zeros(reported),
        closed=np.zeros(reported),
        lateness=np.zeros(1),
        applied=np.zeros(joints),
        burns=np.zeros(len(built.thrusters.table)),
        thrusters=start_thrusters(built.thrusters),
        faults=faults,
        arrived=Arrived(
            holds=faults.arrived[commands.where("holds")],
            brakes=faults.arrived[commands.where("brakes")],
            motors=faults.arrived[motors],
            valves=faults.arrived[commands.where("valves")],
            isolation=faults.arrived[commands.where("isolation")],
        ),
        drive=quiet_drive(built.plant),
        brakes=np.zeros(brakes),
        peaks=none_yet(touching.plant, len(touching.contacts), joints, len(built.thrusters.table)),
        pace=not_chosen(),
    )


def show_everything(state: State) -> None:
    """From now on all of the truth is computed, not only what the mission's sensors look at."""
    state.sky[IS_SHOWN] = 1.0


def truth_of(state: State) -> Truth:
    """What sensors are shown of a state."""
    p_OC, q_NC, v_OC, w_NC_C = hub_views(state.hubs[CHASER])
    p_OT, q_NT, v_OT, w_NT_T = hub_views(state.hubs[TARGET])
    chaser, target = state.centres[CHASER], state.centres[TARGET]
    return Truth(
        clock=state.clock,
        draw=state.drawn,
        p_OC=p_OC,
        q_NC=q_NC,
        v_OC=v_OC,
        w_NC_C=w_NC_C,
        p_OT=p_OT,
        q_NT=q_NT,
        v_OT=v_OT,
        w_NT_T=w_NT_T,
        q=state.q,
        qd=state.qd,
        wrench=state.wrench,
        lateness=state.lateness,
        thrust=state.thrusters.level,
        impulse=state.thrusters.impulse,
        p_OCcm=chaser[CENTRE_P:CENTRE_V],
        v_OCcm=chaser[CENTRE_V:],
        p_OTcm=target[CENTRE_P:CENTRE_V],
        v_OTcm=target[CENTRE_V:],
        R_NO=state.sky[R_NO:SUN],
        sun_N=state.sky[SUN:RADIUS],
        attractor_radius=state.sky[RADIUS:IS_SHOWN],
        ready=state.ready,
        closed=state.closed,
    )
