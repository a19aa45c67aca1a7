"""What a rehearsal differs by from the mission in orbit, and the energy at its contacts."""

from dataclasses import dataclass

READABLE = {"m": (1e3, "mm"), "rad": (1e3, "mrad"), "rad/s": (1e3, "mrad/s")}  # differences


@dataclass(frozen=True)
class Difference:
    """One quantity of a rehearsal against the same in orbit."""

    name: str
    unit: str
    largest: float  # difference at equal times
    at_s: float  # when
    rms: float
    late_s: float  # what the rehearsal lags behind
    aligned: float  # largest difference once it is taken that much earlier
    scale: float  # largest value in orbit


@dataclass(frozen=True)
class Cause:
    """An effect of a facility, and what differs without it."""

    name: str
    rows: tuple[Difference, ...]


@dataclass(frozen=True)
class ContactLoop:
    """A contact through a facility's loop, and how far it is from giving energy."""

    name: str
    mass_kg: float  # that the contact feels of both bodies, arms stiff
    stiffness_N_m: float
    damping_N_s_m: float
    lateness_s: float  # of the whole loop
    critical_s: float  # from which on a loop of mere delay gives energy
    spare_s: float  # delay that this loop bears in addition; negative: it gives energy
    gain: float  # by which spring and damper may grow together


@dataclass(frozen=True)
class PortReport:
    """Energy at the contact of a rehearsal and the drift of what keeps it out, at most."""

    control: str  # off | wrench | twist | both
    contact_J: float  # given by the contact as the models meet it
    facility_J: float  # added to the real contact by the facility
    held_J: float  # by the contact at the start: may be given back
    mock_up_m: float  # how far control has led a mock-up away from its model
    mock_up_rad: float
    model_m: float  # and a model from where its readings had put it
    model_rad: float
    contacts: tuple[ContactLoop, ...]


# Columns of what is reported of every contact of a port
CONTACT_HEADS = (
    "contact",
    "mass [kg]",
    "stiffness [N/m]",
    "delay [ms]",
    "critical delay [ms]",
    "margin [ms]",
)


def port_figures(port: PortReport) -> list[tuple[str, float, str]]:
    """Name, value and unit of what is reported of a port, in readable units."""
    rows = [
        ("energy generated at the contact", port.contact_J, "J"),
        ("energy added by the facility", port.facility_J, "J"),
    ]
    if port.held_J > 0.0:
        rows.append(("energy stored in the contact at the start", port.held_J, "J"))
    if port.control != "off":
        rows += [
            (f"drift of a mock-up (control: {port.control})", 1e3 * port.mock_up_m, "mm"),
            ("its rotation", 1e3 * port.mock_up_rad, "mrad"),
            ("drift of a model", 1e3 * port.model_m, "mm"),
            ("its rotation", 1e3 * port.model_rad, "mrad"),
        ]
    return rows


@dataclass(frozen=True)
class Fidelity:
    """How far a rehearsal is from the mission in orbit."""

    facility: str
    representation: str
    rows: tuple[Difference, ...]
    causes: tuple[Cause, ...] = ()
    port: PortReport | None = None
