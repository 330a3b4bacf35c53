"""The table script: a whole evening as plain text, at the level of inputs. docs/table-script.md describes its form."""

from .lines import Line, Script
from .reading import read, read_file
from .running import Count, Difference, Report, run
from .words import ScriptError, ScriptProblem
from .writing import CannotSave, write

__all__ = [
    "CannotSave",
    "Count",
    "Difference",
    "Line",
    "Report",
    "Script",
    "ScriptError",
    "ScriptProblem",
    "read",
    "read_file",
    "run",
    "write",
]
