"""The client as a file: its types, its Pythons, how it is installed."""

from __future__ import annotations

import glob
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, TypeVar

import pytest
import terrarium

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLIENT = ROOT / "client"
LOWEST = (3, 9)


def pythons() -> List[str]:
    """Every Python of the machine that is new enough, one of a version."""
    found: Dict[str, str] = {}
    folders = ["/usr/bin", "/usr/local/bin"]
    folders += os.environ.get("PATH", "").split(":")
    folders += glob.glob(str(Path.home() / ".pyenv/versions/*/bin"))
    for folder in folders:
        for path in glob.glob(f"{folder}/python3.*"):
            match = re.search(r"/python3\.(\d+)$", path)
            if match and (3, int(match[1])) >= LOWEST and works(path):
                found.setdefault(match[1], path)
    return [found[minor] for minor in sorted(found, key=int)]


def works(path: str) -> bool:
    done = subprocess.run([path, "-c", "import ssl"], capture_output=True)
    return done.returncode == 0


def environment(settings: Any) -> Dict[str, str]:
    return {**os.environ, "TERRARIUM_URL": settings.url,
            "TERRARIUM_TOKEN": settings.token,
            "TERRARIUM_CACERT": settings.cacert or "",
            "PYTHONDONTWRITEBYTECODE": "1"}


def run(*words: Any, **options: Any) -> str:
    done = subprocess.run([str(word) for word in words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=120, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("python", pythons())
def test_each_python(python: str, settings: Any) -> None:
    out = run(python, "-W", "error", HERE / "any_python.py",
              env=environment(settings))
    assert out.startswith("ok ")


def test_the_example(settings: Any) -> None:
    out = run(sys.executable, CLIENT / "example.py",
              env=environment(settings))
    assert out.splitlines()[0] == "2 rows"
    assert "mean: 38.5 files: ['ages.html']" in out
    assert "ZeroDivisionError: division by zero" in out
    assert out.splitlines()[-2:] == ["thumbnail: PNG", "tool: 5"]


@pytest.mark.parametrize("path", ["docs/api.md", "client/README.md"])
def test_the_code_in_a_readme_runs(path: str, settings: Any,
                                   tmp_path: Path) -> None:
    """A comment behind an expression is its value."""
    text = (ROOT / path).read_text()
    if path == "docs/api.md":
        text = text.partition("\n## From Python\n")[2].partition("\n## ")[0]
    code = "import os\nurl, token, certificate = (os.environ['TERRARIUM_' + " \
        "name] for name in ('URL', 'TOKEN', 'CACERT'))\n"
    for line in text.splitlines():
        found = re.fullmatch(r"    (\w[^#]*[\])\w])  +# (.*)", line)
        if found and not found[1].startswith("def"):
            line = f"    assert ({found[1]}) == ({found[2]}), {found[2]!r}"
        if line.startswith("    ") or not line:
            code += line[4:] + "\n"
    code = code.replace('"https://sandbox.example:8443"', "url") \
        .replace('"ca.crt"', "certificate")
    program = tmp_path / "readme.py"
    program.write_text(code)
    assert code.count("assert") >= 2
    run(sys.executable, program,
        env={**environment(settings), "PYTHONPATH": str(CLIENT)})


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None,
                    reason="mypy (python3-mypy) is not installed")
def test_types(tmp_path: Path) -> None:
    run(sys.executable, "-m", "mypy", "--config-file",
        CLIENT / "pyproject.toml", "--cache-dir", tmp_path,
        CLIENT / "terrarium.py", CLIENT / "terrarium_ragflow.py",
        CLIENT / "example_tools.py", cwd=CLIENT)


def test_nothing_but_the_standard_library(tmp_path: Path) -> None:
    run(sys.executable, "-I", "-S", "-c", "import sys\nsys.path.insert(0, "
        f"{str(CLIENT)!r})\nimport terrarium, terrarium_ragflow")


@pytest.mark.skipif(importlib.util.find_spec("pip") is None,
                    reason="pip (python3-pip) is not installed")
def test_it_can_be_installed(tmp_path: Path) -> None:
    copy = tmp_path / "source"
    shutil.copytree(CLIENT, copy)
    run(sys.executable, "-m", "pip", "install", "--no-index",
        "--no-build-isolation", "--no-deps", "--quiet", "--target",
        tmp_path / "there", copy)
    out = run(sys.executable, "-c", "import terrarium, terrarium_ragflow\n"
              "print(terrarium.__file__)",
              env={**os.environ, "PYTHONPATH": str(tmp_path / "there")},
              cwd=tmp_path)
    assert out.strip() == str(tmp_path / "there" / "terrarium.py")
    assert list((tmp_path / "there").glob(
        f"terrarium_client-{terrarium.__version__}.dist-info"))


def test_one_version() -> None:
    found = re.search(r"^VERSION := (.*)$", (ROOT / "Makefile").read_text(),
                      re.M)
    assert found and found[1] == terrarium.__version__


def test_all_that_is_public_is_documented() -> None:
    for name in terrarium.__all__:
        assert getattr(terrarium, name).__doc__, name
    public = {name for name, value in vars(terrarium).items()
              if not name.startswith("_") and callable(value) and
              getattr(value, "__module__", "") == "terrarium" and
              not isinstance(value, TypeVar)}
    assert public == set(terrarium.__all__)


def test_the_example_of_tool_calls(settings: Any) -> None:
    out = run(sys.executable, CLIENT / "example_tools.py",
              env=environment(settings))
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["tool_call_id"] for one in found] == list("12345")
    assert [one["content"] for one in found[:3]] == ["20", "21", "6.0"]
    assert found[3]["content"].startswith("ToolFailed: Tool 'area' raised ")
    assert found[4]["content"].startswith("JSONDecodeError: ")
    assert {one["role"] for one in found} == {"tool"}
