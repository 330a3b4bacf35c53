"""From a fresh Debian to a playing service, through good and bad updates, and back, with the real package.

    sudo python tests/appliance/show.py [--suite bookworm] [--kept FOLDER]

Makes a Debian root of its own (mmdebstrap, from the mirror that apt uses here) with what the package depends on, builds
the package with a key of its own, installs it without network, and boots it with systemd as its first process
(systemd-nspawn). Then it looks: pages, the watchdog, an update while a game is played, updates that are unsigned,
tampered with, crash, hang or cannot read the journal, one that is good, and what is left after removing and purging.
What this machine cannot show is told as NOT SHOWN. The exit code is 1 if anything that was tried failed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.appliance import inside as look
from tests.appliance.rooms import (
    UNIT,
    Booted,
    Change,
    NotShown,
    Showing,
    Signer,
    booted,
    contents,
    debian,
    differences,
    first_line,
    inside,
    instead,
    planted,
    run,
    unpacked,
    until,
)

NEVER: Final = (
    "display at 400 kHz, buttons, lamp, buzzer and readers: there is no Raspberry Pi here",
    "“safe to unplug” staying on a real display after the machine has halted",
    "the name on the network (mDNS) and Wi-Fi, seen from a second machine",
    "a real USB stick: udev, its mount, an update from it",
    "a radio: phones in the box's own Wi-Fi, the box in one of the house",
)
PAGE: Final = (
    "import urllib.request as u; a = u.urlopen('http://127.0.0.1:8080/', timeout=5); "
    "print(a.status, b'companion' in a.read())"
)
PYTHON: Final = look.PYTHON
PLAY: Final = """
import sys, time
from pathlib import Path
from companion.core import Pressed
from companion.journal import Journal, TookBack
ago = float(sys.argv[1])
with Journal.open(Path('/var/lib/table-companion/games.journal')) as journal:
    table = journal.games()[-1].table
    last = list(journal.entries(table))[-1]
    for n in range(3):
        last = journal.append(table, TookBack(last.seq, 0), Pressed('ok'), time.time() - ago, last.state)
"""
"""Somebody at the table does something, this long ago."""
COUNT: Final = """
from pathlib import Path
from companion.journal import Journal
with Journal.look(Path('/var/lib/table-companion/games.journal')) as journal:
    print([[row.table, row.seq] for row in journal.games()])
"""
SEND: Final = """
import sys
from pathlib import Path
from companion.app.updating import Incoming
part, content = 1 << 20, Path(sys.argv[1]).read_bytes()
take = Incoming(Path('/run/table-companion')).take
print(all(take(content[at:at + part], at, len(content)) for at in range(0, len(content), part)))
"""
"""What the companion does with the parts of a file that the referee's phone sends."""
SAID, NOTHING = "/run/table-companion-update/said", '{"step": "", "why": ""}'
AT_ONCE: Final = 60.0
"""Seconds in which the version before must play again."""
LISTEN: Final = """
import sys, threading, time, urllib.request
ends, longest, since = threading.Event(), 0.0, time.monotonic()
threading.Thread(target=lambda: (sys.stdin.read(), ends.set()), daemon=True).start()
while not ends.wait(0.2):
    try:
        urllib.request.urlopen('http://127.0.0.1:8080/alive', timeout=2).read()
    except OSError:
        continue
    longest, since = max(longest, time.monotonic() - since), time.monotonic()
print(max(longest, time.monotonic() - since))
"""
"""Measures for how long nothing answered, until standard input ends."""
CRASH: Final = 'raise RuntimeError("planted")'
HANG: Final = "import threading; threading.Event().wait()"
MIGRATE: Final = """    if options.pretend is None:
        import sqlite3
        with sqlite3.connect(options.data / JOURNAL) as db:
            db.execute("PRAGMA user_version = 2")
        raise SystemExit(9)
    with ExitStack() as stack:
"""
BEFORE: Final[dict[str, tuple[str, Change]]] = {
    "crashes at start": ("crashed", ("companion/app/main.py", first_line(CRASH))),
    "hangs": ("hung", ("companion/app/main.py", first_line(HANG))),
    "cannot read the journal": (
        "unread",
        ("companion/journal/file.py", instead("FORMAT: Final = 1", "FORMAT: Final = 0")),
    ),
}
"""Found in the rehearsal, so that the running version isn't even stopped."""
AFTER: Final[dict[str, Change]] = {
    "crashes only where it takes over": ("companion/app/cli/run.py", first_line(CRASH)),
    "hangs only where it takes over": ("companion/app/cli/run.py", first_line(HANG)),
    "makes the journal unreadable for the version before": (
        "companion/app/main.py", instead("    with ExitStack() as stack:\n", MIGRATE)),
}  # fmt: skip
"""Found on trial."""
FIRST_AFTER: Final = 7


