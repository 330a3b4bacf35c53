"""Which act should stand against a rule, if taps can mean several?"""

from __future__ import annotations

from typing import ClassVar

from companion.core import Intent, Said, say
from companion.table import Appeal, Snapshot, Wish

from .choosing import Choosing


class Which(Choosing, frozen=True):
    """Lists what hands can have done, whoever's they are; the one taken stands."""

    appeals: ClassVar[bool] = True

    def wish(self, intent: Intent) -> Wish:
        return Appeal(intent)

    def corner(self, scene: Snapshot) -> Said:
        return say("appeal.which")
