"""Every installed package of Debian's can be imported in a guest, too.

The modules of all installed packages python3-* (their top modules and the
modules directly in those) are imported by guests, and those that a guest cannot
import by /usr/bin/python3. A module that only the latter can import must be in
REASONS.
"""

from __future__ import annotations

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Iterator

from client import Client

# Modules that cannot be imported in a guest, and why. A name ends in * for all
# that begin with it.
REASONS: dict[str, str] = {
    "apt*": "the host's packages and where they come from are its own",
    "aptsources*": "the same",
    "softwareproperties*": "the same",
    "dill._objects": "it makes a socket; dill itself does without",
    "dill.__diff": "it looks into all that is loaded: pydantic 2 refuses that",
    "IPython*": "a stand-in shows values here, and has what programs use",
    "matplotlib_inline*": "the same",
    "altair._magics": "it needs IPython itself; altair does not",
    "dotenv.ipython": "it needs IPython itself; dotenv does not",
    "pythran.magic": "it needs IPython itself; pythran does not",
}
# Modules that are not libraries: importing them runs or asks for something.
SKIPPED = re.compile(
    r"(^|\.)(_?tests?|testing|conftest|setup|__main__|antigravity|this)$|"
    r"(^|\.)(test_\w+|\w+_tests?)$|^(idlelib|lib2to3\.pgen2|turtle)")
MODULE = re.compile(
    r"/usr/lib/python3(?:\.\d+)?/(?:dist-packages/|lib-dynload/)?"
    r"(.+?)(?:/__init__)?(?:\.cpython-[^/]*|\.abi3)?\.(?:py|so)$")
BATCH = 60  # modules

# Prints, or has as its final value, {module: what went wrong}.
PROGRAM = """
import importlib, io, sys, warnings
def fails(name):
    try:
        importlib.import_module(name)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:200]
warnings.simplefilter("ignore")
found = {name: fails(name) for name in NAMES}
{name: words for name, words in found.items() if words}
"""
PRINTS = "import json; print('\\n' + json.dumps("


def packages() -> list[str]:
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n",
         "python3-*"], capture_output=True, text=True, check=True).stdout
    return [line.split()[1] for line in listed.splitlines()
            if line.startswith("installed ")]


def modules() -> list[str]:
    """Top modules and those directly in them, of all packages."""
    files = subprocess.run(["dpkg", "-L", *packages()], capture_output=True,
                           text=True, check=True).stdout
    found = {match[1].replace("/", ".") for match in
             map(MODULE.match, files.splitlines()) if match}
    return sorted(name for name in found
                  if name.count(".") < 2 and not SKIPPED.search(name) and
                  all(part.isidentifier() for part in name.split(".")) and
                  (name.partition(".")[0] in found))


def batches(names: list[str]) -> Iterator[list[str]]:
    for at in range(0, len(names), BATCH):
        yield names[at:at + BATCH]


def outside(names: list[str]) -> dict[str, str]:
    """The failures of /usr/bin/python3. A module that ends the process is
    found by halves."""
    head, _, value = PROGRAM.rstrip().rpartition("\n")
    done = subprocess.run(
        ["/usr/bin/python3", "-I", "-c",
         f"NAMES = {names!r}{head}\n{PRINTS}{value}))"],
        cwd="/tmp", stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=300, env={"MPLBACKEND": "Agg", "HOME": "/tmp"})
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines and lines[-1].startswith("{"):
        return dict(json.loads(lines[-1]))
    if len(names) == 1:
        return {names[0]: f"status {done.returncode}: {done.stderr[-200:]}"}
    half = len(names) // 2
    return outside(names[:half]) | outside(names[half:])


def inside(client: Client, names: list[str]) -> dict[str, str]:
    """The failures of a guest."""
    answer = client.run(f"NAMES = {names!r}{PROGRAM}").json()
    if answer["success"]:
        return dict(answer["final_expression"])
    if len(names) == 1:
        return {names[0]: answer["error"]["message"][-300:]}
    half = len(names) // 2
    return inside(client, names[:half]) | inside(client, names[half:])


def is_explained(name: str) -> bool:
    return any(name == row or (row.endswith("*") and name.startswith(row[:-1]))
               for row in REASONS)


def test_what_debian_installs_works_inside(client: Client) -> None:
    names = modules()
    assert len(names) > 100, names
    with ThreadPoolExecutor(2) as pool:
        here = pool.map(lambda some: inside(client, some), batches(names))
        fails_here = {name: words for some in here
                      for name, words in some.items()}
    asked = [name for name in fails_here if not is_explained(name)]
    fails_there = {name for some in map(outside, batches(asked))
                   for name in some}
    print(f"{len(names)} modules of {len(packages())} packages; "
          f"{len(fails_here)} fail inside, {len(fails_there)} of them outside")
    worse = {name: fails_here[name] for name in asked
             if name not in fails_there}
    assert not worse, "\n".join(f"{name}: {words}"
                                for name, words in worse.items())