class Evening:
    """The booted box, and what is asked of it."""

    def __init__(self, machine: Booted, root: Path) -> None:
        self.machine, self.root = machine, root

    def up(self) -> str:
        return f"{until(self.machine.is_up, 60, self.machine.log):.1f} s after systemd was"

    def served(self) -> None:
        until(lambda: self.machine("python3", "-c", PAGE, check=False).strip() == "200 True", 30, self.machine.log)

    def as_companion(self, code: str, *words: str) -> str:
        return self.machine("runuser", "-u", "companion", "--", PYTHON, "-c", code, *words)

    def entries(self) -> str:
        return self.as_companion(COUNT).strip()

    def version(self) -> str:
        return self.machine("companion", "--version").split()[-1]

    def played(self, ago: float) -> None:
        self.machine("systemctl", "stop", UNIT)
        self.as_companion(PLAY, str(ago))
        self.machine("systemctl", "start", UNIT)
        self.served()

    def watched(self) -> str:
        old = self.machine.property("MainPID")
        self.machine("python3", "-c", f"import os, signal; os.kill({old}, signal.SIGSTOP)")
        renewed = lambda: self.machine.property("MainPID") not in (old, "0") and self.machine.is_up()  # noqa: E731
        seconds = until(renewed, 120, "the watchdog starts it anew")
        self.served()
        return f"playing again {seconds:.0f} s after it hung"

    def stops(self) -> str:
        begun = time.monotonic()
        self.machine("systemctl", "stop", UNIT)
        took = time.monotonic() - begun
        assert took < 3, f"{took:.1f} s"
        assert self.machine.property("Result") == "success"
        self.machine("systemctl", "start", UNIT)
        return f"{took:.1f} s"

    def put(self, package: Path) -> str:
        shutil.copy(package, self.root / "root" / package.name)
        return f"/root/{package.name}"

    def said(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.machine("cat", SAID))
        return found

    def refused(self, package: Path, why: str, how: tuple[str, ...] = ("companion", "update")) -> str:
        """It is not installed, everything played is there, and the version before plays, in time."""
        before, entries, path = self.version(), self.entries(), self.put(package)
        with self.machine.listening(LISTEN) as silence:
            told = self.machine(*how, path, check=False)
            self.served()
        assert self.said()["why"] == why, (self.said(), told[-600:])
        assert (self.version(), self.entries()) == (before, entries), told[-600:]
        assert silence[0] < AT_ONCE, f"{silence[0]:.0f} s"
        assert not list((self.root / "usr/lib/table-companion").glob("trial")), "still on trial"
        return f"{why}; {before} plays, and was silent for {silence[0]:.1f} s"

    def updated(self, package: Path, version: str) -> str:
        entries = self.entries()
        told = self.machine("companion", "update", self.put(package))
        self.served()
        assert self.version() == version, told[-600:]
        assert self.entries() == entries
        assert self.said()["step"] == "done"
        return version

    def sent(self, package: Path, version: str) -> str:
        """By a phone, in parts; the unit takes it from there."""
        entries, path = self.entries(), Path("/var/tmp") / package.name
        shutil.copy(package, self.root / path.relative_to("/"))
        self.machine("sh", "-c", f"echo '{NOTHING}' >{SAID}")
        assert self.as_companion(SEND, str(path)).strip() == "True"
        until(lambda: self.said()["step"] in ("done", "failed"), 300, self.log)
        self.served()
        (self.root / path.relative_to("/")).unlink()
        assert (self.version(), self.said()["step"], self.entries()) == (version, "done", entries), self.log()
        return version

    def log(self) -> str:
        return self.machine("journalctl", "-u", "table-companion-update", "-n", "20", "--no-pager", check=False)

    def switches_off(self) -> None:
        self.machine("touch", "/run/table-companion/switch-off")
        until(lambda: self.machine.machine.poll() is not None, 60, "the machine switches off")


def unsigned(package: Path, version: str) -> Path:
    return planted(package, version)


def tampered(package: Path, version: str, signer: Signer) -> Path:
    path = planted(package, version, signer=signer)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return path


