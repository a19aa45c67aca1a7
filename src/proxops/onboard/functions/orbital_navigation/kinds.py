"""Kinds of the events of a hand-over."""

TO_FAR = "navigation-far"
TO_NEAR = "navigation-near"
KINDS = (TO_FAR, TO_NEAR)
