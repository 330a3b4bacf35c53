"""`companion mat` lists mats, and writes sheets whose millimetres are millimetres."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from companion.library import shelf

from .conftest import Companion

POINT = 72 / 25.4


def pages(file: Path) -> list[str]:
    """What is drawn on each page, as PDF commands."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", file.read_bytes(), re.DOTALL)
    drawn = (zlib.decompress(stream).decode("cp1252") for stream in streams if stream[:1] == b"x")
    return [page for page in drawn if " re" in page or " l" in page]


def rectangles(page: str) -> list[tuple[int, int]]:
    """Their sizes, in whole millimetres."""
    found = re.findall(r"[\d.]+ [\d.]+ ([\d.]+) (-?[\d.]+) re", page)
    return [(round(float(w) / POINT), round(abs(float(h)) / POINT)) for w, h in found]


def test_all_mats_are_listed_with_their_readers(companion: Companion) -> None:
    told = companion("mat").stdout
    assert "us-patent, for 4 seats:" in told
    assert re.search(r"slots +17 readers +400 × 600 mm +The slots of the machines", told)
    assert re.search(r"wand +1 reader +100 × 120 mm", told)
    assert "us-patent" not in companion("mat", "timeline", "--seats", 2).stdout


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game_id", shelf.games())
def test_a_sheet_has_every_antenna_once_at_true_size(
    companion: Companion, tmp_path: Path, game_id: str, paper: str
) -> None:
    game = shelf.open(game_id)
    for seats in {game.seats[0], game.seats[1]}:
        for mat in game.mats(seats):
            file = tmp_path / f"{mat.name}-{seats}.pdf"
            companion("mat", game_id, mat.name, "--seats", seats, "--out", file, "--paper", paper, "--language", "fr")
            plan, *tiles = pages(file)
            drawn = [size for tile in tiles for size in rectangles(tile)]
            assert sorted(drawn) == sorted([(40, 60), (63, 88)] * len(mat.spots))
            assert f"({len(mat.spots)})" in plan.replace(") Tj", ")")


def test_the_ruler_is_100_millimetres_and_nothing_is_drawn_beyond_the_paper(
    companion: Companion, tmp_path: Path
) -> None:
    file = tmp_path / "sheet.pdf"
    companion("mat", "us-patent", "seat", "--seats", 8, "--out", file, "--paper", "letter", "--language", "fr")
    plan, *tiles = pages(file)
    lengths = [float(b) - float(a) for a, b in re.findall(r"([\d.]+) [\d.]+ m ([\d.]+) [\d.]+ l S", plan)]
    assert max(lengths) == pytest.approx(100 * POINT, abs=0.1)
    for page, (width, height) in ((plan, (215.9, 279.4)), *((tile, (279.4, 215.9)) for tile in tiles)):
        for x, y in re.findall(r"BT (-?[\d.]+) (-?[\d.]+) Td", page):
            assert 10 < float(x) / POINT < width - 10
            assert 10 < float(y) / POINT < height - 10


def test_each_pico_gets_its_config(companion: Companion, tmp_path: Path) -> None:
    told = companion("mat", "us-patent", "slots", "--out", tmp_path / "sheet.pdf", "--configs", tmp_path)
    assert f"companion flash --config {tmp_path / 'pico-2.py'}" in told.stdout
    assert '("r12", "mfrc522", {"cs": 10})' in (tmp_path / "pico-1.py").read_text(encoding="utf-8")
    assert '("r13", "mfrc522", {"cs": 17})' in (tmp_path / "pico-2.py").read_text(encoding="utf-8")


def test_what_is_there_stays_unless_forced(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    file.write_text("mine", encoding="utf-8")
    assert companion("mat", "timeline", "wand", "--out", file).exit_code == 1
    assert file.read_text(encoding="utf-8") == "mine"
    assert companion("mat", "timeline", "wand", "--out", file, "--force").exit_code == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_what_is_asked_wrongly_is_told_with_what_there_is(companion: Companion, tmp_path: Path) -> None:
    wrong = companion("mat", "timeline", "slots", "--out", tmp_path / "x.pdf")
    assert (wrong.exit_code, "It has: wand, seat, turn." in wrong.output) == (2, True)
    assert "is for 2 to 5 seats, not 9" in companion("mat", "timeline", "wand", "--seats", 9).output
    nowhere = companion("mat", "timeline", "wand", "--out", tmp_path / "no" / "x.pdf")
    assert (nowhere.exit_code, "cannot be written" in nowhere.output) == (1, True)
    run = companion("run", "--mat", "slot")
    assert (run.exit_code, "There are: wand, slots, seat, turn." in run.output) == (2, True)
