"""What we check in a booted box about everything the package installs beside the program: logs, port, stick, Wi-Fi."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.appliance.rooms import UNIT, Booted, until

MOST_EXPOSED: Final = 1.2
INSTALLS: Final = ("table-companion-settle.service", "table-companion-update.service")
"""They put releases in place, and run them as the companion: runuser needs what is closed to the others."""
OPENED: Final = "table-companion-wifi.service"
"""Opened on purpose."""
RUN: Final = "/run/table-companion"
OWN: Final = "etc/NetworkManager/system-connections/table-companion.nmconnection"
STICK: Final = "/media/table-companion"
ALIVE: Final = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:80/alive', timeout=5).status)"
PYTHON: Final = "/usr/lib/table-companion/current/bin/python"
COMPILED: Final = """
from web.draw.compiled import MODULES, TEMPLATES, module_name
pages = [path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html")]
wanted = [MODULES / f"{module_name(page, (TEMPLATES / page).read_text())}.py" for page in pages]
missing = [page for page, path in zip(pages, wanted) if not path.exists()]
assert pages and not missing, missing
print(f"{len(pages)} pages")
"""
UNITS: Final = "/usr/lib/systemd/system"
IN_PLACE: Final = "/run/systemd/system"
IN_MEMORY: Final = {
    "table-companion-stick.service": "/^BindsTo=dev-/d",
    r"media-table\x2dcompanion.mount": r"s:^What=.*:What=/run/stick-of-tests\nType=none:; s:^Options=.*:Options=bind:",
}
"""A container has no udev and no disks: a folder in memory is mounted, and no device is waited for."""
KEPT: Final = "/run/stick-of-tests"


def exposures(machine: Booted) -> dict[str, float]:
    """How much each of our units exposes, as rated by the systemd in there."""
    units = machine("sh", "-c", "cd /usr/lib/systemd/system && ls -d table-companion*.service").split()
    found = {}
    for unit in units:
        told = machine("systemd-analyze", "security", "--no-pager", unit, check=False)
        level = re.search(r"exposure level for \S+: ([0-9.]+)", told)
        assert level is not None, told[-300:]
        found[unit] = float(level.group(1))
    return found


def too_exposed(found: dict[str, float]) -> dict[str, float]:
    return {unit: level for unit, level in found.items() if level > MOST_EXPOSED and unit not in INSTALLS}


def exposes_little(machine: Booted) -> str:
    found = exposures(machine)
    assert not too_exposed(found), too_exposed(found)
    assert set(INSTALLS) <= set(found), "the exceptions are units that there are"
    return f"at most {max(level for unit, level in found.items() if unit not in INSTALLS)}"


def catches_a_unit_that_exposes_more(machine: Booted) -> str:
    """The control: one unit may suddenly do anything, write everywhere and use every device."""
    folder = f"{IN_PLACE}/{OPENED}.d"
    machine("mkdir", "-p", folder)
    words = "[Service]\nSystemCallFilter=\nProtectSystem=no\nPrivateDevices=no\n"
    machine("sh", "-c", f"printf '{words}' >{folder}/planted.conf")
    try:
        machine("systemctl", "daemon-reload")
        found = too_exposed(exposures(machine))
    finally:
        machine("rm", "-r", folder)
        machine("systemctl", "daemon-reload")
    assert list(found) == [OPENED], f"seen: {found}"
    return f"{OPENED}: {found[OPENED]}"


def counts_what_is_written(machine: Booted) -> str:
    """By the whole machine: of what is shut into a unit of its own, no other program may ask the kernel."""
    told = machine("companion", "doctor", check=False)
    found = re.search(r"Written to the card .*: [0-9.]+ MB, \d+ syncs", told)
    assert found is not None, told[-900:]
    return found.group(0)


def logs_in_memory(machine: Booted) -> str:
    where = machine("journalctl", "--header", "--no-pager")
    files = re.findall(r"^File path: (.+)$", where, flags=re.MULTILINE)
    assert files, where[-300:]
    assert all(path.startswith("/run/log/journal/") for path in files), files
    return f"{len(files)} files below /run"


def plain_port(machine: Booted) -> str:
    assert machine("sysctl", "-n", "net.ipv4.ip_unprivileged_port_start").strip() == "80"
    assert machine("python3", "-c", ALIVE).strip() == "200"
    return "port 80 answers"


def can_be_in_a_club(machine: Booted) -> str:
    """Joining one, and being its hub up to the point where Mosquitto is needed, which a box has only if its owner
    wants it.
    """
    assert machine(PYTHON, "-c", "from web.club import can_join; print(can_join())").strip() == "True"
    told = machine("companion", "hub", check=False)
    assert "sudo apt-get install mosquitto" in told or "sudo apt install mosquitto" in told, told[-400:]
    return told.strip().splitlines()[-1]


def compiled_pages(machine: Booted) -> str:
    """Every page was compiled when the package was made, with the installed Jinja."""
    return machine(PYTHON, "-c", COMPILED).strip()


def conffiles(machine: Booted) -> str:
    listed = machine("dpkg-query", "-W", "-f", "${Conffiles}", "table-companion").split()[::2]
    assert listed == ["/etc/NetworkManager/dnsmasq-shared.d/table-companion.conf"], listed
    machine("dnsmasq", "--test", f"--conf-file={listed[0]}")
    return listed[0]


@contextmanager
def stick(machine: Booted) -> Iterator[None]:
    """A file system in memory instead of a stick; it keeps its content until the end of the block."""
    for unit, change in IN_MEMORY.items():
        machine("sh", "-c", 'sed "$1" "$2" >"$3"', "sh", change, f"{UNITS}/{unit}", f"{IN_PLACE}/{unit}")
    machine("mkdir", "-p", KEPT)
    machine("mount", "-t", "tmpfs", "-o", "mode=700", "stick", KEPT)
    machine("chown", "companion:companion", KEPT)
    machine("systemctl", "daemon-reload")
    try:
        yield
    finally:
        machine("umount", KEPT)
        machine("rmdir", KEPT)
        for unit in IN_MEMORY:
            machine("rm", f"{IN_PLACE}/{unit}")
        machine("systemctl", "daemon-reload")


def put_in(machine: Booted, asks_for: str, key: str) -> str:
    """Start the unit with its own rights as for a stick; people say what they want; returns what came of it."""
    attending = machine.start("systemctl", "start", "table-companion-stick.service")
    log = lambda: machine("journalctl", "-u", "table-companion-stick", "-n", "9", "--no-pager")  # noqa: E731
    until(lambda: machine("cat", f"{RUN}/stick", check=False).startswith("{"), 60, log)
    assert f" {STICK} " in machine("cat", "/proc/mounts")
    words = f"printf {asks_for} >{RUN}/.do && mv {RUN}/.do {RUN}/stick-do"
    machine("runuser", "-u", "companion", "--", "sh", "-c", words)
    if asks_for == "restore":
        # As the companion ends itself when people hold OK.
        machine("systemctl", "kill", "--kill-whom=main", "-s", "TERM", UNIT)
    attending.wait(90)
    done = re.search(rf"{re.escape(key)}: (\S+)", log())
    assert done is not None, log()[-600:]
    gone = lambda: f" {STICK} " not in machine("cat", "/proc/mounts")  # noqa: E731
    until(gone, 30, "the stick may be taken out")
    return done.group(1)


def saves_and_brings_back(
    machine: Booted, entries: Callable[[], str], plays: Callable[[], None], serves: Callable[[], None]
) -> str:
    """After a restore, what was played since the save is gone; what was played before is there."""
    with stick(machine):
        before = entries()
        saved = put_in(machine, "save", "stick.saved")
        plays()
        assert entries() != before, "the control: something was played"
        day = put_in(machine, "restore", "stick.restored")
        serves()
        assert entries() == before, "not as it was saved"
    return f"{saved}, brought back as of {day}"


def opens_its_own_wifi(machine: Booted, root: Path) -> str:
    """Told of no network, it makes a Wi-Fi of its own, and NetworkManager accepts it; there is no radio here."""
    until(lambda: "table-companion" in names(machine), 120, lambda: wifi_log(machine))
    profile = root / OWN
    assert profile.stat().st_mode & 0o777 == 0o600, oct(profile.stat().st_mode)
    until(lambda: bool(wifi_said(machine)), 60, lambda: wifi_log(machine))
    said = wifi_said(machine)
    assert "device" in said, said
    ssid = re.search(r"^ssid=(companion-\w{4})$", profile.read_text(), flags=re.MULTILINE)
    assert ssid is not None, "a name that tells it from other boxes"
    return f"{ssid.group(1)}; NetworkManager: {said}"


def refuses_a_house_that_is_not_there(machine: Booted, root: Path) -> str:
    """What a phone typed reaches NetworkManager through the unit; if it fails, nothing of it stays."""
    asked = json.dumps({"name": "Chez Ada", "password": "correct horse"})
    machine("rm", "-f", f"{RUN}/wifi-said")
    words = f"printf '%s' '{asked}' >{RUN}/.join && mv {RUN}/.join {RUN}/join-wifi"
    machine("runuser", "-u", "companion", "--", "sh", "-c", words)
    until(lambda: bool(wifi_said(machine)), 120, lambda: wifi_log(machine))
    said = wifi_said(machine)
    assert "device" in said, said
    left = [path.name for path in (root / OWN).parent.iterdir()]
    assert left == [Path(OWN).name], left
    return said


def names(machine: Booted) -> list[str]:
    return machine("nmcli", "-g", "NAME", "connection", "show", check=False).splitlines()


def wifi_said(machine: Booted) -> str:
    """What the unit says went wrong; "" until then."""
    return machine("sh", "-c", f"cat {RUN}/wifi-said 2>/dev/null", check=False).strip()


def wifi_log(machine: Booted) -> str:
    return machine("journalctl", "-u", "table-companion-wifi", "-n", "9", "--no-pager", check=False)


def kept_log(root: Path) -> str:
    """After switching the machine off, the end of the log is on the disk."""
    kept = root / "var/log/table-companion/last.log"
    words = kept.read_text()
    assert "Phones on this network" in words, words[-300:]
    return f"{kept.stat().st_size} bytes"


def left_of_ours(root: Path) -> list[str]:
    """Everything named like the package, wherever it is, except what was put there to install it."""
    found = (path.relative_to(root).as_posix() for path in root.rglob("*table*companion*"))
    return sorted(name for name in found if not name.startswith(("root/", "proc/", "sys/")))
