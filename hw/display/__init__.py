"""The display: pages become pictures, pictures become bytes on a wire."""
