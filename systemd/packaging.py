"""The companion as Debian packages, with every wheel that it needs; same sources, same bytes.

    systemd/package                     for both kinds of machine, into dist/
    systemd/package --arch arm64        for a Raspberry Pi alone
    systemd/package --build 3           a version between two releases: 0.1.0+3
    systemd/package --key FINGERPRINT   signed with your key; boxes with it take later packages of the same key alone
    systemd/package --renew             take up the newest versions of everything that is carried (systemd/wheels.lock)

SOURCE_DATE_EPOCH is the time of the last commit where nobody sets it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from email.utils import formatdate
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[1]
HERE: Final = SOURCE / "systemd"
LOCK: Final = HERE / "wheels.lock"
PYTHONS: Final = ("3.11", "3.13")
"""The Pythons of Debian bookworm and trixie."""
MACHINES: Final = {"arm64": "aarch64", "amd64": "x86_64"}
OLDEST_LIBC, NEWEST_LIBC = 17, 36
"""Wheels of manylinux_2_17 run everywhere; bookworm has 2.36."""
EXTRAS: Final = ("club", "photo", "print")
PROGRAM: Final = ("companion", "firmware_bridge", "hw", "web")
MADE: Final = ("__pycache__", "*.mo", "*.mo.new", "compiled")
"""Files that the build step makes again."""
BUILT_FROM: Final = (*PROGRAM, "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
HOME: Final = "usr/lib/table-companion"
SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")
FILES: Final = {
    f"{HOME}/switch": HERE / "switch.py",
    f"{HOME}/update": HERE / "update.py",
    f"{HOME}/buses": HERE / "debian/buses",
    f"{HOME}/announce": HERE / "debian/announce",
    f"{HOME}/foreign": HERE / "debian/foreign",
    "usr/bin/companion": HERE / "debian/companion",
    "usr/lib/udev/rules.d/60-table-companion.rules": HERE / "60-table-companion.rules",
    "usr/lib/udev/rules.d/61-table-companion-stick.rules": HERE / "61-table-companion-stick.rules",
    "usr/lib/sysctl.d/60-table-companion.conf": HERE / "sysctl.conf",
    "usr/lib/systemd/journald.conf.d/60-table-companion.conf": HERE / "journald.conf",
    "etc/NetworkManager/dnsmasq-shared.d/table-companion.conf": HERE / "dnsmasq-shared.conf",
    "usr/lib/sysusers.d/table-companion.conf": HERE / "debian/sysusers.conf",
    "usr/lib/tmpfiles.d/table-companion.conf": HERE / "debian/tmpfiles.conf",
    "usr/lib/modules-load.d/table-companion.conf": HERE / "debian/modules.conf",
    "usr/share/table-companion/avahi.service": HERE / "avahi.service",
    "usr/share/lintian/overrides/table-companion": HERE / "debian/lintian-overrides",
}
POLICY: Final = """<?xml version="1.0"?>
<!DOCTYPE Policy SYSTEM "https://www.debian.org/debsig/1.0/policy.dtd">
<Policy xmlns="https://www.debian.org/debsig/1.0/">
  <Origin Name="table-companion" id="{key}" Description="Who made the companion on this box"/>
  <Selection><Required Type="origin" File="table-companion.gpg" id="{key}"/></Selection>
  <Verification MinOptional="0"><Required Type="origin" File="table-companion.gpg" id="{key}"/></Verification>
</Policy>
"""


class CannotBuild(Exception):
    """Nothing was written; the text says why and what to do."""


def run(*words: str | Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}
    )
    if done.returncode:
        raise CannotBuild(f"{words[0]} ended with {done.returncode}:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    return done.stdout


def commit_time() -> int:
    """SOURCE_DATE_EPOCH, else the time of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH", ""):
        return int(given)
    try:
        return int(run("git", "-C", SOURCE, "-c", f"safe.directory={SOURCE}", "log", "-1", "--format=%ct"))
    except (OSError, ValueError, CannotBuild) as error:
        raise CannotBuild("These are no sources of git: set SOURCE_DATE_EPOCH to the time of this version.") from error


def own_version(build: str) -> str:
    found = re.search(r'__version__ = "([^"]+)"', (SOURCE / "companion/__init__.py").read_text())
    if found is None:
        raise CannotBuild("companion/__init__.py names no __version__.")
    return f"{found.group(1)}+{build}" if build else found.group(1)


# --- wheels -----------------------------------------------------------------------------------------------------------


