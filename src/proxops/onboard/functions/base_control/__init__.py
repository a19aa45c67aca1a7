"""Control of the base: along a trajectory in the Hill frame, with an attitude against it."""
