"""From a fresh Debian to a playing service and back, with the real installer, on this machine.

    sudo python tests/appliance/show.py [--suite bookworm] [--keep FOLDER]

Makes a Debian root of its own (debootstrap, from the mirror that apt uses here). Installs the companion into it as from
a fresh download, packages and all, and takes it away again. Then installs it without network from wheels, boots it with
systemd as its first process (systemd-nspawn), and looks: the service is up, pages are served, a hang is ended by the
watchdog, a stop takes less than three seconds, the box switches itself off, a second installation changes nothing, and
after uninstalling nothing is left. What this machine cannot show is told as NOT SHOWN. The exit code is 1 if anything
that was tried failed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2]
INCLUDE: Final = "systemd,systemd-sysv,dbus,udev,python3,ca-certificates"
PACKAGES: Final = ("python3-venv", "fonts-spleen", "fonts-noto-core", "fonts-dejavu-core", "avahi-daemon")
"""What the installer adds where there is a network, and must find where there is none."""
TOOLS: Final = {"debootstrap": "debootstrap", "systemd-nspawn": "systemd-container"}
NSPAWN: Final = ("systemd-nspawn", "--register=no", "--keep-unit", "--quiet")
UNIT: Final = "table-companion.service"
NEVER: Final = (
    "display at 400 kHz, buttons, lamp, buzzer and readers: there is no Raspberry Pi here",
    "“safe to unplug” staying on a real display after the machine has halted",
    "the name on the network (mDNS) and Wi-Fi, seen from a second machine",
)
NOISE: Final = (
    "var/log", "var/cache", "var/lib/apt", "var/lib/dpkg", "run", "tmp", "root", "proc", "sys", "dev", "var/backups",
    "var/lib/systemd", "var/lib/dbus", "var/lib/private", "etc/machine-id", "etc/resolv.conf", "var/tmp",
    "etc/.pwd.lock", "etc/hosts", "etc/hostname", "etc/localtime", "etc/pip.conf", "etc/.updated", "var/.updated",
)  # fmt: skip
"""What a booted system writes by itself."""
PAGE: Final = (
    "import urllib.request as u; a = u.urlopen('http://127.0.0.1:8080/', timeout=5); "
    "print(a.status, b'companion' in a.read())"
)
INSTALL: Final = "/root/companion/systemd/install"
CLEAN: Final = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}


class NotShown(Exception):
    """This machine cannot do it."""


def run(*words: str | Path, timeout: float = 900, check: bool = True) -> str:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=timeout, check=False, env=CLEAN
    )
    if check and done.returncode:
        raise AssertionError(f"{words[0]} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-1500:]}")
    return done.stdout + done.stderr


def until(what: Callable[[], bool], seconds: float, told: str) -> float:
    """How long it took until it was so."""
    begun = time.monotonic()
    while not what():
        if time.monotonic() - begun > seconds:
            raise AssertionError(f"not within {seconds:.0f} s: {told}")
        subprocess.run(["sleep", "0.1"], check=True)
    return time.monotonic() - begun


def make_root(suite: str, root: Path) -> None:
    if os.geteuid() != 0:
        raise NotShown("needs root")
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool, path=CLEAN["PATH"]) is None]
    if missing:
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
    sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Identifier: Packages").split()
    if not sites:
        raise NotShown("apt knows no mirror here")
    run("debootstrap", "--variant=minbase", f"--include={INCLUDE}", suite, root, sites[0], timeout=3600)


def inside(root: Path, *words: str, check: bool = True) -> str:
    """A command in the root while it is not booted."""
    return run(*NSPAWN, "--private-network", "-D", root, *words, check=check)


def online(root: Path, *words: str) -> str:
    """The same with this machine's network, and its way to the package index."""
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    paths = [path for path in ("/etc/pip.conf", "/etc/ssl/certs", *pip.values()) if path.startswith("/")]
    given = [f"--setenv={name}={value}" for name, value in pip.items()]
    given += [f"--bind-ro={path}" for path in paths if Path(path).exists()]
    return run(*NSPAWN, "--resolv-conf=copy-host", *given, "-D", root, *words)


