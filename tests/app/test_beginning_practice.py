"""The first minute of somebody who has never played: a practice position that isn't kept, then the real game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest

import companion.app.main
from companion.app.main import Options, Running
from companion.core import Act, Asked, Claim, GameId, Intent, Join, PieceId, PlaceId, SeatId, legal
from companion.games.us_patent.rules.intents import Buy, Go, PlaceInLab, SwitchOff, TakeGold
from companion.journal import JOURNAL, Journal
from companion.table import Done
from tests.patience import PATIENCE, until
from web.door import key_of

pytestmark = pytest.mark.journey

ADA, BEN = SeatId(0), SeatId(1)
Opens = Callable[..., Running]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Starts a companion on a pretend table; called again, it first ends the last one."""
    with ExitStack() as stack:

        def open_one(settings: str = "", **asked: object) -> Running:
            stack.close()
            (tmp_path / "settings.toml").write_text(settings)
            options = Options(tmp_path, port=0, pretend=True, **asked)  # type: ignore[arg-type]
            return stack.enter_context(companion.app.main.companion(options, tell=lambda _: None))

        yield open_one


def kept(data: Path) -> list[tuple[str, int]]:
    with Journal.look(data / JOURNAL) as journal:
        return [(row.game, row.seq) for row in journal.games()]


def act(running: Running, intent: Intent) -> object:
    now = running.table.snapshot
    wish = Act(msgspec.Raw(msgspec.json.encode(intent)))
    command = f"act-{now.table}-{now.seq}"
    return running.table.ask(Asked(command, intent.actor, now.asked[intent.actor], wish))


def seat_phone(running: Running, seat: SeatId, name: str) -> None:
    assert running.pretend is not None
    running.table.ask(Asked(f"join-{seat}", seat, 0, Join(seat, name, "KQX")))
    running.pretend.press("ok", True)
    until(running.table, lambda now: any(each.admitted for each in now.joining))
    running.table.ask(Asked(f"claim-{seat}", seat, 0, Claim("KQX", key_of("a phone"))))


def test_a_newcomer_practises_and_nothing_of_it_is_kept(opens: Opens, tmp_path: Path) -> None:
    running = opens()
    now = running.table.snapshot
    assert (now.game.id, len(now.chairs), now.decisions[-1].kind) == ("us-patent", 3, "place")
    assert isinstance(act(running, PlaceInLab(ADA, PlaceId("2/lab"))), Done)
    assert kept(tmp_path) == []


def test_a_game_that_was_asked_for_begins_at_once(opens: Opens, tmp_path: Path) -> None:
    """The control: what isn't practice is in the journal."""
    running = opens(game="us-patent")
    assert kept(tmp_path) == [("us-patent", running.table.snapshot.seq)]


@pytest.mark.parametrize("asked", [{"names": ("Ada", "Ben", "Chloé")}, {"new": True}, {"game": "timeline"}])
def test_whoever_asks_for_something_gets_that(opens: Opens, tmp_path: Path, asked: dict[str, object]) -> None:
    opens(**asked)
    assert len(kept(tmp_path)) == 1


def test_on_a_lenient_table_nothing_is_refused_so_there_is_no_practice(opens: Opens, tmp_path: Path) -> None:
    opens(settings='mode = "advise"\n')
    assert kept(tmp_path)[0][0] == "us-patent"


def test_an_unfinished_game_is_never_delayed(opens: Opens, tmp_path: Path) -> None:
    before = opens(game="timeline", names=("Ada", "Ben")).table.snapshot
    again = opens().table.snapshot
    assert (again.table, again.seq) == (before.table, before.seq)
    assert len(kept(tmp_path)) == 1


def test_killed_in_the_practice_it_begins_again(opens: Opens, tmp_path: Path) -> None:
    act(opens(), PlaceInLab(ADA, PlaceId("2/lab")))
    assert opens().table.snapshot.decisions[-1].kind == "place"
    assert kept(tmp_path) == []


def test_the_real_game_begins_with_those_who_sat_down_in_the_practice(opens: Opens, tmp_path: Path) -> None:
    running = opens(bots=("Chloé",), thinking=60.0)
    practice = running.table.snapshot.table
    seat_phone(running, ADA, "Ann")
    assert running.host is not None
    running.host.end_practice()
    real = until(running.table, lambda now: now.table != practice)
    assert [chair.name for chair in real.chairs] == ["Ann", "Ben", "Chloé"]
    assert (real.chairs[0].key, real.chairs[2].bot) == (key_of("a phone"), True)
    assert kept(tmp_path) == [("us-patent", real.seq)]
    running.host.end_practice()
    running.host.play(GameId("timeline"))
    assert until(running.table, lambda now: now.game.id == "timeline").chairs[0].key == key_of("a phone")
    assert len(kept(tmp_path)) == 2, "the practice is over once"


def test_done_it_ends_by_itself(opens: Opens, tmp_path: Path) -> None:
    running = opens()
    practice = running.table.snapshot.table
    seat_phone(running, ADA, "Ada")
    for intent in (
        PlaceInLab(ADA, PlaceId("2/lab")),
        Go(ADA, PlaceId("board/2"), PlaceId("2/market")),
        Buy(ADA, PieceId("siege-piano")),
        Buy(ADA, PieceId("hedgehog-coat")),
        SwitchOff(ADA, PieceId("bee-cannon")),
    ):
        act(running, intent)
    assert running.table.snapshot.table == practice
    origin = {"Origin": f"http://127.0.0.1:{running.port}", "X-Companion": "1", "Content-Type": "application/json"}
    with closing(HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)) as web:
        web.request("POST", "/pretend/press", '{"command":"12345678","button":"check","held":false}', origin)
        assert web.getresponse().status == 200
    until(running.table, lambda now: now.table != practice)
    assert len(kept(tmp_path)) == 1


def test_whoever_plays_on_for_a_round_plays_for_real_after_it(opens: Opens, tmp_path: Path) -> None:
    running = opens()
    practice = running.table.snapshot.table
    for _ in range(3):
        seat = running.table.snapshot.awaited[0]
        for kind in (PlaceInLab, Go, TakeGold):
            now = running.table.snapshot
            act(running, next(each for each in legal(now.game, now.view(seat), seat) if isinstance(each, kind)))
    until(running.table, lambda now: now.table != practice)
    assert len(kept(tmp_path)) == 1
