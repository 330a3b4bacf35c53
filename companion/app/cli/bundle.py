"""The diagnostics bundle: what a helper needs to know, with names and secrets removed."""

from __future__ import annotations

import getpass
import os
import platform
import re
import socket
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Final

from companion import __version__
from companion.core import CompanionError
from companion.journal import JOURNAL, Journal
from companion.library import Settings, described_settings

from .doctor import chosen_in
from .program_checks import PACKAGES

REMOVED: Final = "(removed)"
_ADDRESS: Final = re.compile(r"\b\d{1,3}(\.\d{1,3}){3}\b|\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
_TAG: Final = re.compile(r"\b[0-9A-F]{8}([0-9A-F]{6}){0,2}\b")


def write(path: Path, report: list[str], data: Path) -> None:
    """Write the bundle; raises OSError. It has no player's name, no tag, no address and no entry of any game."""
    scrub = Scrubber(secrets_of(data))
    parts = {
        "report.txt": "\n".join(report),
        "settings.toml": described_settings(chosen_in(data)),
        "versions.txt": "\n".join(_versions()),
        "games.txt": "\n".join(_games(data)),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in parts.items():
            bundle.writestr(name, scrub(text) + "\n")


class Scrubber:
    """Removes words from a text, longest first, and anything that looks like an address or a tag."""

    def __init__(self, words: Iterable[str]) -> None:
        longest = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
        self._words = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in longest), re.IGNORECASE)
        self._has_words = bool(longest)

    def __call__(self, text: str) -> str:
        if self._has_words:
            text = self._words.sub(REMOVED, text)
        return _TAG.sub(REMOVED, _ADDRESS.sub(REMOVED, text))


def secrets_of(data: Path) -> set[str]:
    """The names of people and machines that may appear in a text."""
    host = socket.gethostname()
    found = {host, f"{host}.local", getpass.getuser(), str(Path.home()), str(data), os.environ.get("HOME", "")}
    found |= {name for name in chosen_in(data).hosts if name not in Settings().hosts}
    try:
        with Journal.look(data / JOURNAL) as journal:
            found |= {name for row in journal.games() for name in row.names}
    except (CompanionError, OSError):
        pass  # what cannot be read cannot leak either
    found |= _of_the_club(data)
    return found - {"root", "/", ""}


def _of_the_club(data: Path) -> set[str]:
    from web.club import ClubUnreadable, load

    try:
        member = load(data)
    except ClubUnreadable:
        return set()
    return set() if member is None else {member.name, member.paired.club, member.paired.host, *member.left_out}


def _versions() -> list[str]:
    found = [f"companion {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for name in PACKAGES:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} is missing")
    return found


def _games(data: Path) -> list[str]:
    """How long each game is, and nothing of what happened in it."""
    try:
        with Journal.look(data / JOURNAL) as journal:
            return [f"{row.game}, {len(row.names)} seats, {row.seq} entries" for row in journal.games()]
    except (CompanionError, OSError) as error:
        return [f"The journal cannot be read: {type(error).__name__}"]
