"""The documentation of the contract is true: every example can be read, and the schema matches the structs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from web.club import TOPICS, Pair, Paired, decode
from web.club.schema import WHERE, schema, written

PAGE = Path(__file__).parents[3] / "docs" / "club.md"
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)\n```", PAGE.read_text(), re.DOTALL)
KINDS: dict[str, type[msgspec.Struct]] = {**TOPICS, "pair": Pair, "paired": Paired}


def test_every_topic_has_an_example() -> None:
    assert {kind for kind, _ in EXAMPLES} == set(KINDS)


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_an_example_is_read_and_said_again_the_same(kind: str, text: str) -> None:
    assert msgspec.json.encode(decode(KINDS[kind], text.encode())) == text.encode()


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_an_example_keeps_to_the_schema(kind: str, text: str) -> None:
    if kind in TOPICS:
        jsonschema.validate(msgspec.json.decode(text), _of(kind))


def test_the_schema_finds_what_is_wrong() -> None:
    """The control: a view without its line."""
    text = next(text for kind, text in EXAMPLES if kind == "view")
    with pytest.raises(jsonschema.ValidationError, match="line"):
        jsonschema.validate(msgspec.json.decode(text.replace('"line"', '"lines"')), _of("view"))


def test_the_schema_is_written() -> None:
    assert WHERE.read_bytes() == written(), "python -m web.club.schema"


def _of(kind: str) -> dict[str, Any]:
    whole = msgspec.json.decode(msgspec.json.encode(schema()))
    return {**whole["topics"][kind], "$defs": whole["$defs"]}
