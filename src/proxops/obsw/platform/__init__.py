"""The services that every controller's base wrench goes through: thrusters' pulses."""
