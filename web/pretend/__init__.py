"""The page for hands on the pretend table: it drives the pretend box only, never the table."""
