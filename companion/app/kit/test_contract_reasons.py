"""Whatever the game: the reason people are told is the most basic one, and true of the moment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from companion.app.kit.kit import AnyGame, Kit, Step
from companion.core import TABLE, Basis, Intent, Refused, SeatId, judge, legal, objection, verb_of

STEPS = 150


def of_seats(game: AnyGame, intents: Iterator[Intent]) -> Iterator[Intent]:
    corrections = {verb.intent for verb in game.corrections}
    return (i for i in intents if type(i) not in corrections and not verb_of(game, i).chance)


def after_the_end(kit: Kit, game: AnyGame) -> list[Refused]:
    """Everything that seats did in a game, wished for again once it is over."""
    steps = list(kit.sensible(kit.seats()[0], 2))
    over = steps[-1].verdict.after
    done = of_seats(game, (step.intent for step in steps))
    return [refused for intent in done if (refused := objection(game, over, intent)) is not None]


def out_of_turn(kit: Kit, game: AnyGame) -> list[Refused]:
    """What the one awaited seat may do, wished for by its neighbour; except for what is open to all at any time."""
    found, steps = [], list(positions(kit))
    now = [game.decisions(step.before)[-1] for step in steps]
    of_all = {decision.kind for decision in now if len(decision.seats) > 1}
    for step, decision in zip(steps, now, strict=True):
        awaited = decision.seats
        if decision.kind in of_all or awaited == (TABLE,):
            continue
        other = SeatId((awaited[0] + 1) % step.before.setup.seats)
        theirs = (replace(i, actor=other) for i in legal(game, step.before, awaited[0]))
        in_turn = (wish for wish in of_seats(game, theirs) if has_turn(kit.game, wish))
        verdicts = (judge(game, step.before, wish) for wish in in_turn)
        found += [verdict for verdict in verdicts if isinstance(verdict, Refused)]
    return found


def has_turn(game: AnyGame, wish: Intent) -> bool:
    return any(guard.basis == Basis.TURN for guard in verb_of(game, wish).guards)


def in_ones_own_turn(kit: Kit, game: AnyGame) -> list[Refused]:
    """What the seat did before, wished for again while nobody else is awaited."""
    before: dict[tuple[SeatId, type[Intent]], Intent] = {}
    found = []
    for step in positions(kit):
        asked = {seat for decision in game.decisions(step.before) for seat in decision.seats}
        again = (i for (seat, _), i in before.items() if asked == {seat})
        found += [why for wish in again if (why := objection(game, step.before, wish)) is not None]
        before.update(((i.actor, type(i)), i) for i in of_seats(game, iter([step.intent])))
    return found


def positions(kit: Kit) -> Iterator[Step]:
    for seats in kit.seats():
        yield from islice(kit.sensible(seats, 4), STEPS)


def test_when_the_game_is_over_that_is_the_reason(kit: Kit) -> None:
    wrong = {_told(why) for why in after_the_end(kit, kit.game) if why.bases[0] != Basis.OVER}
    assert not wrong


def test_whose_turn_it_is_comes_before_all_else(kit: Kit) -> None:
    """Another's turn, or something that must be settled first; never a place, a thing or a price."""
    wrong = {_told(why) for why in out_of_turn(kit, kit.game) if why.bases[0] > Basis.SETTLING}
    assert not wrong


def test_nobody_is_told_in_the_own_turn_that_it_is_another_s(kit: Kit) -> None:
    wrong = {_told(why) for why in in_ones_own_turn(kit, kit.game) if why.bases[0] == Basis.TURN}
    assert not wrong


def said_twice(game: AnyGame) -> set[str]:
    """Verbs with two rules that use the same words: a checklist would tick one and cross out the other."""
    keys = {verb.intent.__name__: [rule.key for rule in (*verb.guards, *verb.rules)] for verb in game.verbs}
    return {name for name, said in keys.items() if len(set(said)) < len(said)}


def test_no_checklist_says_the_same_of_two_rules(kit: Kit) -> None:
    assert said_twice(kit.game) == set()
    doubled = tuple(replace(verb, guards=(*verb.guards, *verb.guards[:1])) for verb in kit.game.verbs)
    assert said_twice(replace(kit.game, verbs=doubled)), "the control"


def test_reasons_without_an_order_would_be_noticed(kit: Kit) -> None:
    """The control: every rule is about a thing."""
    verbs = tuple(
        replace(
            verb,
            guards=tuple(replace(guard, basis=Basis.THING) for guard in verb.guards),
            rules=tuple(replace(rule, basis=Basis.THING) for rule in verb.rules),
        )
        for verb in kit.game.verbs
    )
    flat = replace(kit.game, verbs=verbs)
    assert any(why.bases[0] != Basis.OVER for why in after_the_end(kit, flat))
    assert any(why.bases[0] > Basis.SETTLING for why in out_of_turn(kit, flat))


def _told(refused: Refused) -> str:
    first = refused.refusals[0]
    return f"{type(refused.intent).__name__}: {first.rule} {first.key} ({refused.bases[0].name.lower()})"
