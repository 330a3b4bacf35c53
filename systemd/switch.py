#!/usr/bin/python3 -I
"""Which release plays: makes one from a package's wheels, tries it, lets it take over, goes back by itself.

Releases lie side by side in `releases/`; the link `current` names the one that plays. A release counts once it
contains the file `whole`. While a new one plays on trial, the file `trial` names the one before it. Each of these
changes by a single synced rename, so that after a power cut there is either the old or the new, and `settle` knows
which.

This uses only Python's standard library: it must work even when a release doesn't. docs/updates.md tells the whole
story.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Protocol

REHEARSAL: Final = 40.0
"""Seconds that a new release has to replay every unfinished game and to answer."""
TRIAL: Final = 25.0
"""Seconds that it then has to answer in its new place."""
STEADY: Final = 3.0
"""Seconds for which it must keep answering."""
KEPT: Final = 3
"""How many copies of the owner's data from before updates are kept."""
NO_SUCH_GAME: Final = 3
"""The exit code of `companion rehearse` if it can't read or replay what was played."""
STEPS: Final = {
    "making": "Making the new release beside the one that plays ...",
    "trying": "Trying it on a copy of everything that was played ...",
    "taking-over": "Letting it take over ...",
}
WHOLE: Final = "whole"
IN_MID_GAME: Final = "TABLE_COMPANION_IN_MID_GAME"
"""If this is 1, an update goes ahead while a game is being played."""


class Refused(Exception):
    """The new release does not play; the one before does. `why` is a key of the texts, `detail` is for the log."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why, self.detail = why, detail


class Service(Protocol):
    """The program as the machine runs it."""

    def is_running(self) -> bool: ...
    def stop(self) -> None: ...
    def start(self) -> None: ...
    def answers(self) -> bool: ...


@dataclass(frozen=True)
class Places:
    """Where everything lies on a box."""

    home: Path = Path("/usr/lib/table-companion")
    data: Path = Path("/var/lib/table-companion")
    told: Path = Path("/run/table-companion-update/said")
    user: str = "companion"

    @property
    def current(self) -> Path | None:
        link = self.home / "current"
        return link.resolve() if link.is_symlink() and link.resolve().is_dir() else None

    def command(self, release: Path, *words: str | Path) -> list[str]:
        """The companion of a release, running with its own user's rights."""
        be = ["runuser", "-u", self.user, "--"] if self.user else []
        return [*be, str(release / "bin/companion"), *map(str, words)]


