"""Stand-ins for pins and displays; they are asked for by name, and they can misbehave."""
