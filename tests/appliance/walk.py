"""From nothing to the first move: the installed package, booted, and set up with what is in people's hands.

    sudo python tests/appliance/walk.py [--suite trixie] [--kept FOLDER] [--package FILE.deb]

Walks a newcomer's way through a box with pretend display, buttons and readers, and with a phone on its Wi-Fi: language,
buttons, the box's own Wi-Fi, a name, the Wi-Fi of the house, seats, game, tags, the first move. Then a build is walked
in which one question has no answer: the walk must be lost at that very step. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.appliance.air import HOME, Air
from tests.appliance.newcomers import PATIENCE, Hands, Phone
from tests.appliance.rooms import (
    SOURCE,
    Booted,
    Change,
    NotShown,
    Showing,
    booted,
    debian,
    inside,
    instead,
    machine_kind,
    run,
    unpacked,
    until,
)
from tests.appliance.show import PYTHON, unmount_below

ZONE: Final = "Europe/Paris"
AHEAD: Final = 86_400.0
"""Seconds by which the phone's clock is ahead of the box's, which has none of its own."""
Step = Callable[[], str]
MOST_MOVES: Final = 25
GLASS: Final[Change] = (
    "hw/pretend/panel.py",
    lambda text: text + "\n\n_shows = _Noticed.display\n\n\ndef _kept(self, image):\n    _shows(self, image)\n"
    '    if self._panel.frames < 9:\n        image.save(f"/run/table-companion/seen-{self._panel.frames}.png")\n\n\n'
    "_Noticed.display = _kept\n",
)  # fmt: skip
"""Somebody watches the display before any page is served: its first pictures are kept."""
STEPS: Final = """
from pathlib import Path
from PIL import Image
from companion.core import StartingPage
from companion.library import Speaker, Texts
from hw import starting
from hw.display.draw import draw
speaker = Speaker(Texts.load(Path(starting.__file__).parent / "texts", starting.LOCALE), "en")
seen = [Image.open(path).convert("1").tobytes() for path in sorted(Path("/run/table-companion").glob("seen-*.png"))]
told = {step: draw(StartingPage(step), speaker).convert("1").tobytes() for step in ("program", "record", "devices")}
order = [step for picture in seen for step in told if told[step] == picture]
print(*order, len(seen) > len(order))
"""
"""Which steps of starting the display showed, in order, and whether it then showed something else."""
PLAYED: Final = """
import json
from pathlib import Path
from companion.journal import Did, Journal
from companion.library import load_settings
data = Path('/var/lib/table-companion')
with Journal.look(data / 'games.journal') as journal:
    games = journal.games()
    entries = list(journal.entries(games[-1].table))
chosen = load_settings(data)
print(json.dumps({
    'games': len(games), 'moves': sum(isinstance(each.body, Did) and bool(each.cause) for each in entries),
    'times': [each.at for each in entries], 'language': chosen.language, 'zone': chosen.time_zone}))
