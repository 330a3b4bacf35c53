"""A game of the journal as a script: replayed entry by entry while it is written, it must come out the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

import msgspec

from companion.box import hands, stack
from companion.core import (
    PUBLIC,
    TABLE,
    Act,
    Asked,
    CompanionError,
    Intent,
    Pressed,
    Refused,
    SeatId,
    Seq,
    TakeBack,
    Tapped,
    Token,
    Turned,
    judge,
    seen_refusal,
    verb_of,
)
from companion.journal import Did, Entry, Journal, Opened, Seated, TookBack, WasRefused
from companion.library import pretend_uid, shelf
from companion.table import Do, Referee, state_hash
from companion.table import intent_from as read_intent

from .evening import Evening
from .lines import Header
from .words import quoted

_INTRO: Final = "# Saved from a game; every line was played again while it was written."


class CannotSave(CompanionError, ValueError):
    """The game does not come out the same when it is replayed."""


def write(journal: Journal, table: str) -> str:
    """The whole game as a script that leads to the same state. It reveals every secret of the game."""
    game = shelf.open(_opened(journal, table).game)
    referee = Referee(game, journal, table, lambda: 0.0)
    header = _header(referee)
    evening = _Again(header, referee)
    with evening:
        body = list(evening.lines())
        end = [f"expect state {state_hash(referee.at.state)}"]
    return "\n".join([_INTRO, *_header_lines(header), "", *body, *end, ""])


def _opened(journal: Journal, table: str) -> Opened:
    body = next(iter(list(journal.entries(table)))).body
    assert isinstance(body, Opened)
    return body


def _header(referee: Referee) -> Header:
    game, opened = referee.game, referee.history[0].body
    assert isinstance(opened, Opened)
    if msgspec.json.encode(shelf.pack(game)) != msgspec.json.encode(referee.setup.pack):
        raise CannotSave(
            f"game {referee.table} was played with a pack of its own, which a script cannot contain; "
            f"export it instead: companion export {referee.table} FILE"
        )
    virtual = any(
        entry.cause is None and _is_chance(referee, entry) for entry in referee.history if isinstance(entry.body, Did)
    )
    chance = "scripted" if virtual else "typed"
    return Header(game, referee.setup, opened.names, chance, referee.mode, "en")  # type: ignore[arg-type]


def _is_chance(referee: Referee, entry: Entry) -> bool:
    return verb_of(referee.game, referee.deeds[entry.seq].intent).chance


def _header_lines(header: Header) -> Iterator[str]:
    yield f"game {header.game.id}"
    yield f"seats {', '.join(header.names)}"
    usual = {option.name: option.choices[0] for option in header.game.options}
    for name, choice in header.setup.options:
        if usual.get(name) != choice:
            yield f"option {name} {choice}"
    yield f"chance {header.chance}"
    if header.mode != "strict":
        yield f"mode {header.mode}"


class _Again(Evening):
    """Replays the entries of a game and writes down what is done."""

    def __init__(self, header: Header, played: Referee) -> None:
        super().__init__(header)
        self._played = played
        self._seqs: dict[Seq, Seq] = {Seq(1): Seq(1)}
        self._outcomes = [
            played.deeds[entry.seq].intent
            for entry in played.history
            if isinstance(entry.body, Did) and _is_chance(played, entry)
        ]
        self._drawn: list[str] = []

    def _fall(self, candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent | None:
        done = sum(1 for deed in self.referee.deeds.values() if verb_of(self.referee.game, deed.intent).chance)
        if done >= len(self._outcomes) or self._outcomes[done] not in candidates:
            return None
        self._drawn.append(self.named.outcome_of(self._outcomes[done]))
        return self._outcomes[done]

    def lines(self) -> Iterator[str]:
        yield from self._fallen()
        for entry in self._played.history[1:]:
            yield from self._line(entry)
            yield from self._fallen()
            self._check(entry)

    def _fallen(self) -> Iterator[str]:
        yield from self._drawn
        self._drawn.clear()

    def _check(self, entry: Entry) -> None:
        """Checks that the newest live entry matches this one; chance that fell at once is a few entries ahead."""
        body = entry.body
        if isinstance(body, Seated | WasRefused):
            return
        live = self._live_like(entry)
        if live is None or live.state != entry.state:
            raise CannotSave(
                f"game {self._played.table}: entry {entry.seq} comes out differently when it is played again; "
                f"export it and report this: companion export {self._played.table} FILE"
            )
        self._seqs[entry.seq] = live.seq

    def _live_like(self, entry: Entry) -> Entry | None:
        """The live entry at the same place among those that changed the state."""
        place = sum(1 for e in self._played.history[: entry.seq] if not isinstance(e.body, Seated | WasRefused))
        counted = [e for e in self.referee.history if not isinstance(e.body, Seated | WasRefused)]
        return counted[place - 1] if place <= len(counted) else None

    def _line(self, entry: Entry) -> Iterator[str]:
        body = entry.body
        match body:
            case Did(marks=marks):
                yield from self._did(entry, body)
                if marks and self.header.mode == "strict":
                    yield from self._hands((Pressed("ok", held=True),))
            case TookBack(to=to, by=by):
                yield from self._took_back(entry, to, by)
            case WasRefused():
                yield from self._refused(entry, body)
            case Seated(name=name, bot=bot):
                yield f"# {quoted(name)} {'is played by a bot' if bot else 'sits here'} from now on"
            case Opened():
                return
            case _:
                assert_never(body)

    def _did(self, entry: Entry, body: Did) -> Iterator[str]:
        """What hands or a phone do for it; an appealed act is refused first."""
        intent = self._played.deeds[entry.seq].intent
        is_chance = _is_chance(self._played, entry)
        if is_chance and self.header.chance == "scripted":
            return
        on_box = is_chance or isinstance(entry.cause, Tapped | Pressed | Turned)
        moves = hands.moves_for(self.now, intent) if on_box else None
        if moves is not None:
            yield from self._hands(hands.spread(moves))
        elif intent.actor != TABLE:
            appeals = bool(body.marks) and self.header.mode == "strict"
            word = "appeals" if appeals else "does"
            yield f"phone {self.named.seat_name(intent.actor)} {word} {self.named.line_of(intent)}"
            self.ask(intent.actor, _act(intent, appeals))
        else:
            raise CannotSave(
                f"game {self._played.table}: no taps and presses were found for entry {entry.seq}; "
                f"export it and report this: companion export {self._played.table} FILE"
            )

    def _hands(self, moves: tuple[hands.Move, ...]) -> Iterator[str]:
        for move in moves:
            yield self.named.line_of_move(move)
            self.move(move)

    def _took_back(self, entry: Entry, to: Seq, by: SeatId) -> Iterator[str]:
        if isinstance(entry.cause, Pressed):
            yield from self._hands((Pressed("back"), Pressed("ok", entry.cause.held)))
            return
        live = self._seqs[to]
        yield f"phone {self.named.seat_name(by)} takes back to #{live}"
        self.ask(by, TakeBack(live))

    def _refused(self, entry: Entry, body: WasRefused) -> Iterator[str]:
        """A phone's refused wish is in its cause; of those on the box only a single tap is known."""
        rule = body.refusal.rule
        match entry.cause:
            case Asked(wish=Act(intent=raw)):
                intent = read_intent(self.header.game, raw)
                yield f"phone {self.named.seat_name(intent.actor)} does {self.named.line_of(intent)}"
                self.ask(intent.actor, _act(intent))
                yield f"expect refused {rule}"
            case Tapped(uid=uid) if (token := self._token(uid)) and self._is_refused(token, rule):
                yield from self._hands((hands.Tap(token),))
                yield f"expect refused {rule}"
            case _:
                yield f"# refused on the box: {rule}"

    def _token(self, uid: str) -> Token | None:
        pieces = self.header.game.pieces(self.header.setup.pack)
        tokens = (Token("piece", piece) for piece in pieces)
        return next((token for token in tokens if pretend_uid(hands.tag_of(self.header.game.id, token)) == uid), None)

    def _is_refused(self, token: Token, rule: str) -> bool:
        _, want = stack.tap(self.now, stack.REST, token)
        if not isinstance(want, Do):
            return False
        verdict: Any = judge(self.now.game, self.now.state, want.intent, advise=self.now.mode != "strict")
        view = self.now.view(PUBLIC)
        return isinstance(verdict, Refused) and seen_refusal(self.now.game, view, verdict).rule == rule


def _act(intent: Intent, appeals: bool = False) -> Act:
    return Act(msgspec.Raw(msgspec.json.encode(intent)), appeals)
