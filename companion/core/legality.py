"""Legality, decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from .errors import EndlessRules
from .facts import Facts, Refusal
from .game import Game, verb_of
from .ids import TABLE, RuleId, SeatId
from .rules import Basis, Event, Intent, Rule, Verb, facts_of
from .telling import known_pieces, veil

S = TypeVar("S", bound=Struct)


MOST_EVENTS: Final = 5000
"""More than any act of any game causes; beyond it the rules are going in circles, and the table would hang."""


class Accepted(Struct, frozen=True):
    """The intent stands: what became true, the state after it, and any rules it was allowed to break."""

    intent: Intent
    events: tuple[Event, ...]
    after: Any
    marks: tuple[RuleId, ...] = ()


class Refused(Struct, frozen=True):
    """The intent breaks these rules, the most basic first; equally basic ones keep the order of the verb's list."""

    intent: Intent
    refusals: tuple[Refusal, ...]
    bases: tuple[Basis, ...]
    """For each of `refusals`, what its rule is about."""

    @property
    def is_timely(self) -> bool:
        """Whether the moment is right for such an intent, even if not for this one."""
        return self.bases[0] > Basis.STEP

    @property
    def distance(self) -> tuple[bool, int, int]:
        """How far the intent is from being allowed; the nearest is most likely what a person meant.

        Timely intents come first, then those that break the fewest rules, then the least basic ones.
        """
        return not self.is_timely, len(self.bases), -self.bases[0]


Verdict: TypeAlias = Accepted | Refused
_Broken: TypeAlias = tuple[Rule[Any, Any], Facts]


class Checked(Struct, frozen=True):
    """One line of the “why not?” checklist."""

    rule: RuleId
    key: str
    broken: Facts | None


def legal(game: Game[S, Any], state: S, actor: SeatId) -> tuple[Intent, ...]:
    """Every intent of `actor` that would be accepted now; for a verb with a span, only its lowest number."""
    found: list[Intent] = []
    plan, at = _plan(game, game.phase(state), actor == TABLE), 0
    end = len(plan)
    while at < end:
        broken, past, arguments, rules = plan[at]
        at += 1
        if broken is not None:
            if broken(state, actor) is not None:
                at = past
        elif not rules:
            found += arguments(state, actor)
        else:
            for intent in arguments(state, actor):  # as in `_keeping`, whose calls would cost a tenth of a playout
                for breaks in rules:
                    if breaks(state, intent) is not None:
                        break
                else:
                    found.append(intent)
    return tuple(found)


def allowed(verb: Verb[S, Any], state: S, actor: SeatId) -> Iterator[Intent]:
    """The legal intents of one verb."""
    for guard in verb.guards:
        if guard.broken(state, actor) is not None:
            return iter(())
    candidates, rules = _listing(verb)
    return iter(_keeping(verb, state, actor) if rules else candidates(state, actor))


def possible(verb: Verb[S, Any], state: S, actor: SeatId) -> Iterator[Intent]:
    """The intents of one verb that hands could do, whatever other rules say; includes every legal one."""
    guards, rules = [g for g in verb.guards if g.physical], [r for r in verb.rules if r.physical]
    if any(guard.broken(state, actor) is not None for guard in guards):
        return iter(())
    return (i for i in verb.arguments(state, actor) if all(rule.broken(state, i) is None for rule in rules))


def in_phase(game: Game[S, Any], state: S, verbs: tuple[Verb[S, Any], ...]) -> list[Verb[S, Any]]:
    """The verbs that may be open to someone now."""
    phase = game.phase(state)
    return [verb for verb in verbs if not verb.phases or phase in verb.phases]


def _keeping(verb: Verb[S, Any], state: S, actor: SeatId) -> Iterable[Intent]:
    """The candidates that keep the verb's rules; its guards are known to hold."""
    return (i for i in verb.arguments(state, actor) if _keeps(verb, state, i))


