"""Options that shape the guest's world. Each test starts its own server."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from client import JSON, Client
from own_server import Place


def begin(place: Place, **options: str) -> Client:
    extra = ";".join(f"{name.replace('__', '.')}={value}"
                     for name, value in options.items())
    started = place("start", CONF_EXTRA=extra)
    assert started.returncode == 0, started.stderr
    return place.client()


def folder(place: Place, name: str, files: dict[str, str]) -> Path:
    """A directory that only its owner can reach, as root's home is; its files
    are readable for all."""
    shut = place.prefix.parent / "shut"
    shut.mkdir(exist_ok=True)
    shut.chmod(0o700)
    made = shut / name
    made.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        path = made / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in [made, *made.rglob("*")] + \
            [one for one in made.parents if shut in one.parents]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return made


def test_python_path(place: Place) -> None:
    packages = folder(place, "site-packages", {
        "theirs/__init__.py": "def word():\n    return 'theirs'\n",
        "theirs-1.2.dist-info/METADATA":
            "Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n"})
    client = begin(place, guest__python_path=str(packages))
    assert client.value("import theirs\ntheirs.word()") == "theirs"
    rows = client.request("GET", "/packages").json()["packages"]
    assert {"name": "theirs", "version": "1.2", "preloaded": False} in rows
    answer = client.run("import theirs, os\nopen(os.path.dirname("
                        'theirs.__file__) + "/x", "w")').json()
    assert answer["error"]["type"] in ("PermissionError", "OSError")


def test_python_path_can_be_preloaded(place: Place) -> None:
    packages = folder(place, "site-packages",
                      {"early.py": "import time\nWHEN = time.monotonic()\n"})
    client = begin(place, guest__python_path=str(packages),
                   guest__preload="early")
    assert client.value("import sys\n'early' in sys.modules")
    assert client.value("import numpy\nint(numpy.arange(3).sum())") == 3


def test_python_path_comes_before_debians_packages(place: Place) -> None:
    """Also for the preload and the list of packages; not before the standard
    library."""
    packages = folder(place, "site-packages", {
        "yaml.py": "__version__ = 'newer'\n",
        "json.py": "__version__ = 'hidden'\n",
        "PyYAML-99.dist-info/METADATA":
            "Metadata-Version: 2.1\nName: PyYAML\nVersion: 99\n",
        "PyYAML-99.dist-info/top_level.txt": "yaml\n"})
    client = begin(place, guest__python_path=str(packages),
                   guest__preload="yaml json")
    assert client.value("import yaml\nyaml.__version__") == "newer"
    assert client.value("import json\njson.loads('1')") == 1
    rows = client.request("GET", "/packages").json()["packages"]
    assert [row for row in rows if row["name"].lower() == "pyyaml"] == [
        {"name": "PyYAML", "version": "99", "preloaded": True}]


def build_extension(made: Path) -> None:
    """A package as a manylinux wheel leaves it: an extension module whose
    shared library is in NAME.libs beside it."""
    libs = made / "native.libs"
    libs.mkdir()
    (made / "part.c").write_text("int part(void) { return 42; }\n")
    (made / "module.c").write_text("""
