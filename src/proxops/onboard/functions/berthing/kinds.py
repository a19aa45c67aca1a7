"""Events of a berthing."""

# What the gripper does
OPEN, CLOSING, GRIPPED = range(3)
# Why a leg of the arm is given up
(
    NO_REASON,
    OVERLOADED,
    NOTHING_GRIPPED,
    WRONG_SIZE,
    SLIPPED,
    JOINT_STUCK,
    NOT_SEEN,
    ELSEWHERE,
    PORT_OFFSET,
    PORT_ANGLE,
    NOT_BACK,
) = range(11)

GRIPPER_KINDS = ("gripper-opens", "gripper-closes", "gripped")
ABORT_KIND = "arm-aborts"
KINDS = (*GRIPPER_KINDS, ABORT_KIND)

REASONS = (
    "",
    "the wrist measures {value:.3g} of its limit",
    "the gripper closed on nothing, clamps at {value:.4g} rad, limit {bound:.4g} rad",
    "what is gripped has another size, clamps at {value:.4g} rad, {bound:.4g} rad expected",
    "the grip slips, {value:.4g} m, limit {bound:.4g} m",
    "a joint does not follow, {value:.4g} rad behind, limit {bound:.4g} rad",
    "the target was not seen for {value:.3g} s, limit {bound:.3g} s",
    "a joint is {value:.4g} rad from where the path was planned from, limit {bound:.4g} rad",
    "a latch is not ready, {value:.4g} m from its port by the joints, limit {bound:.4g} m",
    "a latch is not ready, {value:.4g} rad off its port by the joints, limit {bound:.4g} rad",
    "the hand has not drawn back, {value:.4g} m from where it was to go, limit {bound:.4g} m",
)