def while_booted(show: Showing, root: Path, package: Path, signer: Signer) -> None:
    with booted(root) as machine:
        box = Evening(machine, root)
        if not (show.step("the service is up", box.up) and show.step("the first page is served", box.served)):
            return
        beside_the_program(show, machine, root)
        show.step("a hang is ended by the watchdog, and the game goes on", box.watched)
        show.step("it stops within 3 s", box.stops)
        carried = lambda: look.saves_and_brings_back(machine, box.entries, lambda: box.played(0), box.served)  # noqa: E731
        show.step("everything is saved on a stick, and brought back from it", carried)
        show.step("a game is played", lambda: box.played(0))
        good = planted(package, "0.1.0+9", signer=signer)
        update = lambda: box.refused(good, "playing")  # noqa: E731
        show.step("an update while it is played is refused", update)
        apt = ("dpkg", "-i")
        show.step("… and so is one with dpkg", lambda: box.refused(good, "playing", apt))
        show.step("the evening is over", lambda: evening_over(box))
        show.step("an unsigned update is refused", lambda: box.refused(unsigned(package, "0.1.0+2"), "unsigned"))
        changed = lambda: box.refused(tampered(package, "0.1.0+3", signer), "unsigned")  # noqa: E731
        show.step("one that was tampered with is refused", changed)
        for number, (text, (why, change)) in enumerate(BEFORE.items(), 4):
            bad = planted(package, f"0.1.0+{number}", change, signer=signer)
            show.step(f"a version that {text} never takes over", bound(box.refused, bad, why))
        for number, (text, change) in enumerate(AFTER.items(), FIRST_AFTER):
            bad = planted(package, f"0.1.0+{number}", change, signer=signer)
            ways = ("companion", "update") if number == FIRST_AFTER else apt
            show.step(f"a version that {text} goes back by itself", bound(box.refused, bad, "silent", ways))
        good = planted(package, "0.1.0+98", signer=signer)
        show.step("a good update is installed", lambda: box.updated(good, "0.1.0+98"))
        newer = planted(package, "0.1.0+99", signer=signer)
        show.step("so is one that a phone has sent", lambda: box.sent(newer, "0.1.0+99"))
        show.step("the box switches its machine off", box.switches_off)
    show.step("the end of the log is kept", lambda: look.kept_log(root))


def beside_the_program(show: Showing, machine: Booted, root: Path) -> None:
    show.step(
        "units expose little, but for the two that put releases in their place", lambda: look.exposes_little(machine)
    )
    opened = lambda: look.catches_a_unit_that_exposes_more(machine)  # noqa: E731
    show.step("the control, a unit that was opened on purpose, is caught", opened)
    show.step("the doctor tells what was written to the card", lambda: look.counts_what_is_written(machine))
    show.step("logs stay in memory", lambda: look.logs_in_memory(machine))
    show.step("the plain port of the web is served", lambda: look.plain_port(machine))
    show.step("all pages were compiled with the Jinja that is carried", lambda: look.compiled_pages(machine))
    show.step("it can join a club, and says what a hub needs", lambda: look.can_be_in_a_club(machine))
    show.step("what is NetworkManager's and people may change is a conffile", lambda: look.conffiles(machine))
    show.step("on no network, it opens a Wi-Fi of its own", lambda: look.opens_its_own_wifi(machine, root))
    house = lambda: look.refuses_a_house_that_is_not_there(machine, root)  # noqa: E731
    show.step("a Wi-Fi of the house that lets nobody in leaves nothing behind", house)


def cut_short(root: Path, package: Path, signer: Signer) -> str:
    """The power fails while a new version is on trial: the one before plays, and the update resumes by itself."""
    newer = planted(package, "0.1.0+100", signer=signer)
    with booted(root) as machine:
        box = Evening(machine, root)
        box.served()
        entries, path = box.entries(), box.put(newer)
        updating = machine.start("companion", "update", path)
        until((root / "usr/lib/table-companion/trial").exists, 240, "it is on trial")
        machine.cut()
        updating.wait()
    with booted(root) as machine:
        begun, box = time.monotonic(), Evening(machine, root)
        box.served()
        until(lambda: box.version() == "0.1.0+100" and box.said()["step"] == "done", 300, box.log)
        box.served()
        assert box.entries() == entries
    return f"up to date {time.monotonic() - begun:.0f} s after the power was back"


