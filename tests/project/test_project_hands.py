"""Tests are distributed so that nothing is prepared twice, and no worker is left with most of the kit."""

from __future__ import annotations

from companion.library import shelf
from tests.hands import together


def test_a_file_stays_with_one_worker() -> None:
    one, other = "tests/box/test_a.py::test_one[timeline]", "tests/box/test_a.py::test_other[us-patent-3]"
    assert together(one) == together(other)
    assert together(one) != together("tests/box/test_b.py::test_one[timeline]")


def test_the_kit_is_handed_out_by_game() -> None:
    file = "companion/app/kit/test_contract_secrets.py::test_"
    assert len({together(f"{file}told[{game}]") for game in shelf.games()}) == len(shelf.games()) > 1
    assert together(f"{file}told[us-patent-fewest]") == together(f"{file}caught[us-patent-Talkative]")
