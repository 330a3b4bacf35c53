"""What phones were sent against what they may know: no byte may name a piece that its seat has never seen."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from companion.app.opening import load_texts
from companion.core import Game, PieceId, SeatId, known_pieces, mask
from companion.library import Names, Speaker

from .checks import Failure, Played
from .phones import Got


def leaked(played: Played, audience: SeatId, got: list[Got]) -> Iterator[Failure]:
    """Pieces that were named to an audience before it could know them."""
    since, never = first_known(played, audience), len(played.referee.history) + 1
    words = {word: min(since.get(piece, never) for piece in pieces) for word, pieces in words_for(played).items()}
    for each in got:
        for word, known in words.items():
            if each.seq < known and word in each.data and _stands_alone(word, each.data):
                text = word.decode()
                yield Failure("leaked", each.seq, f"{each.way} named {text!r} to {audience}, who had never seen it")


def first_known(played: Played, audience: SeatId) -> dict[PieceId, int]:
    """For each piece the entry from which on the audience has seen it by name, also for a moment within an entry."""
    game, referee, found = played.kit.game, played.referee, dict[PieceId, int]()
    state = referee.states[referee.history[0].seq]
    _note(found, game, state, audience, 1)
    for entry in referee.history:
        deed = referee.deeds.get(entry.seq)
        for event in deed.events if deed else ():
            state = game.apply(state, event)
            _note(found, game, state, audience, entry.seq)
        state = referee.states[entry.seq]
    return found


def _note(found: dict[PieceId, int], game: Game[Any, Any], state: Any, audience: SeatId, seq: int) -> None:
    for piece in known_pieces(game, mask(state, audience)):
        found.setdefault(piece, seq)


def words_for(played: Played) -> dict[bytes, tuple[PieceId, ...]]:
    """What names a piece on a page: its id and what it is called, with all pieces that are called so."""
    game, pack = played.kit.game, played.referee.setup.pack
    names = Names((), lambda piece: game.describe(pack, piece), game.place)
    speaker, words = Speaker(load_texts(game), "en", names), defaultdict[bytes, list[PieceId]](list)
    for piece in game.pieces(pack):
        words[piece.encode()].append(piece)
        words[speaker.say(game.describe(pack, piece)).encode()].append(piece)
    return {word: tuple(pieces) for word, pieces in words.items() if word}


def _stands_alone(word: bytes, data: bytes) -> bool:
    return re.search(rb"(?<![\w-])" + re.escape(word) + rb"(?![\w-])", data) is not None
