"""What the boost knows of its engines and remembers about them, one row an engine.

Time is counted in ticks, periods of the on-board clock.
"""

# Columns of an engine's data
THRUST = 0  # along the boost's axis [N]
SHORTEST = 1  # valve's minimum pulse [ticks], whole
RAMP = 2  # the longer of rise and fall [s]
RISE = 3  # from no to full thrust [s]
FALL = 4  # and back [s]
ENGINE_WIDTH = 5

# Columns of its memory
ON = 0  # one while commanded to burn
SINCE = 1  # time since that changed [ticks]
WISH = 2  # one where it shall burn from now on
LEFT = 3  # off-time of this cycle not yet taken [ticks]; below zero: taken too much
START = 4  # when it begins, from the begin of the cycle [ticks]
CARRY = 5  # off-time that no pulse could take, for later cycles [ticks]
MARK = 6  # for searches
LEVEL = 7  # thrust now [N]
MEMORY_WIDTH = 8
