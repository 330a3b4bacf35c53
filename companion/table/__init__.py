"""The one writer: what comes in, what is granted, one game and its record, and the one picture that everybody draws."""
