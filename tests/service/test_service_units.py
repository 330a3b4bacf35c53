"""The units: systemd finds nothing to complain about, and they expose little. The installer says every step."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.app.service import SWITCH_OFF
from tests.patience import PATIENCE

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path.name for path in SYSTEMD.glob("table-companion*") if path.suffix in (".service", ".path"))
MOST_EXPOSED = 2.0

analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, check=False)


def verified(folder: Path, change: tuple[str, str] = ("", "")) -> str:
    """What systemd prints about the units; its exit code says nothing. Programs are there in their place."""
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
    assert exposure(SYSTEMD / "table-companion.service") <= MOST_EXPOSED
    bare = tmp_path / "table-companion.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    assert exposure(bare) > 9, "the control"


def test_the_file_that_switches_off_is_the_one_that_is_waited_for() -> None:
    path_unit = (SYSTEMD / "table-companion-off.path").read_text()
    service_unit = (SYSTEMD / "table-companion.service").read_text()
    assert f"PathExists=/run/table-companion/{SWITCH_OFF}\n" in path_unit
    assert "RuntimeDirectory=table-companion\n" in service_unit


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
