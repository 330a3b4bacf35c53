"""The tagbook goes from box to box; tags that mean something else there stay and are named."""

from __future__ import annotations

from pathlib import Path

from companion.core import GameId, PieceId, SeatId, Uid
from companion.library import TAGS, NumberTag, PieceTag, SeatTag, Tagbook
from companion.library.tagbook import Line

from .conftest import Companion

ONE, TWO, THREE = Uid("04000001"), Uid("04000002"), Uid("04000003")
COIL = PieceTag(GameId("actionworks"), PieceId("coil"))


def test_export_and_import(companion: Companion, data: Path, tmp_path: Path) -> None:
    book, file = Tagbook.load(data / TAGS), tmp_path / "mine.toml"
    book.change([Line(ONE, COIL)])
    book.change([Line(TWO, SeatTag(SeatId(1)))])
    assert "Wrote 2 tags" in companion("tags", "export", file).stdout
    assert companion("tags", "export", file).exit_code == 1
    book.forget(ONE)
    book.forget(TWO)
    book.change([Line(TWO, NumberTag(7))])
    book.change([Line(THREE, COIL)])
    told = companion("tags", "import", file).stdout
    assert "Added 1 tags; 0 were here already." in told
    assert f"being something else here: {TWO}." in told
    assert dict(Tagbook.load(data / TAGS).all()) == {ONE: COIL, TWO: NumberTag(7), THREE: COIL}
    assert "Added 0 tags; 1 were here already." in companion("tags", "import", file).stdout


def test_a_damaged_file_is_refused_whole(companion: Companion, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('[tags]\n"04000001" = { seat = 1 }\n"nonsense" = { seat = 2 }\n', encoding="utf-8")
    assert companion("tags", "import", file).exit_code == 1
    assert Tagbook.load(data / TAGS).all() == ()
