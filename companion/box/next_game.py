"""After a game, the box alone can begin the next one: a list of the shelf, then “begin?”."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import ChoosePage, ConfirmPage, GameId, Name, OpenGame, Page, say
from companion.table import OnShelf, Snapshot

from .dialog import REST, Dialog, Then, turn_page


class NextGame(Dialog, frozen=True):
    """Row `at` of the shelf is marked; `game` is the one that OK was pressed on."""

    at: int = 0
    game: GameId | None = None

    def page(self, scene: Snapshot) -> Page:
        game = self._chosen(scene)
        if game is not None:
            return ConfirmPage(say("next.begin", game=Name(game.title)), (say("next.same", n=len(scene.chairs)),))
        items = tuple(say("choice", item=Name(one.title)) for one in scene.shelf)
        return ChoosePage(say("first.game"), items, self.at) if items else turn_page(scene)

    def ok(self, scene: Snapshot, held: bool) -> Then:
        game = self._chosen(scene)
        if game is not None:
            names = tuple(chair.name for chair in scene.chairs)
            return None, OpenGame(game.game, names, (), scene.mode)
        return (replace(self, game=scene.shelf[self.at % len(scene.shelf)].game), None) if scene.shelf else REST

    def back(self, scene: Snapshot, held: bool) -> Then | None:
        return super().back(scene, held) if held or self.game is None else (replace(self, game=None), None)

    def turn(self, scene: Snapshot, steps: int) -> Dialog:
        return replace(self, at=(self.at + steps) % len(scene.shelf)) if self._is_list(scene) else self

    def walks(self, scene: Snapshot) -> bool:
        return self._is_list(scene) and len(scene.shelf) > 1

    def _is_list(self, scene: Snapshot) -> bool:
        return self.game is None and bool(scene.shelf)

    def _chosen(self, scene: Snapshot) -> OnShelf | None:
        return next((one for one in scene.shelf if one.game == self.game), None)
