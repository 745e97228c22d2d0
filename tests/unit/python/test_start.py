"""The runner: what it does before it forks, and around a fork."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from interpreter import PYTHON, SANDBOX, load_runner, runner_files
from jobs import good

# --- the interpreter's half --------------------------------------------------------

def test_every_file_is_in_the_table():
    files = [(path.stem, path.parent.name) for path in SANDBOX.glob("*/*.py")]
    assert sorted(files) == sorted(runner_files().items())


@pytest.mark.parametrize("name", runner_files())
def test_files_have_builtins_of_their_own(name):
    """Whatever the program puts into builtins."""
    load_runner()
    module = sys.modules[f"_terrarium.{name}"]
    assert vars(module)["__builtins__"] is \
        sys.modules["_terrarium.own"].BUILTINS


def test_preload_leaves_nothing_open(full):
    assert full.facts["threads"] == 1 and full.facts["fds"]


def test_packages(full, run):
    rows = full.facts["packages"]["packages"]
    names = [row["name"].lower() for row in rows]
    assert names == sorted(set(names))
    found = {row["name"]: row for row in rows}
    assert found["numpy"]["preloaded"] and found["numpy"]["version"]
    rows = run.facts["packages"]["packages"]
    assert not {row["name"]: row for row in rows}["numpy"]["preloaded"]


FOLDER = str(pathlib.Path(__file__).resolve().parent)
VERSIONS = """
import importlib.metadata, json, os, sys
os.makedirs("dist-packages")
sys.path.insert(0, os.path.abspath("dist-packages"))

def make(name, stated, module="", text="", file="__init__.py"):
    module = module or name
    folder = f"dist-packages/{name}-{stated}.dist-info"
    os.makedirs(folder)
    open(folder + "/METADATA", "w").write(
        f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {stated}\\n"
        "\\nName: its-text\\nVersion: 9\\n")
    open(folder + "/top_level.txt", "w").write(module)
    os.makedirs(f"dist-packages/{module}")
    open(f"dist-packages/{module}/__init__.py", "w").write("")
    open(f"dist-packages/{module}/{file}", "w").write(text)

make("told", "1.2.3", text="__version__ = '9'")
make("in-source", "0.0.0", "in_source", "x = 1\\n__version__ = '1.2.1'\\n")
make("beside", "0.0.0", text="__version__ = version = '1.1.0'\\n",
     file="version.py")
make("pure-of", "0.0.0", "pure_of",
     "try: pass\\nexcept: __version__ = '???'\\nraise SystemExit")
make("repacked", "0.0.0", text='__version__ = "unknown"')
make("unknown", "0.0.0")
make("loaded", "0.0.0", text="__version__ = str(7) + '.1'")
import loaded
rows = json.loads(runner.packages(
    b"pure-of 1:0.2.2-1+b1\\nrepacked 0.14.0+dfsg-2\\ntold 7-1\\nmad\\n"))
