"""A drop on the drawn table goes over the pretend box's real wire: firmware, cable, pins; then the table hears of
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import companion.app.main
from companion.app import pretending
from companion.app.main import Options, Running
from companion.core import Token, say
from companion.table import PretendBox, Snapshot
from tests.patience import PATIENCE

LAB = "/lab"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    options = Options(tmp_path, "us-patent", ("Ada", "Ben", "Chloé"), pretend=True, port=0, pico="firmware")
    with companion.app.main.companion(options, tell=lambda _line: None) as all_of_it:
        yield all_of_it


@pytest.fixture
def box(running: Running) -> PretendBox:
    assert running.pretend is not None
    return running.pretend


def wait(running: Running, seen: Callable[[Snapshot], bool]) -> Snapshot:
    latest = running.table.latest()
    now = running.table.snapshot
    while not seen(now):
        newer = latest.wait(PATIENCE)
        assert newer is not None, f"it never came; the box shows {now.page}"
        now = newer
    return now


def researched(box: PretendBox) -> tuple[Token, Token]:
    """The card that was just researched, and its Lab."""
    card = next(token for token in box.surface().touched if token.kind == "piece")
    lab = next(token for token in box.carry(card).lit if str(token.value).endswith(LAB))
    return card, lab


def test_a_card_dropped_on_its_lab_lies_there(running: Running, box: PretendBox) -> None:
    before = running.table.snapshot.seq
    card, lab = researched(box)
    assert box.drop(card, lab)
    now = wait(running, lambda scene: scene.seq > before)
    assert any(lies.piece == card.value and lies.place == lab.value for lies in now.game.layout(now.state))
    assert not any(reader.lying for reader in box.readers()), "what is only tapped does not stay on the wand"


def test_a_row_is_chosen_while_it_is_shown_and_never_another(running: Running, box: PretendBox) -> None:
    before = running.table.snapshot.seq
    rows = box.surface().rows
    assert len(rows) == 2, "into the Lab, or into the Market"
    assert not box.choose((*rows, say("web.done")), 0), "the box shows other rows"
    assert not box.choose(rows, 2)
    assert box.choose(rows, 0)
    wait(running, lambda scene: scene.seq > before)
    assert not box.choose(rows, 0)


def test_without_its_cable_nothing_is_heard_and_the_page_is_told(
    running: Running, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control for the wire: a drop that went straight to the table would be done."""
    monkeypatch.setattr(pretending, "HEARD", 0.2)
    card, lab = researched(box)
    before = running.table.snapshot.seq
    box.set_fault("cable", True)
    assert not box.drop(card, lab)
    assert running.table.snapshot.seq == before
