"""Files that are replaced as a whole: whenever power fails, either the old or the new content is there."""

from __future__ import annotations

import os
from pathlib import Path

from companion.core import CompanionError


class NotSaved(CompanionError, OSError):
    """A file could not be written; it is as it was before."""


def write_whole(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Replace a file, or create it with the folders it needs; it is on the card when this returns."""
    data = content.encode() if isinstance(content, str) else content
    fresh: str | None = None
    try:
        import tempfile  # every start would wait for it

        path.parent.mkdir(parents=True, exist_ok=True)
        fd, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(fd, "wb") as file:
            os.fchmod(fd, mode)
            file.write(data)
            file.flush()
            os.fsync(fd)
        os.replace(fresh, path)  # noqa: PTH105
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        if fresh is not None:
            Path(fresh).unlink(missing_ok=True)
        raise NotSaved(f"{path} was not saved ({error}); free some space or make the folder writable") from error
