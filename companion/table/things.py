"""What can get tags at this table."""

from __future__ import annotations

from companion.core import PUBLIC, ReaderId
from companion.library.enrolment import Things

from .seen import Seen
from .snapshot import Snapshot


def things_of(scene: Snapshot, readers: tuple[ReaderId, ...] = ()) -> Things:
    return things_seen(scene.seen_by(PUBLIC), readers)


def things_seen(public: Seen, readers: tuple[ReaderId, ...] = ()) -> Things:
    """What can be enrolled here. A game begins without chance, so before the first act nothing is secret."""
    game, pack = public.game, public.view.setup.pack
    named = None if len(public.line) == 1 else public.known
    return Things(game.id, game.pieces(pack), len(public.chairs), readers, named, game.places(pack))
