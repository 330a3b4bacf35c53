"""What each choice is worth to a seat."""

from __future__ import annotations

from companion.core import UNKNOWN, Intent, PieceId, PlaceId, SeatId, seats_of
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.fight import attack_of
from companion.games.us_patent.state import (
    CALLED,
    NO_NUMBER,
    NOTHING,
    FightKind,
    Hit,
    Loot,
    Machine,
    Placing,
    State,
    attacks_of,
    board_at,
    card,
    drive,
    fight_of,
    is_stopped,
    kind_at,
    known,
    mended,
    reached,
    set_needed,
    top,
    turned,
    with_card,
)
from companion.games.us_patent.views.odds import odds_of

from .labs import FADE, FAR, FaceDown
from .standing import could_work, settled, standing, sum_of_ranks


class Mind:
    """One moment as one seat sees it."""

    def __init__(self, view: State, seat: SeatId) -> None:
        self.view, self.seat = view, seat
        self.tables = known(view)
        self.machine = view.machines[seat]
        self.now = standing(self.tables, self.machine)
        dice, plus = drive(self.tables, self.machine)
        self.pace = max(1.0, 3.5 * dice + plus)
        self.labs = FaceDown(view, seat, lambda piece: self.better(piece, works=True))
        self._goals: tuple[tuple[PlaceId, float], ...] | None = None

    def worth(self, intent: Intent) -> float:
        match intent:
            case i.Go(space=space):
                return self.outlook(space)
            case i.Roll() | i.Stay():
                here = self.outlook(self.machine.at)
                return here if isinstance(intent, i.Stay) else self.best_goal() - 0.01
            case i.PlaceInLab() | i.PlaceInMarket():
                return self.placing(isinstance(intent, i.PlaceInLab))
            case i.Disable() | i.Destroy() | i.Steal() | i.Spare():
                return self.harm(intent)
            case i.SwitchOff(card=piece):
                after = settled(self.tables, turned(self.machine, piece, False))
                return standing(self.tables, after) + sum_of_ranks(self.tables, after) / 100
            case i.CounterAttack() | i.LetGo():
                return float(isinstance(intent, i.CounterAttack))
            case _:
                return self.action(intent)

    def action(self, intent: Intent) -> float:
        match intent:
            case i.ClaimPatent():
                return 1000.0
            case i.Attack(seat=target):
                return self.attack(target, "basic", NOTHING)
            case i.Shoot() | i.ShootSecond() | i.Volley():
                return self.shot(intent)
            case i.TakeNumber():
                return self.numbering()
            case i.TakeGold():
                return self.saving()
            case i.LeapTo() | i.MoveAgain():
                return self.travel(intent)
            case i.ResearchAgain():
                return 0.9 if len(self.view.deck) > 24 and self.now < 20 else 0.4
            case i.EndTurn() | i.InventNothing() | i.ThrowAway() | i.CloseLook():
                return 0.05
            case i.Patent() | i.FollowText():
                return -5.0
            case _:
                return self.gain(intent)

    def gain(self, intent: Intent) -> float:
        """How much better its own machine would be."""
        match intent:
            case i.Buy(card=piece) | i.Invent(card=piece):
                price = self._rank(piece) / 10 if isinstance(intent, i.Buy) else 0.0
                return self.better(piece, works=True) - price
            case i.Salvage(card=piece):
                return self.better(piece, works=False)
            case i.InstallLoot():
                step = top(self.view)
                return self.better(step.card, works=step.works) if isinstance(step, Loot) else 0.0
            case i.LookInLab():
                return self.labs.promise(board_at(self.view, self.seat))
            case i.Study():
                return self.labs.study(self.machine.at, self.pace)
            case i.Mend() | i.RepairAll():
                return self.delta(mended(self.machine))
            case i.RepairOne(card=piece) | i.Revive(card=piece):
                return self.delta(turned(self.machine, piece, True))
            case _:
                return 0.2

    def travel(self, intent: i.LeapTo | i.MoveAgain) -> float:
        """How much better it would be elsewhere, for the price of an Action."""
        there = self.outlook(intent.space) - 0.5 if isinstance(intent, i.LeapTo) else self.best_goal() * FADE
        return there - self.outlook(self.machine.at) if not self.waits() else 0.0

    def saving(self) -> float:
        """Gold is worth most while a useful card is just out of reach."""
        dear = (c for cards in self.view.markets for c in cards if self._rank(c) > self.machine.gold)
        wanted = any(self.better(c, works=True) > 0 for c in dear)
        return 2.5 if wanted else 0.6 if self.machine.gold < 12 else 0.1

    def _rank(self, piece: PieceId) -> int:
        found = card(self.view, piece)
        return found.rank if found else 0

    def delta(self, machine: Machine) -> float:
        return standing(self.tables, settled(self.tables, machine)) - self.now

    def better(self, piece: PieceId, *, works: bool) -> float:
        found = card(self.view, piece)
        if found is None:
            return 0.0
        return self.delta(with_card(self.machine, found.slot, piece, works))

    def waits(self) -> bool:
        """In the Office with a full set and a number: stay."""
        ready = len(self.machine.working()) >= set_needed(self.view)
        return ready and self.machine.number != NO_NUMBER and kind_at(self.view, self.seat) == "office"

    def numbering(self) -> float:
        number, could = self.machine.number, could_work(self.tables, self.machine)
        if number == CALLED and len(self.machine.working()) >= set_needed(self.view):
            return -50.0
        if number in (NO_NUMBER, CALLED):
            return 6.0 if could >= set_needed(self.view) - 1 else 0.7
        return 3.0 if number > 3 else -5.0

    def shot(self, intent: i.Shoot | i.ShootSecond | i.Volley) -> float:
        attack = attack_of(self.view, type(intent), intent.card) or 0
        if not isinstance(intent, i.Volley):
            return self.attack(intent.seat, "ranged", intent.card, attack)
        targets = reached(self.view, self.seat, attacks_of(self.tables, intent.card)[attack])
        return sum(max(0.0, self.attack(target, "ranged", intent.card, attack)) for target in targets)

    def attack(self, target: SeatId, kind: FightKind, source: PieceId, attack: int = 0) -> float:
        """Worth it against someone who is about to win, or if there is nothing better to do."""
        victim = self.view.machines[target]
        if is_stopped(self.view, target, kind) or not victim.attached():
            return -1.0
        fight = fight_of(self.view, self.seat, target, kind, source, attack)
        found = odds_of(fight)
        chance = (found.hit + found.heavy) / found.of
        threat = sum(victim.works) + (4 if 0 < victim.number <= 2 and sum(victim.works) >= set_needed(self.view) else 0)
        if fight.steals <= 1:
            threat += 2
        return chance * threat * 0.8 - 0.5

    def harm(self, intent: Intent) -> float:
        step = top(self.view)
        if not isinstance(step, Hit) or isinstance(intent, i.Spare):
            return 0.0
        assert isinstance(intent, i.Disable | i.Destroy | i.Steal)
        victim = self.view.machines[step.fight.defender]
        slot = victim.cards.index(intent.card)
        gone = not isinstance(intent, i.Disable)
        after = settled(self.tables, with_card(victim, slot, NOTHING if gone else intent.card, False))
        hurt = standing(self.tables, victim) - standing(self.tables, after)
        loot = self.better(intent.card, works=victim.works[slot]) if isinstance(intent, i.Steal) else 0.0
        return 1 + hurt + max(0.0, loot)

    def placing(self, in_lab: bool) -> float:
        """A useful card goes where this seat gets it first; any other where it costs the others."""
        step = top(self.view)
        piece = step.card.value if isinstance(step, Placing) else UNKNOWN
        found = card(self.view, piece)
        if found is None:
            return 0.0
        use = self.better(piece, works=True)
        nearest = self._is_nearest(self.tables.lab[found.period])
        if use <= 0:
            return 1.0 if in_lab == (found.rank <= 3 and nearest) else 0.0
        if nearest or found.rank > self.machine.gold:
            return use if in_lab else 0.0
        return 0.0 if in_lab else use

    def _is_nearest(self, place: PlaceId) -> bool:
        mine = self.far(self.machine.at, place)
        return all(self.far(self.view.machines[s].at, place) >= mine for s in seats_of(self.view) if s != self.seat)

    def far(self, start: PlaceId, goal: PlaceId) -> int:
        return self.tables.distances[start].get(goal, FAR)

    def goals(self) -> tuple[tuple[PlaceId, float], ...]:
        """Spaces worth going to, and how much each is worth."""
        if self._goals is None:
            self._goals = tuple((place, value) for place, value in self._wishes() if value > 0)
        return self._goals

    def _wishes(self) -> list[tuple[PlaceId, float]]:
        machine, view = self.machine, self.view
        could, working = could_work(self.tables, machine), len(machine.working())
        found: list[tuple[PlaceId, float]] = []
        ready = working >= set_needed(view)
        due = machine.number in (0, 1, 2)
        office = 60.0 if ready and due else 40.0 if ready else 3.0 if machine.number == NO_NUMBER and could > 1 else 0.5
        for place, kind in self.tables.kinds.items():
            board = self.tables.boards[place]
            if kind == "office":
                found.append((place, office))
            elif kind == "market":
                affordable = [c for c in view.markets[board] if self._rank(c) <= machine.gold]
                found.append((place, max((self.better(c, works=True) for c in affordable), default=0.0)))
            elif kind == "lab" and view.labs[board]:
                found.append((place, self.labs.promise(board)))
            elif kind == "library":
                found.append((place, self.labs.study(place, self.pace)))
            elif kind == "junkyard":
                found.append((place, max((self.better(c, works=False) for c in view.junkyard), default=0.0)))
            elif kind == "mechanic" and machine.gold and machine.disabled():
                found.append((place, self.delta(mended(machine)) + 1))
        return found

    def outlook(self, space: PlaceId) -> float:
        """The best goal from there, discounted by the moves it takes."""
        from_here = self.tables.distances[space]
        best = 0.0
        for place, value in self.goals():
            steps = from_here.get(place, FAR)
            worth = value * FADE ** (steps / self.pace + (1 if steps else 0))
            best = max(best, worth)
        return best

    def best_goal(self) -> float:
        """What the next move may bring: the best outlook within a usual roll."""
        near = self.tables.rings[self.machine.at][: int(self.pace) + 1]
        return max((self.outlook(space) for ring in near for _, space in ring), default=0.0)
