"""Between antenna and inbox: what the Pico senses becomes inputs for the table, each exactly once."""
