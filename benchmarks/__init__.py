"""How fast and how exact: our plant beside other engines, on one and the same model."""
