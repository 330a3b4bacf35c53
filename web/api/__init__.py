"""The JSON API: the same views and commands as the pages, for other clients."""
