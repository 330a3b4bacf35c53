"""Which act is to stand against a rule, where taps can mean several?"""

from __future__ import annotations

from typing import ClassVar

from companion.core import Intent, Said, say
from companion.table import Appeal, Snapshot, Wish

from .choosing import Choosing


class Which(Choosing, frozen=True):
    """What hands can have done, by whomever, is listed; what is taken stands."""

    appeals: ClassVar[bool] = True

    def wish(self, intent: Intent) -> Wish:
        return Appeal(intent)

    def corner(self, scene: Snapshot) -> Said:
        return say("appeal.which")
