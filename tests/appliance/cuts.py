"""Power cuts at random points of an upgrade: afterwards the old version plays or the new one, with all that was played.

    sudo python tests/appliance/cuts.py [--cuts 300] [--suite bookworm] [--kept FOLDER] [--seed N]

A booted Debian with the package lies on a disk of its own: an ext4 in a file. While dpkg upgrades it, that file is
cloned at random moments (reflinks of xfs, one atomic call each). A clone has what the system had written to its disk
and nothing that it still held in memory: what a power cut leaves. Each clone is mounted, settled as at a start of the
machine, and asked what plays; every thirtieth is really booted, and goes on with the upgrade.

The control is an upgrade whose `switch` lets the new release play before it is made and tried: it must be caught.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.appliance.rooms import Booted, Signer, booted, debian, inside, instead, planted, run
from tests.appliance.show import COUNT, PYTHON, Evening, unmount_below

OLD, NEW = "0.1.0", "0.1.0+9"
PER_UPGRADE: Final = 60
CONTROL: Final = 20
LOOK: Final = f"""
if [ -e /usr/lib/table-companion/trial ]; then /usr/lib/table-companion/switch settle; fi
companion --version 2>&1 | tail -n 1
runuser -u companion -- {PYTHON} -c "$1" 2>&1 | tail -n 1
"""
TOO_EARLY: Final = ("switch", instead(
    "    release.parent.mkdir(parents=True, exist_ok=True)\n",
    "    release.parent.mkdir(parents=True, exist_ok=True)\n    point(places, release)\n",
))  # fmt: skip
"""The control: the new release plays before it is made."""


def clone(image: Path, to: Path) -> None:
    """Always a new file: one with this name may still be mounted where another machine sees it."""
    to.unlink(missing_ok=True)
    run("cp", "--reflink=always", image, to)


@contextmanager
def mounted(image: Path, at: Path) -> Iterator[Path]:
    at.mkdir(exist_ok=True)
    run("mount", "-o", "loop", image, at)
    try:
        yield at
    finally:
        run("umount", "-l", at)  # another machine booted meanwhile may still see it


class Cuts:
    """One disk to start from, and the result of every cut."""

    def __init__(self, disk: Path, room: Path, seed: int) -> None:
        self.disk, self.room, self.chance = disk, room, random.Random(seed)
        self.entries = ""
        self.seconds = 0.0
        self.found: Counter[str] = Counter()
        self.wrong: list[str] = []

    def prepare(self, tar: Path, package: Path) -> None:
        """A disk with the old version and an unfinished game from five hours ago."""
        image = self.disk / "base.img"
        run("truncate", "-s", "3G", image)
        run("mkfs.ext4", "-q", image)
        with mounted(image, self.room / "base") as root:
            run("tar", "-xf", tar, "-C", root)
            shutil.copy(package, root / "root/old.deb")
            inside(root, "apt-get", "install", "-y", "-q", "--no-install-recommends", "/root/old.deb")
            with booted(root) as machine:
                box = Evening(machine, root)
                box.served()
                box.played(5 * 3600)
                self.entries = box.entries()

    def upgraded(self, package: Path, cuts: int) -> list[Path]:
        """Upgrade once, with this many cuts on the way."""
        clone(self.disk / "base.img", work := self.disk / "work.img")
        with mounted(work, self.room / "work") as root:
            shutil.copy(package, root / "root/new.deb")
            os.sync()
            with booted(root) as machine:
                Evening(machine, root).served()
                return self._cut(machine, work, cuts)

    def _cut(self, machine: Booted, work: Path, cuts: int) -> list[Path]:
        moments = sorted(self.chance.uniform(0, self.seconds) for _ in range(cuts))
        clones = []
        begun = time.monotonic()
        upgrade = machine.start("dpkg", "-i", "/root/new.deb")
        for number, moment in enumerate(moments):
            left = moment - (time.monotonic() - begun)
            if left > 0:
                subprocess.run(["sleep", f"{left:.3f}"], check=True)
            clones.append(self.disk / f"cut-{number}.img")
            clone(work, clones[-1])
        upgrade.wait(1200)
        self.seconds = (time.monotonic() - begun) * 1.02
        return clones

    def look(self, image: Path, *, boots: bool) -> None:
        with mounted(image, self.room / "cut") as root:
            told = inside(root, "sh", "-c", LOOK, "sh", COUNT, check=False).splitlines()
            lines = [line for line in told if not line.startswith("Attempted to remove")]
            version = lines[0].split()[-1] if lines and lines[0].startswith("companion") else "neither"
            fine = version in (OLD, NEW) and self.entries in lines
            self.found[version if fine else "neither"] += 1
            if not fine:
                self.wrong.append(" / ".join(lines)[-300:])
            elif boots:
                self._boots(root)
        image.unlink()

    def _boots(self, root: Path) -> None:
        """It plays by itself, and the upgrade can be resumed."""
        with booted(root) as machine:
            box = Evening(machine, root)
            box.served()
            machine("dpkg", "-i", "/root/new.deb")
            box.served()
            assert (box.version(), box.entries()) == (NEW, self.entries), "the upgrade cannot be gone on with"
            self.found["booted, and gone on with"] += 1


def campaign(cuts: Cuts, package: Path, wanted: int) -> None:
    done = 0
    while done < wanted:
        for image in cuts.upgraded(package, min(PER_UPGRADE, wanted - done)):
            done += 1
            cuts.look(image, boots=done % 30 == 0)
            if done % 10 == 0:
                print(f"{done} cuts: {dict(cuts.found)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=300)
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--kept", type=Path, help="a folder in which fresh roots stay for the next time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="cuts-") as name, ExitStack() as stack:
        room = Path(name)
        stack.callback(unmount_below, room)
        tar = debian(options.suite, options.kept or room)
        run("truncate", "-s", "40G", room / "disk.xfs")
        run("mkfs.xfs", "-q", "-m", "reflink=1", room / "disk.xfs")
        disk = stack.enter_context(mounted(room / "disk.xfs", room / "disk"))
        signer = Signer(room / "gnupg")
        package = signer.build(room / "dist")
        cuts = Cuts(disk, room, options.seed)
        cuts.prepare(tar, package)
        cuts.upgraded(planted(package, NEW, signer=signer), 0)  # to learn how long it takes here
        control = Cuts(disk, room, options.seed)
        control.entries, control.seconds = cuts.entries, cuts.seconds
        campaign(control, planted(package, NEW, signer=signer, switch=TOO_EARLY), CONTROL)
        campaign(cuts, planted(package, NEW, signer=signer), options.cuts)
    print(f"cuts: {dict(cuts.found)}; control: {dict(control.found)}")
    for line in cuts.wrong[:10]:
        print(f"WRONG  {line}")
    caught = control.found["neither"] > 0
    print("the control was caught" if caught else "THE CONTROL WAS NOT CAUGHT")
    return 0 if caught and not cuts.wrong else 1


if __name__ == "__main__":
    sys.exit(main())
