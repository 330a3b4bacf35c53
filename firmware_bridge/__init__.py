"""Between antenna and inbox: what the Pico senses becomes inputs of the table, each exactly once."""
