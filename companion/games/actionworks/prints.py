"""What is printed: the Parts and the Demands, each with what its type does."""

from __future__ import annotations

from typing import Final

from companion.core import Front, PieceId, Prints, RuleId, Said, Setup, Token, Word, say

from .state import TYPES, Pack, Part, Type, demand_for, part_of, parts_in

_DOES: Final[dict[Type, str]] = {
    "make": "A9", "take": "A10", "borrow": "A11", "plan": "A12", "scrap": "A13", "copy": "A14",
}  # fmt: skip
_REFERENCE: Final = ("A6", "A7", "A8", "A15", "A16", "A17", "A18", "A19", "A20", "A21")


def prints(setup: Setup[Pack]) -> Prints:
    parts = ((card, part) for card in parts_in(setup.pack, TYPES) if (part := part_of(card)) is not None)
    return Prints(
        fronts=(*(_part(card, part) for card, part in parts), *map(_demand, TYPES)),
        reference=tuple(map(RuleId, _REFERENCE)),
    )


def _part(card: PieceId, part: Part) -> Front:
    return Front(
        token=Token("piece", card),
        name=say("piece.part", type=Word(f"type.{part.type}"), value=part.value),
        back="part",
        kind=say("print.part"),
        icon=part.type,
        number=part.value,
        text=(Said(f"rule.{_DOES[part.type]}"),),
    )


def _demand(kind: Type) -> Front:
    return Front(
        token=Token("piece", demand_for(kind)),
        name=say("piece.demand", type=Word(f"type.{kind}")),
        back="demand",
        kind=say("print.demand"),
        icon=kind,
        text=(say("print.wants", type=Word(f"type.{kind}")), Said("rule.A20")),
    )
