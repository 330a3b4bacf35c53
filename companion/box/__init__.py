"""The box as a person meets it: what taps and buttons mean, and the page it shows. Pure."""
