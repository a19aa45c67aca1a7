"""The ground facility: robots that carry mock-ups, and what they feel.

Motion here is in the lab frame L as the orbit simulation means it: weight is taken as compensated.
"""
