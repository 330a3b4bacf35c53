"""What hands have done and still have to do, apart from what the record says. Lives on the table's thread."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from msgspec.structs import replace

from companion.core import Amiss, PieceId, PlaceId, ReaderId, Said, SeatId, Way

from .sight import Sight


class Hands:
    """`sight` is what the readers of places report; `owed` are pieces that hands have yet to carry because the record
    went on, with where they lay then; `errands` are done where no reader sees it, so somebody has to say so.

    `astray` are pieces that lie where nothing legal leads: nothing is played until they are put right. `settles`: after
    this many seconds, a lack of movement is news.
    """

    def __init__(self, zones: Mapping[ReaderId, PlaceId], *, has_mat: bool) -> None:
        self.sight = Sight(zones)
        self.has_mat = has_mat or bool(zones)
        """Whether it matters what lies on readers, in this game or in another that may be played next."""
        self.owed: dict[PieceId, PlaceId | None] = {}
        self.strayed: dict[PieceId, PlaceId | None] = {}
        """What was owed until hands laid it elsewhere, with where it lay: put back there, it is owed again."""
        self.errands: tuple[Said, ...] = ()
        self.serves: SeatId | None = None
        """The seat that hands have to move for, because a bot or a person elsewhere has acted."""
        self.astray: tuple[Amiss, ...] = ()
        self.settles: float | None = None
        self.ways: tuple[Hashable, tuple[Way, ...]] = ((), ())
        """What may be done now, with the moment for which it was computed."""
        self.to_do: tuple[Said, ...] = ()
        self.repairs: tuple[Said, ...] = ()
        self.found: tuple[Said, ...] = ()
        """What lies elsewhere than the record says, in words that everybody may hear."""

    def lay_mat(self, zones: Mapping[ReaderId, PlaceId]) -> None:
        """From now on readers stand for these places; what lies on them stays."""
        self.sight = replace(self.sight, zones=zones)
        self.has_mat = self.has_mat or bool(zones)

    def clear(self) -> None:
        """Nothing more is expected of hands."""
        self.owed.clear()
        self.strayed.clear()
        self.errands, self.astray, self.settles, self.serves = (), (), None, None
        self.to_do = self.repairs = self.found = ()

    def tick(self, said: Said | None) -> None:
        """Somebody says that an errand is done or, with None, that all are; readers report the rest themselves."""
        done = set(self.errands) if said is None else {said} & set(self.errands)
        self.errands = tuple(each for each in self.errands if each not in done)
        self.to_do = tuple(each for each in self.to_do if each not in done)
