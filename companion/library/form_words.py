"""What a form field takes, in words: `expectation` for terminals and logs, `wanted` for everybody at the table.

A field whose pattern means little to people names a text with `Meta(title=key)`.
"""

from __future__ import annotations

import json
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct

from companion.core import Name, Said, say


def expectation(hint: Any) -> str:
    """What a field of this type takes, for people."""
    hint, meta = bare(hint)
    if meta is not None and meta.description:
        return meta.description
    origin = get_origin(hint)
    if origin is Literal:
        return "one of " + ", ".join(shown(choice) for choice in get_args(hint))
    if origin in (Union, UnionType):
        return " or ".join(expectation(arm) for arm in get_args(hint) if arm is not NoneType)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return "a table"
    if origin in (list, tuple):
        return "a list"
    return _NAMED.get(hint, "a table") + _bounds(meta)


_NAMED: Final[dict[Any, str]] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def wanted(hint: Any) -> Said:
    """What belongs in a field of this type: a text key with its facts."""
    hint, meta = bare(hint)
    origin = get_origin(hint)
    if meta is not None and meta.title:
        return say(meta.title)
    if origin is Literal:
        return say("form.one-of", choices=Name(", ".join(shown(choice) for choice in get_args(hint))))
    if origin in (Union, UnionType):
        return wanted(next(arm for arm in get_args(hint) if arm is not NoneType))
    if origin in (list, tuple):
        return say("form.list")
    kind = _KINDS.get(hint)
    return say("form.table") if kind is None else _bounded(f"form.{kind}", meta)


def _bounded(key: str, meta: Meta | None) -> Said:
    if meta is None:
        return say(key)
    if meta.ge is not None and meta.le is not None:
        return say(f"{key}.between", low=int(meta.ge), high=int(meta.le))
    if meta.ge is not None or meta.le is not None:
        return say(f"{key}.least", n=int(meta.ge)) if meta.ge is not None else say(f"{key}.most", n=int(meta.le or 0))
    if meta.max_length is not None:
        return say(f"{key}.between", low=meta.min_length or 0, high=meta.max_length)
    return say(f"{key}.like", pattern=Name(meta.pattern)) if meta.pattern else say(key)


def bare(hint: Any) -> tuple[Any, Meta | None]:
    """A type without its NewType and Annotated wrappers, and the Meta they carried."""
    meta: Meta | None = None
    while True:
        if hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif get_origin(hint) is Annotated:
            meta = meta or next((m for m in hint.__metadata__ if isinstance(m, Meta)), None)
            hint = get_args(hint)[0]
        else:
            return hint, meta


def _bounds(meta: Meta | None) -> str:
    if meta is None:
        return ""
    low, high = meta.ge, meta.le
    if low is not None or high is not None:
        return f" from {low} to {high}" if None not in (low, high) else f" ≥ {low}" if high is None else f" ≤ {high}"
    if meta.max_length is not None:
        return f" of {meta.min_length or 0} to {meta.max_length} characters"
    return f" like {meta.pattern}" if meta.pattern else ""


def shown(value: Any) -> str:
    """A value as TOML would write it, cut short; endless nesting and endless numbers become a placeholder."""
    try:
        return cut(json.dumps(value, ensure_ascii=False, default=str), 60)
    except RecursionError:
        return "{...}"
    except ValueError:
        return "..." if not isinstance(value, int) else cut(hex(value), 60)


def cut(text: str, length: int) -> str:
    """The beginning of a text, with nothing in it that moves the cursor or reverses the line."""
    short = text if len(text) <= length else text[: length - 3] + "..."
    return short if short.isprintable() else "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in short)


_KINDS: Final[dict[Any, str]] = {bool: "boolean", int: "whole", float: "number", str: "text"}
