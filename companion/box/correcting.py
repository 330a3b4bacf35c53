"""Set right what the table shows otherwise: the same choosing, of what can be set right."""

from __future__ import annotations

from typing import ClassVar

from companion.core import PUBLIC, Intent, Said, change_by, say
from companion.table import Snapshot

from .choosing import Choosing


class Correcting(Choosing, frozen=True):
    """A number begins as it stands; what is set right is confirmed from what to what."""

    listed: bool = True
    corrects: ClassVar[bool] = True

    def corner(self, scene: Snapshot) -> Said:
        """What is set right."""
        verb = next((token.value for token in self.tokens if token.kind == "verb"), None)
        return say("fix.what") if verb is None else say(f"verb.{verb}")

    def foreseen(self, scene: Snapshot, intent: Intent) -> tuple[Said, ...]:
        """From what to what."""
        said = change_by(scene.game, scene.view(PUBLIC), intent)
        return () if said is None else (said,)
