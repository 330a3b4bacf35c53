"""The rules of each game, one folder each: pure, and unknown to one another."""
