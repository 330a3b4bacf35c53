"""The page for hands on the pretend table: it drives only the pretend box, never the table."""