print(json.dumps({row["name"]: row["version"] for row in rows["packages"]}))
"""


def test_versions_of_packages(tmp_path):
    """By metadata, the module that is loaded, its source, and dpkg. No module
    is imported for it."""
    done = subprocess.run(
        [PYTHON, "-c", f"import sys; sys.path.insert(0, {FOLDER!r})\n"
         "import interpreter\nrunner = interpreter.load_runner()\n"
         "import os; os.chdir(sys.argv[1])\n"
         "runner.preload('', '')\n" + VERSIONS, str(tmp_path)],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {name: found[name] for name in (
        "told", "in-source", "beside", "pure-of", "repacked", "unknown",
        "loaded")} == {
        "told": "1.2.3", "in-source": "1.2.1", "beside": "1.1.0",
        "pure-of": "0.2.2", "repacked": "0.14.0", "unknown": "0.0.0",
        "loaded": "7.1"}


def test_preload_fails_with_the_name():
    runner = load_runner()
    with pytest.raises(ImportError, match="no_such_module"):
        runner.preload("json no_such_module", "")


def test_python_path_comes_before_the_distribution(tmp_path):
    """With the directories of .pth files; behind the standard library."""
    first, second, more = (tmp_path / name for name in ("a", "b", "more"))
    for folder in (first, second, more):
        folder.mkdir()
    (first / "only_here.py").write_text("x = 1")
    (second / "more.pth").write_text("../more\nno/such/place\n")
    runner, path = load_runner(), sys.path[:]
    at = next(number for number, folder in enumerate(path)
              if folder.endswith("/dist-packages"))
    try:
        runner.preload("only_here", f"{first}::{second}:")
        assert sys.path == [*path[:at], str(first), str(second), str(more),
                            *path[at:]]
    finally:
        sys.path[:] = path


def test_guests_differ(full):
    code = ("import random, numpy, uuid, tempfile, secrets\n"
            "[random.random(), numpy.random.rand(), str(uuid.uuid1())[9:],"
            " tempfile.mktemp(), secrets.token_hex(),"
            " numpy.random.default_rng().random(),"
            " numpy.random.RandomState().rand()]")
    first, second = good(full(code)).value, good(full(code)).value
    assert all(a != b for a, b in zip(first, second))


@pytest.mark.parametrize("look", [
    "'<exec>' in __import__('linecache').cache",
    "vars(sys.modules['__main__']).get('x')",
])
def test_rehearsal_leaves_no_trace(run, look):
    assert run("1", peek=look).peeked in ("False", "None")


def test_rehearsal_leaves_streams_and_state(run):
    got = good(run("import sys, os, warnings\n"
                   "[len(os.listdir('/proc/self/fd')),"
                   " sys.getrecursionlimit(), hasattr(sys, 'last_value')]"))
    assert got.value == [5, 1000, False]  # 0, 1, 2, result, the listing
    assert got.out == b"" and got.err == b""


def test_random_state_survives_rehearsal():
    runner = load_runner()
    import random
    before = random.getstate()
    main, out, path = sys.modules["__main__"], sys.stdout, sys.path[:]
    runner.rehearse()
    assert random.getstate() == before
    assert sys.modules["__main__"] is main and sys.stdout is out
    assert sys.path == path


def test_names_of_temporary_files_differ():
    pid = os.fork()
    if pid == 0:
        import tempfile
        runner = load_runner()
        tempfile.mktemp()
        runner.after_fork()
        os._exit(tempfile._name_sequence is not None)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.timed
def test_one_plus_one_is_fast(full):
    """Far from exact on a busy machine: the order of magnitude."""
    code = "1+1"
    best = min(good(full(code)).seconds for _ in range(10))
    assert best < 0.05


# --- forks and chance ---------------------------------------------------------

def in_fork(act):
    """The result of ACT in a child, as text."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write, str(act()).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    assert os.waitpid(pid, 0)[1] == 0
    return text


def forks_of(caller, **hooks):
    """Hooks of a library named CALLER, as an interpreter and its guest run
    them: the names of the hooks that ran."""
    def act():
        load_runner()
        ran = []
        made = {name: (lambda label=label: ran.append(label))
                for name, label in hooks.items()}
        exec("import os\nos.register_at_fork(**made)",
             {"__name__": caller, "made": made})
        sys.modules["_terrarium.forks"].stop_collecting()
        ran.append("|")
        sys.modules["_terrarium.forks"].run_hooks()
        return " ".join(ran)
    return in_fork(act)


def test_hooks_of_libraries_run_around_the_fork():
    assert forks_of("somebody", before="b", after_in_child="c",
                    after_in_parent="p") == "b | c"


def test_hooks_that_are_not_needed_do_not_run():
    assert forks_of("logging", before="b", after_in_child="c") == "|"


def test_programs_register_with_python_itself():
    def act():
        real = os.register_at_fork
        load_runner()
        kept = os.register_at_fork is not real
        sys.modules["_terrarium.forks"].stop_collecting()
        return kept and os.register_at_fork is real
    assert in_fork(act) == "True"


@pytest.mark.parametrize("draw", [
    "numpy.random.random()", "numpy.random.normal()",
    "numpy.random.RandomState().random_sample()", "random.random()",
    "numpy.random.default_rng().random()", "uuid.uuid1().hex"])
def test_guests_draw_different_numbers(full, draw):
    code = f"import numpy, random, uuid\n{draw}"
    drawn = [good(full(code)).value for _ in range(6)]
    assert len(set(drawn)) == len(drawn)


def test_numpy_is_seeded_in_full(full):
    """624 words from the kernel, none of them used yet."""
    got = good(full("import numpy as np\nname, key, at, gauss, _ = "
                    "np.random.get_state()\n"
                    "[name, len(set(key)) > 600, int(at), int(gauss),"
                    " bool(0.4 < np.random.random(10000).mean() < 0.6)]"))
    assert got.value == ["MT19937", True, 624, 0, True]


@pytest.mark.parametrize("make, draw", [
    ("numpy.random.default_rng()", "random()"),
    ("numpy.random.Generator(numpy.random.Philox())", "random()"),
    ("numpy.random.RandomState()", "random_sample()"),
    ("type('Own', (random.Random,), {})()", "random()")])
def test_generators_that_libraries_keep_are_seeded(make, draw):
    pytest.importorskip("numpy")

    def act():
        load_runner()
        made = {}
        exec(f"import numpy, random\nkept = {make}", made)
        chance = sys.modules["_terrarium.chance"]
        chance.find_generators()

        def guest():
            chance.reseed()
            return eval(f"kept.{draw}", made)
        return len({in_fork(guest) for _ in range(4)})
    assert in_fork(act) == "4"
