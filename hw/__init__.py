"""The box's devices, real and pretend: they draw the newest snapshot and put inputs into the inbox."""
