"""What waits for the hub: for this club only, and without the names of people who have asked to be left out since."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from companion.core import Seq
from tests.web.hub.club import NOW, over
from web.club import Guests, Kept, TableId
from web.club.outbox import Outbox

TOLD = over("t-oak4", "a", ("Ada", "Ben"), NOW)


def names(outbox: Outbox) -> list[tuple[str, ...]]:
    return [tuple(seat.name for seat in told.seats) for told in outbox.waiting()]


def test_what_waits_for_one_club_is_never_told_to_another(tmp_path: Path) -> None:
    Outbox(tmp_path).put(TOLD)
    moved = Outbox(tmp_path)
    moved.only(TableId("t-elm5"))
    assert moved.waiting() == ()
    assert Outbox(tmp_path).waiting() == ()


def test_what_waits_for_this_club_stays(tmp_path: Path) -> None:
    Outbox(tmp_path).put(TOLD)
    again = Outbox(tmp_path)
    again.only(TableId("t-oak4"))
    assert again.waiting() == (TOLD,)


def test_who_asks_to_be_left_out_is_not_named_in_what_still_waits(tmp_path: Path) -> None:
    Outbox(tmp_path).put(TOLD)
    outbox = Outbox(tmp_path)
    outbox.name(Guests(left_out=("ada",)))
    assert names(outbox) == names(Outbox(tmp_path)) == [("", "Ben")]


def test_a_word_that_the_older_one_is_kept_does_not_count_for_the_newer(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.put(TOLD)
    outbox.name(Guests(nobody=True))
    outbox.kept(Kept(TOLD.id, TOLD.seq))
    assert names(outbox) == [("", "")]
    outbox.kept(Kept(TOLD.id, TOLD.seq, again=1))
    assert names(outbox) == []


def test_the_same_end_is_no_news_and_a_later_one_begins_anew(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    assert outbox.put(TOLD)
    assert not outbox.put(TOLD)
    outbox.name(Guests(nobody=True))
    assert [told.again for told in outbox.waiting()] == [1]
    assert not outbox.put(replace(TOLD, seats=tuple(replace(seat, name="") for seat in TOLD.seats)))
    assert outbox.put(replace(TOLD, seq=Seq(500)))
    assert [told.again for told in outbox.waiting()] == [0]
