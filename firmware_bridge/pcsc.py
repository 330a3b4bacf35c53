"""A reader known to the system's smart-card service (PC/SC), such as an ACR122U. One card at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from companion.core import Uid

from . import wire
from .solo import TURN, NoPcscd, NoReader, NotInstalled, Solo

_GET_UID: Final = [0xFF, 0xCA, 0x00, 0x00, 0x00]
_FINE: Final = [0x90, 0x00]
_SIZES: Final = (4, 7, 10)
PATIENCE: Final = 5
"""Turns that a card which was there at the start may take to be read; until then it is layout."""


def _scard() -> Any:
    try:
        from smartcard import scard
    except ImportError:
        raise NotInstalled("pyscard is not installed; sudo apt-get install python3-pyscard pcscd") from None
    return scard


@contextlib.contextmanager
def _service(scard: Any) -> Iterator[Any]:
    result, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    if result != scard.SCARD_S_SUCCESS:
        raise NoPcscd("the smart-card service does not answer; sudo systemctl start pcscd")
    try:
        yield context
    finally:
        scard.SCardReleaseContext(context)


def reader_names() -> tuple[str, ...]:
    """The smart-card service's names for its readers; raises NoReader if there is no such service."""
    scard = _scard()
    with _service(scard) as context:
        result, names = scard.SCardListReaders(context, [])
        return tuple(names) if result == scard.SCARD_S_SUCCESS else ()


def found(name: str, names: tuple[str, ...]) -> str | None:
    """The first reader with this in its name."""
    return next((each for each in names if name.casefold() in each.casefold()), None)


class _Card(Struct, frozen=True):
    """One visit of a card; `uid` is None until it has been read."""

    count: int
    uid: Uid | None


class PcscReader(Solo):
    """The first reader with the given text in its name."""

    def _listen(self) -> None:
        scard = _scard()
        name = found(self.name, reader_names())
        if name is None:
            raise NoReader(f"no smart-card reader is called {self.name!r}; plug it in, or ask pcsc_scan for its name")
        with _service(scard) as context:
            self._watch(scard, context, name)

    def _watch(self, scard: Any, context: Any, name: str) -> None:
        state, before, told = scard.SCARD_STATE_UNAWARE, None, False
        turns = 0
        while self._goes_on():
            state = _state(scard, context, name, state)
            now = _card(scard, context, name, state, before)
            turns += 1
            if not told and (now is None or now.uid is not None or turns > PATIENCE):
                told = True
                self._tell_level(*(() if now is None or now.uid is None else (now.uid,)))
            elif told and now != before:
                self._tell_change(before, now)
            before = now

    def _tell_change(self, before: _Card | None, now: _Card | None) -> None:
        if before is not None and before.uid is not None:
            self._tell_leaving(before.uid)
        if now is not None and now.uid is not None:
            self._tell_arrival(now.uid)


def _card(scard: Any, context: Any, name: str, state: int, before: _Card | None) -> _Card | None:
    """The card that is there. The service counts comings and goings: if the count differs, it is another card."""
    if not state & scard.SCARD_STATE_PRESENT:
        return None
    is_read = before is not None and before.count == state >> 16 and before.uid is not None
    return before if is_read else _Card(state >> 16, _uid(scard, context, name))


def _state(scard: Any, context: Any, name: str, before: int) -> int:
    """What the service says about a reader once that has changed, or after a turn."""
    result, states = scard.SCardGetStatusChange(context, int(1000 * TURN), [(name, before)])
    if result == scard.SCARD_E_TIMEOUT:
        return before
    gone = scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE | scard.SCARD_STATE_IGNORE
    if result != scard.SCARD_S_SUCCESS or states[0][1] & gone:
        raise NoReader(f"the smart-card reader {name!r} is gone, or its service is")
    return int(states[0][1] & ~scard.SCARD_STATE_CHANGED)


def _uid(scard: Any, context: Any, name: str) -> Uid | None:
    """The number of the card that is there; None if it cannot be read now."""
    protocols = scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1
    result, card, protocol = scard.SCardConnect(context, name, scard.SCARD_SHARE_SHARED, protocols)
    if result != scard.SCARD_S_SUCCESS:
        return None
    pci = scard.SCARD_PCI_T0 if protocol == scard.SCARD_PROTOCOL_T0 else scard.SCARD_PCI_T1
    result, answer = scard.SCardTransmit(card, pci, _GET_UID)
    scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    uid = bytes(each & 0xFF for each in answer[:-2]).hex().upper()
    is_whole = result == scard.SCARD_S_SUCCESS and [each & 0xFF for each in answer[-2:]] == _FINE
    return Uid(uid) if is_whole and len(uid) // 2 in _SIZES and wire.is_uid(uid) else None