def _keeps(verb: Verb[S, Any], state: S, intent: Intent) -> bool:
    for rule in verb.rules:  # noqa: SIM110 - called for every candidate: `all` takes half as long again
        if rule.broken(state, intent) is not None:
            return False
    return True


def explain(game: Game[S, Any], state: S, intent: Intent) -> tuple[Checked, ...]:
    """Every rule of the intent's verb, kept or broken, the most basic first."""
    verb, actor = verb_of(game, intent), intent.actor
    checked = [(g, g.broken(state, actor)) for g in verb.guards] + [(r, r.broken(state, intent)) for r in verb.rules]
    return tuple(Checked(rule.id, rule.key, facts) for rule, facts in sorted(checked, key=_basis))


def _basis(pair: tuple[Rule[Any, Any], Facts | None]) -> Basis:
    return pair[0].basis


def judge(game: Game[S, Any], state: S, intent: Intent, *, advise: bool = False) -> Verdict:
    """The verdict on one intent. With `advise` only physical rules refuse; the others leave a mark."""
    verb = verb_of(game, intent)
    return _verdict(game, state, verb, intent, _broken_guards(verb, state, intent.actor), advise)


def judge_each(
    game: Game[S, Any], state: S, verb: Verb[S, Any], actor: SeatId, intents: Iterable[Intent], *, advise: bool = False
) -> Iterator[Verdict]:
    """The verdicts on intents of one verb and one actor. What needs no argument is checked only once."""
    guards = _broken_guards(verb, state, actor)
    return (_verdict(game, state, verb, intent, guards, advise) for intent in intents)


def is_timely(verb: Verb[S, Any], state: S, actor: SeatId) -> bool:
    """Whether the guards say that it is the moment for this verb and actor; if not, no intent of it `is_timely`."""
    return all(guard.basis > Basis.STEP or guard.broken(state, actor) is None for guard in verb.guards)


def _verdict(
    game: Game[S, Any], state: S, verb: Verb[S, Any], intent: Intent, guards: list[_Broken], advise: bool
) -> Verdict:
    broken = _broken(verb, state, intent, guards)
    barred = [pair for pair in broken if pair[0].physical] if advise else broken
    if barred:
        return _refused(intent, barred)
    events, after = carry_out(game, state, verb, intent)
    return Accepted(intent, events, after, tuple([rule.id for rule, _ in broken]))


def is_possible(game: Game[S, Any], state: S, intent: Intent) -> bool:
    """Whether hands could do it, whatever other rules say."""
    verb = verb_of(game, intent)
    broken = _broken(verb, state, intent, _broken_guards(verb, state, intent.actor))
    return not any(rule.physical for rule, _ in broken)


def objection(game: Game[S, Any], view: S, intent: Intent) -> Refused | None:
    """What an intent breaks as far as a view can tell, without carrying it out; None if nothing."""
    verb = verb_of(game, intent)
    broken = _broken(verb, view, intent, _broken_guards(verb, view, intent.actor))
    return _refused(intent, broken) if broken else None


def _broken_guards(verb: Verb[S, Any], state: S, actor: SeatId) -> list[_Broken]:
    return [(rule, facts) for rule in verb.guards if (facts := rule.broken(state, actor)) is not None]


def _broken(verb: Verb[S, Any], state: S, intent: Intent, guards: list[_Broken]) -> list[_Broken]:
    """The broken rules with their facts, the most basic first."""
    broken = guards + [(rule, facts) for rule in verb.rules if (facts := rule.broken(state, intent)) is not None]
    if len(broken) > 1:
        broken.sort(key=_basis)
    return broken


def _refused(intent: Intent, broken: list[_Broken]) -> Refused:
    refusals = tuple([Refusal(rule.id, rule.key, facts) for rule, facts in broken])
    return Refused(intent, refusals, tuple([rule.basis for rule, _ in broken]))


