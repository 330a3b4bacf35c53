"""The image's description: read by Raspberry Pi's own builder, and its root file system made and booted.

    sudo python tests/appliance/image.py [--arch arm64] [--builder FOLDER] [--package FILE.deb]

`--builder` is a folder with rpi-image-gen: its linter reads the layer, and it plans all layers of the image; both must
refuse what is broken on purpose. Then mmdebstrap makes a root of trixie from the packages and hooks of the layer as
they stand, with what the layers before it bring from Debian, and systemd-nspawn boots it: the first page must be
served. Without our package the same root is a stock system: with `user-data` and the package on its first partition,
its cloud-init makes a companion of it. On another kind of machine than this one that takes qemu-user-static and
binfmt_misc.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.appliance.rooms import (
    CLEAN,
    NSPAWN,
    SOURCE,
    NotShown,
    Showing,
    booted,
    inside,
    machine_kind,
    need_tools,
    run,
    until,
)
from tests.appliance.show import PAGE, unmount_below

IMAGE: Final = SOURCE / "systemd/image"
LAYER: Final = IMAGE / "layer/table-companion.yaml"
CONFIG: Final = IMAGE / "config/table-companion.yaml"
READ: Final = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))"
BEFORE: Final = (
    "systemd", "systemd-sysv", "systemd-timesyncd", "dbus", "udev", "network-manager", "openssh-server",
    "wireless-regdb", "ca-certificates", "sudo", "linux-sysctl-defaults", "initramfs-tools", "e2fsprogs",
    "iputils-ping", "zstd",
)  # fmt: skip
"""What the layers below ours bring from Debian; the rest of theirs is Raspberry Pi's own."""
BUILDS: Final = {
    "DEB_BUILD_ARCH": "amd64",
    "DEB_BUILD_GNU_TYPE": "x86_64-linux-gnu",
    "DEB_HOST_ARCH": "arm64",
    "DEB_HOST_GNU_TYPE": "aarch64-linux-gnu",
    "TOOLCHAIN_MODE": "cross",
}
THEIRS: Final = ("python3-lgpio",)
"""What the layer takes from Raspberry Pi's own archive."""
MISSPELT: Final = ("X-Env-Var-package-Required", "X-Env-Var-package-Requird")
TWICE: Final = "  base: trixie-minbase\n"
"""The control for the plan: a base with a second network beside NetworkManager."""
UNITS: Final = ("table-companion.service", "NetworkManager.service", "avahi-daemon.service", "ssh.service")
PATIENCE: Final = 600.0
"""Seconds; an emulated machine is slow."""
RESTARTS: Final = 133
"""systemd-nspawn's exit code when the machine in it wants to reboot."""
NEVER: Final = (
    "the image itself: kernel, firmware and tools of Raspberry Pi's own archive, partitions",
    "the start of it on a Raspberry Pi, and what Imager asked for reaching cloud-init",
)


class Builder:
    """rpi-image-gen, without what it builds."""

    def __init__(self, folder: Path | None, room: Path) -> None:
        self._folder, self._room = folder, room

    def ig(self, *words: str | Path, check: bool = True) -> str:
        return run("/usr/bin/python3", self._top / "bin/ig", *words, check=check)

    @property
    def _top(self) -> Path:
        if self._folder is None:
            raise NotShown("no --builder was given")
        return self._folder

    def accepts(self) -> str:
        said = self.ig("metadata", "--lint", LAYER)
        broken = self._room / "broken.yaml"
        broken.write_text(LAYER.read_text().replace(*MISSPELT))
        told = self.ig("metadata", "--lint", broken, check=False)
        assert MISSPELT[1] in told, f"the control was not caught: {told}"
        return said.strip()

    def plans(self, package: Path) -> str:
        plan = self._plan(CONFIG, package)
        assert plan.strip().splitlines()[-1].startswith("table-companion:"), plan[-600:]
        twice = self._room / "twice.yaml"
        twice.write_text(CONFIG.read_text() + TWICE)
        assert "Provider conflict" in self._refusal(twice, package), "the control was not caught"
        return f"{len(plan.splitlines())} layers"

    def _refusal(self, config: Path, package: Path) -> str:
        try:
            self._plan(config, package)
        except AssertionError as error:
            return str(error)
        return ""

    def _plan(self, config: Path, package: Path) -> str:
        """The layers in order, as determined by the builder's own first two stages."""
        top, room = self._top, Path(tempfile.mkdtemp(dir=self._room))
        (room / "overrides").write_text(f"IGconf_companion_package={package}\nIGconf_sys_workroot={room}/work\n")
        env, found = room / "env", f"{CONFIG.parent}:{top}/config"
        words = ("--overrides", room / "overrides", "--write-to", room / "chosen")
        self.ig("config", "--path", found, config, *words)
        told = {
            **BUILDS,
            **dict.fromkeys(("IGTOP", "IGROOT"), top),
            "LAYER_HOOKS": f"{top}/layer-hooks",
            "RPI_TEMPLATES": f"{top}/templates/rpi",
            "DYNROOT": room / "dynamic",
            "SRCROOT": IMAGE,
        }
        registry = self.ig("metadata", "--emit", top / "registry.defs")
        chosen = (room / "chosen").read_text()
        env.write_text(registry + chosen + "".join(f'{key}="{value}"\n' for key, value in told.items()))
        pairs = (line.partition("=") for line in chosen.splitlines())
        wanted = ("IGconf_device_layer", "IGconf_image_layer", "IGconf_layer_")
        layers = [value.strip('"') for key, _, value in pairs if key.startswith(wanted)]
        (room / "dynamic/layer").mkdir(parents=True)
        path = (
            f"DYNlayer={room}/dynamic/layer:ours={IMAGE}/layer:layer={top}/layer:device={top}/device:image={top}/image"
        )
        outs = ("--env-out", room / "out", "--plan-out", room / "plan")
        self.ig("pipeline", "--env-in", env, "--layers", "essential", *layers, "--path", path, *outs)
        return (room / "plan").read_text()


