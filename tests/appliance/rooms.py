"""Our own Debian roots, booted with systemd, and packages broken on purpose."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2]
BASE: Final = "systemd,systemd-sysv,dbus,udev,python3,apt"
NEEDED: Final = (
    "python3-venv,debsig-verify,fonts-spleen,fonts-noto-core,fonts-dejavu-core,tzdata,"
    "avahi-daemon,network-manager,dnsmasq-base,procps"
)
"""The package's dependencies and what a Raspberry Pi has anyway; a table has no network when it is updated."""
TOOLS: Final = {
    "mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container", "debsigs": "debsigs", "gpg": "gpg",
    "lintian": "lintian", "mkfs.xfs": "xfsprogs",
}  # fmt: skip
NSPAWN: Final = ("systemd-nspawn", "--register=no", "--keep-unit", "--quiet")
UP: Final = ("running", "degraded")
"""Without a radio, the unit that opens a Wi-Fi fails."""
UNIT: Final = "table-companion.service"
CLEAN: Final = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
NOISE: Final = (
    "var/log", "var/cache/apt", "var/cache/debconf", "var/cache/ldconfig", "var/lib/apt", "var/lib/dpkg", "run", "tmp",
    "root", "proc", "sys", "dev", "var/backups", "var/lib/systemd", "var/lib/dbus", "var/lib/private", "etc/machine-id",
    "etc/resolv.conf", "var/tmp", "etc/.pwd.lock", "etc/hosts", "etc/hostname", "etc/localtime", "etc/.updated",
    "var/.updated", "var/lib/NetworkManager",
)  # fmt: skip
"""What a booted system and apt write by themselves."""


class NotShown(Exception):
    """This machine cannot do it."""


def run(*words: str | Path, timeout: float = 900, check: bool = True, env: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**CLEAN, **(env or {})},
    )
    if check and done.returncode:
        raise AssertionError(f"{words[0]} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-1500:]}")
    return done.stdout + done.stderr


def until(what: Callable[[], bool], seconds: float, told: Callable[[], str] | str) -> float:
    """How many seconds it took until it was so."""
    begun = time.monotonic()
    while not what():
        if time.monotonic() - begun > seconds:
            raise AssertionError(f"not within {seconds:.0f} s: {told if isinstance(told, str) else told()}")
        subprocess.run(["sleep", "0.1"], check=True)
    return time.monotonic() - begun


class Showing:
    """The steps, each reported as it happens."""

    def __init__(self) -> None:
        self.failed = False

    def step(self, text: str, do: Callable[[], str | None]) -> bool:
        begun = time.monotonic()
        try:
            more = do()
            print(f"SHOWN      {text}{f' ({more})' if more else ''} [{time.monotonic() - begun:.0f} s]", flush=True)
        except NotShown as why:
            print(f"NOT SHOWN  {text}: {why}", flush=True)
            return False
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            self.failed = True
            print(f"FAILED     {text}: {error}", flush=True)
            return False
        return True


def need_tools() -> None:
    if os.geteuid() != 0:
        raise NotShown("needs root")
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool, path=CLEAN["PATH"]) is None]
    if missing:
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)


def debian(suite: str, kept: Path, name: str = "", more: str = "") -> Path:
    """A fresh Debian as a tar file, with all that the package depends on, and more; made once and kept."""
    need_tools()
    path = kept / f"{name}{suite}.tar"
    if not path.exists():
        sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Identifier: Packages").split()
        if not sites:
            raise NotShown("apt knows no mirror here")
        draft = kept / f"draft-{name}{suite}.tar"
        include = f"--include={BASE},{NEEDED}{more and ','}{more}"
        run("mmdebstrap", "--variant=minbase", include, suite, draft, sites[0], timeout=3600)
        draft.rename(path)
    return path


def unpacked(tar: Path, root: Path) -> None:
    root.mkdir(parents=True)
    run("tar", "-xf", tar, "-C", root)


def inside(root: Path, *words: str, check: bool = True) -> str:
    """A command in the root while it isn't booted, without network."""
    return run(*NSPAWN, "--private-network", "-D", root, *words, check=check)