@dataclass(frozen=True)
class Systemd:
    """systemd's service, if systemd is the machine's init."""

    port: int
    unit: str = "table-companion.service"

    def is_running(self) -> bool:
        return Path("/run/systemd/system").is_dir() and not self._ctl("is-active", "-q").returncode

    def stop(self) -> None:
        self._ctl("stop")

    def start(self) -> None:
        self._ctl("daemon-reload")
        self._ctl("reset-failed")
        self._ctl("start", "--no-block")

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/alive", headers={"Connection": "close"})
            return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _ctl(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        unit = () if words == ("daemon-reload",) else (self.unit,)
        return subprocess.run(["systemctl", *words, *unit], capture_output=True, check=False)


def port_of(data: Path) -> int:
    """The port in the settings; the companion itself reports unreadable settings."""
    try:
        port = tomllib.loads((data / "settings.toml").read_text()).get("port", 8080)
    except (OSError, ValueError):
        return 8080
    return port if isinstance(port, int) else 8080


# --- what lasts -------------------------------------------------------------------------------------------------------


def sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write(path: Path, words: str) -> None:
    """Write a file completely or not at all."""
    draft = path.with_name(f".{path.name}.new")
    with draft.open("w") as file:
        file.write(words)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync(path.parent)


def point(places: Places, release: Path) -> None:
    """From now on `release` is the one that plays."""
    draft = places.home / ".current.new"
    draft.unlink(missing_ok=True)
    draft.symlink_to(release.relative_to(places.home))
    draft.replace(places.home / "current")
    sync(places.home)


def unlink(path: Path) -> None:
    path.unlink(missing_ok=True)
    sync(path.parent)


def tell(places: Places, step: str, version: str = "", why: str = "") -> None:
    """The state of the update, for phones and the display, which read this file."""
    places.told.parent.mkdir(parents=True, exist_ok=True)
    draft = places.told.with_name(".said.new")
    draft.write_text(json.dumps({"step": step, "version": version, "why": why}))
    draft.chmod(0o644)
    draft.replace(places.told)


# --- releases ---------------------------------------------------------------------------------------------------------


def name_of(wheels: Path) -> str:
    """The version, a hash of what it is made of, and its Python."""
    digest = hashlib.sha256()
    for wheel in sorted(wheels.glob("*.whl")):
        digest.update(wheel.name.encode() + wheel.read_bytes())
    ours = sorted(wheels.glob("table_companion-*.whl"))
    if len(ours) != 1:
        raise Refused("crashed", f"{wheels} holds {len(ours)} wheels of the companion instead of one")
    version = ours[0].name.split("-")[1]
    return f"{version}-{digest.hexdigest()[:10]}-py{sys.version_info.major}.{sys.version_info.minor}"


def make(places: Places, wheels: Path) -> Path:
    """The release of these wheels, made if it doesn't exist yet. Needs no network."""
    release = places.home / "releases" / name_of(wheels)
    if (release / WHOLE).exists():
        return release
    shutil.rmtree(release, ignore_errors=True)
    release.parent.mkdir(parents=True, exist_ok=True)
    pip: list[Path | str] = [
        release / "bin/python",
        "-m",
        "pip",
        "--disable-pip-version-check",
        "-q",
        "install",
        "--no-index",
    ]
    # lgpio and other packages of Debian's are visible only with the system's site-packages.
    _made(release, [sys.executable, "-m", "venv", "--system-site-packages", release])
    _made(release, [*pip, "--ignore-installed", "--find-links", wheels, "table-companion[club,photo,print]"])
    os.sync()
    write(release / WHOLE, "")
    return release


def _made(release: Path, words: list[Path | str]) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        shutil.rmtree(release, ignore_errors=True)
        full = "No space left" in done.stderr
        raise Refused("full" if full else "crashed", (done.stdout + done.stderr).strip()[-2000:])


def tidy(places: Places, *keep: Path | None) -> None:
    """Remove releases that nobody will go back to, and incomplete ones."""
    for release in sorted((places.home / "releases").glob("*")):
        if release not in keep:
            unlink(release / WHOLE)
            shutil.rmtree(release)


# --- before it takes over ---------------------------------------------------------------------------------------------


def ask(places: Places, *, in_mid_game: bool) -> Path | None:
    """A fresh copy of the owner's data; Refused while a game is being played.

    None if nothing was ever played, or if the release that plays can't even say its version, for instance after
    Debian got another Python: then only the new one can fix it.
    """
    release = places.current
    if release is None or not (places.data / "games.journal").exists():
        return None
    copy = places.data / f"before-leaving-{release.name}.backup"
    words = places.command(release, "backup", copy, "--force", "--data", places.data)
    unless = [] if in_mid_game else ["--unless-playing"]
    done = subprocess.run([*words, *unless], capture_output=True, text=True, check=False, cwd="/")
    if done.returncode and _run(places.command(release, "--version")):
        return None
    if done.returncode:
        raise Refused("playing" if "is being played" in done.stderr else "no-copy", done.stderr.strip()[-2000:])
    for old in sorted(places.data.glob("before-leaving-*.backup"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink()
    return copy


def rehearse(places: Places, release: Path, copy: Path | None, seconds: float = REHEARSAL) -> None:
    """Let a release play on a copy of everything, at its own port; Refused if it doesn't."""
    words = places.command(release, "rehearse", *([] if copy is None else [copy]))
    with tempfile.TemporaryFile() as said:
        player = subprocess.Popen(words, stdout=said, stderr=said, cwd="/", start_new_session=True)
        try:
            code = player.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(player.pid, signal.SIGKILL)
            player.wait()
            raise Refused("hung", f"it did not answer within {seconds:.0f} s") from None
        said.seek(0)
        words_said = said.read().decode(errors="replace").strip()[-2000:]
    if code:
        raise Refused("unread" if code == NO_SUCH_GAME else "crashed", words_said or f"it ended with {code}")


# --- taking over, and going back --------------------------------------------------------------------------------------


def take_over(places: Places, release: Path, service: Service, copy: Path | None) -> None:
    """Let a rehearsed release play; if it doesn't answer in its new place, the one before plays again."""
    before = places.current
    if before is None or before == release:
        point(places, release)
        return
    was_running = service.is_running()
    write(places.home / "trial", json.dumps({"before": before.name, "copy": str(copy or "")}))
    service.stop()
    point(places, release)
    if was_running:
        service.start()
        if not is_steady(service):
            service.stop()
            go_back(places)
            service.start()
            raise Refused("silent", f"it did not answer within {TRIAL:.0f} s of taking over")
    unlink(places.home / "trial")
    tidy(places, release, before)


def is_steady(service: Service, seconds: float = TRIAL, steady: float = STEADY) -> bool:
    """Whether it answers in time, and then keeps answering."""
    ends, since, pause = time.monotonic() + seconds, None, threading.Event()
    while time.monotonic() < ends:
        now = time.monotonic()
        since = (now if since is None else since) if service.answers() else None
        if since is not None and now - since >= steady:
            return True
        pause.wait(0.2)
    return False


def go_back(places: Places) -> None:
    """From now on the release before plays, with everything that was played; does nothing if none is on trial.

    The one on trial may have changed the journal's format. If the one before can no longer read it, the copy from
    before the update takes its place, and what was there is kept beside it.
    """
    trial = places.home / "trial"
    if not trial.exists():
        return
    told = json.loads(trial.read_text())
    before = places.home / "releases" / told["before"]
    point(places, before)
    if told["copy"] and _run(places.command(before, "games", "--data", places.data)):
        _run(places.command(before, "restore", told["copy"], "--data", places.data))
    unlink(trial)


def _run(words: list[str]) -> int:
    return subprocess.run(words, capture_output=True, check=False, cwd="/").returncode


# --- what is asked of it ----------------------------------------------------------------------------------------------


def configure(places: Places, service: Service, *, in_mid_game: bool, say: Callable[[str], None]) -> None:
    """What the package does once it is unpacked: makes its release, tries it, and lets it take over."""
    wheels = places.home / "wheels"
    say("making")
    release = make(places, wheels)
    copy = None
    if places.current not in (None, release):
        say("trying")
        copy = ask(places, in_mid_game=in_mid_game)
        rehearse(places, release, copy)
        say("taking-over")
    take_over(places, release, service, copy)
    tell(places, "done", release.name.split("-")[0])


def attempt(places: Places, wheels: Path, *, in_mid_game: bool, say: Callable[[str], None]) -> None:
    """Make and try a release without changing anything else; if it is good, it is kept for `configure`."""
    copy = ask(places, in_mid_game=in_mid_game)
    say("making")
    release = make(places, wheels)
    say("trying")
    try:
        rehearse(places, release, copy)
    except Refused:
        if release != places.current:
            unlink(release / WHOLE)
            shutil.rmtree(release)
        raise


def settle(places: Places) -> None:
    """At boot, before anything plays: goes back from whatever a power cut left on trial."""
    if (places.home / "trial").exists():
        go_back(places)
        tell(places, "failed", why="power")
    for release in (places.home / "releases").glob("*"):
        if not (release / WHOLE).exists():
            shutil.rmtree(release)


def remove(places: Places) -> None:
    """Remove everything that dpkg doesn't know about."""
    for name in ("current", "trial", ".current.new", ".trial.new"):
        (places.home / name).unlink(missing_ok=True)
    shutil.rmtree(places.home / "releases", ignore_errors=True)
    shutil.rmtree(places.told.parent, ignore_errors=True)


def main(words: list[str]) -> int:
    places = Places()
    service = Systemd(port_of(places.data))
    in_mid_game = os.environ.get(IN_MID_GAME) == "1"

    def say(step: str) -> None:
        sys.stderr.write(f"{STEPS[step]}\n")
        tell(places, step)

    do: Callable[[], object]
    match words:
        case ["ask"]:
            do = partial(ask, places, in_mid_game=in_mid_game)
        case ["try", wheels]:
            do = partial(attempt, places, Path(wheels), in_mid_game=in_mid_game, say=say)
        case ["configure"]:
            do = partial(configure, places, service, in_mid_game=in_mid_game, say=say)
        case ["settle"]:
            do = partial(settle, places)
        case ["remove"]:
            do = partial(remove, places)
        case _:
            sys.stderr.write("usage: switch ask | try WHEELS | configure | settle | remove\n")
            return 2
    return done(places, do)


def done(places: Places, do: Callable[[], object]) -> int:
    """The exit code; a refusal is written to where phones and the display look."""
    try:
        do()
    except (Refused, OSError) as error:
        why = error.why if isinstance(error, Refused) else "crashed"
        tell(places, "failed", why=why)
        sys.stderr.write(f"{error}\nNothing was changed: what played before plays on ({why}).\n")
        if why == "playing":
            sys.stderr.write(f"To go on all the same: companion update --in-mid-game, or {IN_MID_GAME}=1 for apt.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
