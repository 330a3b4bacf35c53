"""A cache of recent drawings, so that everybody who looks at the same thing shares one; its size is limited."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MOST: Final = 2_000_000
"""Letters kept in all; a seat's screen has some tens of thousands."""


class Drawn:
    """Drawings by what they show. The least recently used one goes first."""

    def __init__(self) -> None:
        self._by: OrderedDict[Hashable, str] = OrderedDict()
        self.letters = 0
        """Letters kept now."""

    def of(self, what: Hashable, draw: Callable[[], str]) -> str:
        """The drawing of `what`; `draw` makes it if it isn't kept."""
        html = self._by.get(what)
        if html is None:
            html = self._by[what] = draw()
            self.letters += len(html)
            while self.letters > MOST and len(self._by) > 1:
                self.letters -= len(self._by.popitem(last=False)[1])
        else:
            self._by.move_to_end(what)
        return html
