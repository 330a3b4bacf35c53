"""What the table answers to a phone: done, or why not."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from companion.core import Refusal, Seq


class Done(Struct, frozen=True, tag="done"):
    """It is in the journal under `seq`; `again` if the same command had done it before."""

    seq: Seq
    again: bool = False


class No(Struct, frozen=True, tag="no"):
    """It was refused, and this is why, as far as the asking seat may know."""

    refusal: Refusal


Answer: TypeAlias = Done | No
