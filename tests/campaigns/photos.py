"""Photos by the thousand: codes are read, never wrongly; and no file, however bent, does any harm.

    python tests/campaigns/photos.py [--short] [--codes N] [--files N] [--seed N]

Tables of two dozen cards, some face down, are photographed askew (up to 35°), blurred, noisy, in shade, as JPEG: of
the codes that are at least 60 pixels wide at least 98 in 100 are read, and none is read as another. A picture of 1600
by 1200 pixels takes at most 150 ms, or eight bare calls of the library where the machine is slow. Then files are bent
at random: each is answered, by the same process. Codes of others, with any six digits, are never taken for ours; the
control is a build that does not test their check, and takes them all.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import sys
import time
from collections import Counter
from itertools import islice

import zxingcpp
from PIL import Image

from companion.library import Digits, is_code
from companion.phones.photo import spotting
from companion.phones.photo.darkroom import Darkroom
from companion.phones.photo.spotting import Sighted, spotted
from tests.campaigns._leaks import patched
from tests.patience import PATIENCE
from tests.printed import Card, Eye, Photo, grid, photograph

CARDS = 24
READ = 0.98
LONGEST = 0.150
BARE = 8.0
"""How many bare library calls a whole picture may take on a slower machine than the one it was measured on."""
PERIOD = 500
STRANGE = 5


def all_codes() -> list[Digits]:
    """Each number with its check, by ISO 7064."""
    codes = [Digits(f"{number:04}{98 - number * 100 % 97:02}") for number in range(10_000)]
    assert all(map(is_code, codes))
    return codes


def table_of(dice: random.Random, codes: list[Digits], px: float = 60.0) -> tuple[Photo, set[str]]:
    """A table as people photograph it, and everything on it that lies face up."""
    laid: list[str] = list(dice.sample(codes, CARDS))
    for n in dice.sample(range(CARDS), dice.randrange(6)):
        laid[n] = ""
    eye = Eye(
        px=px,
        tilt=dice.uniform(0, 35),
        side=dice.uniform(0, 360),
        blur=dice.uniform(0.3, 1.4),
        noise=dice.uniform(2, 10),
        shade=dice.uniform(0, 0.5),
        quality=dice.randrange(65, 92),
    )
    return photograph(grid(laid, dice), eye), {*laid}


class Reading:
    """How many codes there were, were read, and were misread; how long it took."""

    def __init__(self) -> None:
        self.there = self.read = self.wrong = 0
        self.took: list[float] = []
        self.bare: list[float] = []

    def photo(self, photo: Photo, laid: set[str]) -> None:
        began = time.perf_counter()
        found = spotted(photo.jpeg)
        self.took.append(time.perf_counter() - began)
        assert isinstance(found, Sighted)
        seen = {str(each.digits) for each in found.codes}
        self.there += len(photo.codes)
        self.read += len(seen & {*photo.codes})
        self.wrong += len(seen - laid)
        picture = Image.open(io.BytesIO(photo.jpeg)).convert("L")
        began = time.perf_counter()
        zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix))
        self.bare.append(time.perf_counter() - began)

    def is_fine(self) -> bool:
        took, bare = statistics.median(self.took), statistics.median(self.bare)
        return self.read >= READ * self.there and not self.wrong and (took <= LONGEST or took <= BARE * bare)

    def told(self) -> str:
        took, bare = (1000 * statistics.median(each) for each in (self.took, self.bare))
        share = self.read / max(self.there, 1)
        return (
            f"{self.there} codes, {share:.2%} read, {self.wrong} wrong; a photo takes {took:.0f} ms in the median, "
            f"{1000 * max(self.took):.0f} ms at most; a bare call {bare:.0f} ms ({took / bare:.1f} times that)."
        )


def taken(dice: random.Random, photos: int) -> int:
    """How many of these foreign codes are taken for ours."""
    others = (f"{number:06}" for number in iter(lambda: dice.randrange(10**6), -1))
    strange = islice((digits for digits in others if not is_code(digits)), photos)
    found = (spotted(photograph([Card(digits, 0, 0)], Eye(px=100)).jpeg) for digits in strange)
    return sum(len(each.codes) for each in found if isinstance(each, Sighted))


def bent(dice: random.Random, data: bytes) -> bytes:
    """A file as a broken phone, cable or person might send it."""
    body = bytearray(data)
    match dice.randrange(6):
        case 0:
            del body[dice.randrange(len(body)) :]
        case 1:
            for _ in range(dice.randrange(1, 40)):
                body[dice.randrange(len(body))] = dice.randrange(256)
        case 2:
            at = dice.randrange(min(len(body), 700))
            body[at : at + dice.randrange(1, 9)] = dice.randbytes(dice.randrange(9))
        case 3:
            at = dice.randrange(len(body))
            body[at:at] = body[: dice.randrange(2000)]
        case 4:
            body = bytearray(dice.randbytes(dice.randrange(3000)))
        case _:
            at = dice.randrange(min(len(body), 200))  # where sizes are written
            body[at : at + 2] = b"\xff\xff"
    return bytes(body)


def hostile(dice: random.Random, files: int) -> tuple[Counter[str], int]:
    """What became of mutated files, and how many processes they took."""
    grey = Image.open(io.BytesIO(photograph(grid(["", ""], dice), Eye(), (640, 480)).jpeg))
    good = []
    for kind in ("JPEG", "PNG", "WEBP"):
        whole = io.BytesIO()
        grey.save(whole, kind)
        good.append(whole.getvalue())
    answers: Counter[str] = Counter()
    room, pids = Darkroom(longest=PATIENCE), set[int | None]()
    try:
        for n in range(files):
            found = room.look(bent(dice, dice.choice(good)), "somebody")
            answers["looked at" if isinstance(found, Sighted) else found] += 1
            pids.add(room.pid)
            if n % PERIOD == 0:
                print(f"\r{n} files", end="", file=sys.stderr, flush=True)
    finally:
        room.close()
    print(file=sys.stderr)
    return answers, len(pids - {None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="some photos and files")
    parser.add_argument("--codes", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    codes, files = (40, 80) if options.short else (options.codes, options.files)
    dice, reading, every = random.Random(options.seed), Reading(), all_codes()
    while reading.there < codes:
        reading.photo(*table_of(dice, every))
        print(f"\r{reading.there} codes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(reading.told())
    strange = taken(dice, STRANGE)
    with patched(spotting, "is_code", lambda _digits: True):
        control = taken(dice, STRANGE)
    answers, processes = hostile(dice, files)
    print(
        f"{files} bent files: {dict(answers)}, {processes} process(es). Codes of others taken for ours: {strange} "
        f"of {STRANGE}; by a build without the check {control}."
    )
    is_safe = (
        sum(answers.values()) == files
        and answers["slow"] == 0
        and processes == 1
        and (strange, control) == (0, STRANGE)
    )
    return 0 if reading.is_fine() and is_safe else 1


if __name__ == "__main__":
    sys.exit(main())
