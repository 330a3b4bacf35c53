"""The units: systemd finds nothing to complain about, and they expose little. The installer reports every step."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.app.service import SWITCH_OFF
from tests.patience import PATIENCE

SYSTEMD = Path(__file__).parents[2] / "systemd"
KINDS = (".service", ".path", ".mount")
UNITS = sorted(path.name for path in SYSTEMD.glob("*table*companion*") if path.suffix in KINDS)
MOST_EXPOSED = 1.2
INSTALLS = ("table-companion-settle.service", "table-companion-update.service")
"""They install packages, for which nothing in the system can be closed to them; they listen to nobody."""

analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, check=False)


def verified(folder: Path, change: tuple[str, str] = ("", "")) -> str:
    """What systemd prints about the units; its exit code says nothing. The programs are in place."""
    for name in UNITS:
        text = (SYSTEMD / name).read_text().replace(*change) if change[0] else (SYSTEMD / name).read_text()
        (folder / name).write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text))
    told = run("systemd-analyze", "verify", *(folder / name for name in UNITS))
    return told.stdout + told.stderr


@analyze
def test_systemd_has_nothing_to_say_about_the_units(tmp_path: Path) -> None:
    assert verified(tmp_path) == ""


@analyze
@pytest.mark.parametrize(
    "change",
    [("WatchdogSec=20", "WatchdogSecs=20"), ("Type=notify", "Type=notified"), ("ProtectHome=yes", "ProtectHome=so")],
)
def test_a_key_or_value_that_systemd_does_not_know_is_noticed(tmp_path: Path, change: tuple[str, str]) -> None:
    """The control: it exits with 0 on these."""
    assert verified(tmp_path, change) != ""


def exposure(unit: Path) -> float:
    told = run("systemd-analyze", "security", "--offline=true", unit)
    found = re.search(r"exposure level for \S+: ([0-9.]+)", told.stdout)
    if found is None:
        pytest.skip("this systemd cannot judge a file")
    return float(found.group(1))


@analyze
def test_the_service_exposes_little(tmp_path: Path) -> None:
    services = [SYSTEMD / name for name in UNITS if name.endswith(".service") and name not in INSTALLS]
    assert [unit.name for unit in services if exposure(unit) > MOST_EXPOSED] == []
    bare = tmp_path / "table-companion.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    assert exposure(bare) > 9, "the control"


def test_the_file_that_switches_off_is_the_one_that_is_waited_for() -> None:
    path_unit = (SYSTEMD / "table-companion-off.path").read_text()
    service_unit = (SYSTEMD / "table-companion.service").read_text()
    assert f"PathExists=/run/table-companion/{SWITCH_OFF}\n" in path_unit
    assert "RuntimeDirectory=table-companion\n" in service_unit


@pytest.mark.parametrize(("action", "is_there"), [("add", True), ("change", True), ("remove", False)])
def test_a_stick_stays_one_when_something_about_it_changes(action: str, is_there: bool) -> None:
    """If a rule no longer matches, udev removes its link, and systemd stops whatever is bound to it."""
    rules = (SYSTEMD / "61-table-companion-stick.rules").read_text()
    ((sign, of),) = re.findall(r'^ACTION(==|!=)"(\w+)"', rules, flags=re.MULTILINE)
    assert (action == of if sign == "==" else action != of) is is_there


def test_a_dry_run_says_every_step_and_does_none() -> None:
    told = run(SYSTEMD / "install", "--dry-run", "--name", "table")
    if "for Raspberry Pi OS and Debian" in told.stderr:
        pytest.skip("not a Debian")
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == [
        "Build the package ...",
        "apt-get install the package ...",
        "The name table ...",
        "Nothing was changed.",
    ]


def test_uninstalling_is_said_before_it_is_done() -> None:
    told = run(SYSTEMD / "install", "--dry-run", "--uninstall", "--purge")
    if "for Raspberry Pi OS and Debian" in told.stderr:
        pytest.skip("not a Debian")
    assert told.stdout.startswith("apt-get purge table-companion"), told.stderr


def test_an_unknown_option_is_named() -> None:
    told = run(SYSTEMD / "install", "--instal")
    assert (told.returncode, told.stderr) == (2, "There is no option --instal; see --help.\n")


def test_the_log_is_read_without_what_is_closed_to_the_unit() -> None:
    """The boot id is in /proc/sys; asked for only this boot, journalctl would keep nothing."""
    unit = (SYSTEMD / "table-companion-log.service").read_text()
    assert "ProcSubset=pid\n" in unit
    assert "--boot" not in unit
    assert "Storage=volatile\n" in (SYSTEMD / "journald.conf").read_text(), "so the log is of this start alone"


def test_the_end_of_the_log_is_kept_and_no_more(tmp_path: Path) -> None:
    """The unit's own command, with a log that is far too long."""
    unit = (SYSTEMD / "table-companion-log.service").read_text()
    (command,) = re.findall(r"^ExecStop=/bin/sh -c '(.*)'$", unit, flags=re.MULTILINE)
    kept = tmp_path / "last.log"
    (tmp_path / "journalctl").write_text("#!/bin/sh\nseq 1 200000\n")
    (tmp_path / "journalctl").chmod(0o755)
    at = command.replace("/var/log/table-companion/last.log", str(kept))
    assert at != command
    told = run("env", f"PATH={tmp_path}:/usr/bin:/bin", "sh", "-c", at)
    assert told.returncode == 0, told.stderr
    assert kept.read_text().endswith("\n199999\n200000\n")
    assert kept.stat().st_size == 256 * 1024
    assert "LogsDirectory=table-companion\n" in unit


def disks(sys: Path) -> None:
    """A machine that runs from the second partition of a USB disk; a stick with a partition, and one without."""
    devices = {"sda1": "usb1/block/sda/sda1", "sda2": "usb1/block/sda/sda2", "sda": "usb1/block/sda",
               "sdb1": "usb2/block/sdb/sdb1", "sdc": "usb3/block/sdc"}  # fmt: skip
    for name, path in devices.items():
        (sys / "devices" / path).mkdir(parents=True, exist_ok=True)
        (sys / "class/block").mkdir(parents=True, exist_ok=True)
        (sys / "class/block" / name).symlink_to(sys / "devices" / path)
    (sys / "dev/block").mkdir(parents=True)
    (sys / "dev/block/8:2").symlink_to(sys / "devices" / devices["sda2"])


def test_a_machine_that_starts_from_usb_does_not_take_its_own_disk_for_a_stick(tmp_path: Path) -> None:
    disks(tmp_path)

    def is_foreign(name: str, root: str = "8:2") -> bool:
        surroundings = {"PATH": "/usr/bin:/bin", "FOREIGN_SYS": str(tmp_path), "FOREIGN_ROOT": root}
        words = [str(SYSTEMD / "debian/foreign"), name]
        return subprocess.run(words, env=surroundings, timeout=PATIENCE, check=False).returncode == 0

    assert {name: is_foreign(name) for name in ("sda1", "sda2", "sdb1", "sdc")} == {
        "sda1": False,
        "sda2": False,
        "sdb1": True,
        "sdc": True,
    }
    assert is_foreign("sda1", root="0:23"), "a machine that runs from no disk has none of its own"
    assert not is_foreign("sdz"), "nor is a disk that is gone"
    rules = (SYSTEMD / "61-table-companion-stick.rules").read_text()
    assert 'PROGRAM=="/usr/lib/table-companion/foreign %k", SYMLINK' in rules, "asked before it is called a stick"
