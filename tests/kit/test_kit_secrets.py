"""The kit's own word for a secret."""

from __future__ import annotations

from msgspec.structs import replace

from companion.app.kit.kit import some_know_more
from companion.core import EVERYONE
from tests import pick


def test_a_hand_is_a_secret_and_a_deck_alone_is_none() -> None:
    """The control of the kit's own word for it, on the smallest game: with its hands, and with all hands shown."""
    assert some_know_more(pick.GAME, pick.two_seats(), 2)
    dealt = pick.two_seats()
    shown = replace(dealt, hands=tuple(replace(hand, known_by=EVERYONE) for hand in dealt.hands))
    assert not some_know_more(pick.GAME, shown, 2)
