"""The package: same bytes twice, everything that units name is in it, and what an update checks first."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import jinja2
import pytest

from companion.app.cli.rehearse import UNREAD
from companion.app.updating import SAID, UPDATE
from companion.table.updates import REASONS, UNDER_WAY
from systemd import packaging, switch, update
from tests.patience import PATIENCE
from web.draw.compiled import module_name

EPOCH = 1_700_000_000
ROOT = Path(__file__).parents[2]

dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg")


def packed(folder: Path, epoch: int = EPOCH) -> Path:
    """A package with one small wheel instead of all of them."""
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    (wheels / "table_companion-1-py3-none-any.whl").write_bytes(b"wheel")
    packaging.lay_out(folder / "tree", wheels, "1.2.3+4", "arm64", epoch)
    packaging.pack(folder / "tree", folder / "companion.deb", epoch)
    return folder / "companion.deb"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@dpkg
def test_the_same_sources_are_the_same_bytes(tmp_path: Path) -> None:
    first = packed(tmp_path / "first")
    before = os.umask(0o077)
    try:
        second = packed(tmp_path / "second")
    finally:
        os.umask(before)
    assert digest(first) == digest(second)
    assert digest(first) != digest(packed(tmp_path / "third", EPOCH + 1)), "the control"


def differing(one: Path, two: Path) -> list[str]:
    """The files that differ between two wheels, by name."""
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(two) as second:
        ones, twos = (
            {i.filename: (i.CRC, i.date_time, i.external_attr) for i in z.infolist()} for z in (first, second)
        )
    return sorted(name for name in ones.keys() | twos.keys() if ones.get(name) != twos.get(name))


@pytest.mark.slow
def test_so_is_the_wheel_of_the_program(tmp_path: Path) -> None:
    for name in ("one", "two"):
        packaging.own_wheel("1.2.3+4", tmp_path / name, EPOCH)
    one, two = (next((tmp_path / name).glob("table_companion-1.2.3+4-*.whl")) for name in ("one", "two"))
    assert differing(one, two) == []
    assert digest(one) == digest(two)


@dpkg
def test_whatever_units_and_scripts_start_is_in_the_package(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["dpkg-deb", "-c", packed(tmp_path)], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
    files = {line.split()[5].removeprefix("."): line for line in listed.splitlines()}
    texts = [path.read_text() for path in (ROOT / "systemd").glob("table-companion*")]
    texts += [(ROOT / "systemd/debian" / name).read_text() for name in packaging.SCRIPTS]
    named = {word for text in texts for word in re.findall(r"/usr/lib/table-companion/(?!current|trial)[a-z]+", text)}
    assert named >= {"/usr/lib/table-companion/switch", "/usr/lib/table-companion/update"}
    assert {name for name in named if not files.get(name, "").startswith("-rwxr-xr-x root/root")} == set()
    units = {name.removeprefix("/usr/lib/systemd/system/") for name in files if name.startswith("/usr/lib/systemd/sys")}
    assert {path.name for path in (ROOT / "systemd").glob("table-companion*")} <= units


def compiled_in(folder: Path, jinja: Path) -> set[str]:
    """The compiled pages in a wheel of the program that was built with this Jinja."""
    packaging.own_wheel("1.2.3+4", folder, EPOCH, jinja)
    with zipfile.ZipFile(next(folder.glob("table_companion-*.whl"))) as wheel:
        found = (re.fullmatch(r"web/compiled/(t\w+)\.py", name) for name in wheel.namelist())
        return {match.group(1) for match in found if match}


def jinja_of(folder: Path, version: str) -> Path:
    """This machine's Jinja as a wheel that claims another version."""
    wheel = folder / f"jinja2-{version}-py3-none-any.whl"
    here = Path(jinja2.__file__).parent
    with zipfile.ZipFile(wheel, "w") as packed_up:
        for path in here.glob("*.py"):
            said = path.read_text()
            changed = said.replace(jinja2.__version__, version) if path.name == "__init__.py" else said
            packed_up.writestr(f"jinja2/{path.name}", changed)
    return wheel


