"""Which pieces are interchangeable as long as nobody has seen them: Upgrades of one period, where they lie."""

from __future__ import annotations

from companion.core import PieceId
from companion.games.us_patent.state import Pack


def alike(pack: Pack, one: PieceId, other: PieceId) -> bool:
    period = {card.id: card.period for card in pack.upgrades}
    return one in period and other in period and period[one] == period[other]
