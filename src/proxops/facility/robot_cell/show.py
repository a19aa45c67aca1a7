"""Both spacecraft as the lab shows them: commands for the carriers, and the way back to orbit."""

from proxops.core.jit import helper, part
from proxops.facility.common.mapping import see
from proxops.facility.common.passivity.energy_port import lead_away
from proxops.facility.common.representation import hub_in_orbit, shown
from proxops.facility.robot_cell.as_published import DRIFT_WIDTH, put_drift
from proxops.facility.robot_cell.nominal import nominal_at
from proxops.facility.robot_cell.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.stage import put_hub
from proxops.plant import layout


@helper
def parts_of(plant):
    """Indices at which the target and the ledger begin in the plant's state."""
    return layout.target_start(plant), layout.ledger_start(plant)


@part
def put_commands(lab, plant, y, t):
    """Writes the motions that show both hubs in the lab at the time t [s]."""
    commands = lab.room.commands
    M = nominal_at(lab, t)
    target, end = parts_of(plant)
    X, v, w = shown(lab.representation, M, hub_in_orbit(y[:target]))
    put_hub(commands[CHASER], X, v, w)
    X, v, w = shown(lab.representation, M, hub_in_orbit(y[target:end]))
    put_hub(commands[TARGET], X, v, w)
    lead_away(lab.port, lab.state.port, commands)


@part
def map_back(lab, t, draws):
    """Sees the orbit in what is known of the lab at the time t [s]."""
    sensing, sensed = lab.cell.sensing, lab.state.cell.sensed
    M = nominal_at(lab, t)
    if sensing.measured == 1:
        see(lab.representation, M, sensed.known, sensing.noise, draws, sensed.seen)
    else:
        see(lab.representation, M, lab.room.commands, 0.0, draws, sensed.seen)


@part
def record_drift(lab, plant, y, t, row):
    """Writes how far the published commands are from those that are followed; returns the width."""
    if lab.state.published.on == 0:
        return 0
    target, _ = parts_of(plant)
    shows, M = lab.representation, nominal_at(lab, t)
    put_drift(lab.state.published, shows, M, y[target:], TARGET, row)
    put_drift(lab.state.published, shows, M, y[:target], CHASER, row[DRIFT_WIDTH:])
    return PAIR * DRIFT_WIDTH