def own_wheel(version: str, folder: Path, epoch: int, jinja: Path | None = None) -> None:
    """The program itself, built from a copy of the sources, so that no stray files get in.

    Pages are compiled with the wheel `jinja` if it is given: the program uses them only with that Jinja.
    """
    with tempfile.TemporaryDirectory(prefix="companion-") as room:
        for name in BUILT_FROM:
            to = Path(room) / name
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, to, ignore=shutil.ignore_patterns(*MADE))
            else:
                shutil.copy(SOURCE / name, to)
        said = Path(room) / "companion/__init__.py"
        said.write_text(re.sub(r'__version__ = "[^"]+"', f'__version__ = "{version}"', said.read_text()))
        as_asked_of_everybody(Path(room))
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q", "--no-deps")
        with_jinja = {} if jinja is None else {"PYTHONPATH": str(jinja)}
        run(*pip, "--no-build-isolation", "-w", folder, room, env={"SOURCE_DATE_EPOCH": str(epoch), **with_jinja})


def as_asked_of_everybody(folder: Path) -> None:
    """Give every file the same permissions, whatever this machine's umask."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def carried(folder: Path, wanted: Iterable[str | Path], machine: str) -> None:
    """Other people's wheels, for each Python on a kind of machine; none is built here."""
    for python in PYTHONS:
        tags = [f"manylinux_2_{libc}_{machine}" for libc in range(OLDEST_LIBC, NEWEST_LIBC + 1)]
        platforms = [word for tag in (*tags, f"manylinux2014_{machine}", "any") for word in ("--platform", tag)]
        abis = [word for abi in (f"cp{python.replace('.', '')}", "abi3", "none") for word in ("--abi", abi)]
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "--only-binary", ":all:")
        run(*pip, "--dest", folder, "--implementation", "cp", "--python-version", python, *platforms, *abis, *wanted)


def locked(folder: Path, kept: Path, machine: str) -> None:
    """The wheels in the lock file, from the last download if all are there."""
    wanted = ("--no-deps", "--require-hashes", "-r", LOCK)
    try:
        carried(folder, ("--no-index", "--find-links", kept, *wanted), machine)
    except CannotBuild:
        shutil.rmtree(kept, ignore_errors=True)
        carried(kept, wanted, machine)
        carried(folder, ("--no-index", "--find-links", kept, *wanted), machine)


def renew() -> None:
    """Write down the newest version of everything, with the hashes of all its wheels."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(each for extra in EXTRAS for each in project["optional-dependencies"][extra])]
    pins: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory(prefix="wheels-") as room:
        for arch, machine in MACHINES.items():
            carried(Path(room) / arch, wanted, machine)
        for wheel in Path(room).glob("*/*.whl"):
            name, version = wheel.name.split("-")[:2]
            pin = f"{name.replace('_', '-').lower()}=={version}"
            pins.setdefault(pin, set()).add(hashlib.sha256(wheel.read_bytes()).hexdigest())
    lines = ["# What the Debian package carries; made by `systemd/package --renew`."]
    for pin, hashes in sorted(pins.items()):
        lines += [f"{pin} \\", " \\\n".join(f"    --hash=sha256:{each}" for each in sorted(hashes))]
    LOCK.write_text("\n".join(lines) + "\n")


# --- the package ------------------------------------------------------------------------------------------------------


def put(tree: Path, name: str, content: bytes | str) -> Path:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lay_out(tree: Path, wheels: Path, version: str, arch: str, epoch: int) -> None:
    for name, source in FILES.items():
        shutil.copy(source, put(tree, name, ""))
        (tree / name).chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    for unit in sorted((*HERE.glob("table-companion*"), *HERE.glob("*.mount"))):
        put(tree, f"usr/lib/systemd/system/{unit.name}", unit.read_bytes())
    for wheel in sorted(wheels.glob("*.whl")):
        put(tree, f"{HOME}/wheels/{wheel.name}", wheel.read_bytes())
    docs = "usr/share/doc/table-companion"
    put(tree, f"{docs}/copyright", (HERE / "debian/copyright").read_text() + "\n" + license_paragraph())
    put(tree, f"{docs}/changelog.gz", gzip.compress(changelog(version, epoch).encode(), 9, mtime=0))
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024 + 1
    control = (HERE / "debian/control").read_text()
    for key, value in {"@VERSION@": version, "@ARCHITECTURE@": arch, "@SIZE@": str(size)}.items():
        control = control.replace(key, value)
    put(tree, "DEBIAN/control", control)
    put(tree, "DEBIAN/conffiles", "".join(f"/{name}\n" for name in FILES if name.startswith("etc/")))
    put(tree, "DEBIAN/triggers", (HERE / "debian/triggers").read_bytes())
    for name in SCRIPTS:
        put(tree, f"DEBIAN/{name}", (HERE / "debian" / name).read_bytes()).chmod(0o755)


def license_paragraph() -> str:
    lines = (SOURCE / "LICENSE").read_text().splitlines()[1:]
    text = "\n".join(f" {line}" if line.strip() else " ." for line in lines).removeprefix(" .\n")
    return f"License: MIT\n{text}\n"


def changelog(version: str, epoch: int) -> str:
    who = re.search(r"^Maintainer: (.+)$", (HERE / "debian/control").read_text(), re.MULTILINE)
    maintainer = who.group(1) if who else ""
    told = "  * What is new for people at the table: CHANGELOG.md of the sources."
    date = formatdate(epoch, localtime=False).replace("-0000", "+0000")
    return f"table-companion ({version}) stable; urgency=medium\n\n{told}\n\n -- {maintainer}  {date}\n"


def md5sums(tree: Path) -> str:
    files = sorted(path for path in tree.rglob("*") if path.is_file() and "DEBIAN" not in path.parts)
    sums = (hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest() for path in files)
    return "".join(f"{each}  {path.relative_to(tree)}\n" for each, path in zip(sums, files, strict=True))


def trust(tree: Path, key: str) -> None:
    """The public half of the key, for `debsig-verify`, which finds it by the key's number."""
    number = key[-16:]
    exported = subprocess.run(["gpg", "--batch", "--export", key], capture_output=True, check=False).stdout
    if not exported:
        raise CannotBuild(f"gpg has no key {key}; gpg --list-secret-keys says which there are.")
    put(tree, f"{HOME}/trust/policies/{number}/table-companion.pol", POLICY.format(key=number))
    put(tree, f"{HOME}/trust/keyrings/{number}/table-companion.gpg", exported)


