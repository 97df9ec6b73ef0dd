"""What the documentation says is so: code runs as printed, commands exist, tables are those of the games."""

import re
import tomllib
from pathlib import Path

import pytest

from overworlds.training import documentation
from overworlds.training.cli import main

ROOT = Path(__file__).resolve().parents[1]
GAME_PAGES = sorted(ROOT.glob("envs/*/README.md"))
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "agents" / "README.md",
    *GAME_PAGES,
]
RULES = "Every rule, where it is, and what shows it"
NUMBERED_RULES = {"overpower": 79}
"""Games whose rules have numbers, in their tests' names too, and how many there are."""
FOLDERS = ("envs", "agents", "training", "benchmarks")


def blocks(language: str) -> list:
    """All code blocks of a language, named after the file and line where they begin."""
    found = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text[: match.start()].count("\n") + 1
            found.append(pytest.param(match[1], id=f"{page.relative_to(ROOT)}:{line}"))
    return found


def commands() -> list:
    """All commands of the console blocks."""
    return [
        pytest.param(command, id=command)
        for block in blocks("console")
        for command in re.findall(r"^\$ (.*)$", block.values[0], re.MULTILINE)
    ]


@pytest.mark.parametrize("code", blocks("python"))
def test_code_runs_as_printed(code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "<documentation>", "exec"), {"__name__": "__main__"})
    if "print(" in code:
        assert capsys.readouterr().out


def test_the_readme_has_the_examples_that_it_should():
    assert sum(str(block.id).startswith("README.md") for block in blocks("python")) >= 5
    assert len(commands()) >= 5


@pytest.mark.parametrize("command", commands())
def test_commands_exist(command, capsys):
    words = [word for word in command.split() if not re.fullmatch(r"[A-Z_]+=\S+", word)]
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert words[1] in targets
    elif words[0] == "overworlds":
        assert main([words[1], "--help"]) == 0
        usage = capsys.readouterr().out
        assert all(word in usage for word in words if word.startswith("--"))
    elif words[:2] == ["pip", "install"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        wanted = re.search(r"\[(.*)\]", command)
        assert wanted is not None
        assert set(wanted[1].split(",")) <= set(extras)
        assert "-c constraints.txt" in command
    else:
        assert words[:3] == ["python", "-m", "pytest"]
        assert all((ROOT / word).exists() for word in words if word.startswith("tests"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", documentation.sections(), ids=lambda page: str(page.relative_to(ROOT)))
def test_generated_sections_are_up_to_date(page):
    assert documentation.renewed_files()[page] == page.read_text("utf-8"), "run `make docs`"


@pytest.mark.parametrize("page", GAME_PAGES, ids=lambda page: page.parent.name)
def test_rules_name_code_and_tests_that_exist(page):
    text = page.read_text("utf-8")
    folder = ROOT / "tests" / page.parent.name
    scenarios = "".join(file.read_text("utf-8") for file in folder.glob("test_*.py"))
    named = re.findall(r"`(test_\w+)(\.py)?`", text)
    assert named, "a game's page says which tests show its rules"
    for name, ending in named:
        assert (folder / f"{name}.py").exists() if ending else f"def {name}(" in scenarios, name
    for row in re.findall(r"^\|.*`test_.*$", text, re.MULTILINE):
        for module, owner, function in re.findall(r"`(\w+)\.(?!py`)(?:([A-Z]\w*)\.)?(\w+)`", row):
            code = (page.parent / f"{module}.py").read_text("utf-8")
            start = rf"^class {owner}\b.*?^    def {function}\(" if owner else rf"^def {function}\("
            assert re.search(start, code, re.DOTALL | re.MULTILINE), f"{module}.{owner}.{function}"


def table(page: Path, heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its header and its rows in bold, which name sections."""
    section = page.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in re.findall(r"^\|.*\|$", section, re.MULTILINE)[2:]]
    return [[cell.strip() for cell in row] for row in rows if not any("**" in cell for cell in row)]


@pytest.mark.parametrize("page", GAME_PAGES, ids=lambda page: page.parent.name)
def test_every_rule_has_a_row_with_its_code_and_its_tests(page):
    rows = table(page, RULES)
    assert len(rows) > 30
    for *_, rule, code, tests in rows:
        assert re.fullmatch(r"`[\w.]+`(<br>`[\w.]+`)*", code), rule
        assert re.fullmatch(r"`test_\w+`(<br>`test_\w+`)*", tests), rule
    last = NUMBERED_RULES.get(page.parent.name, 0)
    assert [int(row[0]) for row in rows if len(row) == 4] == list(range(1, last + 1))


@pytest.mark.parametrize("page", GAME_PAGES, ids=lambda page: page.parent.name)
def test_every_ruling_has_a_number_that_its_tests_may_carry(page):
    rows = table(page, "Rulings")
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    for number, _question, ruling, _choice, tests in rows:
        assert ruling.endswith("."), ruling
        for numbers in re.findall(r"`test_ruling((?:_(?:\d+|and))+)_", tests):
            assert number in numbers.split("_"), tests


def test_an_outdated_section_is_noticed():
    text = "<!-- generated: x, by make docs -->\nold\n<!-- end: x -->"
    assert documentation.renewed(text, "x", "new") == text.replace("old", "new")
    with pytest.raises(ValueError, match="expected one section"):
        documentation.renewed(text, "y", "new")


def test_every_package_and_data_file_is_installed():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    folders = {file.parent for folder in FOLDERS for file in (ROOT / folder).rglob("__init__.py")}
    assert {f"overworlds.{'.'.join(folder.relative_to(ROOT).parts)}" for folder in folders} == set(settings["packages"])
    assert settings["package-dir"] == {f"overworlds.{folder}": folder for folder in FOLDERS}
    assert all((ROOT / folder / "py.typed").exists() for folder in FOLDERS)
