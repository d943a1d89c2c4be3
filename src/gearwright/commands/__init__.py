"""Commands by topic: each module adds its own to the program with ``register``."""