def carry_out(game: Game[S, Any], state: S, verb: Verb[S, Any], intent: Intent) -> tuple[tuple[Event, ...], S]:
    """The events of a legal intent and of all that follows from them, and the state after."""
    apply, forced = game.apply, game.forced
    events = more = verb.outcome(state, intent)
    while more:
        for event in more:
            state = apply(state, event)
        more = forced(state)
        events += more
        if len(events) > MOST_EVENTS:
            raise EndlessRules(
                f"{game.id}: {verb.name} made {len(events)} things true and still does not come to rest; nothing was "
                "recorded. Choose something else, and report the record of this game."
            )
    return events, state


def fold(game: Game[S, Any], state: S, events: tuple[Event, ...]) -> S:
    for event in events:
        state = game.apply(state, event)
    return state


def seen_refusal(game: Game[S, Any], view: S, refused: Refused) -> Refusal:
    """The first broken rule, with the facts as the view's audience knows them.

    Rules are judged on the state, but the reason may tell only what the view shows and what the intent itself says.
    """
    first = refused.refusals[0]
    rule = next(r for r in _rules(game, refused.intent) if (r.id, r.key) == (first.rule, first.key))
    verb = verb_of(game, refused.intent)
    subject = refused.intent.actor if rule in verb.guards else refused.intent
    facts = rule.broken(view, subject)
    if facts is None:
        wished = facts_of(refused.intent)
        facts = tuple(each for each in first.facts if each in wished)
    return Refusal(first.rule, first.key, veil(facts, known_pieces(game, view)))


def _rules(game: Game[Any, Any], intent: Intent) -> tuple[Rule[Any, Any], ...]:
    verb = verb_of(game, intent)
    return (*verb.guards, *verb.rules)


_Guards: TypeAlias = Callable[[Any, SeatId], Facts | None]
_Lists: TypeAlias = Callable[[Any, SeatId], Iterable[Intent]]
_Breaks: TypeAlias = Callable[[Any, Intent], Facts | None]
_Step: TypeAlias = tuple[_Guards | None, int, _Lists, tuple[_Breaks, ...]]
"""Either a gate: a guard shared by all steps up to a number, where to go on if it is broken. Or the candidates of a
verb, and the rules each of them must keep."""


@cache
def _plan(game: Game[Any, Any], phase: Hashable, by_chance: bool) -> tuple[_Step, ...]:
    """The verbs of a phase in order, behind gates: a guard that neighbours share is tested once."""
    verbs = [v for v in game.verbs if v.chance == by_chance and (not v.phases or phase in v.phases)]
    return tuple(_behind_gates([(verb, _asked(verb)) for verb in verbs], 0, 0))


def _asked(verb: Verb[Any, Any]) -> list[_Guards]:
    """The guards that the verb's phase leaves open: within a phase the game is on and nothing else must be settled."""
    implied = (Basis.OVER, Basis.SETTLING) if verb.phases else ()
    return [guard.broken for guard in verb.guards if guard.basis not in implied]


_Gated: TypeAlias = tuple[Verb[Any, Any], list[_Guards]]


@cache
def _listing(verb: Verb[Any, Any]) -> tuple[_Lists, tuple[_Breaks, ...]]:
    """The candidates of a verb and the rules each must keep; none if the verb promises that they do."""
    if verb.kept is not None:
        return verb.kept, ()
    return verb.arguments, () if verb.sure else tuple([rule.broken for rule in verb.rules])


def _none(_state: Any, _actor: SeatId) -> tuple[Intent, ...]:
    return ()


def _behind_gates(verbs: list[_Gated], depth: int, start: int) -> list[_Step]:
    """`verbs`, which share their first `depth` guards, as a plan whose next step has the number `start`."""
    steps: list[_Step] = []
    for broken, run in groupby(verbs, lambda gated: gated[1][depth] if depth < len(gated[1]) else None):
        if broken is None:
            steps += [(None, 0, *_listing(verb)) for verb, _ in run]
        else:
            inner = _behind_gates(list(run), depth + 1, start + len(steps) + 1)
            steps += [(broken, start + len(steps) + 1 + len(inner), _none, ()), *inner]
    return steps