"""
NO_ANSWER: Final[tuple[str, Change]] = (
    "the game is chosen",
    ("companion/box/first_run.py", instead('case "game" if games := self._games():', 'case "game" if games := ():')),
)
"""The control: where the walk must get stuck, and why."""


class Lost(AssertionError):
    """A newcomer is stuck."""


class Walk:
    """Each step is one that people take; it returns what they were told."""

    def __init__(self, machine: Booted, air: Air) -> None:
        self._machine, self._air = machine, air
        self.hands = Hands(lambda: air.box)
        self.phone = Phone(lambda: air.phone, AHEAD, ZONE)

    def steps(self) -> Iterator[tuple[str, Step]]:
        yield "the display tells each step of the start", self.start
        yield "the language is chosen", self.language
        yield "the buttons are learnt", self.buttons
        yield "the box opens its own Wi-Fi, and the display shows how to join it", self.own_wifi
        yield "a phone joins it, and is shown the way to a seat by itself", self.arrive
        yield "a name is typed, and a button lets the phone in", lambda: self.phone.sits(self.hands, "Zoé")
        yield "a wrong password for the house is told, and the box is back on its own Wi-Fi", self.wrong
        yield (
            "the right one leads to the house, the display shows where, the phone follows with its seat",
            self.house,
        )
        yield "it is told how many play", lambda: self.phone.answers(0)
        yield "the game is chosen", lambda: self.phone.answers(0)
        yield "the readers are told apart with a tag", self.tags
        yield "the first move is played", self.move
        yield "the doctor on the phone tells what the companion has written to the card", self.written
        yield "time zone and clock are the phone's, and nothing older was changed", self.times

    def start(self) -> str:
        until(self._machine.is_up, PATIENCE, self._machine.log)
        until(lambda: bool(self.hands.says), PATIENCE, "the display")
        told = self._as_companion(STEPS).split()
        assert told == ["program", "record", "devices", "True"], told
        return ", ".join(told[:-1])

    def language(self) -> str:
        shown = self.hands.wait("English. Français")
        self.hands.press("next")
        self.hands.press("ok")
        self.hands.wait("Press CHECK")
        return shown

    def buttons(self) -> str:
        for button in ("check", "ok", "back", "next"):
            self.hands.wait(f"Press {button.upper()}")
            self.hands.press(button)
        return self.hands.wait("How many players")

    def own_wifi(self) -> str:
        """CHECK shows it once it is open, then where phones find the box; before that, any press returns."""
        found: list[str] = []

        def is_shown() -> bool:
            found.append(self.shown_by_check())
            return found[-1].startswith("WIFI:")

        until(is_shown, PATIENCE, lambda: f"the display shows {found[-1]}")
        wifi = re.fullmatch(r"WIFI:T:WPA;S:(companion-\w{4});P:(\w{10});;", found[-1])
        assert wifi is not None, found[-1]
        self.wifi = wifi.group(1), wifi.group(2)
        self.hands.press("check")
        self.address = self.shown_by_check(after=found[-1])
        return f"{self.wifi[0]}, {self.address}"

    def shown_by_check(self, after: str = "") -> str:
        """The code that CHECK brings up; then the question is back."""
        self.hands.press("check")
        until(lambda: self.hands.code not in ("", after), PATIENCE, "CHECK shows no code")
        shown = self.hands.code
        self.hands.press("back")
        until(lambda: not self.hands.code, PATIENCE, "the question does not come back")
        return shown

    def arrive(self) -> str:
        self._air.phone_joins(*self.wifi)
        return self.phone.arrives(self.address)

    def wrong(self) -> str:
        self.phone.asks_for_wifi(HOME.name, "wrong horse")
        shown = self.hands.wait("Wi-Fi")
        until(lambda: self._air.on == "own", PATIENCE, "the box is on no Wi-Fi")
        self._air.phone_joins(*self.wifi)
        self.phone.page("/first")
        return shown

    def house(self) -> str:
        """Its address is different; the link that the phone got beforehand leads there."""
        link = self.phone.asks_for_wifi(HOME.name, HOME.password)
        until(lambda: self._air.on == "house", PATIENCE, "the box is not on the Wi-Fi of the house")
        address = self.shown_by_check()
        assert address not in (self.address, ""), address
        self._air.phone_joins(HOME.name, HOME.password)
        went = self.phone.follows(address, link)
        assert self.phone.has_answers("/first"), "it sits nowhere"
        return f"{address}{went}"

    def tags(self) -> str:
        self.phone.answers(1)
        asked = self.hands.says
        for reader in ("left", "right"):
            self.hands.lays("04AABBCC", reader)
        self.phone.answers(-1)
        self.phone.answers(0)
        return asked

    def move(self) -> str:
        """Take whatever the phone offers first, until somebody has moved; if the other seat begins, sit there first."""
        if not self.phone.has_answers("/seat"):
            self.phone.sits(self.hands, "Lou", at="/?seat=1")
        for _ in range(MOST_MOVES):
            if self._played()["moves"]:
                return self.hands.says
            self.phone.takes(0, "/seat")
        raise Lost(f"nobody has moved; the phone says: {self.phone.title('/seat')}")

    def written(self) -> str:
        told = self.phone.asks_the_doctor()
        assert re.search(r"par le compagnon [0-9.]+ Mo", told), told
        return told

    def times(self) -> str:
        told = self._played()
        assert (told["language"], told["zone"], told["games"]) == ("fr", ZONE, 1), told
        assert told["times"] == sorted(told["times"])
        ahead = told["times"][-1] - time.time()
        assert AHEAD / 2 < ahead <= AHEAD, ahead
        return f"{told['zone']}, {ahead / 3600:.1f} h ahead of the machine"

    def _played(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._as_companion(PLAYED))
        return found

    def _as_companion(self, code: str) -> str:
        return self._machine("runuser", "-u", "companion", "--", PYTHON, "-c", code)


def changed(root: Path, change: Change) -> None:
    """Another build: one file of the installed program is different."""
    name, edit = change
    (path,) = (root / "usr/lib/table-companion").glob(f"releases/*/lib/python3*/site-packages/{name}")
    before = path.read_text()
    path.write_text(edit(before))
    assert path.read_text() != before, f"nothing was changed in {name}"


@contextmanager
def unpacked_box(fresh: Path, root: Path, *changes: Change) -> Iterator[Walk]:
    """A box that has never been switched on before, and now is."""
    run("cp", "-a", fresh, root)
    for change in (GLASS, *changes):
        changed(root, change)
    air = Air(root)
    try:
        with booted(root) as machine:
            air.begin(machine.first())
            yield Walk(machine, air)
    finally:
        air.end()


def walked(show: Showing, walk: Walk) -> None:
    for text, step in walk.steps():
        if not show.step(text, step):
            return


def lost_where_planted(walk: Walk) -> str:
    where, _ = NO_ANSWER
    for text, step in walk.steps():
        try:
            step()
        except AssertionError as error:
            if text != where:
                raise
            return str(error)
    raise AssertionError(f"“{where}” was answered")


def installed(package: Path, suite: str, kept: Path, root: Path) -> str:
    unpacked(debian(suite, kept), root)
    shutil.copy(package, root / "root")
    inside(root, "apt-get", "install", "-y", "-q", "--no-install-recommends", f"/root/{package.name}")
    return inside(root, "companion", "--version").splitlines()[0]


def built(room: Path) -> Path:
    run(SOURCE / "systemd/package", "--arch", machine_kind(), "--out", room / "dist", timeout=3600)
    return next((room / "dist").glob("*.deb"))


def show_all(suite: str, room: Path, kept: Path, package: Path | None) -> bool:
    show, fresh = Showing(), room / "fresh"
    package = package or built(room)
    if show.step(f"the package is installed on {suite}", lambda: installed(package, suite, kept, fresh)):
        try:
            with unpacked_box(fresh, room / "walked") as walk:
                walked(show, walk)
            with unpacked_box(fresh, room / "control", NO_ANSWER[1]) as walk:
                show.step(
                    "the control, a build in which a question has no answer, is caught",
                    lambda: lost_where_planted(walk),
                )
        except NotShown as why:
            print(f"NOT SHOWN  {why}")
    return not show.failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="trixie", help="the Debian to install into")
    parser.add_argument("--kept", type=Path, help="a folder in which fresh roots stay for the next time")
    parser.add_argument("--package", type=Path, help="this package, and not one that is built of these sources")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="walk-", ignore_cleanup_errors=True) as room:
        try:
            fine = show_all(options.suite, Path(room), options.kept or Path(room), options.package)
        finally:
            unmount_below(Path(room))
    print(
        "NOT SHOWN  the radio, names in its Wi-Fi (DNS), a phone's own browser: an nmcli and requests of ours stand in"
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
