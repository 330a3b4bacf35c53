"""One good input for each reader of bytes: what is bent begins as something that is read."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from companion.app import backup
from companion.app.opening import make_setup
from companion.core import PieceId
from companion.journal import JOURNAL, Journal
from companion.library import SETTINGS, TAGS, PieceTag, Tagbook, packs, shelf
from companion.table import Referee
from firmware_bridge import wire
from tests.printed import Card, Eye, photograph

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
    """What is well formed for this target."""
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
        case _:
            return [_filed(name)]


def _frames() -> bytes:
    """Both sides of a line: what a host says, and what a Pico does then."""
    host = b"".join(wire.encode(*words) for words in (["START", "ABCD", "0001"], ["ACK", "1"], ["LEVELS"]))
    pico = wire.Sender("firmware", "board", "0001", ["left"])
    return bytes(pico.due(5000)) + host


def _pack() -> bytes:
    """The files of one as they would be in one."""
    folder = Path(packs.__file__).parents[1] / "games" / "timeline" / "pack"
    head, rest = (folder / name for name in ("pack.toml", "faces.toml"))
    return head.read_bytes() + b"\n" + rest.read_bytes()


def _filed(name: str) -> bytes:
    """A tagbook, a game that was exported, or a backup of both."""
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
