"""Capture: on-board software that brings an arm to a tumbling target, grasps it and comes to rest."""
