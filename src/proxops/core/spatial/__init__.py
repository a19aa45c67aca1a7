"""Spatial algebra on tuples, compiled: vectors, rotations, quaternions, poses, twists, wrenches."""
