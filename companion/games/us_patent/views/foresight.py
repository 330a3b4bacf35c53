"""What an intent would do, told in advance from what its audience knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core import Intent, Piece, PieceId, Said, Seat, SeatId, Word, is_seat, left_of, say, seats_of
from companion.games.us_patent.rules import VERBS
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.fight import attack_of
from companion.games.us_patent.rules.forced import has_won
from companion.games.us_patent.rules.guards import ACT_STEP
from companion.games.us_patent.state import (
    CALLED,
    NEVER,
    NO_NUMBER,
    NOTHING,
    SLOTS,
    Countering,
    Dice,
    Hit,
    Loot,
    Machine,
    State,
    attacks_of,
    card,
    drive,
    is_short,
    known,
    look_of,
    mended,
    reached,
    top,
    turned,
    wins_by_action,
    with_card,
    workings,
)

from .books import missing, power, texts
from .odds import attack_lines, result

Lines = tuple[Said, ...]


def foresee(view: State, intent: Intent) -> Lines:
    """Short lines for the choice; () if its label says it all."""
    told = _TELL.get(type(intent))
    return (*_forfeited(view, intent), *(told(view, intent) if told else ()))


def badge(view: State, intent: Intent) -> int | None:
    """How many spaces away it is."""
    if not isinstance(intent, i.Go):
        return None
    return known(view).distances.get(view.machines[intent.actor].at, {}).get(intent.space)


def _forfeited(view: State, intent: Intent) -> Lines:
    """P.ac: a seat that could claim the patent as this Action lets its called number go with any other."""
    forfeits = type(intent) in _OTHER_ACTIONS and wins_by_action(view) and has_won(view, intent.actor)
    return (say("foresee.loses-number"), say("foresee.claim-first")) if forfeits else ()


def _power_after(view: State, machine: Machine) -> Lines:
    """The meter as it would be, and whether something must then be switched off."""
    short = (say("foresee.short"),) if is_short(known(view), machine) else ()
    return (power(view, machine), *short)


def installed(view: State, seat: SeatId, piece: PieceId, *, works: bool) -> Lines:
    """P7, P10: the old card, the power afterwards, and what the new card does."""
    found, machine = card(view, piece), view.machines[seat]
    if found is None:
        return ()
    old = machine.cards[found.slot]
    lines = (say("foresee.scraps", card=Piece(old)),) if old else ()
    down = () if works else (say("foresee.comes-down"),)
    after = _power_after(view, with_card(machine, found.slot, piece, works))
    return (*lines, *down, *after, *texts(view, piece))


def about(view: State, piece: PieceId, audience: SeatId) -> Lines:
    """What an Upgrade costs, and the power with it: of the seat's machine, or of the machine whose turn it is."""
    found = card(view, piece)
    if found is None:
        return ()
    seat = audience if is_seat(view, audience) else view.turn
    machine, slot = view.machines[seat], Word(f"slot.{SLOTS[found.slot]}")
    free = piece in view.junkyard
    cost = say("about.free", slot=slot) if free else say("about.price", slot=slot, price=found.rank)
    after = workings(known(view), with_card(machine, found.slot, piece, True))
    told = say("about.power", seat=Seat(seat), draw=after.draw, capacity=after.capacity)
    return (cost, told, *((say("foresee.short"),) if after.draw > after.capacity else ()))


def _buy(view: State, intent: i.Buy) -> Lines:
    found = card(view, intent.card)
    if found is None:
        return ()
    gold = view.machines[intent.actor].gold
    pay = say("foresee.pays", price=found.rank, left=gold - found.rank)
    return (pay, *installed(view, intent.actor, intent.card, works=True))


def _invent(view: State, intent: i.Invent) -> Lines:
    """Nothing for anyone who cannot see the card, or the box would tell what it does before OK (P45)."""
    seen = intent.card in look_of(view, intent.actor)
    return installed(view, intent.actor, intent.card, works=True) if seen else ()


