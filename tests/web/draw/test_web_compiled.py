"""Templates are compiled when the program is built; what they draw is what their files say."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest

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
