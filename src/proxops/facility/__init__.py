"""The ground facility: robots that carry mock-ups, and what they measure.

Motion here is in the lab frame L as the orbit simulation means it: weight is taken as compensated.
"""
