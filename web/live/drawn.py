"""What was drawn lately, so that many who look at the same are drawn for once; only so much of it is kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MOST: Final = 2_000_000
"""Letters kept in all; a seat's screen has some tens of thousands."""


class Drawn:
    """Drawings by what they show. The one that nobody looked at for longest is let go first."""

    def __init__(self) -> None:
        self._by: OrderedDict[Hashable, str] = OrderedDict()
        self.letters = 0
        """How much is kept."""

    def of(self, what: Hashable, draw: Callable[[], str]) -> str:
        """The drawing of `what`, which `draw` makes if it is not kept."""
        html = self._by.get(what)
        if html is None:
            html = self._by[what] = draw()
            self.letters += len(html)
            while self.letters > MOST and len(self._by) > 1:
                self.letters -= len(self._by.popitem(last=False)[1])
        else:
            self._by.move_to_end(what)
        return html
