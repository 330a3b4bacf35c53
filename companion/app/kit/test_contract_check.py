"""CHECK, whatever the game: what is wrong and whose move it is, a page for each seat, and all the rest behind OK."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from msgspec.structs import replace

from companion.app.kit.kit import Kit, kit_of
from companion.box import stack
from companion.box.check import Check
from companion.box.dialog import turn_page
from companion.box.stack import REST, Stack
from companion.core import (
    PUBLIC,
    UNKNOWN,
    Button,
    CheckPage,
    Finding,
    GlancePage,
    Page,
    RuleId,
    Said,
    Seat,
    SeatId,
    Standing,
    Status,
    Token,
    say,
)
from companion.table import Show, Snapshot
from companion.table.record import Position, settled

STEPS = 200
EVERY = 7


@cache
def moments(game_id: str, sizes: tuple[int, ...]) -> tuple[Snapshot, ...]:
    """Moments of games between sensible players, including the end if they got there."""
    kit, found = kit_of(game_id), list[Snapshot]()
    for seats in sizes:
        states = [step.verdict.after for step in islice(kit.sensible(seats, 4), STEPS)]
        found += [moment(kit, state, seats) for state in (*states[::EVERY], states[-1])]
    return tuple(found)


def moment(kit: Kit, state: object, seats: int) -> Snapshot:
    at = settled(kit.game, Position(1, state, (1,), (1,) * seats, ()))  # type: ignore[arg-type]
    return Snapshot(game=kit.game, table="t", beat=0, at=at, mode="strict")


def pressed(scene: Snapshot, box: Stack, button: Button) -> Stack:
    after, want = stack.press(scene, box, button, False)
    assert want is None
    return after


def walked(scene: Snapshot, box: Stack) -> Iterator[tuple[Stack, Page]]:
    """Every page that NEXT leads to, once round."""
    at = box
    while True:
        yield at, stack.page(scene, at)
        at = pressed(scene, at, "next")
        if at == box:
            return


def test_check_is_a_page_for_each_seat_and_two_more(kit: Kit, sizes: tuple[int, ...]) -> None:
    seats: list[SeatId] = []
    for scene in moments(kit.game.id, sizes):
        pages = [page for _, page in walked(scene, pressed(scene, REST, "check"))]
        status = scene.game.status(scene.view(PUBLIC))
        seats = [each.seat for each in status.facts if isinstance(each, Standing)]
        assert len(pages) <= max(len(status.findings), 1) + scene.state.setup.seats + 1
        named = [page.title for page in pages if isinstance(page, GlancePage) and page.value]
        assert named == [say("box.who", seat=Seat(seat)) for seat in seats]
        assert seats == list(range(len(seats)))
    assert len(seats) == scene.state.setup.seats, "before it is dealt, somebody may have nothing yet"


def test_its_first_page_says_that_all_is_fine_or_what_is_wrong_and_whose_move_it_is(
    kit: Kit, sizes: tuple[int, ...]
) -> None:
    for scene in moments(kit.game.id, sizes):
        page, turn = stack.page(scene, (*REST, Check())), turn_page(scene)
        assert isinstance(page, CheckPage)
        findings = scene.game.status(scene.view(PUBLIC)).findings
        assert page.is_problem == bool(findings)
        assert page.said == (findings[0].said if findings else say("check.fine"))
        assert (page.who, page.what) == (turn.who, turn.what)  # type: ignore[union-attr]


def test_every_problem_has_a_page_before_the_seats(kit: Kit) -> None:
    """Uses a check that found two things wrong."""
    scene = moments(kit.game.id, kit.seats()[:1])[-1]
    wrong = (Finding(RuleId("X1"), say("first")), Finding(RuleId("X2"), say("second")))
    game = replace(kit.game, status=lambda view: Status(kit.game.status(view).facts, wrong))
    shown = [page for _, page in walked(replace(scene, game=game), (*REST, Check()))]
    assert [page.said.key for page in shown[:2] if isinstance(page, CheckPage) and page.is_problem] == [
        "first",
        "second",
    ]
    assert not any(isinstance(page, CheckPage) for page in shown[2:])


def test_ok_opens_what_is_behind_a_page_and_nothing_of_the_check_is_out_of_reach(
    kit: Kit, sizes: tuple[int, ...]
) -> None:
    for scene in moments(kit.game.id, sizes)[::4]:
        read = list[Said]()
        for box, page in walked(scene, (*REST, Check())):
            opened = pressed(scene, box, "ok")
            if isinstance(page, CheckPage):
                assert opened == REST
                continue
            read += [line.said for _, line in walked(scene, opened) if isinstance(line, CheckPage)]
            assert pressed(scene, opened, "back") == pressed(scene, opened, "ok") == box
        assert sorted(map(str, read)) == sorted(map(str, scene.game.status(scene.view(PUBLIC)).words))


def test_a_card_that_is_laid_meanwhile_is_only_told_about(kit: Kit) -> None:
    every = moments(kit.game.id, kit.seats()[:1])
    scene = every[min(2, len(every) - 1)]
    card = next((lies.piece for lies in scene.game.layout(scene.view(PUBLIC))), UNKNOWN)
    for box in ((*REST, Check()), (*REST, Check(1)), (*REST, Check(1, 0))):
        after, want = stack.tap(scene, box, Token("piece", card))
        assert after == box
        assert isinstance(want, Show)
    assert pressed(scene, (*REST, Check(1, 0)), "check") == REST