def layer() -> dict[str, Any]:
    done = run("/usr/bin/python3", "-c", READ, LAYER)
    found: dict[str, Any] = next(each for each in json.loads(done) if each)["mmdebstrap"]
    return found


def made(root: Path, arch: str, package: Path) -> str:
    """The layer's packages and hooks, as the builder gives them to mmdebstrap."""
    ours = layer()
    sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Identifier: Packages").split()
    if not sites:
        raise NotShown("apt knows no mirror here")
    if arch != machine_kind() and not Path("/proc/sys/fs/binfmt_misc/qemu-aarch64").exists():
        raise NotShown("binfmt_misc has no emulator for arm64: update-binfmts --enable qemu-aarch64")
    hooks = [f"--customize-hook={words}" for words in ours["customize-hooks"]]
    include = ",".join(dict.fromkeys(each for each in (*BEFORE, *ours["packages"]) if each not in THEIRS))
    words: tuple[str | Path, ...] = (
        "--variant=apt",
        f"--architectures={arch}",
        f"--include={include}",
        *hooks,
        "trixie",
        root,
        sites[0],
    )
    run("mmdebstrap", *words, timeout=3600, env={"IGconf_companion_package": str(package)})
    assert not (root / "tmp/table-companion.deb").exists(), "the package is not carried along"
    assert "seedfrom" in (root / "etc/cloud/cloud.cfg.d/99-table-companion.cfg").read_text()
    return f"{sum(1 for _ in root.rglob('*'))} files"


def understood(root: Path) -> str:
    """The root's own cloud-init reads `user-data`, and refuses one with an invalid way to reboot."""
    words = (IMAGE / "user-data").read_text()
    (root / "root/good").write_text(words)
    (root / "root/bad").write_text(words.replace("mode: reboot", "mode: explode"))
    schema = ("cloud-init", "schema", "--config-file")
    said = inside(root, *schema, "/root/good")
    told = inside(root, *schema, "/root/bad", check=False)
    assert "power_state" in told, f"the control was not caught: {told}"
    for name in ("good", "bad"):
        (root / "root" / name).unlink()
    return [line for line in said.strip().splitlines() if not line.startswith("Attempted to remove")][-1]


def plays(root: Path) -> str:
    with booted(root, PATIENCE) as machine:
        serves = lambda: machine("python3", "-c", PAGE, check=False).strip() == "200 True"  # noqa: E731
        seconds = until(serves, PATIENCE, machine.log)
        for unit in UNITS:
            is_up = lambda unit=unit: machine("systemctl", "is-active", unit, check=False).strip() == "active"  # noqa: E731
            until(is_up, PATIENCE, f"{unit} is up")
        return f"{machine('uname', '-m').strip()}: {machine('companion', '--version').strip()}, after {seconds:.0f} s"


def becomes(root: Path, package: Path) -> str:
    """Somebody copies two files to the card of a stock system and starts it; nobody types anything."""
    inside(root, "apt-get", "purge", "-y", "-q", "table-companion")
    assert not (root / "usr/bin/companion").exists(), "the control: a stock system has none"
    card = root / "boot/firmware"
    card.mkdir(parents=True, exist_ok=True)
    words = (IMAGE / "user-data").read_text()
    (card / "user-data").write_text(words.replace("_arm64.deb", f"_{machine_kind()}.deb"))
    (card / "meta-data").write_text("instance-id: shown\n")
    shutil.copy(package, card)
    quiet, words_of = subprocess.DEVNULL, [*NSPAWN, "--boot", "--private-network", "-D", str(root)]
    ended = subprocess.run(
        words_of, stdin=quiet, stdout=quiet, stderr=quiet, env=CLEAN, timeout=PATIENCE, check=False
    ).returncode
    log = root / "var/log/cloud-init-output.log"
    assert ended == RESTARTS, f"{ended}: {log.read_text()[-900:] if log.exists() else 'cloud-init said nothing'}"
    return plays(root)


def show_all(arch: str, builder: Path | None, package: Path | None, room: Path) -> bool:
    show, root, reads = Showing(), room / "root", Builder(builder, room)
    need_tools()
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "python3-yaml", "python3-debian")
    if package is None:
        run(SOURCE / "systemd/package", "--arch", arch, "--out", room / "dist", env=dict(os.environ), timeout=3600)
        package = next((room / "dist").glob("*.deb"))
    show.step("the builder's linter accepts the layer, and refuses a misspelt one", reads.accepts)
    show.step("the builder plans the image, and refuses one with two networks", lambda: reads.plans(package))
    if show.step(f"the root file system of the layer is made for {arch}", lambda: made(root, arch, package)):
        show.step("its cloud-init accepts user-data, and refuses a broken one", lambda: understood(root))
        show.step("it is booted with systemd, and serves the first page", lambda: plays(root))
        text = "a stock system with user-data and the package on its card becomes a companion by itself"
        show.step(text, lambda: becomes(root, package))
    return not show.failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="arm64", choices=("arm64", "amd64"))
    parser.add_argument("--builder", type=Path, help="a folder with rpi-image-gen")
    parser.add_argument("--package", type=Path, help="this package, and not one that is built of these sources")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="image-", ignore_cleanup_errors=True) as name:
        try:
            fine = show_all(options.arch, options.builder, options.package, Path(name))
        finally:
            unmount_below(Path(name))
    for line in NEVER:
        print(f"NOT SHOWN  {line}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