def pack(tree: Path, target: Path, epoch: int) -> None:
    """The same tree at the same time gives the same file, whoever makes it and wherever."""
    put(tree, "DEBIAN/md5sums", md5sums(tree))
    tree.chmod(0o755)
    as_asked_of_everybody(tree)
    options = ("--root-owner-group", "--threads-max=1", "-Zxz", "-z1")  # wheels are already compressed
    run("dpkg-deb", *options, "--build", tree, target, env={"SOURCE_DATE_EPOCH": str(epoch)})


def build(arch: str, version: str, out: Path, key: str) -> Path:
    """One package, complete or not at all."""
    epoch, target = commit_time(), out / f"table-companion_{version}_{arch}.deb"
    with tempfile.TemporaryDirectory(prefix="package-") as name:
        room = Path(name)
        locked(room / "wheels", SOURCE / "dist/wheels" / arch, MACHINES[arch])
        own_wheel(version, room / "wheels", epoch, next((room / "wheels").glob("jinja2-*.whl")))
        tree = room / "tree"
        lay_out(tree, room / "wheels", version, arch, epoch)
        if key:
            trust(tree, key)
        draft = room / target.name
        pack(tree, draft, epoch)
        if key:
            run("debsigs", "--sign=origin", f"--default-key={key}", draft)
        out.mkdir(parents=True, exist_ok=True)
        shutil.move(draft, target)
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", action="append", choices=list(MACHINES), help="only for this kind of machine")
    parser.add_argument("--build", default="", metavar="LABEL", help="letters, digits and dots after the version")
    parser.add_argument("--key", default="", metavar="FINGERPRINT", help="sign with this key of your gpg")
    parser.add_argument("--out", type=Path, default=SOURCE / "dist", metavar="FOLDER")
    parser.add_argument("--renew", action="store_true", help="write systemd/wheels.lock anew, and build nothing")
    options = parser.parse_args()
    if options.build and not re.fullmatch(r"[a-z0-9]+(\.[a-z0-9]+)*", options.build):
        parser.error(f"--build is made of small letters, digits and dots, not {options.build!r}")
    try:
        if options.renew:
            renew()
            sys.stdout.write(f"Wrote {LOCK}.\n")
            return 0
        for arch in options.arch or MACHINES:
            path = build(arch, own_version(options.build), options.out, options.key)
            sys.stdout.write(f"{path}  {hashlib.sha256(path.read_bytes()).hexdigest()}\n")
    except CannotBuild as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
