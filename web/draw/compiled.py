"""Templates as Python modules, compiled when the program is built, so that the first page of an evening is quick.

The build step runs this file alone, where nothing of ours is installed. A module is identified by its template's
text and the Jinja version that compiled it, so a template edited since is never shown as it was: it is compiled
when needed, as usual.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import jinja2

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
MODULES: Final = Path(__file__).parents[1] / "compiled"


def environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    return jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )


def module_name(name: str, source: str) -> str:
    return "t" + hashlib.sha256(f"{jinja2.__version__}\0{name}\0{source}".encode()).hexdigest()[:24]


class Loader(jinja2.FileSystemLoader):
    """Loads templates that were compiled at build time, and all others from their files."""

    def __init__(self) -> None:
        super().__init__(TEMPLATES)

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - as Jinja calls it
    ) -> jinja2.Template:
        module = module_name(name, self.get_source(environment, name)[0])
        if not (MODULES / f"{module}.py").exists():
            return super().load(environment, name, globals)
        code = vars(import_module(f"..compiled.{module}", __package__))
        return environment.template_class.from_module_dict(environment, code, globals or {})


class _Filters(dict[str, Any]):
    """Filters that only the running program has; the compiler gets their names and doesn't try them on constants."""

    def get(self, name: str, _default: Any = None) -> Any:
        return super().get(name, _only_when_running)


def _only_when_running(*_: Any) -> str:
    raise NotImplementedError("the build step has no filters of pages")


def compile_all(templates: Path = TEMPLATES, modules: Path = MODULES) -> list[Path]:
    """Write missing modules, and remove those whose templates are gone; returns what was written."""
    env = environment(jinja2.FileSystemLoader(templates))
    env.filters = _Filters(env.filters)
    modules.mkdir(exist_ok=True)
    sources = {name: (templates / name).read_text("utf-8") for name in env.list_templates(["html"])}
    wanted = {modules / f"{module_name(name, source)}.py": (name, source) for name, source in sources.items()}
    for old in set(modules.glob("*.py")) - set(wanted):
        old.unlink()
    missing = [path for path in wanted if not path.exists()]
    for path in missing:
        name, source = wanted[path]
        fresh = path.with_suffix(".new")
        fresh.write_text(env.compile(source, name, raw=True, defer_init=True), "utf-8")
        fresh.replace(path)
    return missing
