"""The local command: `terrarium run`, files, the terminal; no server, no web
server. Solvers' jobs, the daemon and code_executor are in test_cli_solver.py."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from conftest import below, has_ended, wait_until
from own_server import ROOT

COMMAND = os.environ.get("COMMAND") or str(ROOT / "build" / "terrarium")
# Each command starts a Python of its own. It starts soon where a test is not
# about the packages that are imported by default.
SOON = "[guest]\npreload = json\n"
# As root, everything is repeated as an unprivileged user.
USERS = ["root", "nobody"] if os.geteuid() == 0 else ["self"]


class Shell:
    """A directory, and the command in it as some user."""

    def __init__(self, folder: Path, user: str) -> None:
        self.folder, self.words = folder, []
        self.program = COMMAND
        folder.chmod(0o777)
        self.conf = folder.with_suffix(".conf")
        self.conf.write_text(SOON)
        self.conf.chmod(0o644)
        if user == "nobody":
            self.words = ["setpriv", "--reuid=nobody", "--regid=nogroup",
                          "--clear-groups"]

    def __call__(self, *words: str, stdin: str = "", cwd: str = ".",
                 timeout: float = 60) -> subprocess.CompletedProcess:
        return subprocess.run([*self.words, self.program, *self.soon(words)],
                              input=stdin, cwd=self.folder / cwd,
                              capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, "SECRET": "hunter2"})

    def soon(self, words: tuple[str, ...]) -> list[str]:
        """WORDS with the configuration SOON, if they name no other."""
        if self.program != COMMAND or words[:1] not in (("run",), ("job",)) \
                or {"-c", "--config"} & {*words}:
            return [*words]
        return [words[0], "-c", str(self.conf), *words[1:]]

    def popen(self, *words: str, **options: Any) -> subprocess.Popen:
        return subprocess.Popen([*self.words, self.program, *words],
                                cwd=self.folder, **options)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.parent.chmod(0o777)
        path.write_text(text)
        return path

    def listing(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder))
                      for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture(params=USERS)
def shell(request: Any) -> Iterator[Shell]:
    folder = Path(tempfile.mkdtemp(prefix="terrarium-cli."))
    made = Shell(folder, request.param)
    yield made
    shutil.rmtree(folder)
    made.conf.unlink()


def test_it_knows_no_fastcgi() -> None:
    libraries = subprocess.run(["ldd", COMMAND], capture_output=True,
                               text=True, check=True).stdout
    assert "libpython" in libraries and "fcgi" not in libraries


# -- run


def test_run_writes_nothing_here(shell: Shell) -> None:
    """The next python3 here would import json.py, pytest conftest.py."""
    shell.write("d/a.py", "for n in ('json.py', 'conftest.py', 'Makefile'):\n"
                "    open(n, 'w')")
    for name in ("a.out", "a.out.1", "a.out.2"):
        done = shell("run", "d/a.py")
        assert done.returncode == 0, done.stderr
        assert f"files are in {name}\n" in done.stderr
        assert sorted(os.listdir(shell.folder / name)) == [
            "Makefile", "conftest.py", "json.py"]
    assert sorted(os.listdir(shell.folder)) == ["a.out", "a.out.1", "a.out.2",
                                                "d"]
    (shell.folder / "b").symlink_to("d")
    assert shell("run", "d/a.py", "-q", "-o", "b").returncode == 0
    assert (shell.folder / "b.1/json.py").exists()
    assert os.listdir(shell.folder / "d") == ["a.py"]
    assert shell("run", "-", "-q", stdin="open('x', 'w')").returncode == 0
    assert (shell.folder / "stdin.out/x").exists()
    assert shell("run", "-", "-q", "-o", "/none/x",
                 stdin="open('x', 'w')").returncode == 125


def test_run(shell: Shell) -> None:
    shell.write("a.py", "import sys\nprint('out')\n"
                "print('err', file=sys.stderr)\n"
                "open('made.txt', 'w').write('made')\n"
                "import os; os.mkdir('d'); open('d/x', 'w');\n")
    done = shell("run", "a.py", "-qH")
    assert (done.returncode, done.stdout, done.stderr) == (0, "out\n",
                                                           "err\n")
    assert shell.listing() == ["a.py", "d/x", "made.txt"]
    assert (shell.folder / "made.txt").read_text() == "made"


ONE_USE = ("terrarium: %s: standard input is the program; it cannot be the "
           "program's input as well, so --stdin wants a FILE.py\n")


def test_run_has_one_use_for_standard_input(shell: Shell) -> None:
    """Before it is read: nothing is run."""
    for words in (("-", "--stdin"), ("-i", "-"), ("-", "-qi")):
        done = shell("run", *words, stdin="print(1)")
        assert (done.returncode, done.stdout) == (125, "")
        assert done.stderr == ONE_USE % "-"


@pytest.mark.parametrize("name", ["/dev/stdin", "/proc/self/fd/0", "a.py"])
def test_run_knows_standard_input_by_any_name(shell: Shell,
                                              name: str) -> None:
    program = shell.write("a.py", "print(1)")
    other = shell.write("b.py", "print(2, input())")
    with program.open() as stdin:
        for file, want in ((name, (125, "", ONE_USE % name)),
                           (str(other), (0, "2 print(1)\n", ""))):
            process = shell.popen("run", file, "-qi", stdin=stdin, text=True,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            out, err = process.communicate(timeout=60)
            assert (process.returncode, out, err) == want


@pytest.mark.parametrize("name", ["/dev/stdin", "/proc/self/fd/0"])
def test_run_knows_a_pipe_by_any_name(shell: Shell, name: str) -> None:
    """One of the user's own: another's cannot be opened by a name."""
    def run(options: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*shell.words, "sh", "-c", 'echo "print(1)" | "$0" run "$@"',
             COMMAND, name, options], cwd=shell.folder, capture_output=True,
            text=True, timeout=60)

    done = run("-qi")
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr == ONE_USE % name
    done = run("-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_run_says_what_it_does_in_a_pipe(shell: Shell) -> None:
    shell.write("a.py", "1/0")
    done = shell("run", "a.py", "--timeout", "7")
    lines = done.stderr.splitlines()
    assert lines[0] == "terrarium: a.py runs, for 7 s at most"
    assert lines[1].startswith("terrarium: a.py: raised after ")
    assert "ZeroDivisionError" in done.stderr and done.returncode == 1


def test_run_never_writes_over_what_is_there(shell: Shell) -> None:
    shell.write("a.py", "for n in 'xy': open(n, 'w').write('new')")
    shell.write("x", "old")
    done = shell("run", "a.py", "-qH")
    assert done.returncode == 125
    assert "x is there already" in done.stderr
    assert (shell.folder / "x").read_text() == "old"
    assert (shell.folder / "y").read_text() == "new"
    assert shell("run", "a.py", "-qH", "--force").returncode == 0
    assert (shell.folder / "x").read_text() == "new"
    assert shell.listing() == ["a.py", "x", "y"]


def test_run_writes_nothing_hidden(shell: Shell) -> None:
    """Run in somebody's home, a program makes no .profile, no .ssh/..."""
    shell.write("a.py", "import os; os.makedirs('.ssh/x'); os.mkdir('d')\n"
                "for n in ('.profile', '.ssh/x/config', 'd/.x', 'd/y.'):\n"
                "    open(n, 'w').write('new')")
    done = shell("run", "a.py", "-qH")
    assert done.returncode == 125
    assert done.stderr.count("is hidden") == 3
    assert shell.listing() == ["a.py", "d/y."]
    assert not (shell.folder / ".ssh").exists()
    (shell.folder / "d" / "y.").unlink()
    assert shell("run", "a.py", "-qH", "--force").returncode == 0
    assert shell.listing() == [".profile", ".ssh/x/config", "a.py", "d/.x",
                               "d/y."]


