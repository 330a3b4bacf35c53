"""The contract as a JSON Schema: `python -m web.club.schema` writes it into the documentation."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import msgspec

from .payloads import TOPICS

WHERE: Final = Path(__file__).parents[2] / "docs" / "club.schema.json"


def schema() -> dict[str, Any]:
    """The schema of each topic, by the last word of its name."""
    found, parts = msgspec.json.schema_components(TOPICS.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What tables and hubs say on the broker",
        "topics": dict(zip(TOPICS, found, strict=True)),
        "$defs": {name: _with_plain_words(part) for name, part in parts.items()},
    }


def _with_plain_words(part: dict[str, Any]) -> dict[str, Any]:
    """Without the indentation of the source, which Python itself leaves out from 3.13 on."""
    return {key: cleandoc(value) if key == "description" else value for key, value in part.items()}


def written() -> bytes:
    return msgspec.json.format(msgspec.json.encode(schema(), order="deterministic"), indent=1) + b"\n"


if __name__ == "__main__":
    WHERE.write_bytes(written())