def contents(root: Path) -> dict[str, str]:
    """Every file in the root except logs, caches and lists of what was installed when."""
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

    def __init__(self, root: Path, patience: float = 90) -> None:
        words = [*NSPAWN, "--boot", "--private-network", "-D", str(root)]
        self.machine = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=CLEAN
        )
        until(lambda: bool(self.first()), 30, "systemd-nspawn starts a first process")
        until(lambda: self("systemctl", "is-system-running", check=False).strip() in UP, patience, "systemd is up")

    def first(self) -> str:
        return run("pgrep", "-P", str(self.machine.pid), check=False).strip()

    def __call__(self, *words: str, check: bool = True) -> str:
        return run("nsenter", "-t", self.first(), "-a", *words, check=check)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """A command that keeps running."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            ["nsenter", "-t", self.first(), "-a", *words], stdin=quiet, stdout=quiet, stderr=quiet, env=CLEAN
        )

    @contextmanager
    def listening(self, code: str) -> Iterator[list[float]]:
        """Runs `code` until the end of the block; what it then printed is in the list."""
        words = ["nsenter", "-t", self.first(), "-a", "python3", "-c", code]
        ear = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=CLEAN)
        heard: list[float] = []
        try:
            yield heard
        finally:
            heard.append(float(ear.communicate(timeout=60)[0] or "inf"))

    def cut(self) -> None:
        """The power fails: killing its first process kills everything in it."""
        os.kill(int(self.first()), signal.SIGKILL)
        self.machine.wait(60)

    def property(self, name: str) -> str:
        return self("systemctl", "show", UNIT, "--value", "-p", name).strip()

    def is_up(self) -> bool:
        return self.property("ActiveState") == "active"

    def log(self) -> str:
        return self("journalctl", "-u", UNIT, "-n", "15", "--no-pager", check=False)


@contextmanager
def booted(root: Path, patience: float = 90) -> Iterator[Booted]:
    """`patience`: seconds in which systemd must be up."""
    try:
        machine = Booted(root, patience)
    except (AssertionError, OSError) as error:
        raise NotShown(f"systemd as the first process: {error}") from error
    try:
        yield machine
    finally:
        if machine.machine.poll() is None:
            machine.machine.terminate()
            try:
                machine.machine.wait(60)
            except subprocess.TimeoutExpired:
                machine.machine.kill()
                machine.machine.wait()


# --- packages ---------------------------------------------------------------------------------------------------------


class Signer:
    """A key of our own, and packages signed with it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.env = {"GNUPGHOME": str(folder)}
        gpg = ("gpg", "--batch", "--quiet", "--passphrase", "")
        run(*gpg, "--quick-gen-key", "Appliance <appliance@example.invalid>", "ed25519", "sign", "0", env=self.env)
        listed = run("gpg", "--list-keys", "--with-colons", env=self.env)
        self.key = next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))

    def build(self, out: Path) -> Path:
        """The package of these sources."""
        run(SOURCE / "systemd/package", "--arch", machine_kind(), "--key", self.key, "--out", out,
            env={**os.environ, **self.env}, timeout=3600)  # fmt: skip
        return next(out.glob("*.deb"))

    def sign(self, package: Path) -> None:
        run("debsigs", "--sign=origin", f"--default-key={self.key}", package, env=self.env)


Change = tuple[str, Callable[[str], str]]


def planted(
    package: Path, version: str, *changes: Change, signer: Signer | None = None, switch: Change | None = None
) -> Path:
    """The same package as another version, with changes to files in its own wheel."""
    target = package.with_name(f"table-companion_{version}_{machine_kind()}.deb")
    said = ("companion/__init__.py", lambda text: f'{text}\n__version__ = "{version}"\n')
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        room = Path(name)
        run("dpkg-deb", "-R", package, room)
        home = room / "usr/lib/table-companion"
        rewritten(next((home / "wheels").glob("table_companion-*.whl")), dict((said, *changes)))
        if switch is not None:
            (home / switch[0]).write_text(switch[1]((home / switch[0]).read_text()))
        control = room / "DEBIAN/control"
        lines = (
            f"Version: {version}" if line.startswith("Version:") else line for line in control.read_text().splitlines()
        )
        control.write_text("\n".join(lines) + "\n")
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", room, target)
    if signer is not None:
        signer.sign(target)
    return target


def rewritten(wheel: Path, changes: Mapping[str, Callable[[str], str]]) -> None:
    left = set(changes)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(draft := wheel.with_suffix(".new"), "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename in changes:
                left.discard(info.filename)
                after = changes[info.filename](content.decode()).encode()
                assert after != content, f"nothing was planted in {info.filename}"
                content = after
            new.writestr(info.filename, content)
    assert not left, f"there is no {left} in the wheel"
    draft.replace(wheel)


def machine_kind() -> str:
    return run("dpkg", "--print-architecture").strip()


def first_line(words: str) -> Callable[[str], str]:
    """Put these lines before everything else in a file, except what must come first."""
    future = "from __future__ import annotations\n"
    return lambda text: text.replace(future, f"{future}{words}\n", 1)


def instead(of: str, words: str) -> Callable[[str], str]:
    return lambda text: text.replace(of, words, 1)
