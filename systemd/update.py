#!/usr/bin/python3 -I
"""Installs a signed package on this box: from a file, or from a USB stick when a phone asks.

The package is verified where only root can write, its release is made and tried beside the one that plays (`switch
try`), and only then does apt get it. A power cut leaves the package staged, and the next boot resumes with it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

OURS: Final = "table-companion"
LARGEST: Final = 200 * 1024 * 1024
IN_MID_GAME: Final = "TABLE_COMPANION_IN_MID_GAME"
"""If this is 1, an update goes ahead while a game is being played."""
INSISTS: Final = b"in-mid-game"
"""Written by a phone into its request file: the referee wants it anyway."""


class Refused(Exception):
    """Nothing was installed. `why` is a key of the texts, or "" if `switch` has already reported it."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why


@dataclass(frozen=True)
class Places:
    """Where everything lies on a box."""

    home: Path = Path("/usr/lib/table-companion")
    staged: Path = Path("/var/cache/table-companion")
    asked: Path = Path("/run/table-companion/update")
    told: Path = Path("/run/table-companion-update/said")
    given: Path = Path("/run/table-companion/update.deb")


def tell(places: Places, step: str, why: str = "") -> None:
    """The state of the update, for phones and the display, which read this file."""
    places.told.parent.mkdir(parents=True, exist_ok=True)
    draft = places.told.with_name(".said.new")
    draft.write_text(json.dumps({"step": step, "version": "", "why": why}))
    draft.chmod(0o644)
    draft.replace(places.told)


def why_it_failed(places: Places) -> str:
    """What was told last, where that is a failure; else ""."""
    try:
        told = json.loads(places.told.read_text())
    except (OSError, ValueError):
        return ""
    return str(told["why"]) if told["step"] == "failed" else ""


def staged(places: Places, package: Path | None, *, links: bool = True) -> None:
    """Install a package from a folder that only root writes, so that what is verified is what is installed.

    Without one, what a power cut left there. One at a time. `links`: whether it may be a link to another file.
    """
    places.staged.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = places.staged / "update.deb"
    with (places.staged / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if package is not None:
            copy(package, file, links=links)
        if not file.exists():
            return
        try:
            install(places, file)
        finally:
            file.unlink()


def copy(package: Path, file: Path, *, links: bool) -> None:
    draft = file.with_suffix(".part")
    try:
        with os.fdopen(os.open(package, os.O_RDONLY | os.O_NONBLOCK | (0 if links else os.O_NOFOLLOW)), "rb") as source:
            found = os.fstat(source.fileno())
            if found.st_size > LARGEST or not stat.S_ISREG(found.st_mode):
                raise Refused("other", f"{package} is no file, or far larger than any package of the companion")
            with draft.open("wb") as to:
                shutil.copyfileobj(source, to)
    except OSError as error:
        raise Refused(
            "full" if error.errno == errno.ENOSPC else "unreadable", f"{package}: {error.strerror}"
        ) from error
    draft.replace(file)


def install(places: Places, package: Path) -> None:
    """Verify, make, try, and only then hand the package to apt; until then nothing on the machine has changed."""
    tell(places, "checking")
    sys.stderr.write("Checking the package ...\n")
    verify(places, package)
    check(package)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as room:
        must(["dpkg-deb", "-x", package, room], "crashed")
        wheels = Path(room) / places.home.relative_to("/") / "wheels"
        must([places.home / "switch", "try", wheels], "", quiet=False)
    tell(places, "taking-over")
    try:
        hand_over(package)
    except Refused as error:
        if why_it_failed(places):  # `switch`, which dpkg started, knows better than dpkg: the new one fell silent
            raise Refused("", str(error)) from error
        raise


def verify(places: Places, package: Path) -> None:
    """Check that whoever made this box's package also signed this one."""
    trust = places.home / "trust"
    if not trust.is_dir():
        said = "The package on this box was made without a key, so it can verify no other"
        raise Refused("no-key", f"{said}: sudo apt install ./FILE.deb, if you trust it.")
    ours = ["--policies-dir", trust / "policies", "--keyrings-dir", trust / "keyrings"]
    must(["debsig-verify", *ours, package], "unsigned")


def check(package: Path) -> None:
    """Check that it is a newer companion for this kind of machine."""
    name, version, kind = (field(package, key) for key in ("Package", "Version", "Architecture"))
    machine = must(["dpkg", "--print-architecture"], "crashed").strip()
    if name != OURS or kind != machine:
        raise Refused("other", f"It is {name} for {kind}; this box wants {OURS} for {machine}.")
    here = must(["dpkg-query", "-W", "-f", "${Version}", OURS], "crashed")
    was_cut_short = version == here and not is_installed()
    if not is_newer(version, here) and not was_cut_short:
        said = f"It is {version}, and {here} is here already"
        raise Refused("not-newer", f"{said}; to go back: sudo apt install --allow-downgrades ./FILE.deb.")


def field(package: Path, name: str) -> str:
    return must(["dpkg-deb", "-f", package, name], "other").strip()


def is_newer(version: str, than: str) -> bool:
    return not subprocess.run(["dpkg", "--compare-versions", version, "gt", than], check=False).returncode


def is_installed() -> bool:
    """False if dpkg was interrupted."""
    return must(["dpkg-query", "-W", "-f", "${db:Status-Status}", OURS], "crashed") == "installed"


def hand_over(package: Path) -> None:
    """Hand it to apt, which first makes sure that all dependencies are there, and only then unpacks it.

    If dpkg was interrupted, apt wants that fixed first, and the dependencies are already there.
    """
    if not is_installed():
        must(["dpkg", "--force-confold", "-i", package], "not-installed", quiet=False)
        return
    options = ("DPkg::Lock::Timeout=60", "Dpkg::Options::=--force-confold", "APT::Sandbox::User=root")
    words = ["apt-get", "install", "-y", "-q", "--no-install-recommends"]
    must([*words, *(word for option in options for word in ("-o", option)), package], "not-installed", quiet=False)


def must(words: list[Any], why: str, *, quiet: bool = True) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=quiet, text=True, check=False, cwd="/")
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-2000:] if quiet else ""
        raise Refused(why, said or f"{words[0]} ended with {done.returncode}")
    return done.stdout or ""


