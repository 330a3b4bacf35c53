"""Set right what the table shows otherwise: choosing as usual, but among things that can be set right."""

from __future__ import annotations

from typing import ClassVar

from companion.core import PUBLIC, Intent, Said, change_by, say
from companion.table import Snapshot

from .choosing import Choosing


class Correcting(Choosing, frozen=True):
    """A number starts at its present value; confirming shows the old and the new one."""

    listed: bool = True
    corrects: ClassVar[bool] = True

    def corner(self, scene: Snapshot) -> Said:
        """What is being set right."""
        verb = next((token.value for token in self.tokens if token.kind == "verb"), None)
        return say("fix.what") if verb is None else say(f"verb.{verb}")

    def foreseen(self, scene: Snapshot, intent: Intent) -> tuple[Said, ...]:
        """The old value and the new one."""
        said = change_by(scene.game, scene.view(PUBLIC), intent)
        return () if said is None else (said,)