def _loot(view: State, intent: i.InstallLoot) -> Lines:
    step = top(view)
    return installed(view, intent.actor, step.card, works=step.works) if isinstance(step, Loot) else ()


def _patent(view: State, intent: i.Patent) -> Lines:
    found, machine = card(view, intent.card), view.machines[intent.actor]
    if found is None or intent.card not in machine.cards:
        return ()
    gain = say("foresee.gains", gold=found.rank, was=machine.gold, left=machine.gold + found.rank)
    return (gain, *_power_after(view, with_card(machine, found.slot, NOTHING, False)))


def _victim(view: State, piece: PieceId, *, gone: bool) -> Lines:
    """P12: what the hit would do to the victim's power."""
    step, found = top(view), card(view, piece)
    if not isinstance(step, Hit) or found is None:
        return ()
    seat = step.fight.defender
    machine = view.machines[seat]
    if piece not in machine.cards:
        return ()
    after = with_card(machine, found.slot, NOTHING if gone else piece, False)
    cascade = is_short(known(view), after)
    return (power(view, after), *((say("foresee.cascade", seat=Seat(seat)),) if cascade else ()))


def _thrown(view: State, intent: i.AttackRolled | i.DefenceRolled) -> Lines:
    """What the last dice of an attack would add up to."""
    step = top(view)
    if not isinstance(step, Dice):
        return ()
    fight, attack, defence = step.fight, step.attack, step.defence
    if isinstance(intent, i.AttackRolled):
        attack = intent.number + fight.attack_plus
    else:
        defence = intent.number + fight.defence_plus
    if NEVER in (attack, defence):
        return ()
    return (say(f"foresee.throw-{result(fight, attack - defence)}"),)


def _shot(view: State, intent: i.Shoot | i.ShootSecond) -> Lines:
    attack = attack_of(view, type(intent), intent.card) or 0
    return attack_lines(view, intent.actor, intent.seat, "ranged", intent.card, attack)


def _volley(view: State, intent: i.Volley) -> Lines:
    """Whom it reaches, and the chances against each."""
    attack = attack_of(view, i.Volley, intent.card)
    if attack is None:
        return ()
    targets = reached(view, intent.actor, attacks_of(known(view), intent.card)[attack])
    told = ((t, attack_lines(view, intent.actor, t, "ranged", intent.card, attack)) for t in targets)
    return tuple(line for target, lines in told for line in (say("foresee.at", seat=Seat(target)), *lines))


def _counter(view: State, intent: i.CounterAttack) -> Lines:
    step = top(view)
    if not isinstance(step, Countering):
        return ()
    return attack_lines(view, intent.actor, step.fight.attacker, "counter", NOTHING)


def _off(view: State, intent: i.SwitchOff) -> Lines:
    machine = view.machines[intent.actor]
    return _power_after(view, turned(machine, intent.card, False)) if intent.card in machine.cards else ()


def _repaired(view: State, intent: i.RepairOne | i.Revive) -> Lines:
    machine = view.machines[intent.actor]
    return _power_after(view, turned(machine, intent.card, True)) if intent.card in machine.cards else ()


def _all_repaired(view: State, intent: i.Mend | i.RepairAll) -> Lines:
    machine = view.machines[intent.actor]
    pay = (say("foresee.pays", price=1, left=machine.gold - 1),) if isinstance(intent, i.Mend) else ()
    return (*pay, *_power_after(view, mended(machine)))


def _go(view: State, intent: i.Go | i.LeapTo) -> Lines:
    """What is there: cards, prices, people."""
    tables = known(view)
    board = tables.boards.get(intent.space)
    if board is None:
        return ()
    there = tuple(
        say("foresee.meets", seat=Seat(SeatId(seat)))
        for seat in seats_of(view)
        if seat != intent.actor and view.machines[seat].at == intent.space
    )
    match tables.kinds[intent.space]:
        case "market":
            return (say("foresee.cards-there", n=len(view.markets[board])), *there)
        case "lab":
            return (say("foresee.cards-there", n=len(view.labs[board])), *there)
        case "junkyard":
            return (say("foresee.cards-there", n=len(view.junkyard)), *there)
        case _:
            return there


