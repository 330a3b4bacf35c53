"""Buttons and dial: edges become inputs."""
