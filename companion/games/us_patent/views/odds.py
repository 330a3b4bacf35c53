"""The exact chances of an attack before the dice."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from companion.core import Fact, PieceId, Said, SeatId, Word, phrase, say
from companion.games.us_patent.rules.chance import ways
from companion.games.us_patent.state import NEVER, Dice, Fight, FightKind, State, fight_of, is_stopped, may_counter


class Odds(Struct, frozen=True):
    """Out of `of` equally likely rolls: how many miss, hit, and hit hard enough to destroy."""

    miss: int
    hit: int
    heavy: int
    of: int

    def percents(self) -> tuple[int, int, int]:
        """Nothing, disable, destroy: adding up to a hundred."""
        hit, heavy = round(100 * self.hit / self.of), round(100 * self.heavy / self.of)
        return 100 - hit - heavy, hit, heavy

    def shares(self) -> tuple[Fact, Fact, Fact]:
        """The same in words: a possible result is never called 0 %, an uncertain one never 100 %."""
        miss, hit, heavy = map(self._share, (self.miss, self.hit, self.heavy), self.percents())
        return miss, hit, heavy

    def _share(self, count: int, percent: int) -> Fact:
        if percent <= 0 < count:
            return Word("share.under")
        if percent >= 100 and count < self.of:
            return Word("share.over")
        return phrase("share.percent", n=percent)

    def said(self) -> Said:
        miss, hit, heavy = self.shares()
        return say("foresee.odds", miss=miss, hit=hit, heavy=heavy, count=self.hit + self.heavy, of=self.of)


@lru_cache(1024)
def odds(attack_dice: int, defence_dice: int, lead: int, heavy: int) -> Odds:
    """`lead` is how much more the attacker adds than the defender; `heavy` the margin that destroys."""
    margins = [
        (attack - defence + lead, count * other)
        for attack, count in ways(attack_dice).items()
        for defence, other in ways(defence_dice).items()
    ]
    of = sum(count for _, count in margins)
    miss = sum(count for margin, count in margins if margin <= 0)
    hard = sum(count for margin, count in margins if margin > 0 and margin >= heavy)
    return Odds(miss, of - miss - hard, hard, of)


def odds_of(fight: Fight) -> Odds:
    lead = fight.attack_plus - fight.defence_plus
    return odds(fight.attack_dice, fight.defence_dice, lead, fight.destroys)


def odds_now(step: Dice) -> Odds:
    """The remaining chances: a side whose sum is known rolls no more."""
    fight, attack, defence = step.fight, step.attack, step.defence
    dice, plus = (fight.attack_dice, fight.attack_plus) if attack == NEVER else (0, attack)
    against, shield = (fight.defence_dice, fight.defence_plus) if defence == NEVER else (0, defence)
    return odds(dice, against, plus - shield, fight.destroys)


def result(fight: Fight, margin: int) -> str:
    """What a margin means: `miss`, `hit` or `heavy`."""
    if margin <= 0:
        return "miss"
    return "heavy" if margin >= fight.destroys else "hit"


def attack_lines(
    view: State, seat: SeatId, target: SeatId, kind: FightKind, source: PieceId, attack: int = 0
) -> tuple[Said, ...]:
    """What an attack would roll, its chances, and whether it may be answered."""
    counter = (say("foresee.counter"),) if may_counter(view, target, kind) else ()
    if is_stopped(view, target, kind):
        return (say("foresee.stopped"), *counter)
    fight = fight_of(view, seat, target, kind, source, attack)
    steal = (say("foresee.may-steal", margin=fight.steals),) if fight.steals < NEVER else ()
    return (sides_of(fight), odds_of(fight).said(), *steal, *counter)


def sides_of(fight: Fight) -> Said:
    return say(
        "foresee.sides",
        dice=fight.attack_dice,
        plus=fight.attack_plus,
        defence=fight.defence_dice,
        shield=fight.defence_plus,
    )