#include <Python.h>
int part(void);
static PyObject *answer(PyObject *self, PyObject *none)
{
\treturn PyLong_FromLong(part());
}
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, 0}, {0}};
static struct PyModuleDef def = {
\tPyModuleDef_HEAD_INIT, "native", 0, -1, methods, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_native(void) { return PyModule_Create(&def); }
""")
    flags = subprocess.run(["pkg-config", "--cflags", "python3"], check=True,
                           capture_output=True, text=True).stdout.split()
    for words in (["-o", str(libs / "libpart-1.so"), str(made / "part.c"),
                   "-Wl,-soname,libpart-1.so"],
                  ["-o", str(made / "native.so"), *flags,
                   str(made / "module.c"), str(libs / "libpart-1.so"),
                   "-Wl,-rpath,$ORIGIN/native.libs"]):
        subprocess.run(["gcc", "-shared", "-fPIC", *words], check=True)


def test_a_virtual_environment(place: Place) -> None:
    """Its root is enough. Its .pth files count, its packages may be preloaded,
    and the shared libraries of a wheel are found."""
    venv = folder(place, "venv", {"pyvenv.cfg": "home = /usr/bin\n"})
    inside = f"venv/lib/python3.{sys.version_info[1]}/site-packages"
    packages = folder(place, inside, {
        "early.py": "", "more/late.py": "word = 'late'\n",
        "more.pth": "more\nimport sys; sys.marked = 'pth'\n"})
    build_extension(packages)
    client = begin(place, guest__python_path=str(venv),
                   guest__preload="early")
    assert client.value("import sys\n['early' in sys.modules, sys.marked]"
                        ) == [True, "pth"]
    assert client.value("import late\nlate.word") == "late"
    assert client.value("import native\nnative.answer()") == 42


def test_a_virtual_environment_of_another_python(place: Place) -> None:
    venv = folder(place, "venv", {"pyvenv.cfg": "home = /usr/bin\n",
                                  "lib/python3.6/site-packages/old.py": ""})
    started = place("start", CONF_EXTRA=f"guest.python_path={venv}")
    assert started.returncode != 0
    assert f"/lib/python3.{sys.version_info[1]}/site-packages" in \
        started.stderr


def test_a_path_that_is_not_there_is_told(place: Place) -> None:
    started = place("start", CONF_EXTRA="guest.python_path=/no/such/place")
    assert started.returncode != 0
    assert "/no/such/place" in started.stderr


def test_home_aliases(place: Place) -> None:
    client = begin(place, guest__home_aliases="/lab/here:/home/me")
    assert client.value(
        "import os\n"
        "[os.path.realpath(path + '/x') for path in ('/lab/here', '/home/me',"
        " '/mnt/data')]") == [
            "/home/user/x", "/home/user/x", "/mnt/data/x"]
    files = client.run("open('/home/me/out', 'w').close()",
                       {"/lab/here/in": b"x"}).files()
    assert files == {"out": b""}


def test_skeleton(place: Place) -> None:
    skeleton = folder(place, "skeleton", {
        "data.csv": "a,b\n1,2\n", "conf/settings.txt": "x"})
    client = begin(place, guest__skeleton=str(skeleton))
    reply = client.run("import pandas as pd\n"
                       "int(pd.read_csv('data.csv').b[0])")
    assert reply.json()["final_expression"] == 2
    assert reply.files() == {}, "what is there for all is no output"
    reply = client.run("open('conf/settings.txt', 'a').write('y')\n"
                       "open('new', 'w').write('z');")
    assert reply.files() == {"conf/settings.txt": b"xy", "new": b"z"}
    assert client.value("open('conf/settings.txt').read()") == "x"
    reply = client.run("open('data.csv').read()", {"data.csv": "mine"})
    assert reply.json()["final_expression"] == "mine"
    assert reply.files() == {}, "an input that stays what it was"


def test_without_any_preload(place: Place) -> None:
    client = begin(place, guest__preload="")
    assert client.value("import sys\n'numpy' in sys.modules") is False
    reply = client.run("import matplotlib.pyplot as plt\n"
                       "plt.plot([1, 2])\nplt.show()", results=True)
    assert "image/png" in reply.json()["results"][0]


def test_without_a_frozen_heap(place: Place) -> None:
    client = begin(place, guest__preload="numpy", guest__freeze="no")
    assert client.value("import numpy as np\nnp.arange(3)") == [0, 1, 2]


def test_without_what_can_be_done_without(place: Place) -> None:
    client = begin(place, walls__cgroups="off", walls__landlock="off")
    assert client.value("1 + 1") == 2
    status = Client(f"http://127.0.0.1:{place.port + 1}")
    walls = status.request("GET", "/status").json()["walls"]
    assert walls["cgroups"] == "none" and walls["landlock_abi"] == 0
    answer = client.run("x = bytearray(1 << 30)").json()
    assert answer["error"]["type"] == "MemoryError"


# Three mappings: one to be run after it was written, one that is both at once.
MACHINE_CODE = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
WRITE, RUN, ANONYMOUS = 3, 5, 0x22

def tried(call, *words):
    got = call(*words)
    return "ok" if got not in (-1, 2 ** 64 - 1) else \\
        errno.errorcode[ctypes.get_errno()]

page = ctypes.c_void_p(libc.mmap(None, 4096, WRITE, ANONYMOUS, -1, 0))
[tried(libc.mprotect, page, 4096, WRITE | RUN),
 tried(libc.mprotect, page, 4096, RUN),
 tried(libc.mmap, None, 4096, WRITE | RUN, ANONYMOUS, -1, 0),
 tried(libc.mmap, None, 4096, RUN, ANONYMOUS, -1, 0)]
"""
COMPILED = """
import os
import numba
import numpy

@numba.njit
def total(n):
    found = 0.0
    for i in range(n):
        found += i * 0.5
    return found

@numba.vectorize([numba.float64(numba.float64)])
def twice(x):
    return 2 * x

[total(4), bool(total.signatures), twice(numpy.arange(2.0)).tolist(),
 numba.cfunc("f8(f8)")(lambda x: x + 1).ctypes(1.0),
 "NUMBA_DISABLE_JIT" in os.environ]
"""


def test_machine_code(place: Place) -> None:
    """With walls.jit memory is executable after it was writable, and never
    both at once; in sessions, too."""
    client = begin(place, guest__preload="json", guest__freeze="no",
                   walls__jit="yes", sessions__max="1")
    expected = ["EPERM", "ok", "EPERM", "EPERM"]
    assert client.value(MACHINE_CODE) == expected
    assert client.run(MACHINE_CODE, session="one").json()[
        "final_expression"] == expected
    if importlib.util.find_spec("numba"):
        assert client.value(COMPILED) == [3.0, True, [0.0, 2.0], 2.0, False]


def test_no_machine_code(place: Place) -> None:
    client = begin(place, guest__preload="json", guest__freeze="no")
    assert client.value(MACHINE_CODE) == ["EPERM"] * 4


# Its result depends on the order of a set of texts.
GREEDY = ("left = {f'task{i}' for i in range(40)}\n"
          "json.dump({'status': 'FEASIBLE', 'schedule': [*left, "
          "os.environ.get('PYTHONHASHSEED')]}, open('result.json', 'w'))")


def schedule_of(client: Client) -> list[Any]:
    reply = client.request("POST", "/api/ai/python-execute", json.dumps(
        {"code": "import json, os\n" + GREEDY}), JSON)
    return reply.json()["result"]["resultData"]["schedule"]


def after_a_restart(place: Place, **options: str) -> list[Any]:
    assert place("stop").returncode == 0
    return schedule_of(begin(place, **options))


def test_runs_of_a_solver_agree_after_a_restart(place: Place) -> None:
    """Also with what any Python does whose seed is 0."""
    path = place.prefix.parent / "result.json"
    subprocess.run(["/usr/bin/python3", "-c", "import json, os\n" + GREEDY],
                   env={"PYTHONHASHSEED": "0"}, cwd=path.parent, check=True)
    want = json.loads(path.read_text())["schedule"]
    client = begin(place)
    assert [schedule_of(client) for _ in range(3)] == [want] * 3
    assert client.value("import os\nos.environ['PYTHONHASHSEED']") == "0"
    assert after_a_restart(place) == want


def test_random_hash_seed(place: Place) -> None:
    """All programs of a generation share it, and none is told one."""
    client = begin(place, guest__hash_seed="random")
    found = schedule_of(client)
    assert found == schedule_of(client) and found[-1] is None
    assert after_a_restart(place, guest__hash_seed="random") != found