def test_run_writes_through_no_link(shell: Shell) -> None:
    """Names that a program chooses lead nowhere but below here."""
    outside = shell.folder / "outside"
    outside.mkdir()
    outside.chmod(0o777)
    inside = shell.folder / "inside"
    inside.mkdir()
    inside.chmod(0o777)
    (inside / "link").symlink_to(outside)
    (inside / "file").symlink_to(outside / "file")
    shell.write("a.py", "import os; os.mkdir('link')\n"
                "open('link/x', 'w').write('x'); open('file', 'w')")
    done = shell("run", "../a.py", "-qH", cwd="inside")
    assert done.returncode == 125 and os.listdir(outside) == []
    done = shell("run", "../a.py", "-qH", "--force", cwd="inside")
    assert done.returncode == 125 and os.listdir(outside) == []
    assert not (inside / "file").is_symlink()  # replaced, not followed


def test_run_that_makes_many_files(shell: Shell) -> None:
    """As many as are allowed, by a caller with few descriptors."""
    import resource
    shell.write("a.py", "for i in range(1000): open(f'f{i}', 'w').write('x')")
    done = subprocess.run(
        [*shell.words, COMMAND, "run", "a.py", "-qH"], cwd=shell.folder,
        capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE,
            (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    assert done.returncode == 0, done.stderr
    assert len(shell.listing()) == 1001
    done = shell("run", "-", "-q", stdin="for i in range(1001): "
                 "open(f'g{i}', 'w')")
    assert done.returncode == 125 and "1 files were not kept" in done.stderr


def test_run_with_files_and_standard_input(shell: Shell) -> None:
    shell.write("a.py", "print(open('data.csv').read(), input(), sep='-')\n"
                "import helper; helper.hello()")
    shell.write("in/data.csv", "1,2")
    shell.write("helper.py", "def hello(): print('hello')")
    done = shell("run", "a.py", "-q", "--stdin", "--file", "in/data.csv",
                 "-f", "helper.py", stdin="line\n")
    assert (done.returncode, done.stdout) == (0, "1,2-line\nhello\n")
    done = shell("run", "a.py", "-f", "helper.py", "-f", "in/../helper.py")
    assert done.returncode == 125 and "another file" in done.stderr


def test_run_prints_output_as_it_comes(shell: Shell) -> None:
    shell.write("a.py", "import sys, time\nprint('one')\ntime.sleep(2)\n"
                "print('two', file=sys.stderr)\ntime.sleep(20)")
    process = shell.popen("run", "a.py", "-q", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"one\n"
    begun = time.monotonic()
    assert process.stderr.readline() == b"two\n"
    assert 1 < time.monotonic() - begun < 10
    assert process.poll() is None
    process.kill()
    process.wait(20)


def test_run_waits_for_a_slow_reader(shell: Shell) -> None:
    """More than the pipes and sockets between them hold: nothing is lost,
    and nothing comes twice."""
    text = "".join(f"{i}\n" for i in range(150000))
    code = "for i in range(150000): print(i)\nprint('end')\n'value'"
    process = shell.popen("run", "-", "-q", stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
    process.stdin.write(code.encode())
    process.stdin.close()
    time.sleep(4)
    assert process.stdout.read().decode() == text + "end\n'value'\n"
    assert process.wait(20) == 0


def test_run_shows_whole_characters_on_a_terminal(shell: Shell) -> None:
    """However the output is cut into pieces, and what is never completed."""
    ours, theirs = pty.openpty()
    shell.write("a.py", "import os, time\nfor byte in '\\u20ac'.encode() * 3:\n"
                "    os.write(1, bytes([byte])); time.sleep(0.02)\n"
                "print('\\u00e9' * 30000)\nos.write(1, b'\\xe2\\x82');")
    process = shell.popen("run", "a.py", stdin=theirs, stdout=theirs,
                          stderr=theirs)
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    assert process.wait(20) == 0
    wheel, _, shown = shown.rpartition(b"\x1b[K")
    text = shown.decode().replace("\r\n", "\n")
    assert text.startswith("\u20ac" * 3 + "\u00e9" * 30000 + "\n\\xe2\\x82\n"
                           "terrarium: a.py: ok after ")
    assert b"a.py" in wheel


def test_run_passes_arguments(shell: Shell) -> None:
    shell.write("d/a.py", "import sys\nprint(sys.argv, __file__)")
    for words, args in ((["x", "y z"], ["x", "y z"]),
                        (["x", "-q", ""], ["x", ""]),
                        (["--", "-q", "--json"], ["-q", "--json"]),
                        (["\u00e9"], ["\u00e9"])):
        done = shell("run", "-q", "d/a.py", *words)
        assert done.stdout == f"{['a.py', *args]} a.py\n"
    assert shell("run", "-", "-q", "1", stdin="import sys; print(sys.argv)"
                 ).stdout == "['<stdin>', '1']\n"


def test_run_tells_the_programs_own_name(shell: Shell) -> None:
    shell.write("d/a.py", "def f(x):\n    return 1 / x\n\nf(0)\n")
    told = shell("run", "-q", "d/a.py").stderr
    assert '  File "a.py", line 2, in f\n    return 1 / x\n' in told
    assert "<exec>" not in told and "\n2:     return 1 / x\n" in told
    assert 'File "<stdin>", line 1' in shell("run", "-q", "-",
                                             stdin="1/0").stderr


def test_run_prints_what_was_shown_and_the_final_value(shell: Shell) -> None:
    for code, out in (
            ("print('a')\n6 * 7", "a\n42\n"), ("print('a', end='')\n'b'",
                                              "a\n'b'\n"),
            ("'x' * 3;", ""), ("None", ""), ("'\u00e9\\n'", "'\u00e9\\n'\n"),
            ("display([1])\n2", "[1]\n2\n"),
            ("class R:\n    def __repr__(self): return 'r'\n"
             "    def _repr_html_(self): return '<b>r</b>'\nR()", "r\n")):
        done = shell("run", "-q", "-", stdin=code)
        assert (done.returncode, done.stdout) == (0, out), code
    done = shell("run", "-q", "-", stdin="print(1)\n1/0\n2")
    assert (done.returncode, done.stdout) == (1, "1\n")


PLOT = ("import matplotlib.pyplot as plt\n"
        "for i in range(2):\n    plt.plot([1, i])\n    plt.show()\n")


FORGED = """channels = display.__globals__["send"].__globals__
for text in (b'"text/plain"', b'["text/plain", {"text/plain": 1}]', b'7',
             b'"[[[{"', b'{"text/plain": "seen"}', b'{"text/plain": 7}',
             b'{"image/png": "no base64"}', b'{"image/svg+xml": []}'):
    channels["send"](channels["DISPLAY"], text)
"""


def test_run_shows_forged_displays_as_they_are(shell: Shell) -> None:
    """Any JSON can come from a program as a display."""
    shell.write("a.py", FORGED)
    done = shell("run", "a.py")
    assert done.returncode == 0, done
    assert done.stdout == "seen\n"
    assert "a figure is malformed" in done.stderr
    assert shell.listing() == ["a.py"]


def test_run_writes_figures(shell: Shell) -> None:
    pytest.importorskip("matplotlib")
    shell.write("a.py", PLOT + "open('figure-1.png', 'w').write('mine')")
    done = shell("run", "a.py")
    assert done.returncode == 0, done.stderr
    assert shell.listing() == [
        "a.out/figure-1.png", "a.out/figure-2.png", "a.out/figure-3.png",
        "a.py"]
    assert "files are in a.out\nterrarium: a figure is in figure-2.png\n" in \
        done.stderr
    assert (shell.folder / "a.out/figure-1.png").read_text() == "mine"
    for n in (2, 3):
        png = (shell.folder / f"a.out/figure-{n}.png").read_bytes()
        assert png.startswith(b"\x89PNG\r\n") and len(png) > 2000
    assert shell("run", "a.py", "--json").returncode == 0
    assert not (shell.folder / "a.out.1/figure-2.png").exists()


PAGE = """class Page:
    def __repr__(self): return '<page>'
    def _repr_html_(self): return '<div>\\n<script>1 < 2</script></div>'
"""


def test_run_writes_pages_that_draw(shell: Shell) -> None:
    """Charts and maps of some libraries are pages with a script."""
    done = shell("run", "-q", "-o", "out", "-", stdin=PAGE + "Page()")
    assert (done.returncode, done.stdout) == (0, ""), done
    assert shell.listing() == ["out/figure-1.html"]
    assert (shell.folder / "out/figure-1.html").read_text() == \
        "<div>\n<script>1 < 2</script></div>"
    table = PAGE.replace("script", "b")
    done = shell("run", "-q", "-o", "out2", "-", stdin=table + "Page()")
    assert (done.stdout, shell.listing()) == ("<page>\n",
                                              ["out/figure-1.html"])


def test_run_prints_a_value_once_beside_an_open_figure(shell: Shell) -> None:
    pytest.importorskip("matplotlib")
    code = ("import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
            "class R:\n    def __repr__(self): return 'r'\n"
            "    def _repr_html_(self): return '<b>r</b>'\nR()")
    done = shell("run", "-q", "-o", "out", "-", stdin=code)
    assert (done.returncode, done.stdout) == (0, "r\n"), done
    assert shell.listing() == ["out/figure-1.png"]


def test_run_twice_here(shell: Shell) -> None:
    """Figures of before are no obstacle, and stay."""
    pytest.importorskip("matplotlib")
    shell.write("a.py", PLOT)
    for count in (2, 4):
        assert shell("run", "a.py", "-qH").returncode == 0
        assert shell.listing() == ["a.py"] + [
            f"figure-{n + 1}.png" for n in range(count)]
    assert shell("run", "a.py", "-qHF").returncode == 0
    assert len(shell.listing()) == 5


def test_run_with_directories(shell: Shell) -> None:
    for name in ("in/d/x", "in/d/e/y", "in/d/.z", "in/d/__pycache__/m",
                 "in/d/.git/c", "pkg/__init__.py"):
        (shell.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (shell.folder / name).write_text("value = 5")
    (shell.folder / "in/d/link").symlink_to("/etc/passwd")
    os.mkfifo(shell.folder / "in/d/fifo")
    code = ("import os, pkg\nfor top, _, files in sorted(os.walk('.')):\n"
            "    for name in sorted(files): print(os.path.join(top, name))\n"
            "pkg.value")
    done = shell("run", "-q", "-", "-f", "in/d", "-f", "pkg/", stdin=code)
    assert done.stdout == "./d/x\n./d/e/y\n./pkg/__init__.py\n5\n", done.stderr
    done = shell("run", "-q", "-", "-f", "in/d/.", "-f", "pkg", stdin=code)
    assert done.stdout == "./x\n./e/y\n./pkg/__init__.py\n5\n", done.stderr
    assert shell.listing() == sorted(
        ["in/d/x", "in/d/e/y", "in/d/.z", "in/d/__pycache__/m", "in/d/.git/c",
         "in/d/link", "pkg/__init__.py"])


def test_run_with_too_large_a_directory(shell: Shell) -> None:
    deep = shell.folder / "/".join(["deep"] + ["d"] * 17)
    deep.mkdir(parents=True)
    (deep / "x").touch()
    (shell.folder / "many").mkdir()
    for i in range(3):
        (shell.folder / "many" / str(i)).write_bytes(bytes(1 << 20))
    conf = shell.write("t.conf", "[limits]\nfiles_in = 2\n")
    for words, told in ((["deep"], "has more than 16 components"),
                        (["many", "-c", str(conf)], "more than 2 files")):
        done = shell("run", "-", "-f", *words, stdin="1")
        assert done.returncode == 125 and told in done.stderr, done.stderr
    conf.write_text("[limits]\nhome_mb = 2\n")
    done = shell("run", "-", "-f", "many", "-c", str(conf), stdin="1")
    assert done.returncode == 125 and "File too large" in done.stderr


def test_run_with_memory_and_environment(shell: Shell) -> None:
    code = "len(bytearray(600 << 20))"
    assert "MemoryError" in shell("run", "-q", "-", stdin=code).stderr
    done = shell("run", "-q", "-", "--memory", "900", stdin=code)
    assert done.stdout == "629145600\n"
    done = shell("run", "-q", "-m", "80", "-", stdin="len(bytearray(99 << 20))")
    assert done.returncode == 1 and "MemoryError" in done.stderr
    done = shell("run", "-q", "-", "--env", "A=b=c", "-eB=", stdin="import os\n"
                 "[os.environ['A'], os.environ['B']]")
    assert done.stdout == "['b=c', '']\n"


def test_run_says_what_it_cut(shell: Shell) -> None:
    shell.write("a.py", "print('x' * (3 << 20))")
    done = shell("run", "a.py", "-q")
    assert (done.returncode, done.stdout) == (125, "x" * (1 << 20))
    assert "cut: 2097153 bytes of standard output, 0 of" in done.stderr
    got = json.loads(shell("run", "a.py", "-q", "--json").stdout)
    assert got["truncated"] == {"std_out": 2097153, "std_err": 0,
                                "output_files": 0, "results": 0}


def test_run_as_json(shell: Shell) -> None:
    shell.write("a.py", "print('o'); open('f', 'w'); display(1)\n{'x': [1]}")
    done = shell("run", "--json", "a.py", "-q")
    got = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1 and done.returncode == 0
    assert got.pop("code_runtime") >= 0
    assert got == {"success": True, "exit_code": 0, "std_out": "o\n",
                   "std_err": "", "final_expression": {"x": [1]},
                   "output_files": ["f"], "results": [{"text/plain": "1"}]}
    done = shell("run", "--json", "-", "-q", stdin="import sys\nsys.exit(3)")
    got = json.loads(done.stdout)
    assert (done.returncode, got["exit_code"], got["success"],
            got["error"]["type"]) == (3, 3, False, "SystemExit")


@pytest.mark.parametrize("code, status", [
    ("pass", 0), ("import sys; sys.exit(0)", 0), ("1/0", 1), ("(", 1),
    ("import sys; sys.exit(42)", 42), ("import os; os._exit(9)", 9),
    ("import os; os.abort()", 134), ("while True: pass", 124),
])
def test_exit_statuses(shell: Shell, code: str, status: int) -> None:
    assert shell("run", "-", "-qt1", stdin=code).returncode == status


@pytest.mark.parametrize("words, told", [
    ([], "missing command"), (["walk"], "unknown or missing"),
    (["run"], "FILE.py is missing"), (["job"], "DIR is missing"),
    (["run", "none.py"], "none.py: No such file"),
    (["job", "a", "b"], "b: not expected"), (["--daemon", "x"], "x: not"),
    (["run", "a", "--workers", "1"], "unrecognized"),
    (["run", "-t", "0", "a"], "--timeout must be 1 to 3600"),
    (["run", "-t", "9999", "a"], "--timeout must be 1 to 3600"),
    (["job", "-w", "9", "a"], "--workers must be 1 to 8"),
    (["run", "-m", "15", "a"], "--memory must be 16 to 1048576"),
    (["run", "-e", "A", "a"], "--env wants NAME=VALUE, not A"),
    (["run", "-e", "=x", "a"], "--env wants NAME=VALUE, not =x"),
    (["job", "/none"], "/none: No such file"),
    (["run", "-"], "there is no program"),
    (["run", "-", "-c", "/none.conf"], "/none.conf: No such file"),
])
def test_mistakes(shell: Shell, words: list[str], told: str) -> None:
    done = shell(*words)
    assert done.returncode == 125 and told in done.stderr
    assert done.stdout == ""


def test_help_and_version(shell: Shell) -> None:
    assert "terrarium job DIR" in shell("--help").stdout
    assert shell("--version").stdout.startswith("terrarium ")
    page = (ROOT / "docs" / "terrarium.1").read_text()
    for line in shell("--help").stdout.splitlines():
        words = line.split()
        if words and words[0].startswith("-"):
            name = next(w for w in words if w.startswith("--"))
            assert name.replace("-", "\\-") in page, name


def test_configuration(shell: Shell) -> None:
    conf = shell.write("t.conf", "[limits]\nmemory_mb = 64\n")
    code = "len(bytearray(100 << 20))"
    assert shell("run", "-", "-q", stdin=code).returncode == 0
    done = shell("run", "-", "-q", "-c", str(conf), stdin=code)
    assert done.returncode == 1 and "MemoryError" in done.stderr
    conf.write_text("[limits]\nmemory = 1\n")
    done = shell("run", "-", "-c", str(conf), stdin=code)
    assert done.returncode == 125 and "t.conf:2" in done.stderr


@pytest.mark.parametrize("error", ["ENOSYS", "EPERM"])
def test_files_that_cannot_be_collected_are_our_failure(
        shell: Shell, error: str) -> None:
    """A filter that confines the whole command, as one of a service would."""
    shell.words += [str(ROOT / "tests/hostile/without"), f"openat2={error}"]
    shell.write("a.py", "open('made', 'w').write('x')")
    done = shell("run", "--json", "a.py")
    answer = json.loads(done.stdout)
    assert done.returncode == 125 and not answer["success"], done.stdout
    assert answer["error"]["type"] == "internal"
    assert "collect output files" in answer["error"]["message"]
    assert "call=openat2" in done.stderr, done.stderr


# -- the walls


@pytest.mark.parametrize("code", [
    "import os; os.fork()", "import socket; socket.socket()",
    "open('/usr/x', 'w')", "open('/proc/self/status')",
    "import os; os.listdir('/root')",
])
def test_walls(shell: Shell, code: str) -> None:
    assert shell("run", "-", "-q", stdin=code).returncode == 1


def test_nothing_of_the_command_is_in_the_guest(shell: Shell) -> None:
    """Its environment, and its memory, hold nothing of the user's."""
    code = ("import os, ctypes\nassert 'SECRET' not in os.environ\n"
            "print(sorted(os.environ)[:2], os.getpid())")
    done = shell("run", "-", "-q", stdin=code)
    assert done.returncode == 0 and "hunter2" not in done.stdout


def test_interrupted_it_leaves_nothing(shell: Shell) -> None:
    # A shell ignores SIGINT for commands in the background.
    process = shell.popen("run", "-", "-q", stdin=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                           signal.SIG_DFL))
    process.stdin.write(b"import time; time.sleep(60)")
    process.stdin.close()
    wait_until(lambda: len(below(process.pid)) >= 3, 20, "it runs")
    family = [one.pid for one in below(process.pid)]
    process.send_signal(signal.SIGINT)
    process.wait(20)
    wait_until(lambda: all(map(has_ended, family)), 20, "all are gone")


def test_killed_it_leaves_nothing(shell: Shell) -> None:
    process = shell.popen("run", "-", "-q", stdin=subprocess.PIPE)
    process.stdin.write(b"while True: pass")
    process.stdin.close()
    wait_until(lambda: len(below(process.pid)) >= 3, 20, "it runs")
    family = [one.pid for one in below(process.pid)]
    process.kill()
    process.wait(20)
    wait_until(lambda: all(map(has_ended, family)), 20, "all are gone")


# -- on a terminal


STRANGE = "a\x1b]0;x\x07\r\x7f\x9b2J\u202e\u2066\u4e2d\t.\n"
SHOWN = ("a\\u001b]0;x\\u0007\\u000d\\u007f\\u009b2J\\u202e\\u2066\u4e2d\t."
         "\n")


def on_terminal(shell: Shell, stream: str, code: str, *words: str) -> str:
    ours, theirs = pty.openpty()
    process = shell.popen("run", "-", "-q", *words, stdin=subprocess.PIPE,
                          **{"stdout": subprocess.DEVNULL,
                             "stderr": subprocess.DEVNULL, stream: theirs})
    os.close(theirs)
    process.communicate(code.encode(), timeout=30)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    return shown.replace("\r\n", "\n").replace("        ", "\t")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_terminal_obeys_no_program(shell: Shell, stream: str) -> None:
    code = f"import sys; sys.{stream}.write({STRANGE!r});"
    assert on_terminal(shell, stream, code) == SHOWN
    done = subprocess.run([*shell.words, COMMAND, "run", "-", "-q"],
                          input=code.encode(), cwd=shell.folder,
                          capture_output=True, timeout=60)
    assert getattr(done, stream) == STRANGE.encode()  # a pipe's is as it is


def test_a_terminal_obeys_no_exception(shell: Shell) -> None:
    shown = on_terminal(shell, "stderr", "raise ValueError('\x1b[2J\x9b')")
    assert "ValueError: \\u001b[2J\\u009b" in shown and "\x1b" not in shown


def test_json_on_a_terminal_is_the_same(shell: Shell) -> None:
    shown = on_terminal(shell, "stdout", f"print({STRANGE!r}, end='')",
                        "--json")
    assert "\x1b" not in shown and "\x9b" not in shown
    assert "\u202e" not in shown
    assert json.loads(shown)["std_out"] == STRANGE


def test_progress_on_a_terminal(shell: Shell) -> None:
    ours, theirs = pty.openpty()
    process = shell.popen("run", "-", "-t5", stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    begun = time.monotonic()
    process.stdin.write(b"import time; time.sleep(2)")
    process.stdin.close()
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
    process.wait(20)
    took = time.monotonic() - begun
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert shown.count("\r") >= 5 and " s of 5 s" in shown
    assert "- 0." in shown
    said = re.search(r"ok after ([0-9.]+) s\r\n$", shown)
    assert said and 2 <= float(said[1]) <= took + 0.1, (shown, took)