LEFT: Final = """
set -e
cd /usr/lib/table-companion
old=$(readlink current)
TABLE_COMPANION_IN_MID_GAME=1 ./switch ask
copy=$(ls -t /var/lib/table-companion/before-leaving-*.backup | head -n 1)
cp -a "$old" releases/newer && ln -sfn releases/newer current
printf '{"before": "%s", "copy": "%s"}' "${old#releases/}" "$copy" >trial
cd /var/lib/table-companion
runuser -u companion -- python3 -c "import sqlite3; sqlite3.connect('games.journal').execute('PRAGMA user_version = 2')"
echo "$old"
"""
"""What a power cut leaves where a release on trial has begun to keep the journal in a way of its own."""


def settled(root: Path) -> str:
    """The unit that settles goes back to the release and the journal from before."""
    said = inside(root, "sh", "-c", LEFT)  # systemd-nspawn has a word to say, too
    old = next(line for line in said.splitlines() if line.startswith("releases/"))
    with booted(root) as machine:
        box = Evening(machine, root)
        box.served()
        assert str((root / "usr/lib/table-companion/current").readlink()) == old, said
        assert (box.said()["step"], box.said()["why"]) == ("failed", "power"), box.said()
        assert not (root / "usr/lib/table-companion/trial").exists(), "still on trial"
        kept = sorted((root / "var/lib/table-companion").glob("before-restore-*/games.journal"))
        assert kept, "what the new one had written is kept"
        return f"{box.entries()}; {kept[-1].parent.name}"


def bound(do: Callable[..., str], *words: object) -> Callable[[], str]:
    return lambda: do(*words)


def evening_over(box: Evening) -> None:
    """The game is put away, and an unfinished one from five hours ago is there to be replayed."""
    table = json.loads(box.entries().replace("'", '"'))[-1][0]
    box.machine("systemctl", "stop", UNIT)
    box.machine("companion", "games", "archive", table)
    box.machine("systemctl", "start", UNIT)
    box.served()
    box.played(5 * 3600)


def show_all(suite: str, room: Path, kept: Path) -> bool:
    show, root = Showing(), room / "root"
    if not show.step(f"a fresh Debian {suite}", lambda: unpacked(debian(suite, kept), root)):
        return not show.failed
    signer = Signer(room / "gnupg")
    built: list[Path] = []
    if not show.step("the package is built and signed", lambda: built.append(signer.build(room / "dist"))):
        return False
    fresh = contents(root)

    def installed() -> str:
        shutil.copy(built[0], root / "root")
        inside(root, "apt-get", "install", "-y", "-q", "--no-install-recommends", f"/root/{built[0].name}")
        return inside(root, "companion", "--version").splitlines()[0]

    def removed() -> None:
        data = root / "var/lib/table-companion"
        kept_files = sorted(path.name for path in data.glob("*"))
        inside(root, "apt-get", "remove", "-y", "-q", "table-companion")
        assert sorted(path.name for path in data.glob("*")) == kept_files, "games are still there"
        assert not (root / "usr/lib/table-companion").exists(), list((root / "usr/lib/table-companion").iterdir())

    def purged() -> None:
        inside(root, "apt-get", "purge", "-y", "-q", "table-companion")
        assert not (found := differences(fresh, contents(root))), f"left: {found[:8]}"
        assert not (found := look.left_of_ours(root)), f"left: {found[:8]}"

    if show.step("the package is installed, without network", installed):
        try:
            while_booted(show, root, built[0], signer)
            show.step(
                "an update that a power cut interrupts goes on by itself", lambda: cut_short(root, built[0], signer)
            )
            text = "a power cut after a release on trial changed the journal: release and journal from before"
            show.step(text, lambda: settled(root))
        except NotShown as why:
            print(f"NOT SHOWN  {why}")
        show.step("removing it leaves games and settings alone", removed)
        show.step("purging it leaves nothing", purged)
    return not show.failed


def unmount_below(room: Path) -> None:
    """Whatever is still mounted must be unmounted before anything is deleted."""
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for path in reversed([path for path in mounts if Path(path).is_relative_to(room)]):
        run("umount", path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="bookworm", help="the Debian to install into")
    parser.add_argument("--kept", type=Path, help="a folder in which fresh roots stay for the next time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="appliance-", ignore_cleanup_errors=True) as room:
        try:
            fine = show_all(options.suite, Path(room), options.kept or Path(room))
        finally:
            unmount_below(Path(room))
    for line in NEVER:
        print(f"NOT SHOWN  {line}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
