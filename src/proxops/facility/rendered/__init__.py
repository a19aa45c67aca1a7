"""One robot that renders a modelled body which a probe touches."""
