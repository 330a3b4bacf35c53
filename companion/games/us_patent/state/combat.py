"""Attacks in numbers: what is rolled, what is added, what a hit may do (P27, P34–P38, P47)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import PieceId, SeatId

from .cards import SHIELD, WEAPON, Tables
from .machine import Machine, effects, has, rank_in
from .state import State, board_at, known
from .steps import NEVER, Fight, FightKind, Hit
from .vocabulary import Counter, Hold, Muffle, Parry, Pierce, Ranged, Robbery, Strike, Ward

BASIC_DICE, DEFENCE_DICE, HEAVY = 2, 1, 5


def fight_of(
    state: State, attacker: SeatId, defender: SeatId, kind: FightKind, source: PieceId, attack: int = 0
) -> Fight:
    """The attack as it would be declared now; `attack` counts those of a card. Every number in it is public."""
    tables = known(state)
    mine, theirs = state.machines[attacker], state.machines[defender]
    attacks = attacks_of(tables, source) if kind == "ranged" and source in mine.cards else ()
    if attack < len(attacks):
        return _held(tables, theirs, _from_afar(tables, mine, theirs, (attacker, defender), attacks[attack]))
    return _held(tables, theirs, _basic(tables, mine, theirs, (attacker, defender), kind))


def _basic(tables: Tables, mine: Machine, theirs: Machine, seats: tuple[SeatId, SeatId], kind: FightKind) -> Fight:
    strikes = [effect for _, effect in effects(tables, mine, Strike)]
    parries = [effect for _, effect in effects(tables, theirs, Parry)]
    robberies = [effect.margin for _, effect in effects(tables, mine, Robbery)]
    pierced = has(tables, mine, Pierce) and not holds(tables, theirs, "pierce")
    return Fight(
        *seats,
        kind,
        _unmuffled(tables, theirs, max((s.dice for s in strikes), default=BASIC_DICE), "basic"),
        rank_in(tables, mine, WEAPON) + sum(s.plus for s in strikes),
        max((p.dice for p in parries), default=DEFENCE_DICE),
        (0 if pierced else rank_in(tables, theirs, SHIELD)) + sum(p.plus for p in parries),
        disables=True,
        destroys=min((s.destroys for s in strikes), default=HEAVY),
        steals=min(robberies, default=NEVER),
        armed=theirs.works[WEAPON],
    )


def _from_afar(tables: Tables, mine: Machine, theirs: Machine, seats: tuple[SeatId, SeatId], ranged: Ranged) -> Fight:
    """P.y: the Weapon's rank counts; a Shield's does not unless it names such attacks."""
    return Fight(
        *seats,
        "ranged",
        _unmuffled(tables, theirs, ranged.dice, "ranged"),
        rank_in(tables, mine, WEAPON) + ranged.plus,
        ranged.defence,
        0,
        disables=ranged.result in ("usual", "disable"),
        destroys={"usual": HEAVY, "destroy": 1}.get(ranged.result, NEVER),
        steals=1 if ranged.result == "steal" else NEVER,
        armed=theirs.works[WEAPON],
    )


def _unmuffled(tables: Tables, theirs: Machine, dice: int, kind: str) -> int:
    """P38: the dice that the defender's machine leaves the attacker."""
    muffles = effects(tables, theirs, Muffle)
    return max(0, dice - sum([effect.dice for _, effect in muffles if effect.against in (kind, "all")]))


def _held(tables: Tables, theirs: Machine, fight: Fight) -> Fight:
    """P38: the fight without what the attack could do if it were not for the Shield."""
    could = {"disable": fight.disables, "destroy": fight.destroys < NEVER, "steal": fight.steals < NEVER}
    held = tuple(what for what, able in could.items() if able and holds(tables, theirs, what))
    if not held:
        return fight
    return replace(
        fight,
        disables=fight.disables and "disable" not in held,
        destroys=NEVER if "destroy" in held else fight.destroys,
        steals=NEVER if "steal" in held else fight.steals,
        held=held,
    )


def attacks_of(tables: Tables, source: PieceId) -> tuple[Ranged, ...]:
    """The ranged attacks of a card, in the order in which it lists them."""
    card = tables.cards.get(source)
    found = card.by_kind.get(Ranged, ()) if card is not None else ()
    return tuple([attack for attack in found if isinstance(attack, Ranged)])


def holds(tables: Tables, machine: Machine, against: str) -> bool:
    """P38: whether a working Upgrade of the defender says so."""
    return any(effect.against == against for _, effect in effects(tables, machine, Hold))


def is_stopped(state: State, defender: SeatId, kind: FightKind) -> bool:
    """P34, P.y: whether the defender's machine stops such an attack."""
    wards = effects(known(state), state.machines[defender], Ward)
    return any(ward.against == "all" or kind == "ranged" for _, ward in wards)


def may_counter(state: State, defender: SeatId, kind: FightKind) -> bool:
    """P35, P.u: the right is fixed when a basic attack is declared; never after a ranged one or a counter."""
    return kind == "basic" and has(known(state), state.machines[defender], Counter)


def in_scope(state: State, seat: SeatId, target: SeatId, ranged: Ranged) -> bool:
    """P37, P.j, P.z."""
    here, there = board_at(state, seat), board_at(state, target)
    match ranged.scope:
        case "space":
            return state.machines[seat].at == state.machines[target].at
        case "time":
            return here == there
        case "ahead":
            return there > here
        case "any":
            return True


def reached(state: State, seat: SeatId, ranged: Ranged) -> tuple[SeatId, ...]:
    """Everyone whom an attack of this seat reaches, starting from its left."""
    n = len(state.machines)
    others = (SeatId((seat + step) % n) for step in range(1, n))
    return tuple([target for target in others if in_scope(state, seat, target, ranged)])


def margin(hit: Hit) -> int:
    return hit.attack - hit.defence


def is_disarmed(state: State, fight: Fight) -> bool:
    """P.l: whether this attack took the Weapon of the seat that was hit."""
    return fight.armed and not state.machines[fight.defender].works[WEAPON]


def can_disable(state: State, hit: Hit) -> bool:
    """P27, P.b: with `margin: destroy` a heavy hit destroys or does nothing."""
    heavy = margin(hit) >= hit.fight.destroys
    return hit.fight.disables and not (heavy and state.setup.option("margin") == "destroy")


def targets(state: State, hit: Hit) -> dict[str, tuple[PieceId, ...]]:
    """What the hit may disable, destroy and steal (P.c, P.s)."""
    victim = state.machines[hit.fight.defender]
    far = margin(hit)
    return {
        "disable": victim.working() if can_disable(state, hit) else (),
        "destroy": victim.attached() if far >= hit.fight.destroys else (),
        "steal": victim.attached() if far >= hit.fight.steals else (),
    }
