"""Capture: on-board software that brings an arm to a tumbling target, grasps it, comes to rest."""
