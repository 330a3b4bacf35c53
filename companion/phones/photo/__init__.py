"""A phone's photo as a reader: pictures in, codes out. Knows no game and no phone."""
