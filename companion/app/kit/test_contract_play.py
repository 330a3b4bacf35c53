"""Whatever the game: what is legal is accepted, what is not is refused, and the game goes on until it ends."""

from __future__ import annotations

import os
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.app.kit.kit import AnyGame, Kit, Naive, Step, accepts, plain
from companion.core import (
    PUBLIC,
    TABLE,
    Event,
    Fact,
    Intent,
    SeatId,
    allowed,
    argument_kinds,
    fold,
    legal,
    mask,
    set_by,
    standing_now,
    verb_of,
)
from companion.core.legality import carry_out

REGENERATE = "REGENERATE_PERFT"
STEPS = 60
SEEDS = range(2)
LONG = 1500
SHORT = 450
"""A game is short if random play ends it within half this many acts."""
PERFT = "perft.toml"
MANY = 12


def everybody(seats: int) -> tuple[SeatId, ...]:
    return (TABLE, *(SeatId(seat) for seat in range(seats)))


def test_what_is_listed_is_exactly_what_is_accepted(kit: Kit, sizes: tuple[int, ...]) -> None:
    for seats in sizes:
        for seed in SEEDS:
            for step in kit.playout(seats, seed, STEPS):
                for actor in everybody(seats):
                    verbs = [verb for verb in kit.game.verbs if verb.chance == (actor == TABLE)]
                    candidates = [intent for verb in verbs for intent in verb.arguments(step.before, actor)]
                    accepted = [intent for intent in candidates if accepts(kit.game, step.before, intent)]
                    assert list(legal(kit.game, step.before, actor)) == accepted


