"""The runner: values and figures of numpy, pandas and matplotlib."""

import base64
import os

import pytest

from jobs import Interpreter, good


def png(display):
    data = base64.b64decode(display["image/png"])
    assert data.startswith(b"\x89PNG")
    return data


def test_numpy_values(full):
    code = """
import numpy as np
[np.int64(3), np.float32(0.5), np.bool_(True), np.arange(4).reshape(2, 2),
 np.array([1.0, np.nan]), np.array(['a']), np.array([1, 'x', None], object),
 np.float64('inf'), np.complex128(1j), np.datetime64('2020-01-02'),
 {np.int64(1): np.uint8(2)}, np.array(5), np.str_('s'), np.longdouble(1)]
"""
    assert good(full(code)).value == [
        3, 0.5, True, [[0, 1], [2, 3]], [1.0, None], ["a"], [1, "x", None],
        None, "1j", "2020-01-02", {"1": 2}, 5, "s", 1.0]


def test_numpy_without_preload(run):
    assert good(run("import numpy\nnumpy.arange(3)")).value == [0, 1, 2]


def test_huge_array_is_never_a_list(full):
    got = good(full("import numpy\nnumpy.zeros(2 * 10**8, 'u1')"))
    assert got.value.startswith("array([0, 0") and got.seconds < 2
    assert good(full("import numpy\nnumpy.ma.array([1, 2], mask=[0, 1])"))


def test_data_frame(full):
    got = good(full("import pandas as pd\npd.DataFrame({'a': [1, 2]})"))
    (bundle,) = got.displays
    assert "<table" in bundle["text/html"]
    assert got.value == bundle["text/plain"] == "   a\n0  1\n1  2"
    got = good(full("import pandas as pd\npd.Series([1])"))
    (bundle,) = got.displays
    assert set(bundle) == {"text/plain", TABLE}
    assert got.value == bundle["text/plain"] == "0    1\ndtype: int64"


TABLE = "application/vnd.dataresource+json"


def test_data_frame_as_data(full):
    got = good(full("""
import pandas as pd
pd.DataFrame({"n": range(3), "x": [0.1 + 0.2, float("nan"), 1e300],
              "t": pd.to_datetime(["2024-01-02 00:00", None,
                                   "2024-01-03 04:05"]),
              "s": ["a", None, "\u00e9"], "b": True})
"""))
    data = got.displays[0][TABLE]
    assert [(field["name"], field["type"]) for field
            in data["schema"]["fields"]] == [
        ("index", "integer"), ("n", "integer"), ("x", "number"),
        ("t", "datetime"), ("s", "string"), ("b", "boolean")]
    assert data["total_rows"] == 3
    assert [row["x"] for row in data["data"]] == [0.3, None, 1e300]
    assert [row["s"] for row in data["data"]] == ["a", None, "\u00e9"]
    assert data["data"][0]["t"].startswith("2024-01-02T00:00:00")


@pytest.mark.parametrize("code, rows, total", [
    ("pd.DataFrame({'a': range(5000)})", 1000, 5000),
    ("pd.DataFrame({i: range(900) for i in range(100)})", 200, 900),
    ("pd.Series(range(5000), name='a')", 1000, 5000),
    ("pd.DataFrame({'a': [1]}, index=pd.Index([2], name='a'))", 1, 1),
    ("pd.DataFrame({'a': ['x' * 100000] * 50})", 2, 50),
    ("pd.DataFrame({'a': ['x' * 300000] * 50})", None, None),
    ("pd.DataFrame([[1]], columns=[['a'], ['b']])", None, None),
    ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", None, None),
    ("pd.DataFrame({'a': [object()]})", None, None),
    ("pd.DataFrame({'a': [{}]}); pd.DataFrame.to_json = 1; pd.Series([1])",
     None, None)])
def test_data_of_a_table_is_bounded(full, code, rows, total):
    got = good(full("import pandas as pd\n" + code.replace("; ", "\n")))
    assert got.dropped == 0
    data = got.displays[0].get(TABLE) if got.displays else None
    if rows is None:
        assert data is None or len(data["data"]) <= 1
    else:
        assert (len(data["data"]), data["total_rows"]) == (rows, total)


PLOT = "import matplotlib.pyplot as plt\nf = plt.figure(figsize=(1, 1))\n"


@pytest.mark.parametrize("interpreter", ["run", "full"])
def test_figures(interpreter, request):
    run = request.getfixturevalue(interpreter)
    got = good(run(PLOT + "plt.plot([1]); plt.show()\nplt.get_fignums()"))
    assert png(got.displays[0]) and len(got.displays) == 1
    assert got.displays[0]["text/plain"].startswith("<Figure size 100x100")
    assert got.value == [] and got.err == b""


