"""State is the fold of the journal; failures are named and stop nothing; nothing is told before it is synced."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import ReaderBack, ReaderId, ReaderLost, SeatId, Seq, TroublePage
from companion.journal import Journal, JournalFull
from companion.phones.offers import may, not_now, why
from companion.table import No
from companion.table.referee import KEEP_EVERY, ReplayDiffers
from companion.table.wishes import Done
from tests.patience import PATIENCE
from tests.pick import A, Bet, C, Lay, Pass, Seal
from tests.table.conftest import Evening, Open

ADA, BEN = SeatId(0), SeatId(1)


def test_a_resumed_game_is_the_live_game(open_evening: Open, always_first: Any) -> None:
    live = open_evening(chance=always_first)
    live.phone(Lay(ADA, A))
    live.phone(Bet(ADA, 2))
    live.take_back(ADA, live.now.seq - 1)
    live.phone(Bet(ADA, 9))
    live.phone(Pass(ADA))
    again = open_evening(resume=live.referee.table)
    assert again.referee.at == live.referee.at
    assert again.now.seen_by(ADA).past.told() == live.now.seen_by(ADA).past.told()


def test_a_command_is_known_again_after_a_restart(open_evening: Open) -> None:
    live = open_evening()
    live.phone(Bet(ADA, 2), command="before")
    again = open_evening(resume=live.referee.table)
    assert again.phone(Bet(ADA, 2), command="before", asked=1) == Done(Seq(2), again=True)
    assert again.now.state.chips[0] == 3


def test_a_long_game_keeps_its_position_and_goes_on_when_an_old_entry_counts_differently(
    open_evening: Open, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_evening()
    for _ in range(KEEP_EVERY):
        live.phone(Pass(live.now.awaited[0]))
    again = open_evening(resume=live.referee.table)
    real = journal.entries

    def with_a_changed_state(table: str, *args: Any) -> Any:
        for entry in real(table, *args):
            yield (
                entry
                if entry.seq != 3
                else type(entry)(entry.seq, entry.at, entry.body, entry.cause, "00", entry.chain)
            )

    monkeypatch.setattr(journal, "entries", with_a_changed_state)
    on = open_evening(resume=live.referee.table)
    assert on.referee.at.state == again.referee.at.state
    assert on.referee.at.line == again.referee.at.line


def test_a_record_that_leads_elsewhere_is_not_played_on_silently(
    open_evening: Open, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_evening()
    live.phone(Bet(ADA, 2))
    entries = [replace(entry, state="00") for entry in journal.entries(live.referee.table)]
    monkeypatch.setattr(journal, "entries", lambda table: iter(entries))
    with pytest.raises(ReplayDiffers, match="entry 1 leads to another state"):
        open_evening(resume=live.referee.table)


def test_a_full_card_pauses_the_game_with_its_reason_and_loses_nothing(
    open_evening: Open, journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    evening = open_evening()
    full = True
    append = journal.append

    def fails(*args: Any, **more: Any) -> Any:
        if full:
            raise JournalFull(Path("games.journal"), "no space left on device")
        return append(*args, **more)

    monkeypatch.setattr(journal, "append", fails)
    with caplog.at_level(logging.ERROR):
        answers = [evening.phone(Bet(ADA, 2), command="c") for _ in range(3)]
    assert all(isinstance(a, No) and a.refusal.rule == "C2" for a in answers)
    assert isinstance(evening.now.flash, TroublePage)
    assert evening.now.troubles
    assert evening.now.state.chips[0] == 5
    assert len(caplog.records) == 1
    full = False
    assert evening.phone(Bet(ADA, 2), command="c") == Done(Seq(2))
    assert evening.now.troubles == ()


def test_a_lost_reader_is_trouble_and_removes_nothing(evening: Evening) -> None:
    before = evening.now.state
    now = evening.put(ReaderLost(ReaderId("left")))
    assert now.troubles[0].key == "trouble.reader-lost"
    assert now.state is before
    assert evening.put(ReaderBack(ReaderId("left"))).troubles == ()


def test_a_subscriber_that_raises_is_dropped_and_the_others_are_told(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    calls = []

    def broken(_snapshot: Any) -> None:
        calls.append(1)
        raise RuntimeError("display fell off")

    evening.table.subscribe(broken)
    with caplog.at_level(logging.ERROR):
        evening.press("check")
        evening.press("check")
    assert calls == [1]
    assert len(caplog.records) == 1


def test_latest_gives_only_the_newest_and_ends_when_closed(evening: Evening) -> None:
    latest = evening.table.latest()
    for _ in range(5):
        evening.press("check")
    newest = latest.wait(timeout=PATIENCE)
    assert newest is evening.table.snapshot
    latest.close()
    assert latest.wait(timeout=PATIENCE) is None
    assert list(latest) == []


def test_nothing_is_shown_before_its_entry_is_synced(
    open_evening: Open, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = open_evening()
    synced, shown = [1], []
    append = journal.append

    def watched(*args: Any, **more: Any) -> Any:
        entry = append(*args, **more)
        synced.append(entry.seq)
        return entry

    monkeypatch.setattr(journal, "append", watched)
    evening.table.subscribe(lambda snapshot: shown.append((snapshot.seq, max(synced))))
    evening.phone(Bet(ADA, 1))
    evening.phone(Lay(ADA, C))
    assert shown == [(2, 2), (3, 3)]


def test_a_mistake_inside_is_named_and_the_game_goes_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(evening.referee, "act", lambda *a, **k: 1 / 0)
    with caplog.at_level(logging.ERROR):
        answer = evening.phone(Bet(ADA, 1))
    assert isinstance(answer, No)
    assert answer.refusal.rule == "C9"
    monkeypatch.undo()
    assert evening.phone(Bet(ADA, 1)) == Done(Seq(2))


def test_a_phone_is_offered_what_it_may_do_and_told_why_not(evening: Evening) -> None:
    groups = {group.verb: group for group in may(evening.now.seen_by(ADA))}
    assert [len(groups[v].offers) for v in ("lay", "seal", "bet", "pass")] == [2, 2, 1, 1]
    assert (groups["bet"].low, groups["bet"].high) == (1, 5)
    closed = {row.intent.__struct_config__.tag: row.refusal.rule for row in not_now(evening.now.seen_by(BEN))}
    assert closed == {"lay": "X1", "seal": "X1", "bet": "X1", "pass": "X1"}


def test_why_not_is_the_whole_checklist_with_the_nearest_legal_thing(evening: Evening) -> None:
    answer = why(evening.now.seen_by(ADA), b'{"verb":"bet","actor":0,"number":9}')
    assert answer is not None
    assert answer.refusal is not None
    assert answer.refusal.rule == "X3"
    assert [(c.rule, c.broken is None) for c in answer.checks] == [("X1", True), ("X3", False)]
    assert answer.nearest[0].intent == Bet(ADA, 1)
    assert why(evening.now.seen_by(BEN), b'{"verb":"bet","actor":0,"number":9}') is None
    assert why(evening.now.seen_by(ADA), b"nonsense") is None


def test_refusals_of_other_phones_are_not_in_my_history(evening: Evening) -> None:
    evening.phone(Lay(ADA, C))
    evening.tap("c")
    assert [t.kind for t in evening.now.seen_by(ADA).past.told()] == ["opened", "refused", "refused"]
    assert [t.kind for t in evening.now.seen_by(BEN).past.told()] == ["opened", "refused"]


def test_a_sealed_card_is_named_to_nobody_not_even_in_its_owners_history(evening: Evening) -> None:
    evening.phone(Seal(ADA, A))
    line = evening.now.seen_by(ADA).past.told()[-1].lines[0]
    assert "'a'" not in repr(line)
