"""Lamp and buzzer: signals become light and sound."""
