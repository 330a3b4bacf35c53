"""A phone's photo as a reader: pictures come in, the codes on them go out. Knows no game and no phone."""
