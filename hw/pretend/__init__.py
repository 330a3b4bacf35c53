"""Stand-ins for pins and displays, chosen explicitly; they can misbehave."""
