"""Files on disk: the shelf of games, packs, the tagbook, texts, settings."""
