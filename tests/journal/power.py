"""What may be on a disk after a power failure, given the calls made before.

Strictly: only what was synced is certain, and a name only once its folder was synced. Of everything else any part
may be there: dropped, torn at a sector, or there although an earlier write isn't. Names change in order, as on
every journalling file system. A failed sync leaves its data as if never written: Linux forgets such pages.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.journal.disk import Call

SECTOR = 512
VARIANTS = 7


class _File:
    """One file: the bytes that are certain, and what was done since."""

    def __init__(self) -> None:
        self.certain = bytearray()
        self.since: list[Call] = []

    def synced(self) -> None:
        self.certain = bytearray(self.with_(self.since))
        self.since.clear()

    def with_(self, done: list[Call]) -> bytes:
        content = bytearray(self.certain)
        for call in done:
            if call.kind == "T":
                del content[call.at :]
                content.extend(bytes(call.at - len(content)))
            else:
                content.extend(bytes(max(0, call.at - len(content))))
                content[call.at : call.at + len(call.data)] = call.data
        return bytes(content)


Names = dict[str, _File]


class Power:
    """Follows the calls, one at a time; `cuts` gives what a power cut may leave now, as files by name."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = str(folder)
        self._dice = random.Random(seed)
        self._open: dict[int, _File] = {}
        self._names: Names = {}
        self._certain: Names = {}
        self._history: list[Names] = []
        """The names after each change since the folder was synced."""

    def follow(self, call: Call) -> None:
        match call.kind:
            case "C":
                self._open[call.fd] = file = _File()
                self._renamed({**self._names, call.data.decode(): file})
            case "O":
                self._opened(call)
            case "W" | "T":
                if call.fd in self._open:
                    self._open[call.fd].since.append(call)
            case "S" | "F":
                self._synced(call)
            case "R":
                source, target = call.data.decode().split("\n")
                names = dict(self._names)
                names[target] = names.pop(source)
                self._renamed(names)
            case "U":
                self._renamed({name: file for name, file in self._names.items() if name != call.data.decode()})

    def cuts(self) -> Iterator[dict[str, bytes]]:
        """None of what is uncertain, all of it, then random typical damage."""
        for variant in range(VARIANTS):
            names = self._certain if variant == 0 else self._some_names(variant)
            yield {name: file.with_(self._some(file.since, variant)) for name, file in names.items()}

    def _opened(self, call: Call) -> None:
        name = call.data.decode()
        if name.rstrip("/") == self._folder:
            self._open.pop(call.fd, None)
            self._folder_fd = call.fd
            return
        self._open[call.fd] = self._names[name]
        if call.empties:
            self._names[name].since.append(Call("T", False, call.fd, 0, b""))

    def _synced(self, call: Call) -> None:
        file = self._open.get(call.fd)
        if file is not None:
            if call.kind == "F":
                file.since.clear()
            file.synced()
        elif call.kind == "S":
            self._certain, self._history = self._names, []

    def _renamed(self, names: Names) -> None:
        self._names = names
        self._history.append(names)

    def _some_names(self, variant: int) -> Names:
        if variant == 1 or not self._history:
            return self._names
        return self._dice.choice([self._certain, *self._history])

    def _some(self, since: list[Call], variant: int) -> list[Call]:
        if variant == 0 or not since:
            return []
        if variant == 1:
            return since
        if variant == 2:
            return [*since[:-1], *self._torn(since[-1])]
        if variant == 3:
            lost = self._dice.randrange(len(since))
            return since[:lost] + since[lost + 1 :]
        kept = [call for call in since if self._dice.random() < 0.5]
        return [part for call in kept for part in (self._torn(call) if self._dice.random() < 0.3 else [call])]

    def _torn(self, call: Call) -> list[Call]:
        """Only some sectors of a write: the first ones, or the last ones."""
        sectors = range(SECTOR, len(call.data), SECTOR)
        if not sectors:
            return []
        at = self._dice.choice(sectors)
        if self._dice.random() < 0.5:
            return [call._replace(data=call.data[:at])]
        return [call._replace(at=call.at + at, data=call.data[at:])]
