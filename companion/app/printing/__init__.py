"""Sheets to print and cut out: what a game says can be printed, drawn at true size as one PDF."""
