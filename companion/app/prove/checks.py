"""What the record of an evening must show: right rulings, every act once, and the state that the box told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.app.kit.kit import Kit, plain
from companion.core import Accepted, Act, Asked, CompanionError, Intent, Refused, judge
from companion.journal import JOURNAL, Did, Entry, Journal, WasRefused
from companion.table import Referee, intent_from, state_hash

from .orders import Now
from .plan import Sent

Kind = Literal["wrong", "lost", "doubled", "leaked", "stuck"]


class Failure(Struct, frozen=True):
    """Something that must not be: of which kind, at which entry, and what."""

    kind: Kind
    seq: int
    what: str


class Played(Struct, frozen=True):
    """An evening as its record has it, opened anew."""

    kit: Kit
    referee: Referee
    setup: dict[str, Any]
    """As the second referee takes it."""

    def before(self, entry: Entry) -> Any:
        """The state in which an entry was made: that of the newest one that counted then."""
        return self.referee.states[self.referee.history[entry.seq - 2].seq]


def opened(kit: Kit, data: Path, problems: list[Failure]) -> Played | None:
    """The record, folded by the game alone; None, with the reason among the problems, where it does not lead there."""
    with Journal.look(data / JOURNAL) as journal:
        table = journal.games()[-1].table
        problems += (Failure("wrong", 0, f"the record is damaged: {each}") for each in journal.verify(table))
        try:
            referee = Referee(kit.game, journal, table, float)
            return Played(kit, referee, plain(referee.setup))
        except CompanionError as error:
            problems.append(Failure("wrong", 0, str(error)))
            return None


def told_otherwise(played: Played, told: list[Now]) -> Iterator[Failure]:
    """Where the box told another state than its record has."""
    entries = {int(entry.seq): entry for entry in played.referee.history}
    for now in told:
        if now.seq and (now.seq not in entries or entries[now.seq].state != now.state):
            yield Failure(
                "lost", now.seq, f"the box told state {now.state} at entry {now.seq}; the record has none such"
            )


def not_once(played: Played, sent: list[Sent]) -> Iterator[Failure]:
    """Acts that were answered and are not there, or are there twice."""
    asked = [entry for entry in played.referee.history if isinstance(entry.cause, Asked)]
    done = {(entry.cause.command, int(entry.seq)) for entry in asked if isinstance(entry.cause, Asked)}
    for each in sent:
        if each.seq and (each.command, each.seq) not in done:
            yield Failure("lost", each.seq, f"{each.intent} was answered with #{each.seq}, which is not there")
    acts = [entry for entry in asked if isinstance(entry.body, Did)]
    times = Counter(entry.cause.command for entry in acts if isinstance(entry.cause, Asked))
    refused = {each.command for each in sent if each.seq == 0}
    for entry in acts:
        command = entry.cause.command if isinstance(entry.cause, Asked) else ""
        if times[command] > 1:
            yield Failure("doubled", entry.seq, f"command {command} was done {times[command]} times")
        if command in refused:
            yield Failure("wrong", entry.seq, f"command {command} was refused, and is there all the same")


def wrongly_ruled(played: Played) -> Iterator[Failure]:
    """Entries about which the game by itself, or the second referee of its tests, decides otherwise."""
    for entry in played.referee.history[1:]:
        match entry.body:
            case Did(marks=marks, events=events):
                intent = played.referee.deeds[entry.seq].intent
                verdict = judge(played.kit.game, played.before(entry), intent)
                if marks:
                    yield Failure("wrong", entry.seq, f"{intent} stands against {marks}, and nobody has appealed")
                elif not isinstance(verdict, Accepted):
                    yield Failure("wrong", entry.seq, f"{intent} is there, and the rules refuse it")
                elif (
                    _written(verdict) != [bytes(event) for event in events] or state_hash(verdict.after) != entry.state
                ):
                    yield Failure("wrong", entry.seq, f"{intent} has other events than the rules give it")
                else:
                    yield from _second(played, entry, intent, allowed=True)
            case WasRefused(refusal=refusal) if (wanted := asked_of(played, entry)) is not None:
                verdict = judge(played.kit.game, played.before(entry), wanted)
                if not isinstance(verdict, Refused):
                    yield Failure("wrong", entry.seq, f"{wanted} was refused by {refusal.rule}, and no rule does")
                else:
                    yield from _second(played, entry, wanted, allowed=False)


def acts_of(played: Played) -> Iterator[tuple[int, Intent]]:
    """All that was done or asked for, as far as it is known, with the numbers of the entries."""
    for entry in played.referee.history:
        deed = played.referee.deeds.get(entry.seq)
        intent = asked_of(played, entry) if deed is None else deed.intent
        if intent is not None:
            yield int(entry.seq), intent


def _written(verdict: Accepted) -> list[bytes]:
    return [msgspec.json.encode(event) for event in verdict.events]


def asked_of(played: Played, entry: Entry) -> Intent | None:
    """What a phone wanted; what hands wanted is not in the record."""
    if isinstance(entry.cause, Asked) and isinstance(entry.cause.wish, Act):
        return intent_from(played.kit.game, entry.cause.wish.intent)
    return None


def _second(played: Played, entry: Entry, intent: Intent, *, allowed: bool) -> Iterator[Failure]:
    """The second referee, where the tests of the game are at hand."""
    naive = played.kit.naive
    if naive is None:
        return
    state = plain(played.before(entry))
    if naive(played.setup, state, plain(intent)) != allowed:
        yield Failure("wrong", entry.seq, f"{intent}: the second referee says {'no' if allowed else 'yes'}")
