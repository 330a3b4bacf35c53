"""What lights up for a held thing is what the box would accept; a drop is what hands would do for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.kit.kit import Kit
from companion.box import Box, carrying
from companion.box import stack as stacks
from companion.box.choosing import Choosing
from companion.box.hands import Tap
from companion.box.pointing import ending
from companion.box.stack import REST
from companion.core import Blocked, ChoosePage, Idle, Intent, Pressed, Token, legal, objection, verb_of
from companion.core.legality import carry_out
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Desk, Do, Referee, Snapshot
from companion.table.granting import grant
from companion.table.wishes import By

GAMES = ("us-patent", "timeline", "one-false-step", "actionworks")
Lit = Callable[[carrying.Meanings, "Token | None"], frozenset[Token]]


def positions(game: str, folder: Path, acts: int = 24) -> Iterator[Snapshot]:
    """Every third position of an evening of sensible players, as the box has it."""
    kit, chance = Kit(shelf.open(game)), random.Random(game)

    def thrown(all_of: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
        return chance.choices(all_of, weights)[0]

    with Journal.open(folder / "journal.db") as journal:
        referee = Referee.begin(kit.game, kit.setup(3, 3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        desk = Desk(referee, Tagbook(), Box(), thrown, None)
        desk.let_chance_play()
        for act in range(acts):
            desk.draw()
            if act % 3 == 0:
                yield desk.snapshot
            if desk.snapshot.result is not None:
                return
            grant(desk, Do(kit.sensible_pick(desk.referee.at.state, chance)), By(None, Pressed("ok")))


def drawn(scene: Snapshot) -> frozenset[Token]:
    tokens = (getattr(shape, "token", None) for shape in scene.game.picture(scene.state).shapes)
    return frozenset(token for token in tokens if token is not None and token.kind == "place")


def lands(scene: Snapshot, held: Token) -> frozenset[Token]:
    """Where a piece lies after any legal act that moves it, however that was found."""
    found = set()
    here = {lies.piece: lies.place for lies in scene.game.layout(scene.state)}
    for actor in scene.awaited:
        for intent in legal(scene.game, scene.state, actor):
            after = carry_out(scene.game, scene.state, verb_of(scene.game, intent), intent)[1]
            there = {lies.piece: lies.place for lies in scene.game.layout(after)}
            found |= {Token("place", there[p]) for p in there if p == held.value and here.get(p) != there[p]}
    return frozenset(found)


def wrongly_lit(scene: Snapshot, held: Token, lit: Lit) -> frozenset[Token]:
    """Places about which the page and the box disagree."""
    shown, wrong = lit(carrying.meanings(scene), held), set()
    can_land = lands(scene, held)
    for place in drawn(scene):
        takes = not isinstance(ending(scene, Choosing(tokens=(held, place))), Blocked | Idle)
        if (place in shown) != (takes or place in can_land):
            wrong.add(place)
    return frozenset(wrong)


def held_in(scene: Snapshot) -> list[Token]:
    """Some pieces with which something can be done, and one with which perhaps nothing can."""
    known = carrying.meanings(scene)
    wanted = sorted({t for meant in known for t in meant.things if t.kind == "piece"}, key=lambda t: str(t.value))
    return [*wanted[:1], *(Token("piece", lies.piece) for lies in scene.game.layout(scene.state)[:1])]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_page_lights_what_the_box_would_take(game: str, tmp_path: Path) -> None:
    for scene in positions(game, tmp_path):
        for held in held_in(scene):
            assert not wrongly_lit(scene, held, carrying.lit), (scene.seq, held)


def one_too_few(known: carrying.Meanings, held: Token | None) -> frozenset[Token]:
    return frozenset(token for token in carrying.lit(known, held) if not str(token.value).endswith("/lab"))


def one_too_many(known: carrying.Meanings, held: Token | None) -> frozenset[Token]:
    return carrying.lit(known, held) | {Token("place", "0/mechanic")}


@pytest.mark.parametrize("lit", [one_too_few, one_too_many])
def test_a_page_that_lights_one_place_more_or_less_is_caught(lit: Lit, tmp_path: Path) -> None:
    """The control."""
    scenes = positions("us-patent", tmp_path)
    assert any(wrongly_lit(scene, held, lit) for scene in scenes for held in held_in(scene))


@pytest.mark.parametrize("game", GAMES)
def test_a_drop_on_what_is_lit_does_it_or_opens_its_question(game: str, tmp_path: Path) -> None:
    for scene in positions(game, tmp_path):
        known = carrying.meanings(scene)
        for held in held_in(scene):
            for on in sorted(carrying.lit(known, held) & drawn(scene), key=str)[:3]:
                moves = carrying.inputs(scene, REST, known, held, on)
                assert moves, (scene.seq, held, on)
                assert all(not _is_refused(scene, move) for move in moves[:1]), (scene.seq, held, on)


def _is_refused(scene: Snapshot, move: object) -> bool:
    if not isinstance(move, Tap):
        return False
    wish = stacks.tap(scene, REST, move.token)[1]
    return isinstance(wish, Do) and objection(scene.game, scene.state, wish.intent) is not None


@pytest.mark.slow
def test_a_drop_elsewhere_is_the_real_no_or_nothing(tmp_path: Path) -> None:
    """Hands that miss never do something else instead."""
    refused = 0
    for scene in positions("us-patent", tmp_path, 60):
        known = carrying.meanings(scene)
        for held in held_in(scene):
            for on in sorted(drawn(scene) - carrying.lit(known, held), key=str)[::9]:
                moves = carrying.inputs(scene, REST, known, held, on)
                stack, wish = REST, None
                for move in moves:
                    assert isinstance(move, Tap)
                    assert wish is None, "nothing is done before the NO"
                    stack, wish = stacks.tap(scene, stack, move.token)
                if moves:
                    assert isinstance(wish, Do)
                    assert objection(scene.game, scene.state, wish.intent) is not None
                    refused += 1
    assert refused, "the box says NO now and then"


def test_a_reason_names_a_rule_that_the_box_would_name(tmp_path: Path) -> None:
    told = 0
    for scene in positions("us-patent", tmp_path, 45):
        market = [lies.piece for lies in scene.game.layout(scene.state) if lies.place.endswith("/market")]
        for held in (Token("piece", piece) for piece in market[:2]):
            lit = carrying.lit(carrying.meanings(scene), held)
            for on, refusal in carrying.reasons(scene, held).on:
                end = ending(scene, Choosing(tokens=(held, on)))
                if on not in lit and isinstance(end, Blocked):
                    assert refusal.rule in {each.rule for each in end.refused.refusals}, (scene.seq, held, on)
                    told += 1
    assert told


def test_whoever_carries_the_pawn_of_another_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    """And not why nobody can be attacked now, which is what the tag of that seat would mean on a reader."""
    for scene in positions("us-patent", tmp_path):
        pawn = Token("seat", (scene.awaited[0] + 1) % 3)
        place, known = Token("place", "0/office"), carrying.meanings(scene)
        if place in carrying.lit(known, pawn):
            continue  # it may be gone to all the same
        otherwise = carrying.reasons(scene, pawn).otherwise
        assert otherwise is not None
        assert otherwise.key == "your-turn"
        assert carrying.inputs(scene, REST, known, pawn, place) == (), "no tag of it is tapped"


def test_the_rows_of_the_box_are_as_far_as_its_dial_has_to_turn(tmp_path: Path) -> None:
    """Turn the dial that far, and that row is marked."""
    marked = 0
    for scene in positions("us-patent", tmp_path):
        rows = carrying.rows(scene)
        for said, steps in zip(rows.items, rows.steps, strict=True):
            page = stacks.page(scene, stacks.turn(scene, REST, steps))
            if isinstance(page, ChoosePage):
                assert page.items[page.at] == said
                marked += 1
    assert marked
