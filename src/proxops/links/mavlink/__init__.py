"""MAVLink 2 between a ground station and an autopilot, as two machines without input or output.

`GroundStation` commands one vehicle; `Autopilot` is the other end, for the virtual twin.  Both
take datagrams and the time [ns] and give events and datagrams.  docs/mavlink.md has the tables.
"""