@pytest.mark.parametrize("code, count", [
    (PLOT, 1), (PLOT + "f", 1), (PLOT + "display(f)", 1),
    (PLOT + "display(f)\nf", 1), (PLOT + "plt.show()\nf", 1),
    (PLOT + "f.show()", 1), (PLOT + "plt.close()", 0),
    (PLOT + "plt.show()\nplt.show()", 1),
    (PLOT + "display(f)\nplt.plot([1])", 2),
    (PLOT + "plt.figure(figsize=(2, 1));", 2),
    (PLOT + "display(f)\ndisplay(f)", 2), (PLOT + "1/0", 1),
    ("from matplotlib.figure import Figure\nFigure((1, 1))", 1),
    ("import matplotlib; matplotlib.use('Agg')\n" + PLOT + "plt.show()", 1),
    ("from pylab import *\nfigure(figsize=(1, 1)); plot([1]); show()", 1),
])
def test_figure_appears_once(full, code, count):
    got = full(code)
    assert len(got.displays) == count and got.ended
    assert got.error is None or "1/0" in code
    for display in got.displays:
        png(display)


def test_figure_that_cannot_be_drawn(full):
    got = good(full(PLOT + "plt.title(r'$\\frac{$');"))
    assert b"figure 1 could not be drawn" in got.err and not got.displays
    got = full(PLOT + "plt.title(r'$\\frac{$')\nplt.show()")
    assert got.error[0] == "ValueError" and "_terrarium" not in got.error[1]


def test_figures_are_bounded(full):
    got = good(full(PLOT + "for i in range(4):\n plt.figure(figsize=(1, 1))\n"
                    "plt.show()", displays=2))
    assert len(got.displays) == 2 and got.dropped == 3


def test_deadline_while_drawing(full):
    got = full("import matplotlib.pyplot as plt\nwhile True:\n"
               "  plt.plot(range(1000)); plt.show()", timeout=0.3,
               displays=10**6, displays_bytes=10**9)
    assert got.error[0] == "timeout" and got.ended


def test_wide_text(full, tmp_path):
    """Chinese is drawn with a fallback font, whatever the style says."""
    fonts = [os.environ.get("TERRARIUM_TEST_FONT", ""),
             "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"]
    font = next((name for name in fonts if os.path.exists(name)), None)
    if font is None:
        pytest.skip("no wide font; TERRARIUM_TEST_FONT may name one")
    code = f"""
import matplotlib.font_manager as fm
if not any(f.name == 'Droid Sans Fallback' for f in fm.fontManager.ttflist):
    fm.fontManager.addfont({font!r})
import matplotlib.pyplot as plt
plt.rcParams['font.family'] = ['sans-serif']
plt.figure(figsize=(2, 2)); plt.title('abc \u4e2d\u6587 -1')
plt.show()
"""
    interpreter = Interpreter("")
    got = good(interpreter(code))
    interpreter.close()
    assert got.err == b"" and png(got.displays[0])


def test_logging_is_flushed_after_a_rehearsal(full):
    got = good(full("import logging, logging.handlers, sys\n"
                    "print(logging.lastResort.level)\n"
                    "logging.warning('early')\n"
                    "held = logging.handlers.MemoryHandler(9, 99, "
                    "logging.StreamHandler(sys.stdout))\n"
                    "logging.getLogger('x').addHandler(held)\n"
                    "logging.getLogger('x').error('late')"))
    assert got.out == b"30\nlate\n" and b"early" in got.err


# Handlers, as programs make them and lose them again; text that one has
# buffered is still printed at the end.
HELD = ("import logging, logging.handlers, sys\n"
        "held = logging.handlers.MemoryHandler(9, 99, "
        "logging.StreamHandler(sys.stdout))\n"
        "logging.getLogger('x').addHandler(held)\n"
        "logging.getLogger('x').error('late')\n")


@pytest.mark.parametrize("after", [
    "for name in [n for n in sys.modules if n.startswith('logging')]:\n"
    "    del sys.modules[name]",
    "logging.shutdown = print",
    "for _ in range(3): logging.NullHandler()",
    "import atexit\natexit.register(logging.getLogger('x').error, 'last')",
])
def test_logging_is_flushed_whatever_becomes_of_it(full, after):
    got = good(full(HELD + after))
    assert got.out.startswith(b"late\n") and got.err == b""
    assert ("last" in after) == got.out.endswith(b"last\n")


def test_logging_ends_after_what_libraries_register(tmp_path, monkeypatch):
    """As it would have: it was imported first."""
    (tmp_path / "library.py").write_text(
        "import atexit, logging\n"
        "atexit.register(lambda: logging.getLogger('x').error('bye'))\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    interpreter = Interpreter("library")
    got = good(interpreter(HELD))
    interpreter.close()
    assert got.out == b"late\nbye\n"


def test_display_comes_back(run):
    assert good(run("import builtins\ndel builtins.display\n1")).value == 1
    assert good(run("display(1)", displays=1,
                    displays_bytes=1000)).displays


def test_no_guest_has_the_second_half_of_a_pair(full):
    """random.gauss() draws two and keeps one."""
    assert good(full("import random\nrandom._inst.gauss_next")).value is None


def test_streams_are_made_before_the_job(run):
    got = good(run("import sys\nid(sys.stdout)",
                   peek="id(runner.run.__globals__['_Ready'].streams[1])"))
    assert got.peeked == str(got.value)
