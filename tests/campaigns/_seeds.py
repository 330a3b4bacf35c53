"""One good input for each reader of bytes: mutation starts from something that can be read."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image

from companion.app import backup
from companion.app.opening import make_setup
from companion.core import PUBLIC, PieceId, Said, SeatId, Seq
from companion.journal import JOURNAL, Journal
from companion.library import SETTINGS, TAGS, PieceTag, Tagbook, packs, shelf
from companion.table import Referee
from firmware_bridge import wire
from firmware_bridge.pico import ntag
from tests.printed import Card, Eye, photograph
from web.club import TOLD, GameOver, Guests, Here, HubHere, Kept, Placed, TableId, encode, setup_of, tellings, view_of

OAK: Final = TableId("t-oak4")

SCRIPT = (
    b"game actionworks\nseats Ada, Ben\nchance scripted\ntable does name-first Ada\ndraw demand-make, demand-take\n"
)
SETTINGS_TEXT = (
    b'language = "fr"\nport = 8000\nmat = "slots"\nbot_pause = 0.5\n[clock]\nkind = "off"\n[readers]\nleft = "wand"\n'
)
BODY = (
    b'{"command":"12345678","asked":3,"wish":{"type":"act","intent":{"verb":"go","actor":0,"board":"8","space":"lab"}},'
    b'"table":"ab"}'
)


def good(name: str) -> list[bytes]:
    """Well-formed input for this target."""
    match name:
        case "wire":
            return [_frames(), b"START ABCD 0001\nACK 1\nWRITE 1 left 04A2B3C4D5E680 box.local/t/\nPING"]
        case "bodies":
            return [BODY, BODY.replace(b'"lab"', b'"l\xffb"'), b'{"command":"12345678","seat":1,"name":"Ada"}']
        case "photo":
            small = io.BytesIO()
            Image.new("RGB", (40, 30), "white").save(small, "PNG")
            return [small.getvalue(), photograph((Card("123456", 0, 0),), Eye(), (160, 120)).jpeg]
        case "script":
            return [SCRIPT]
        case "settings":
            return [SETTINGS_TEXT]
        case "pack":
            return [_pack()]
        case "mqtt":
            return list(_said())
        case "ndef":
            return _tags()
        case _:
            return [_filed(name)]


@cache
def _said() -> tuple[bytes, ...]:
    """Everything that a table and its hub say to each other, each after the name of its topic."""
    game = shelf.open("actionworks")
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / JOURNAL) as journal:
        played = Referee.begin(game, make_setup(game, 2), ("Ada", "Ben"), "strict", journal, lambda: 0.0)
        public = played.snapshot().seen_by(PUBLIC)
        said = {
            "here": Here(True, "Oak 4", "1.0", shown=True),
            "setup": setup_of(public),
            "view": view_of(public, Guests()),
            "result": _over(),
            "kept": Kept(f"{OAK}/ab", public.seq),
            "hub": HubHere(True, "Club"),
        }
        told = [(TOLD, each) for each in tellings(public, Seq(0))[:1]]
        return tuple(f"{part}\n".encode() + encode(each) for part, each in (*said.items(), *told))


def _over() -> GameOver:
    return GameOver(
        id=f"{OAK}/ab",
        record="ab",
        seq=Seq(9),
        stands=True,
        game=shelf.open("actionworks").id,
        options=(),
        opened=0.0,
        ended=1.0,
        seats=(Placed(1, "Ada"), Placed(2, "Ben")),
        winners=(SeatId(0),),
        said=Said("result.won"),
        numbers=(),
    )


UID: Final = b"\x04\xa2\xb3\xc4\xd5\xe6\x80"
LINK: Final = "box.local/t/"


class Ntag:
    """An NTAG213 with a memory, which notes each answer in the form in which `Chip` replays it."""

    def __init__(self) -> None:
        self._pages = bytearray(4 * 48)
        self._pages[:8] = UID[:3] + b"\x9d" + UID[3:]
        self._pages[4 * 0x29 : 4 * 0x2A] = b"\x04\x00\x00\xff"
        self.said = b""

    def meet(self, _uid: bytes) -> bool:
        return True

    def ask(self, command: bytes) -> bytes:
        at = 4 * command[1] if len(command) > 1 else 0
        answer = bytes(self._pages[at : at + 16]) if command[0] == 0x30 else b"\x00\x04\x04\x02\x01\x00\x0f\x03"
        self.said += bytes((len(answer),)) + answer
        return answer

    def put(self, command: bytes) -> None:
        self._pages[4 * command[1] : 4 * command[1] + 4] = command[2:]
        self.said += b"\x00"

    def part(self) -> None:
        pass


def _tags() -> list[bytes]:
    """A tag's answers while it is written, and then those of one that already has the link."""
    tag = Ntag()
    assert ntag.write(tag, UID, LINK) == ntag.NEW
    new, tag.said = tag.said, b""
    assert ntag.write(tag, UID, LINK) == ntag.SAME
    return [new, tag.said]


def _frames() -> bytes:
    """Both sides of a line: what a host says, and what a Pico says in return."""
    host = b"".join(wire.encode(*words) for words in (["START", "ABCD", "0001"], ["ACK", "1"], ["LEVELS"]))
    pico = wire.Sender("firmware", "board", "0001", ["left"])
    return bytes(pico.due(5000)) + host


def _pack() -> bytes:
    """The files of one as they would be in one."""
    folder = Path(packs.__file__).parents[1] / "games" / "timeline" / "pack"
    head, rest = (folder / name for name in ("pack.toml", "faces.toml"))
    return head.read_bytes() + b"\n" + rest.read_bytes()


def _filed(name: str) -> bytes:
    """A tagbook, an exported game, or a backup of both."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder), Path(folder) / "out"
        book = Tagbook()
        book.pretend([PieceTag(shelf.open("us-patent").id, PieceId("coil-7"))])
        book.save_as(data / TAGS)
        (data / SETTINGS).write_bytes(SETTINGS_TEXT)
        game = shelf.open("actionworks")
        with Journal.open(data / JOURNAL) as journal:
            played = Referee.begin(game, make_setup(game, 2), ("Ada", "Ben"), "strict", journal, lambda: 0.0)
            journal.export(played.table, out)
        if name == "import":
            return out.read_bytes()
        backup.make(data, out, 0.0)
        return (data / TAGS).read_bytes() if name == "tags" else out.read_bytes()


class Chip:
    """Stands in front of a tag, as `ntag.write` uses it."""

    def __init__(self, data: bytes) -> None:
        self._left = data

    def meet(self, _uid: bytes) -> bool:
        return bool(self._left)

    def ask(self, _command: bytes) -> bytes:
        length, self._left = (self._left or b"\xfe")[0], self._left[1:]
        if length >= 254:
            raise (ntag.Refused if length == 255 else ntag.Gone)("a tag")
        answer, self._left = self._left[:length], self._left[length:]
        return answer

    def put(self, command: bytes) -> None:
        self.ask(command)

    def part(self) -> None:
        pass