def _roll(view: State, intent: i.Roll | i.MoveAgain) -> Lines:
    dice, plus = drive(known(view), view.machines[intent.actor])
    return (say("foresee.reach", low=max(0, dice + plus), high=max(0, 6 * dice + plus)),)


def _number(view: State, intent: i.TakeNumber) -> Lines:
    old = view.machines[intent.actor].number
    if old == NO_NUMBER:
        return ()
    return (say("foresee.replaces-called") if old == CALLED else say("foresee.replaces", number=old),)


def _end(view: State, intent: i.EndTurn) -> Lines:
    """P30, P31, P.ac: a called number wins or is lost."""
    seat = intent.actor
    nobody = say("foresee.next", seat=Seat(left_of(view, seat)))
    if view.machines[seat].number != CALLED:
        return (nobody,)
    lacking = tuple(m.said for m in missing(view, seat))
    if not lacking and not wins_by_action(view):
        return (say("foresee.wins"),)
    return (say("foresee.loses-number"), *(lacking or (say("foresee.claim-first"),)), nobody)


def _gold(view: State, intent: i.TakeGold) -> Lines:
    gold = view.machines[intent.actor].gold
    return (say("foresee.gold", gold=gold, left=gold + 1),)


_OTHER_ACTIONS: Final = frozenset(
    verb.intent for verb in VERBS if ACT_STEP in verb.guards and verb.intent not in (i.ClaimPatent, i.TakeNumber)
)
_TELL: Final[dict[type[Intent], Callable[[State, Any], Lines]]] = {
    i.Buy: _buy,
    i.Invent: _invent,
    i.Salvage: lambda view, n: installed(view, n.actor, n.card, works=False),
    i.InstallLoot: _loot,
    i.Patent: _patent,
    i.Attack: lambda view, n: attack_lines(view, n.actor, n.seat, "basic", NOTHING) if _other(view, n) else (),
    i.Shoot: lambda view, n: _shot(view, n) if _other(view, n) else (),
    i.ShootSecond: lambda view, n: _shot(view, n) if _other(view, n) else (),
    i.Volley: _volley,
    i.FollowText: lambda view, n: tuple(texts(view, n.card)),
    i.CounterAttack: _counter,
    i.Disable: lambda view, n: _victim(view, n.card, gone=False),
    i.Destroy: lambda view, n: _victim(view, n.card, gone=True),
    i.Steal: lambda view, n: _victim(view, n.card, gone=True),
    i.AttackRolled: _thrown,
    i.DefenceRolled: _thrown,
    i.SwitchOff: _off,
    i.RepairOne: _repaired,
    i.Revive: _repaired,
    i.RepairAll: _all_repaired,
    i.Mend: _all_repaired,
    i.Go: _go,
    i.LeapTo: _go,
    i.Roll: _roll,
    i.MoveAgain: _roll,
    i.TakeNumber: _number,
    i.ClaimPatent: lambda view, n: (say("foresee.wins"),) if has_won(view, n.actor) else (),
    i.EndTurn: _end,
    i.TakeGold: _gold,
    i.ResearchAgain: lambda view, n: (say("foresee.deck", n=len(view.deck)),),
    i.LookInLab: lambda view, n: (say("foresee.cards-there", n=len(view.labs[_board(view, n.actor)])),),
    i.Study: lambda view, n: (say("foresee.cards-there", n=sum(map(len, view.labs[1 : _board(view, n.actor)]))),),
}


def _other(view: State, intent: i.Attack | i.Shoot | i.ShootSecond) -> bool:
    return intent.seat in seats_of(view) and intent.seat != intent.actor


def _board(view: State, seat: SeatId) -> int:
    return known(view).boards.get(view.machines[seat].at, 0)
