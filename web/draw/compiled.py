"""Templates as Python modules, compiled when the program is built, so that the first page of an evening is quick.

The build step runs this file alone, where nothing of ours is installed. A module is identified by its template's
text and the Jinja version that compiled it, so a template edited since is never shown as it was: it is compiled
when needed, as usual.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.utils import missing
from markupsafe import Markup, escape

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
MODULES: Final = Path(__file__).parents[1] / "compiled"
_COMPILER: Final = Path(__file__).read_text("utf-8")


class _Plain(CodeGenerator):
    """Compiles calls to plain calls. Jinja's own first look whether the function wants the context, which takes longer
    than most of ours run; none of ours wants it.
    """

    def visit_Call(self, node: jinja2.nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        if forward_caller or node.dyn_args or node.dyn_kwargs:
            self.fail("call blocks, *args and **kwargs are not compiled here", node.lineno)
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        self.write(")")

    def macro_def(self, macro_ref: MacroRef, _frame: Frame) -> None:
        if macro_ref.accesses_caller or macro_ref.accesses_kwargs or macro_ref.accesses_varargs:
            self.fail("caller, varargs and kwargs are not compiled here", macro_ref.node.lineno)
        self.write(f"environment.macro(macro, {tuple(each.name for each in macro_ref.node.args)!r})")

    def _output_child_pre(self, node: Any, frame: Frame, finalize: Any) -> None:
        self.write("environment.shown(")


def _macro(drawn: Callable[..., str], names: tuple[str, ...]) -> Callable[..., Markup]:
    def macro(*given: Any, **named: Any) -> Markup:
        if len(given) < len(names):
            given += tuple([named.pop(name, missing) for name in names[len(given) :]])
        if named:
            raise TypeError(f"{', '.join(named)}: there is no such parameter, or it is given twice")
        return Markup(drawn(*given))  # noqa: S704 - what the template shows is escaped

    return macro


_escaped: Final = lru_cache(maxsize=2048)(escape)
"""Words come again at every act."""


def _shown(value: Any) -> Markup:
    kind = type(value)
    return _escaped(value) if kind is str else value if kind is Markup else escape(value)


class _Environment(jinja2.Environment):
    code_generator_class = _Plain
    macro = staticmethod(_macro)
    shown = staticmethod(_shown)


def environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    return _Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )


def module_name(name: str, source: str) -> str:
    return "t" + hashlib.sha256(f"{jinja2.__version__}\0{_COMPILER}\0{name}\0{source}".encode()).hexdigest()[:24]


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
