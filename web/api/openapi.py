"""The description of the JSON API, generated from the types it answers with: python -m web.api.openapi"""

from __future__ import annotations

import inspect
from typing import Any, Final

import msgspec
from msgspec import Struct

from companion import __version__
from web.door import HEADER
from web.screens.seat import Command

from .routes import BASE, DESCRIPTION
from .view import Accepted, Entry, Problem, Refused, Rule, View

_TYPES: Final = (View, Rule, Entry, Accepted, Refused, Problem, Command)
_JSON: Final = "application/json"


def document() -> dict[str, Any]:
    """The whole description, OpenAPI 3.1."""
    _, components = msgspec.json.schema_components(_TYPES, ref_template="#/components/schemas/{name}")
    for schema in components.values():
        if "description" in schema:  # docstrings keep their indentation before Python 3.13
            schema["description"] = inspect.cleandoc(schema["description"])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Table companion", "version": __version__},
        "servers": [{"url": BASE}],
        "paths": {
            "/view": {"get": _reads("view", _answer(View))},
            "/rules": {"get": _reads("rules", _many(Rule))},
            "/history": {"get": {**_reads("history", _many(Entry), 400), "parameters": [_after()]}},
            "/stream": {"get": _reads("stream", {"description": "event: view", "content": {"text/event-stream": {}}})},
            "/openapi.json": {"get": _reads("openapi", {"description": "this file", "content": {_JSON: {}}})},
            "/commands": {"post": _command()},
        },
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"seat": {"type": "apiKey", "in": "cookie", "name": "companion-seat"}},
        },
        "security": [{}, {"seat": []}],
    }


def _after() -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": 0}
    return {"name": "after", "in": "query", "required": False, "schema": schema}


def _ref(cls: type[Struct]) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{cls.__name__}"}


def _answer(cls: type[Struct], about: str = "ok") -> dict[str, Any]:
    return {"description": about, "content": {_JSON: {"schema": _ref(cls)}}}


def _many(cls: type[Struct]) -> dict[str, Any]:
    return {"description": "ok", "content": {_JSON: {"schema": {"type": "array", "items": _ref(cls)}}}}


def _problems(*codes: int) -> dict[str, Any]:
    return {str(code): _answer(Problem, "problem") for code in codes}


def _reads(name: str, answer: dict[str, Any], *more: int) -> dict[str, Any]:
    return {"operationId": name, "responses": {"200": answer, **_problems(*more, 421, 429)}}


def _command() -> dict[str, Any]:
    headers = [
        {"name": HEADER, "in": "header", "required": True, "schema": {"const": "1"}},
        {"name": "Origin", "in": "header", "required": True, "schema": {"type": "string"}},
    ]
    return {
        "operationId": "command",
        "security": [{"seat": []}],
        "parameters": headers,
        "requestBody": {"required": True, "content": {_JSON: {"schema": _ref(Command)}}},
        "responses": {
            "200": _answer(Accepted),
            "409": _answer(Refused, "refused"),
            **_problems(400, 403, 413, 415, 421, 429, 503),
        },
    }


def main() -> None:
    DESCRIPTION.write_bytes(msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n")


if __name__ == "__main__":
    main()