@pytest.mark.slow
def test_pages_are_compiled_with_the_jinja_that_is_carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page compiled with another Jinja, or a stray one, would never be found: the first page would be slow."""
    templates = ROOT / "web/templates"
    with monkeypatch.context() as theirs:
        theirs.setattr(jinja2, "__version__", "9.9.9")
        wanted = {
            module_name(path.relative_to(templates).as_posix(), path.read_text("utf-8"))
            for path in templates.rglob("*.html")
        }
    assert compiled_in(tmp_path / "theirs", jinja_of(tmp_path, "9.9.9")) == wanted
    assert compiled_in(tmp_path / "control", jinja_of(tmp_path, "9.9.8")).isdisjoint(wanted), "the control"


def test_the_lock_has_everything_that_the_program_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    carried = [each for extra in packaging.EXTRAS for each in project["optional-dependencies"][extra]]
    wanted = [*project["dependencies"], *carried]
    names = {re.split(r"[<>=~!;\[ ]", each)[0].replace(".", "-").lower() for each in wanted}
    locked = {line.split("==")[0].replace(".", "-") for line in packaging.LOCK.read_text().splitlines() if "==" in line}
    assert names >= {"paho-mqtt", "openskill", "zxing-cpp"}, "a box can join a club, read photos and print"
    assert names <= locked, "run systemd/package --renew"
    made = re.search(r"table-companion\[([a-z,]+)\]", Path(switch.__file__).read_text())
    assert made is not None
    assert tuple(made.group(1).split(",")) == packaging.EXTRAS, "what is carried is what is installed"


def test_programs_that_share_no_code_agree() -> None:
    """They must work when the companion doesn't, so they can't import from it."""
    assert switch.NO_SUCH_GAME == UNREAD
    assert switch.Places().told == update.Places().told == SAID
    assert update.Places().asked.name == UPDATE
    assert {*switch.STEPS, "checking"} == set(UNDER_WAY)
    told = {why for name in ("switch.py", "update.py") for why in reasons(ROOT / "systemd" / name)}
    assert {"unsigned", "silent", "hung", "no-stick"} <= told
    assert told - {""} <= set(REASONS)


def reasons(path: Path) -> set[str]:
    """The reason keys that a program may report: the first of a refusal, the second of what must succeed."""
    found = set[str]()
    for call in ast.walk(ast.parse(path.read_text())):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("Refused", "must"):
            given = call.args[call.func.id == "must"]
            choices = (given.body, given.orelse) if isinstance(given, ast.IfExp) else (given,)
            found |= {each.value for each in choices if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return found


# --- what update looks at ---------------------------------------------------------------------------------------------


def disk(tran: str | None, *parts: tuple[str, str | None, str | None]) -> dict[str, object]:
    children = [{"path": path, "tran": None, "fstype": kind, "mountpoint": at} for path, kind, at in parts]
    return {"path": "/dev/sda", "tran": tran, "fstype": None, "mountpoint": None, "children": children}


def test_only_usb_sticks_are_looked_at() -> None:
    stick = disk("usb", ("/dev/sda1", "vfat", None), ("/dev/sda2", None, None))
    opened = disk("usb", ("/dev/sdb1", "exfat", "/media/stick"))
    own = disk("usb", ("/dev/sdc1", "vfat", "/boot/firmware"), ("/dev/sdc2", "ext4", "/"))
    card = disk(None, ("/dev/mmcblk0p1", "vfat", None))
    listed = {"blockdevices": [stick, opened, own, card]}
    assert update.usb_partitions(listed) == [("/dev/sda1", ""), ("/dev/sdb1", "/media/stick")]


def small(folder: Path, version: str, name: str = "table-companion") -> Path:
    control = folder / version / "DEBIAN/control"
    control.parent.mkdir(parents=True)
    words = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: x <x@y.z>\nDescription: x\n"
    control.write_text(words)
    path = folder / f"table-companion_{version}_all.deb"
    subprocess.run(["dpkg-deb", "-b", control.parents[1], path], check=True, capture_output=True, timeout=PATIENCE)
    return path


@dpkg
def test_of_several_packages_the_newest_is_taken(tmp_path: Path) -> None:
    packages = [small(tmp_path, version) for version in ("1.9", "1.10", "1.2")]
    (tmp_path / "table-companion_9_all.deb").write_bytes(b"a photo")
    assert update.newest([tmp_path / "table-companion_9_all.deb", *packages]) == packages[1]


@dpkg
def test_a_package_for_another_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(update.Refused, match="this box wants table-companion") as refused:
        update.check(small(tmp_path, "1.0"))
    assert refused.value.why == "other"


def test_without_a_key_on_the_box_nothing_is_taken(tmp_path: Path) -> None:
    with pytest.raises(update.Refused) as refused:
        update.verify(update.Places(home=tmp_path), tmp_path / "any.deb")
    assert refused.value.why == "no-key"


@pytest.fixture
def places(tmp_path: Path) -> update.Places:
    (tmp_path / "box").mkdir()
    here = tmp_path / "box"
    return update.Places(here, here / "staged", here / "asked", here / "run/said", here / "update.deb")


def ends(why: str) -> update.Refused:
    return update.Refused(why, "planted")


@pytest.mark.parametrize(("within", "told"), [("silent", "silent"), ("playing", "playing"), ("", "not-installed")])
def test_what_the_new_version_did_is_told_rather_than_how_dpkg_ended(
    places: update.Places, monkeypatch: pytest.MonkeyPatch, within: str, told: str
) -> None:
    """`switch` says it from within dpkg, which then only ends with an error."""

    def hand_over(_package: Path) -> None:
        if within:
            update.tell(places, "failed", within)
        raise ends("not-installed")

    for name in ("verify", "check", "must"):
        monkeypatch.setattr(update, name, lambda *_, **__: "")
    monkeypatch.setattr(update, "hand_over", hand_over)
    monkeypatch.setattr(update, "Places", lambda: places)
    (places.staged.parent / "new.deb").write_bytes(b"x")
    assert update.main([str(places.staged.parent / "new.deb")]) == 1
    assert json.loads(places.told.read_text())["why"] == told


def test_a_partition_that_cannot_be_read_does_not_hide_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "table-companion_1_all.deb"
    package.write_bytes(b"x")
    listed = {"blockdevices": [disk("usb", ("/dev/sda1", "crypto", None), ("/dev/sdb1", "exfat", str(tmp_path)))]}
    monkeypatch.setattr(update, "must", lambda *_, **__: json.dumps(listed))
    monkeypatch.setattr(update, "is_mounted", lambda _path, _at: False)
    with update.on_sticks() as found:
        assert found == package


@pytest.mark.parametrize(("why", "stays"), [("playing", True), ("unsigned", False)])
def test_what_a_phone_sent_is_installed_and_waits_only_for_a_game(
    places: update.Places, monkeypatch: pytest.MonkeyPatch, why: str, stays: bool
) -> None:
    seen = list[bytes]()

    def install(_places: update.Places, file: Path) -> None:
        seen.append(file.read_bytes())
        update.tell(places, "failed", why)
        raise ends("")

    monkeypatch.setattr(update, "install", install)
    places.asked.touch()
    places.given.write_bytes(b"package")
    with pytest.raises(update.Refused):
        update.wished(places)
    assert (seen, places.given.exists()) == ([b"package"], stays)


def test_no_link_that_the_companion_lays_is_followed(places: update.Places, tmp_path: Path) -> None:
    """It writes where the file of a phone lies; what only root may read is not for it to name."""
    (tmp_path / "secret").write_bytes(b"x")
    for lay in (lambda: places.given.symlink_to(tmp_path / "secret"), lambda: os.mkfifo(places.given)):
        places.asked.touch()
        lay()
        with pytest.raises(update.Refused) as refused:
            update.wished(places)
        assert refused.value.why in ("unreadable", "other")
        assert not os.path.lexists(places.given)
    assert (tmp_path / "secret").exists()


def test_a_refused_package_does_not_stay_staged(tmp_path: Path) -> None:
    places = update.Places(tmp_path, tmp_path / "staged", tmp_path / "asked", tmp_path / "run/said")
    (tmp_path / "new.deb").write_bytes(b"x")
    with pytest.raises(update.Refused):
        update.staged(places, tmp_path / "new.deb")
    assert not (places.staged / "update.deb").exists()
    assert (tmp_path / "new.deb").exists(), "the owner's file stays"