# --- phones and sticks ------------------------------------------------------------------------------------------------


def wished(places: Places) -> None:
    """What a phone asked for: the file that it sent, else the newest package on a USB stick.

    Where nothing was asked for, what a power cut has left.
    """
    if not places.asked.exists():
        staged(places, None)
        return
    if insists(places.asked):
        os.environ[IN_MID_GAME] = "1"
    places.asked.unlink(missing_ok=True)
    if os.path.lexists(places.given):
        from_phone(places)
    else:
        with on_sticks() as package:
            staged(places, package)


def from_phone(places: Places) -> None:
    """The companion writes there, so no link of its is followed. What waits for a game to end can be insisted on."""
    try:
        staged(places, places.given, links=False)
    finally:
        if why_it_failed(places) != "playing":
            places.given.unlink(missing_ok=True)


def insists(asked: Path) -> bool:
    """Whether the file says so; the companion can write there, so symbolic links are not followed."""
    try:
        with os.fdopen(os.open(asked, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            return file.read(len(INSISTS) + 1) == INSISTS
    except OSError:
        return False


@contextmanager
def on_sticks() -> Iterator[Path]:
    """The newest package on any USB stick that is plugged in, readable inside the `with` block."""
    listed = json.loads(must(["lsblk", "-J", "-o", "PATH,TRAN,FSTYPE,MOUNTPOINT"], "no-stick"))
    with tempfile.TemporaryDirectory(prefix="table-companion-stick-") as room, ExitStack() as mounted:
        found: list[Path] = []
        for number, (path, at) in enumerate(usb_partitions(listed)):
            here = Path(at or f"{room}/{number}")
            if not at:
                here.mkdir()
                if not is_mounted(path, here):
                    continue  # what cannot be read there does not stand in the way of what can
                mounted.callback(must, ["umount", here], "no-stick")
            found += sorted(here.glob(f"{OURS}_*.deb"))
        if not found:
            raise Refused("no-stick", f"There is no USB stick with a {OURS}_….deb in its first folder.")
        yield newest(found)


def is_mounted(path: str, at: Path) -> bool:
    done = subprocess.run(["mount", "-o", "ro,nosuid,nodev,noexec", path, at], capture_output=True, check=False)
    return not done.returncode


def usb_partitions(listed: Any) -> list[tuple[str, str]]:
    """Each file system of `lsblk -J` on USB, and where it is mounted, except those that this machine runs from."""
    found = []
    for disk in listed["blockdevices"]:
        parts = [disk, *disk.get("children", [])]
        is_own = {part["mountpoint"] for part in parts} & {"/", "/boot", "/boot/firmware"}
        if disk["tran"] == "usb" and not is_own:
            found += [(part["path"], part["mountpoint"] or "") for part in parts if part["fstype"]]
    return found


def newest(packages: list[Path]) -> Path:
    """Files that aren't packages are skipped as long as there is one."""
    best, best_version = packages[0], "0"
    for each in packages:
        done = subprocess.run(["dpkg-deb", "-f", each, "Version"], capture_output=True, text=True, check=False)
        if not done.returncode and is_newer(done.stdout.strip(), best_version):
            best, best_version = each, done.stdout.strip()
    return best


def main(words: list[str]) -> int:
    places = Places()
    if len(words) > 1 or (words and words[0].startswith("-")):
        sys.stderr.write("usage: update [FILE.deb]    without a file, what a phone asked for\n")
        return 2
    try:
        staged(places, Path(words[0]).absolute()) if words else wished(places)
    except (Refused, OSError) as error:
        why = error.why if isinstance(error, Refused) else "crashed"
        if why:
            tell(places, "failed", why)
            sys.stderr.write(f"{error}\nNothing was changed: what played before plays on ({why}).\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
