"""What is on board of the chaser, from the truth to what is asked: sensors, a controller, services.

The loop knows these as three functions of one shape, see `model`, so that it is compiled once for
all controllers, a user's own included.
"""
