"""What lies where: turns reports of the devices into inputs for the table. Pure; no port, no clock, no thread.

A tag that arrives on one reader while it still lies on another is *in doubt*: either it was moved and the other reader
has not noticed yet, or a neighbour reads it too. It is reported once the other reader has let go of it; if its own
reader lets go first, nothing happened. If neither does, they cannot both be right, and people are asked.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Found, Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid

from .wire import MAX_TAGS

DOUBT_LASTS: Final = 1.5
"""Seconds after which a tag on two readers becomes a question; a device notices sooner that a tag has left."""

Sensed: TypeAlias = Tapped | Lifted | Found | ReaderLost | ReaderBack


class Connected(Struct, frozen=True):
    """A session began; the levels of every reader follow. The device no longer has the readers in `gone`."""

    readers: tuple[ReaderId, ...]
    gone: tuple[ReaderId, ...] = ()


class Disconnected(Struct, frozen=True):
    """A device with these readers is out of reach; None stands for all readers."""

    readers: tuple[ReaderId, ...] | None = None


class Arrived(Struct, frozen=True):
    uid: Uid
    reader: ReaderId


class Left(Struct, frozen=True):
    uid: Uid
    reader: ReaderId


class Lies(Struct, frozen=True):
    """A level: everything on a reader now."""

    reader: ReaderId
    uids: tuple[Uid, ...]


class Lost(Struct, frozen=True):
    reader: ReaderId


class Back(Struct, frozen=True):
    reader: ReaderId


Heard: TypeAlias = Arrived | Left | Lies | Lost | Back
"""What a device reports about one reader."""
Report: TypeAlias = Connected | Disconnected | Heard


class Lying(Struct, frozen=True, order=True):
    """One tag on one reader."""

    reader: ReaderId
    uid: Uid


class Doubt(Struct, frozen=True):
    """A tag that another reader had first. If found in a level (`is_play` false), its end is not reported."""

    one: Lying
    since: float
    is_play: bool


class Presence(Struct, frozen=True):
    """What the readers last reported, sorted. A lost reader keeps what lay on it: silence removes nothing."""

    readers: tuple[ReaderId, ...] = ()
    lost: tuple[ReaderId, ...] = ()
    lying: tuple[Lying, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    unheard: tuple[ReaderId, ...] = ()
    """Readers of a device that has just connected: their first level is reported whole."""

    def on(self, reader: ReaderId) -> tuple[Uid, ...]:
        return tuple(each.uid for each in self.lying if each.reader == reader)

    def rivals(self, one: Lying) -> tuple[ReaderId, ...]:
        """The other working readers that have this very tag."""
        same = (each.reader for each in self.lying if each.uid == one.uid and each.reader != one.reader)
        return tuple(reader for reader in same if reader not in self.lost)

    def questions(self, now: float) -> tuple[tuple[ReaderId, ReaderId], ...]:
        """Pairs of readers that have had the same tag for too long."""
        old = (doubt.one for doubt in self.doubts if now - doubt.since >= DOUBT_LASTS)
        return tuple((rival, one.reader) for one in old for rival in self.rivals(one)[:1])


def observe(presence: Presence, report: Report, now: float = 0.0) -> tuple[Presence, tuple[Sensed, ...]]:
    """The presence after `report`, heard at `now`, and what the table must be told.

    Only an arrival is a play. A level is layout: where it is news, the table is told all of it but plays nothing; what
    is missing from it was lifted while nobody could tell.
    """
    presence, sensed = _heard(presence, report, now)
    if not presence.doubts:
        return presence, sensed
    presence, cleared = _without_settled(presence)
    return presence, sensed + cleared


def _heard(presence: Presence, report: Report, now: float) -> tuple[Presence, tuple[Sensed, ...]]:
    match report:
        case Connected(readers, gone):
            presence, back = _without(presence, gone)
            known = presence.readers + tuple(each for each in readers if each not in presence.readers)
            return replace(presence, readers=known, unheard=tuple(sorted({*presence.unheard, *readers}))), back
        case Disconnected(readers):
            meant = presence.readers if readers is None else readers
            gone = tuple(each for each in meant if each not in presence.lost)
            return _with_lost(presence, presence.lost + gone), tuple(ReaderLost(each) for each in gone)
        case Arrived(uid, reader):
            return _arrived(presence, Lying(reader, uid), now)
        case Left(uid, reader):
            return _left(presence, Lying(reader, uid))
        case Lies(reader, uids):
            return _level(presence, reader, uids, now)
        case Lost(reader):
            if reader in presence.lost:
                return presence, ()
            return _with_lost(presence, (*presence.lost, reader)), (ReaderLost(reader),)
        case Back(reader):
            return _back(presence, reader)
        case _:
            assert_never(report)


def _without(presence: Presence, gone: tuple[ReaderId, ...]) -> tuple[Presence, tuple[Sensed, ...]]:
    """Nobody waits for a reader that no device has any more."""
    if not gone:
        return presence, ()
    kept = Presence(
        tuple(each for each in presence.readers if each not in gone),
        tuple(each for each in presence.lost if each not in gone),
        tuple(each for each in presence.lying if each.reader not in gone),
        tuple(each for each in presence.doubts if each.one.reader not in gone),
        tuple(each for each in presence.unheard if each not in gone),
    )
    return kept, tuple(ReaderBack(each) for each in presence.lost if each in gone)


def _arrived(presence: Presence, one: Lying, now: float) -> tuple[Presence, tuple[Sensed, ...]]:
    at = bisect_left(presence.lying, one)
    if presence.lying[at : at + 1] == (one,):
        return presence, ()
    if len(presence.lying) >= MAX_TAGS and len(presence.on(one.reader)) >= MAX_TAGS:
        return presence, ()  # no antenna tells so many apart; its next level will say what is there
    lying = (*presence.lying[:at], one, *presence.lying[at:])
    if presence.rivals(one):
        return _with_lying(presence, lying, (*presence.doubts, Doubt(one, now, is_play=True))), ()
    return _with_lying(presence, lying, presence.doubts), (Tapped(one.uid, one.reader),)


def _left(presence: Presence, one: Lying) -> tuple[Presence, tuple[Sensed, ...]]:
    at = bisect_left(presence.lying, one)
    if presence.lying[at : at + 1] != (one,):
        return presence, ()
    rest = presence.lying[:at] + presence.lying[at + 1 :]
    was_told = not _is_untold(presence, one)
    return _with_lying(presence, rest, presence.doubts), (Lifted(one.uid, one.reader),) if was_told else ()


def _is_untold(presence: Presence, one: Lying) -> bool:
    return any(doubt.one == one and doubt.is_play for doubt in presence.doubts)


def _back(presence: Presence, reader: ReaderId) -> tuple[Presence, tuple[Sensed, ...]]:
    if reader not in presence.lost:
        return presence, ()
    rest = tuple(each for each in presence.lost if each != reader)
    return _with_lost(presence, rest), (ReaderBack(reader),)


def _level(
    presence: Presence, reader: ReaderId, uids: tuple[Uid, ...], now: float
) -> tuple[Presence, tuple[Sensed, ...]]:
    """A reader that reports its level is not lost, so it comes back first."""
    presence, back = _back(presence, reader)
    had = presence.on(reader)
    is_new = bool(back) or reader in presence.unheard
    if is_new:
        presence = replace(presence, unheard=tuple(each for each in presence.unheard if each != reader))
    if sorted(had) == sorted(uids):
        return presence, (*back, Found(reader, tuple(sorted(uids)))) if is_new else back
    missed = (Lying(reader, uid) for uid in had if uid not in uids)
    lifted = tuple(Lifted(one.uid, reader) for one in missed if not _is_untold(presence, one))
    elsewhere = tuple(each for each in presence.lying if each.reader != reader)
    lying = tuple(sorted({*elsewhere, *(Lying(reader, uid) for uid in uids)}))
    new = (Lying(reader, uid) for uid in uids if uid not in had)
    doubts = tuple(Doubt(one, now, is_play=False) for one in new if presence.rivals(one))
    return _with_lying(presence, lying, presence.doubts + doubts), (
        *back,
        Found(reader, tuple(sorted(set(uids)))),
        *lifted,
    )


def _without_settled(presence: Presence) -> tuple[Presence, tuple[Sensed, ...]]:
    """End every doubt whose tag has left one of its two readers, or one of whose readers is lost."""
    kept: list[Doubt] = []
    told: list[Sensed] = []
    for doubt in presence.doubts:
        is_there = doubt.one in presence.lying and doubt.one.reader not in presence.lost
        if is_there and presence.rivals(doubt.one):
            kept.append(doubt)
        elif is_there and doubt.is_play:
            told.append(Tapped(doubt.one.uid, doubt.one.reader))
    return replace(presence, doubts=tuple(kept)), tuple(told)


def _with_lost(presence: Presence, lost: tuple[ReaderId, ...]) -> Presence:
    return replace(presence, lost=tuple(sorted(lost)))


def _with_lying(presence: Presence, lying: tuple[Lying, ...], doubts: tuple[Doubt, ...]) -> Presence:
    return Presence(presence.readers, presence.lost, lying, doubts, presence.unheard)