@pytest.mark.slow
def test_nothing_else_is_accepted_whatever_a_stranger_sends(kit: Kit) -> None:
    met: Counter[bool] = Counter()
    for seats in kit.seats():
        chance = random.Random(seats)
        for step in kit.playout(seats, 7, 2 * STEPS):
            for _ in range(25):
                wish = kit.wild(step.before, seats, chance)
                accepted = accepts(kit.game, step.before, wish)
                met[accepted] += 1
                if not any(type(wish) is verb.intent for verb in kit.game.corrections):
                    assert accepted == is_listed(kit, step.before, wish), wish
    few = min(50, met.total() // 50)
    assert met[True] > few
    assert met[False] > few


def is_listed(kit: Kit, state: Any, wish: Any) -> bool:
    """Whether `legal` has it, with the lowest number in place of any within a span."""
    offered = legal(kit.game, state, wish.actor)
    span = verb_of(kit.game, wish).span
    if span is None:
        return wish in offered
    name = argument_kinds(type(wish))[-1][0]
    low, high = span(state, wish)
    return low <= getattr(wish, name) <= high and replace(wish, **{name: low}) in offered


def test_corrections_that_are_listed_are_accepted(kit: Kit) -> None:
    for step in kit.playout(kit.seats()[-1], 1, STEPS):
        for verb in kit.game.corrections:
            assert all(accepts(kit.game, step.before, intent) for intent in allowed(verb, step.before, SeatId(0)))


def test_corrections_ask_only_what_hands_can_do(kit: Kit) -> None:
    assert all(rule.physical for verb in kit.game.corrections for rule in (*verb.guards, *verb.rules))


def test_a_correction_knows_what_stands_there_and_finds_there_what_it_set(kit: Kit) -> None:
    made = list(set_right(kit, kit.game))
    assert all(there in (None, set_by(wish)) for wish, there in made)
    tells = {type(wish) for wish, _ in made if verb_of(kit.game, wish).now is not None}
    assert tells == {type(wish) for wish, there in made if there is not None} & tells


def test_a_correction_that_reads_the_wrong_fact_would_be_noticed(kit: Kit) -> None:
    """The control: it reports a value that was never set."""
    if not kit.game.corrections:
        pytest.skip("nothing can be set right in this game")
    wrong = replace(kit.game, corrections=tuple(replace(verb, now=lambda s, i: -1000) for verb in kit.game.corrections))
    assert any(there != set_by(wish) for wish, there in set_right(kit, wrong))


def set_right(kit: Kit, game: AnyGame) -> Iterator[tuple[Intent, Fact | None]]:
    """Corrections from a whole game, each with what is then at the corrected place, as everybody may know it."""
    chance = random.Random(5)
    for step in kit.playout(kit.seats()[0], 5, 2 * STEPS):
        for verb in game.corrections:
            offered = list(allowed(verb, step.before, SeatId(0)))
            for intent in chance.sample(offered, min(len(offered), 3)):
                wish = kit.numbered(step.before, intent, chance)
                after = fold(kit.game, step.before, verb.outcome(step.before, wish))
                yield wish, standing_now(game, mask(after, PUBLIC), wish)


def test_what_lies_elsewhere_after_an_event_is_for_hands(kit: Kit) -> None:
    assert {event for event in moving(kit) if event.concerns != "hands"} == set()


def test_an_event_that_is_told_to_nobody_would_be_noticed(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the first event that moves something is passed off as the course of the game."""
    first = next(moving(kit), None)
    if first is None:
        pytest.skip("nothing is moved in this game")
    monkeypatch.setattr(first, "concerns", "course")
    assert first in {event for event in moving(kit) if event.concerns != "hands"}


def moving(kit: Kit) -> Iterator[type[Event]]:
    """Kinds of events after which everybody sees something where it was not before."""
    for seats in kit.seats():
        for step in kit.playout(seats, 2, 3 * STEPS):
            state = step.before
            for event in step.verdict.events:
                after = kit.game.apply(state, event)
                if set(kit.game.layout(mask(after, PUBLIC))) - set(kit.game.layout(mask(state, PUBLIC))):
                    yield type(event)
                state = after


@pytest.mark.slow
def test_the_second_referee_agrees(kit: Kit) -> None:
    naive = second_referee(kit)
    for seats in kit.seats():
        chance, setup = random.Random(seats), plain(kit.setup(seats, 3))
        for step in kit.playout(seats, 3, 2 * STEPS):
            state = plain(step.before)
            wishes = [kit.wild(step.before, seats, chance) for _ in range(10)]
            wishes += [i for actor in everybody(seats) for i in some_of(legal(kit.game, step.before, actor), chance)]
            for wish in wishes:
                assert naive(setup, state, plain(wish)) == accepts(kit.game, step.before, wish), (wish, state)


def second_referee(kit: Kit) -> Naive:
    """Written from the rules alone, without looking at the game's code."""
    naive = kit.naive
    assert naive is not None, (
        f"{kit.game.id} has no second referee: write {kit.tests / 'naive.py'} with a function "
        "legal(setup, state, intent) -> bool that reads plain dictionaries"
    )
    return naive


def some_of(intents: tuple[Intent, ...], chance: random.Random) -> list[Intent]:
    """All of a short list; of a long one (such as offers to trade) one of each verb and some more."""
    one_each = {type(intent): intent for intent in intents}.values()
    return list(intents) if len(intents) <= MANY else [*one_each, *chance.sample(intents, MANY)]


@pytest.mark.slow
def test_a_referee_that_misreads_one_rule_would_be_noticed(kit: Kit) -> None:
    """The control: without the rules of any one verb, the second referee no longer agrees."""
    naive = second_referee(kit)
    lax = replace(kit.game, verbs=tuple(replace(verb, rules=(), sure=False, kept=None) for verb in kit.game.verbs))
    seats = kit.seats()[0]
    chance, setup = random.Random(1), plain(kit.setup(seats, 3))
    differ = 0
    for step in kit.playout(seats, 3, STEPS):
        for _ in range(20):
            wish = kit.wild(step.before, seats, chance)
            broken = accepts_safely(lax, step.before, wish)
            differ += broken != naive(setup, plain(step.before), plain(wish))
    assert differ > 0


def accepts_safely(game: Any, state: Any, wish: Any) -> bool:
    try:
        return accepts(game, state, wish)
    except (LookupError, ValueError, AssertionError):
        return True


def test_no_piece_is_lost_or_doubled(kit: Kit) -> None:
    pieces = sorted(kit.game.pieces(kit.pack))
    for seats in kit.seats():
        for step in kit.playout(seats, 11, 5 * STEPS):
            assert sorted(lies.piece for lies in kit.game.layout(step.verdict.after)) == pieces


def landings(kit: Kit, game: AnyGame) -> Counter[bool]:
    """How often something lay where a verb of `game` says that it lands, and how often not."""
    met: Counter[bool] = Counter()
    for step in kit.playout(kit.seats()[0], 5, 5 * STEPS):
        lands = verb_of(game, step.intent).lands
        if lands is not None:
            there = set(lands(step.before, step.intent)) - game.trays(kit.pack)
            assert there <= set(game.places(kit.pack)), "a place that may carry a tag"
            met[bool(there & {lies.place for lies in game.layout(step.verdict.after)})] += 1
    return met


def test_what_lands_somewhere_lies_there(kit: Kit) -> None:
    """A promise that saves an OK; a build that breaks it is noticed."""
    met = landings(kit, kit.game)
    assert not met[False]
    assert met[True] or not any(verb.lands for verb in kit.game.verbs)
    astray = tuple(
        replace(v, lands=(lambda _s, _i: kit.game.places(kit.pack)[-1:]) if v.lands else None) for v in kit.game.verbs
    )
    assert bool(landings(kit, replace(kit.game, verbs=astray))[False]) == bool(met[True])


def test_there_is_always_a_way_on_or_an_end(kit: Kit, sizes: tuple[int, ...]) -> None:
    for seats in sizes:
        for seed in SEEDS:
            for step in kit.playout(seats, seed + 20, 5 * STEPS):
                state = step.verdict.after
                asked = kit.game.decisions(state)
                assert (not asked) == (kit.game.result(state) is not None)
                assert not kit.game.forced(state), "the table folds what is forced before it waits"
                if asked:
                    assert any(legal(kit.game, state, seat) for seat in asked[-1].seats), asked
                    assert TABLE not in asked[-1].seats or asked[-1].seats == (TABLE,)


def test_candidates_are_stable_and_the_same_from_a_view(kit: Kit) -> None:
    decoder = msgspec.json.Decoder(kit.game.state)
    for seats in kit.seats():
        setup = kit.setup(seats, 5)
        for step in kit.playout(seats, 5, STEPS):
            again = replace(decoder.decode(msgspec.json.encode(plain(step.before))), setup=setup)
            assert again == step.before
            for actor in everybody(seats):
                intents = legal(kit.game, step.before, actor)
                assert len(set(intents)) == len(intents)
                assert legal(kit.game, again, actor) == intents
                if actor != TABLE:
                    view = mask(step.before, actor)
                    assert legal(kit.game, view, actor) == intents
                    assert kit.game.decisions(view) == kit.game.decisions(step.before)


@pytest.mark.parametrize("seed", SEEDS)
def test_sensible_players_finish(kit: Kit, sizes: tuple[int, ...], seed: int) -> None:
    for seats in sizes:
        steps = list(islice(kit.sensible(seats, seed), 20 * LONG))
        result = kit.game.result(steps[-1].verdict.after)
        assert result is not None, f"{seats} sensible players of {kit.game.id} never finish"
        assert all(0 <= seat < seats for seat in result.winners)


def test_random_players_run_on_until_the_game_is_over(kit: Kit, sizes: tuple[int, ...]) -> None:
    for seats in sizes:
        steps = list(kit.playout(seats, 40, LONG))
        assert len(steps) == LONG or kit.game.result(steps[-1].verdict.after) is not None


# Perft: trees of legal play, counted once and for all


def nodes(kit: Kit, state: Any, depth: int) -> int:
    """How many ways of `depth` acts lead on from here."""
    asked = kit.game.decisions(state)
    intents = [intent for seat in (asked[-1].seats if asked else ()) for intent in legal(kit.game, state, seat)]
    if depth == 1:
        return len(intents)
    after = (carry_out(kit.game, state, verb_of(kit.game, intent), intent)[1] for intent in intents)
    return sum([nodes(kit, state, depth - 1) for state in after])


def positions(kit: Kit) -> list[dict[str, Any]]:
    """Some positions to count from, in which a seat is asked: two per number of seats."""
    return [
        {"seats": seats, "seed": seed, "steps": steps} for seats in kit.seats() for seed, steps in asking(kit, seats)
    ]


def asking(kit: Kit, seats: int) -> list[tuple[int, int]]:
    """Seed and acts: 60 and 150 acts into random games, or a third and two thirds of the way through a short one."""
    asked = [steps for steps, step in enumerate(kit.playout(seats, 1, SHORT), 1) if asks_a_seat(kit, step)]
    assert asked, f"in a game of {seats}, random play never came to a decision of a seat"
    if asked[-1] < SHORT // 2:
        return [(1, asked[len(asked) // 3]), (1, asked[2 * len(asked) // 3])]
    return [(next(seed for seed in count(1) if is_asked_after(kit, seats, seed, steps)), steps) for steps in (60, 150)]


def asks_a_seat(kit: Kit, step: Step) -> bool:
    asked = kit.game.decisions(step.verdict.after)
    return bool(asked) and TABLE not in asked[-1].seats


def is_asked_after(kit: Kit, seats: int, seed: int, steps: int) -> bool:
    *_, last = kit.playout(seats, seed, steps)
    return asks_a_seat(kit, last)


def counted(kit: Kit, position: dict[str, Any]) -> list[int]:
    *_, last = kit.playout(position["seats"], position["seed"], position["steps"])
    return [nodes(kit, last.verdict.after, depth) for depth in (1, 2, 3)]


def test_the_trees_of_legal_play_have_not_changed(kit: Kit) -> None:
    """REGENERATE_PERFT=1 counts them again; say why in the change that does so."""
    if os.environ.get(REGENERATE):
        write_perft(kit.tests / PERFT, [(position, counted(kit, position)) for position in positions(kit)])
    for position in kept(kit):
        assert counted(kit, position) == position["nodes"], f"{position}; see {REGENERATE}"


def kept(kit: Kit) -> list[dict[str, Any]]:
    path = kit.tests / PERFT
    assert path.exists(), f"{path} is not there; count the trees once: {REGENERATE}=1 companion kit {kit.game.id}"
    found: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["position"]
    assert {position["seats"] for position in found} == set(kit.seats())
    return found


def write_perft(path: Path, rows: list[tuple[dict[str, Any], list[int]]]) -> None:
    lines = [
        "# Legal acts to depth 1, 2 and 3 from positions of random play; made by the contract kit.",
        "position = [",
    ]
    for position, found in rows:
        words = ", ".join(f"{key} = {value}" for key, value in position.items())
        lines.append(f"  {{ {words}, nodes = {found} }},")
    path.write_text("\n".join([*lines, "]"]) + "\n", "utf-8")


def test_one_lost_verb_changes_the_trees(kit: Kit) -> None:
    """The control: a game that forgot what is done at the first counted position."""
    position = kept(kit)[0]
    *_, last = kit.playout(position["seats"], position["seed"], position["steps"])
    done = legal(kit.game, last.verdict.after, kit.game.decisions(last.verdict.after)[-1].seats[0])[0]
    verbs = tuple(verb for verb in kit.game.verbs if verb.intent is not type(done))
    assert nodes(Kit(replace(kit.game, verbs=verbs)), last.verdict.after, 1) != position["nodes"][0]
