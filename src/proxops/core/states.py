"""What a facility does before, during and after a run, state by state."""

from dataclasses import dataclass

PASSED = "passed"


@dataclass(frozen=True)
class FacilityState:
    """One state of a facility; the run begins at zero, so what prepares it has negative times."""

    # robots: park | move to start | tare | engage | run | stop | retreat
    # vehicles: audit | arm | take off | move to start | engage | run | stop | hold | return | land
    # | disarm
    name: str
    start_s: float
    lasts_s: float
    clearance_m: float  # of the pair that comes closest to what it is to keep
    between: str  # that pair
    verdict: str  # passed, or what ended it
