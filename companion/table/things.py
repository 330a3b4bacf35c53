"""What can get tags at this table."""

from __future__ import annotations

from companion.core.ids import PUBLIC, ReaderId
from companion.library.enrolment import Things

from .snapshot import Snapshot


def things_of(scene: Snapshot, readers: tuple[ReaderId, ...] = ()) -> Things:
    """What can be enrolled here. A game begins without chance, so before the first act nothing is secret."""
    pieces = scene.game.pieces(scene.state.setup.pack)
    named = None if len(scene.at.line) == 1 else scene.known(PUBLIC)
    places = scene.game.places(scene.state.setup.pack)
    return Things(scene.game.id, pieces, len(scene.chairs), readers, named, places)
