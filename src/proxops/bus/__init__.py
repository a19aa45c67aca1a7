"""What crosses between stages: truth, measurements, commands, each one flat array of float64."""
