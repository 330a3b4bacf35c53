"""Templates are compiled when the program is built; what they draw is what their files say."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from markupsafe import Markup

from hatch_build import compile_templates
from web.draw import compiled
from web.draw.panels import FILTERS

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True, scope="module")
def built() -> None:
    compile_templates(ROOT)


def loaded(name: str) -> jinja2.Template:
    env = compiled.environment(compiled.Loader())
    env.filters.update(FILTERS)
    return env.get_template(name)


def names() -> list[str]:
    return compiled.environment(compiled.Loader()).list_templates(["html"])


@pytest.mark.parametrize("name", names())
def test_every_template_comes_from_its_module_and_is_what_its_file_says(name: str) -> None:
    env = compiled.environment(compiled.Loader())
    env.filters.update(FILTERS)
    source = (compiled.TEMPLATES / name).read_text("utf-8")
    module = compiled.MODULES / f"{compiled.module_name(name, source)}.py"
    assert loaded(name).root_render_func.__code__.co_filename == str(module)
    assert module.read_text("utf-8") == env.compile(source, name, raw=True, defer_init=True)


def test_an_edited_template_is_never_shown_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("{{ name }} was here", "utf-8")
    monkeypatch.setattr(compiled, "TEMPLATES", tmp_path)
    monkeypatch.setattr(compiled, "MODULES", tmp_path / "compiled")
    assert len(compiled.compile_all(tmp_path, tmp_path / "compiled")) == 1
    (tmp_path / "page.html").write_text("{{ name }} is here", "utf-8")
    assert loaded("page.html").render(name="Ada") == "Ada is here"


def test_modules_of_templates_that_are_no_more_are_taken_away(tmp_path: Path) -> None:
    modules = tmp_path / "compiled"
    (tmp_path / "page.html").write_text("one", "utf-8")
    first = compiled.compile_all(tmp_path, modules)
    (tmp_path / "page.html").write_text("two", "utf-8")
    second = compiled.compile_all(tmp_path, modules)
    assert list(modules.glob("*.py")) == second != first
    assert compiled.compile_all(tmp_path, modules) == []


def test_a_filter_of_pages_is_left_to_the_running_program(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("{{ 'a'|only_there }}", "utf-8")
    (module,) = compiled.compile_all(tmp_path, tmp_path / "compiled")
    assert "only_there" in module.read_text("utf-8")


def drawn(source: str, **given: object) -> str:
    return compiled.environment(jinja2.DictLoader({"page.html": source})).get_template("page.html").render(given)


MACRO = "{% macro said(who, what='waits') %}<b>{{ who }}</b> {{ what }}{% endmacro %}"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("said('Ada')", "<b>Ada</b> waits"),
        ("said('<Ada>', 'rolls & moves')", "<b>&lt;Ada&gt;</b> rolls &amp; moves"),
        ("said(what='rolls', who='Ada')", "<b>Ada</b> rolls"),
        ("said(said('Ada'))", "<b><b>Ada</b> waits</b> waits"),
    ],
)
def test_a_macro_is_called_like_a_function(call: str, expected: str) -> None:
    assert drawn(f"{MACRO}{{{{ {call} }}}}") == expected


@pytest.mark.parametrize("call", ["said('Ada', whom='Ben')", "said('Ada', who='Ben')", "said('Ada', 'rolls', 'moves')"])
def test_what_a_macro_does_not_take_is_an_error(call: str) -> None:
    with pytest.raises(TypeError):
        drawn(f"{MACRO}{{{{ {call} }}}}")


def test_what_is_markup_elsewhere_is_still_escaped_as_words() -> None:
    assert drawn("{{ a }} {{ b }} {{ a }}", a=Markup("<i>"), b="<i>") == "<i> &lt;i&gt; <i>"


@pytest.mark.parametrize(
    "source",
    ["{{ f(*them) }}", "{{ f(**them) }}", "{% macro m() %}{{ varargs }}{% endmacro %}", "{% call f() %}{% endcall %}"],
)
def test_what_is_not_compiled_is_refused(source: str) -> None:
    with pytest.raises(jinja2.TemplateAssertionError, match="not compiled here"):
        drawn(source, f=str, them=())
