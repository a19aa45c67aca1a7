"""Kinds of the events of a boost."""

BEGINS = "boost-begins"
ENDS = "boost-ends"
TORQUE_MISSED = "torque-missed"
KINDS = (BEGINS, ENDS, TORQUE_MISSED)
