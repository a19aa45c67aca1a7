"""A scenario on a facility: its stages, what is recorded of it, and the guard's word."""

import numpy as np

from proxops.assembly.cell import build_cell
from proxops.assembly.energy_port import build_port, start_port
from proxops.assembly.facility import Lab
from proxops.assembly.nominal import UNFORCED, NominalChoice, check_nominal
from proxops.assembly.procedure import scatter_tare
from proxops.assembly.robot import step_of
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.guard.sentences import sentences
from proxops.facility.common.mapping import SIGNALS as SENSED
from proxops.facility.robot_cell.as_published import SIGNALS as DRIFTS
from proxops.facility.robot_cell.ground_torque import none_yet
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.lab import CellLab, LabRoom, LabState
from proxops.facility.robot_cell.rows import DRAWS, PAIR
from proxops.facility.robot_cell.stage import HALTED
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.relative.ground_arm import LOAD_ROWS
from proxops.plant import layout
from proxops.plant.observe import interface_signals
from proxops.results.run import Event, Signal
from proxops.scenario.load import Scenario
from proxops.sim.loop import STEPS_PER_CALL
from proxops.sim.rows import touching_peaks
from proxops.sim.worlds.robot_cell import STAGES, rehearse_until
from proxops.sim.worlds.world import World

TARE = 1  # key of random numbers while it is tared, among the facility's

ROBOT_SIGNALS = (
    Signal("lab.guard.mode", "1", "", ()),
    Signal("lab.robots.target.q", "rad", "", (AXES,)),
    Signal("lab.robots.chaser.q", "rad", "", (AXES,)),
)


class CellWorld(World):
    """A scenario on a facility, for `Simulation`."""

    kernels = "rehearsal"
    kernel = staticmethod(rehearse_until)
    stages = STAGES

    def __init__(
        self,
        scenario: Scenario,
        lab: Lab,
        representation: str,
        nominal: NominalChoice = UNFORCED,
    ) -> None:
        check_nominal(nominal, representation)
        made = build_cell(scenario, lab.facility, representation, nominal)
        step = step_of(scenario)
        scatter_tare(made, lab.facility, step, generator(scenario.mission.seed, FACILITY, TARE))
        self.provenance = {
            "facility": lab.to_dict(),
            "representation": representation,
            "nominal": nominal.to_dict(),
        }
        touching = made.touching
        self.built, self.touching = made.built, touching
        self.signals = (
            Signal("lab.p_LTl", "m", "L", (3,)),
            Signal("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
            Signal("lab.p_LCl", "m", "L", (3,)),
            Signal("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
            Signal("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
            Signal("nominal.p_HN", "m", "H", (3,)),
            Signal("nominal.q_NN", "1", "nominal to N, wxyz", (4,)),
            Signal("lab.energy", "J", "", (3,)),
            Signal("lab.drift", "m,rad,m,rad", "", (4,)),
            *(Signal(*row) for row in DRIFTS if made.published.on == 1),
            *(ROBOT_SIGNALS if made.cell.ideal == 0 else ()),
            *(
                Signal(f"lab.arms.{each.name}.tau_q", each.arm.unit("N m", "N"), "", each.q.shape)
                for each in made.built.chaser.arms
            ),
            *(Signal(*row) for row in SENSED),
            *(Signal(*row) for row in interface_signals(touching.contacts, touching.holds)),
            *touching_peaks(touching.contacts, touching.holds),
        )
        self.made, self.nominal = made, nominal
        self.port_state = start_port()
        self._told = 0  # rows of the guard's log
        rng = generator(scenario.mission.seed, FACILITY)
        self._draws = RandomRows(STEPS_PER_CALL + 2, (rng, (DRAWS, WRENCH)))
        self.lab = CellLab(
            cell=made.cell,
            representation=made.representation,
            port=build_port(touching, lab.facility, step),
            state=LabState(
                z=made.z,
                qdd=made.qdd,
                ground=none_yet(len(made.cell.plant.chaser_topology)),
                spins=made.spins,
                nominal=made.nominal,
                cell=made.state,
                published=made.published,
                draws=self._draws.rows,
                drawn=self._draws.used,
                port=self.port_state,
            ),
            room=LabRoom(
                cell=made.room,
                commands=np.zeros((PAIR, layout.JOINTS)),
                loads=np.zeros((LOAD_ROWS, BASE_DOF + len(made.built.plant.chaser_topology))),
            ),
        )

    def draw(self, steps: int) -> None:
        """Of sensors and carriers."""
        self._draws.refill(steps)

    def events(self) -> list[Event]:
        """What the guard has done since it was last asked."""
        rows = self._guard_log()
        new, self._told = rows[self._told :], len(rows)
        return [Event(t, "guard", text) for t, text in new]

    def why(self, status: int, ended: bool) -> str | None:
        """What the guard stopped both robots for, if it has; at the end they may not stand yet."""
        running = self.made.state.memory.status[guarding.MODE] == guarding.RUNNING
        if status != HALTED and (running or not ended):
            return None
        return f"the guard ends the rehearsal: {self._guard_log()[0][1]}"

    def _guard_log(self) -> list[tuple[float, str]]:
        return sentences(self.made.guarded, self.made.state.memory.log)