def copy_source(root: Path) -> None:
    """What a fresh download has."""
    names = run("git", "-C", SOURCE, "-c", f"safe.directory={SOURCE}", "ls-files", "-z").split("\0")
    for name in filter(None, names):
        target = root / "root/companion" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(SOURCE / name, target)


def build_wheels(root: Path) -> None:
    """As systemd/README.md says, with the root's own Python."""
    online(root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES)
    online(root, "python3", "-m", "venv", "/root/tools")
    online(root, "/root/tools/bin/pip", "wheel", "-q", "-w", "/root/wheels", "/root/companion[photo]")


def install(root: Path, *options: str) -> str:
    return inside(root, INSTALL, "--offline", "/root/wheels", *options)


def contents(root: Path) -> dict[str, str]:
    """Every file of the root that is not a log, a cache or a list of what was installed when."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.is_symlink() and not path.is_file():
            continue
        if not name.startswith(NOISE) and not name.endswith("-") and "__pycache__" not in name:
            link = path.is_symlink()
            found[name] = str(path.readlink()) if link else hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


class Booted:
    """The root with systemd as its first process."""

    def __init__(self, root: Path) -> None:
        words = [*NSPAWN, "--boot", "--private-network", "-D", root]
        self.machine = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=CLEAN
        )
        until(lambda: bool(self._first()), 30, "systemd-nspawn starts a first process")
        until(lambda: "running" in self("systemctl", "is-system-running", check=False), 90, "systemd is up")

    def _first(self) -> str:
        return run("pgrep", "-P", str(self.machine.pid), check=False).strip()

    def __call__(self, *words: str, check: bool = True) -> str:
        return run("nsenter", "-t", self._first(), "-a", *words, check=check)

    def property(self, name: str) -> str:
        return self("systemctl", "show", UNIT, "--value", "-p", name).strip()

    def is_up(self) -> bool:
        return self.property("ActiveState") == "active"


@contextmanager
def booted(root: Path) -> Iterator[Booted]:
    try:
        machine = Booted(root)
    except (AssertionError, OSError) as error:
        raise NotShown(f"systemd as the first process: {error}") from error
    try:
        yield machine
    finally:
        if machine.machine.poll() is None:
            machine.machine.terminate()
            machine.machine.wait(60)


class Showing:
    """The steps, each told as it goes."""

    def __init__(self) -> None:
        self.failed = False

    def step(self, text: str, do: Callable[[], str | None]) -> bool:
        try:
            print(f"SHOWN      {text}{_and(do())}", flush=True)
        except NotShown as why:
            print(f"NOT SHOWN  {text}: {why}", flush=True)
            return False
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            self.failed = True
            print(f"FAILED     {text}: {error}", flush=True)
            return False
        return True


def _and(more: str | None) -> str:
    return f" ({more})" if more else ""


PLAY: Final = (
    "import sys; sys.path.insert(0, next(p for p in __import__('glob').glob("
    "'/opt/table-companion/venv/lib/python3*/site-packages')));"
    "from pathlib import Path; from companion.journal import Journal, TookBack;"
    "from companion.core.inputs import Pressed; import time;"
    "j = Journal.open(Path('/var/lib/table-companion/games.journal')); t = j.games()[-1].table;"
    "e = list(j.entries(t))[-1]; j.append(t, TookBack(e.seq, 0), Pressed('ok'), time.time(), e.state)"
)
"""Somebody at the table does something."""


def while_booted(show: Showing, root: Path) -> None:
    with booted(root) as machine:

        def up() -> str:
            seconds = until(machine.is_up, 60, machine("journalctl", "-u", UNIT, "-n", "20", check=False))
            return f"{seconds:.1f} s after systemd was"

        def served() -> None:
            assert machine("python3", "-c", PAGE).strip() == "200 True"

        def watched() -> str:
            old = machine.property("MainPID")
            machine("python3", "-c", f"import os, signal; os.kill({old}, signal.SIGSTOP)")
            renewed = lambda: machine.property("MainPID") not in (old, "0") and machine.is_up()  # noqa: E731
            seconds = until(renewed, 120, "the watchdog starts it anew")
            served()
            return f"playing again {seconds:.0f} s after it hung"

        def stops() -> str:
            begun = time.monotonic()
            machine("systemctl", "stop", UNIT)
            took = time.monotonic() - begun
            assert took < 3, f"{took:.1f} s"
            assert machine.property("Result") == "success"
            return f"{took:.1f} s"

        def tells_wifi() -> str:
            machine("touch", "/run/table-companion/open-wifi")
            reason = lambda: machine("cat", "/run/table-companion/wifi-said", check=False)  # noqa: E731
            until(lambda: "nmcli" in reason() or "Error" in reason(), 40, "the reason")
            return reason().strip()

        def refuses() -> None:
            machine("runuser", "-u", "companion", "--", "python3", "-c", PLAY)
            (root / "root/wheels/newer.whl").write_bytes(b"so that it is another version; pip passes over it")
            told = machine(INSTALL, "--offline", "/root/wheels", check=False)
            assert "is being played" in told, told[-400:]

        def updates() -> str:
            told = machine(INSTALL, "--offline", "/root/wheels", "--in-mid-game")
            copies = list((root / "var/lib/table-companion").glob("before-update-*.backup"))
            assert copies, told[-400:]
            until(machine.is_up, 60, "the updated service is up")
            served()
            return copies[0].name

        def switches_off() -> None:
            machine("systemctl", "start", UNIT)
            machine("touch", "/run/table-companion/switch-off")
            until(lambda: machine.machine.poll() is not None, 60, "the machine switches off")

        show.step("the service is up", up)
        show.step("a page is served", served)
        show.step("a hang is ended by the watchdog, and the game goes on", watched)
        show.step("why its own Wi-Fi does not open here is told", tells_wifi)
        show.step("it stops within 3 s", stops)
        show.step("an update refuses in mid-game", refuses)
        show.step("an update keeps a copy first, and plays on", updates)
        show.step("the box switches its machine off", switches_off)


def show_all(suite: str, room: Path) -> bool:
    show, root = Showing(), room / "root"
    if not show.step(f"a fresh Debian {suite}", lambda: make_root(suite, root)):
        return not show.failed
    copy_source(root)
    show.step("the installer, with network", lambda: from_the_network(root))
    if show.step("wheels for a table without network", lambda: build_wheels(root)):
        without_network(show, root)
    return not show.failed


def from_the_network(root: Path) -> str:
    fresh = contents(root)
    told = online(root, INSTALL)
    version = inside(root, "/opt/table-companion/venv/bin/companion", "--version").splitlines()[0]
    assert "Everything was so already." in online(root, INSTALL)
    assert "Nothing is left." in online(root, INSTALL, "--uninstall", "--purge")
    assert not (found := differences(fresh, contents(root))), f"left: {found[:8]}"
    return f"{told.count(' ...')} steps, {version}, run again, taken away again"


def without_network(show: Showing, root: Path) -> None:
    fresh = contents(root)

    def dry() -> None:
        install(root, "--dry-run")
        assert not (found := differences(fresh, contents(root))), f"changed: {found[:5]}"

    def first() -> str:
        told = install(root)
        return f"{told.count(' ...')} steps"

    def second() -> None:
        before = contents(root)
        assert "Everything was so already." in install(root)
        assert not (found := differences(before, contents(root))), f"changed: {found[:5]}"

    def gone() -> None:
        told = inside(root, INSTALL, "--uninstall", "--purge")
        assert "Nothing is left." in told
        assert not (found := differences(fresh, contents(root))), f"left: {found[:8]}"

    show.step("a dry run changes nothing", dry)
    if show.step("the installer, without network", first):
        show.step("a second run changes nothing", second)
        try:
            while_booted(show, root)
        except NotShown as why:
            print(f"NOT SHOWN  {why}")
        show.step("uninstalling leaves nothing", gone)


def unmount_below(room: Path) -> None:
    """What debootstrap leaves mounted when it is interrupted must be gone before anything is deleted."""
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for path in reversed([path for path in mounts if Path(path).is_relative_to(room)]):
        run("umount", path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="bookworm", help="the Debian to install into")
    parser.add_argument("--keep", type=Path, help="an empty folder for the root, which then stays")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="appliance-", ignore_cleanup_errors=True) as room:
        try:
            fine = show_all(options.suite, options.keep or Path(room))
        finally:
            unmount_below(Path(room))
    for line in NEVER:
        print(f"NOT SHOWN  {line}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
