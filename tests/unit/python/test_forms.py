"""Tests of the forms of values: pictures, charts, data, and methods that fail.

Each program runs in a process that the runner prepared; see interpreter.py.
"""

import base64

import pytest
from interpreter import REPR
from jobs import good

(TEXT, HTML, MARKDOWN, SVG, PNG, JPEG, PDF, LATEX, JSON_FORM, JAVASCRIPT, DATA,
 CHART, OTHER, DRAW, MAIN) = (1 << bit for bit in range(15))
ALL = DRAW - 1
OURS = "application/vnd.terrarium."
CHART_MEDIA, DATA_MEDIA = OURS + "chart+json", OURS + "data+json"
MAIN_MEDIA = OURS + "main+json"
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
ROOM = {"displays_bytes": 8 << 20, "timeout": 30.0, "timeout_ms": 30000}


def chart(full, code, **options):
    """The chart of the one figure that CODE leaves open."""
    got = good(full("import matplotlib.pyplot as plt\n" + code,
                    forms=TEXT | CHART | DRAW, **{**ROOM, **options}))
    assert got.warnings == options.get("warned", []), got.warnings
    (shown,) = got.displays
    assert set(shown) == {"text/plain", CHART_MEDIA}
    return shown[CHART_MEDIA]


# --- charts -------------------------------------------------------------------

def test_line_chart(full):
    found = chart(full, """
plt.plot([1, 2, 3], [4, 5, float("nan")], label="speed")
plt.plot([1, 2], [7, 8], "--")
plt.axhline(5)
plt.title("Run"); plt.xlabel("Time (s)"); plt.ylabel("Speed [m/s]")
plt.yscale("log")
""")
    assert found["type"] == "line" and found["title"] == "Run"
    assert (found["x_label"], found["x_unit"]) == ("Time (s)", "s")
    assert (found["y_label"], found["y_unit"]) == ("Speed [m/s]", "m/s")
    assert (found["x_scale"], found["y_scale"]) == ("linear", "log")
    assert len(found["x_ticks"]) == len(found["x_tick_labels"]) > 2
    assert found["elements"] == [
        {"label": "speed", "points": [[1, 4], [2, 5], [3, None]]},
        {"label": "", "points": [[1, 7], [2, 8]]}]


def test_dates_and_categories_of_a_line(full):
    found = chart(full, """
import datetime
plt.plot([datetime.date(2024, 1, d) for d in (1, 2)], [1, 2])
""")
    assert found["x_scale"] == "datetime"
    assert found["elements"][0]["points"] == [
        ["2024-01-01T00:00:00", 1], ["2024-01-02T00:00:00", 2]]
    found = chart(full, "plt.plot(['a', 'b'], [1, 2])")
    assert found["x_scale"] == "categorical"
    assert found["elements"][0]["points"] == [["a", 1], ["b", 2]]
    assert found["x_tick_labels"] == ["a", "b"]


def test_scatter_chart(full):
    found = chart(full, "plt.scatter([1, 2], [3, 4], label='a')\n"
                        "plt.plot([0, 1], [0, 1], label='fit')")
    assert found["type"] == "scatter" and found["elements"] == [
        {"label": "a", "points": [[1, 3], [2, 4]]},
        {"label": "fit", "points": [[0, 0], [1, 1]]}]
    assert chart(full, "plt.plot([1], [2], 'o')")["type"] == "scatter"


def test_bar_chart(full):
    found = chart(full, "plt.bar(['x', 'y'], [3, -4])\nplt.ylabel('n')")
    assert found["type"] == "bar" and found["y_label"] == "n"
    assert found["x_unit"] is None and "x_ticks" not in found
    assert found["elements"] == [
        {"label": "x", "group": "", "value": 3},
        {"label": "y", "group": "", "value": -4}]


def test_grouped_stacked_and_lying_bars(full):
    grouped = chart(full, """
import numpy as np
at = np.arange(2)
plt.bar(at - .2, [1, 2], .4, label="m")
plt.bar(at + .2, [3, 4], .4, label="f")
plt.xticks(at, ["G1", "G2"])
""")["elements"]
    assert [tuple(row.values()) for row in grouped] == [
        ("G1", "m", 1), ("G2", "m", 2), ("G1", "f", 3), ("G2", "f", 4)]
    stacked = chart(full, "plt.bar(['a'], [2])\n"
                          "plt.bar(['a'], [5], bottom=[2])")["elements"]
    assert [tuple(row.values()) for row in stacked] == [
        ("a", "group 1", 2), ("a", "group 2", 5)]
    lying = chart(full, "plt.barh(['a', 'b'], [2, 5], label='k')")
    assert [tuple(row.values()) for row in lying["elements"]] == [
        ("a", "k", 2), ("b", "k", 5)]
    assert [row["label"] for row in chart(
        full, "plt.bar([2020, 2021], [1, 2])")["elements"]] == ["2020", "2021"]


@pytest.mark.parametrize("kind", ["bar", "step"])
def test_histogram(full, kind):
    found = chart(full, f"plt.hist([1, 1, 2, 4], bins=[0, 1.5, 3, 4.5], "
                        f"histtype={kind!r}, label='h')")
    assert found["type"] == "bar" and found["elements"] == [
        {"label": "0 to 1.5", "group": "h", "value": 2},
        {"label": "1.5 to 3", "group": "h", "value": 1},
        {"label": "3 to 4.5", "group": "h", "value": 1}]


@pytest.mark.parametrize("kind", ["barstacked", "step"])
def test_stacked_histograms_are_not_sums(full, kind):
    found = chart(full, "plt.hist([[1], [1, 1, 3]], bins=[0, 2, 4], "
                        f"histtype={kind!r}, stacked=True)")
    assert sorted((row["group"], row["label"], row["value"])
                  for row in found["elements"]) == [
        ("group 1", "0 to 2", 1), ("group 1", "2 to 4", 0),
        ("group 2", "0 to 2", 2), ("group 2", "2 to 4", 1)]


def test_pie_chart(full):
    found = chart(full, "plt.pie([1, 3], labels=['a', 'b'], radius=2)")
    assert found == {"type": "pie", "title": None, "elements": [
        {"label": "a", "angle": 90, "radius": 2},
        {"label": "b", "angle": 270, "radius": 2}]}


def test_box_plot(full):
    found = chart(full, """
plt.boxplot([[1, 2, 3, 4, 20], [5, 6, 7]], labels=["p", "q"])
plt.xlabel("kind")
""")
    assert found["type"] == "box_and_whisker" and found["x_label"] == "kind"
    assert found["elements"][0] == {
        "label": "p", "min": 1, "first_quartile": 2, "median": 3,
        "third_quartile": 4, "max": 4, "outliers": [20]}
    assert found["elements"][1]["label"] == "q"
    assert found["elements"][1]["outliers"] == []


def test_boxes_that_were_cleared_are_gone(full):
    found = chart(full, "plt.boxplot([[1, 2]])\nplt.cla()\n"
                        "plt.plot([1, 2], [3, 4])")
    assert found["type"] == "line" and len(found["elements"]) == 1


def test_several_axes(full):
    found = chart(full, """
figure, axes = plt.subplots(2, 2)
axes[0][0].plot([1, 2], [3, 4])
axes[0][1].bar(["a"], [1])
axes[0][0].twinx().scatter([1], [2])
picture = axes[1][0].imshow([[1, 2]])
figure.colorbar(picture)
figure.suptitle("All")
""")
    assert found["type"] == "superchart" and found["title"] == "All"
    assert [one["type"] for one in found["elements"]] == [
        "line", "bar", "unknown", "scatter"]


def test_error_bars_are_one_line(full):
    found = chart(full, "plt.errorbar([1, 2], [3, 4], yerr=1, capsize=3, "
                        "label='e')")
    assert found["elements"] == [{"label": "e", "points": [[1, 3], [2, 4]]}]


def test_pandas_plots(full):
    found = chart(full, """
import pandas as pd
pd.Series([1, 2], pd.date_range("2024-01-01", periods=2)).plot()
""")
    assert found["x_scale"] == "datetime"
    assert found["elements"][0]["points"] == [
        ["2024-01-01T00:00:00", 1], ["2024-01-02T00:00:00", 2]]
    found = chart(full, "import pandas as pd\npd.DataFrame("
                  "{'a': [1, 2], 'b': [3, 4]}, index=['x', 'y']).plot.bar()")
    assert [tuple(row.values()) for row in found["elements"]] == [
        ("x", "a", 1), ("y", "a", 2), ("x", "b", 3), ("y", "b", 4)]


def test_charts_are_bounded(full):
    got = good(full("import matplotlib.pyplot as plt\n"
                    "plt.plot(range(30000))", forms=CHART | DRAW, **ROOM))
    assert len(got.displays[0][CHART_MEDIA]["elements"][0]["points"]) == 20000
    assert "a chart was cut" in got.warnings[0]


def test_a_chart_that_cannot_be_read_costs_itself(full):
    got = good(full("import matplotlib.pyplot as plt\n"
                    "plt.plot([1, 2])\n"
                    "plt.gca().get_title = lambda loc=None: 1 / 0\n",
                    forms=CHART | PNG | DRAW, **ROOM))
    assert set(got.displays[0]) == {"text/plain", "image/png"}
    assert got.warnings == ["the chart of Figure raised ZeroDivisionError: "
                            "its form was left out"]


def test_nothing_is_noted_unless_charts_are_asked_for(full):
    code = ("import matplotlib.pyplot as plt\nplt.boxplot([[1, 2]])\n"
            "plt.hist([1])\nsorted(vars(plt.gca()).get('_terrarium_notes', []"
            "))")
    got = good(full(code, **ROOM))
    assert got.value == []
    assert set(got.displays[0]) == {"text/plain", "image/png"}
    assert good(full(code, shows=False)).displays == []


# --- pictures and data ----------------------------------------------------------

def test_a_figure_in_each_form(full):
    got = good(full("import matplotlib.pyplot as plt\nplt.plot([1, 2])",
                    forms=PNG | SVG | JPEG | PDF | DRAW, **ROOM))
    (shown,) = got.displays
    assert set(shown) == {"text/plain", "image/png", "image/svg+xml",
                          "image/jpeg", "application/pdf"}
    assert base64.b64decode(shown["image/png"]).startswith(PNG_HEAD)
    assert base64.b64decode(shown["image/jpeg"])[:3] == b"\xff\xd8\xff"
    assert base64.b64decode(shown["application/pdf"])[:5] == b"%PDF-"
    assert "<svg" in shown["image/svg+xml"]
    assert got.warnings == []


def test_all_forms_without_draw_give_a_figure_as_png(full):
    got = good(full("import matplotlib.pyplot as plt\nplt.plot([1, 2])",
                    forms=ALL, **ROOM))
    assert set(got.displays[0]) == {"text/plain", "image/png", CHART_MEDIA}


def test_an_image_of_pil(full):
    code = "from PIL import Image\nImage.new('RGBA', (2, 2))"
    (shown,) = good(full(code, forms=PNG | JPEG | DRAW, **ROOM)).displays
    assert set(shown) == {"text/plain", "image/png", "image/jpeg"}


def test_data_of_a_table(full):
    code = ("import pandas as pd\npd.DataFrame({'a': [1, 2], 'b': [1.5, None],"
            "'t': pd.to_datetime(['2024-01-02', None])})")
    (shown,) = good(full(code, forms=DATA, **ROOM)).displays
    assert shown[DATA_MEDIA] == {"a": [1, 2], "b": [1.5, None],
                                 "t": ["2024-01-02T00:00:00", None]}
    assert set(shown) == {"text/plain", DATA_MEDIA}
    code = "import pandas as pd\npd.Series([1], name='n')"
    (shown,) = good(full(code, forms=DATA, **ROOM)).displays
    assert shown[DATA_MEDIA] == {"n": [1]}


def test_data_is_cut_with_a_warning(full):
    got = good(full("import pandas as pd\npd.DataFrame({'a': range(300000)})",
                    forms=DATA, **ROOM))
    assert len(got.displays[0][DATA_MEDIA]["a"]) == 200000
    assert got.warnings == ["the data of DataFrame was cut: it has the first "
                            "200,000 of 300,000 rows"]


def test_columns_of_one_name(full):
    code = "import pandas as pd\npd.DataFrame([[1, 2]], columns=['a', 'a'])"
    (shown,) = good(full(code, forms=DATA, **ROOM)).displays
    assert shown[DATA_MEDIA] == {"a": [1], "a_2": [2]}


# --- which forms --------------------------------------------------------------

RICH = """
called = []
class Rich:
    def _repr_html_(self): called.append("html"); return "<b>"
    def _repr_markdown_(self): called.append("markdown"); return "**"
    def _repr_latex_(self): return "$x$"
    def _repr_json_(self): return {"a": 1}
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"x/y": [1]}
"""


def test_only_forms_that_are_asked_for(run):
    (shown,) = good(run(RICH + "Rich()", forms=HTML | JSON_FORM)).displays
    shown.pop("text/plain")
    assert shown == {"text/html": "<b>", "application/json": {"a": 1}}
    (shown,) = good(run(RICH + "Rich()", forms=OTHER)).displays
    assert shown["x/y"] == [1] and set(shown) == {"text/plain", "x/y"}
    got = good(run(RICH + "display(Rich())\ncalled", forms=MARKDOWN))
    assert got.value == ["markdown"]


@pytest.mark.parametrize("code, parts", [
    ("5", {"text/plain": "5"}),
    ("'a'", {"text/plain": "'a'"}),
    ("[1, {'a': None}]", {"text/plain": "[1, {'a': None}]",
                          "application/json": [1, {"a": None}]}),
    ("[1, object]", {"text/plain": "[1, <class 'object'>]"}),
])
def test_the_final_value_is_marked(run, code, parts):
    got = good(run(f"display('x')\n{code}", forms=ALL | MAIN, value=REPR))
    assert got.displays == [{"text/plain": "'x'"}, {MAIN_MEDIA: True, **parts}]


def test_no_final_value_is_marked_unless_asked_for(run):
    assert good(run("5", forms=ALL)).displays == []


# --- methods that raise, hang or lie --------------------------------------------

def one(name, body):
    return (f"class Bad:\n def __repr__(self): return 'bad'\n"
            f" def _repr_markdown_(self): return 'good'\n"
            f" def {name}(self, **_):\n  {body}\n")


@pytest.mark.parametrize("name, body, warned", [
    ("_repr_html_", "raise ValueError", "raised ValueError"),
    ("_repr_html_", "raise SystemExit", "raised SystemExit"),
    ("_repr_html_", "raise KeyboardInterrupt", "raised KeyboardInterrupt"),
    # With "**": Python 3.13 before 3.13.8 does not count a call that leaves a
    # parameter to its default (python/cpython, gh-132744).
    ("_repr_html_", "return self._repr_html_(**_)", "raised RecursionError"),
    ("_repr_html_", "return 5", "it is int, not str"),
    ("_repr_html_", "return b'\\xff'", "it is not UTF-8"),
    ("_repr_png_", "return b'no picture'", "it has another format"),
    ("_repr_png_", "return 'not base64'", "it is neither bytes nor base64"),
    ("_repr_jpeg_", "return ['x']", "it is list, not bytes"),
    ("_repr_json_", "return b'x'", "it is bytes, not JSON"),
    ("_repr_json_", "x = []\n  x.append(x)\n  return 'x' * (1 << 19)",
     "limits.displays_mb"),
    ("_repr_html_", "return '\\u4e2d' * (1 << 17)", "limits.displays_mb"),
    ("_repr_mimebundle_", "return 5", "it is int, not dict"),
    ("_repr_mimebundle_", "return {'a\\nb/c': 'x'}", "its media type"),
    ("_repr_mimebundle_", "return {'x' * 500 + '/c': 'x'}", "its media type"),
    ("_repr_mimebundle_", "return {'no-slash': 'x'}", "its media type"),
    ("_repr_mimebundle_", "return {'" + CHART_MEDIA + "': 'x'}",
     "its media type"),
    ("_repr_mimebundle_", "return {f'x/y{n}': '' for n in range(99999)}",
     "at most 32"),
])
def test_a_form_that_fails_costs_itself(run, name, body, warned):
    got = good(run(one(name, body) + "display(Bad())\nBad()",
                   displays_bytes=1 << 18))
    shown, final = got.displays
    assert shown == final
    assert shown["text/plain"] == "bad"
    if "range" not in body:
        assert shown == {"text/plain": "bad", "text/markdown": "good"}
    assert any(warned in sentence for sentence in got.warnings), got.warnings
    assert got.value == "bad"


@pytest.mark.parametrize("body", [
    "import time\n  time.sleep(99)",
    "while True:\n   try:\n    while True: pass\n   except Exception: pass",
])
def test_a_form_that_hangs_costs_itself(run, body):
    got = good(run(one("_repr_html_", body) + "display(Bad())\ndisplay(Bad())"
                   "\nprint('on')\nBad()", timeout=20.0, timeout_ms=2000))
    assert got.out == b"on\n" and got.value == "bad" and not got.asked
    assert len(got.displays) == 2  # the final value has no more than its text
    assert all(shown == {"text/plain": "bad"} for shown in got.displays)
    assert len(got.warnings) == 1 and "took too long" in got.warnings[0]
    assert 0.9 < got.seconds < 8


def test_a_repr_that_hangs_costs_itself(run):
    code = ("class Bad:\n def __repr__(self):\n  while True: pass\n"
            "display(Bad())\nprint('on')")
    got = good(run(code, timeout=20.0, timeout_ms=1000))
    assert got.out == b"on\n"
    assert got.displays == [{"text/plain": "<repr failed: Overdue>"}]


def test_the_programs_own_timer_goes_on(run):
    code = ("import signal, time\nhits = []\n"
            "signal.signal(signal.SIGALRM, lambda *_: hits.append(1))\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.4)\n" +
            one("_repr_html_", "time.sleep(99)") +
            "display(Bad())\n"
            "for _ in range(100):\n"
            "  if hits: break\n"
            "  time.sleep(0.05)\n"
            "hits")
    got = good(run(code, timeout=20.0, timeout_ms=1000))
    assert got.value == [1]


def test_the_runs_own_limit_counts_inside_of_a_form(run):
    got = run(one("_repr_html_", "while True: pass") + "display(Bad())",
              timeout=0.3, timeout_ms=30000)
    assert got.asked and got.error[0] == "timeout" and got.ended


def test_a_form_in_a_thread_is_not_timed(run):
    code = (one("_repr_html_", "return 'x'") + "import threading\n"
            "t = threading.Thread(target=display, args=(Bad(),))\n"
            "t.start()\nt.join()")
    (shown,) = good(run(code)).displays
    assert shown["text/html"] == "x"


def test_displays_that_are_dropped_are_told(run):
    got = good(run("for i in range(5): display(i)", displays=3))
    assert got.dropped == 2
    assert got.warnings == [
        "results were left out: 2. An answer has room for 3 (limits.displays) "
        "of 1,048,576 bytes in all (limits.displays_mb)"]


def test_a_large_form_costs_itself(run):
    code = ("class Big:\n def __repr__(self): return 'big'\n"
            " def _repr_html_(self): return 'x' * 2000\n"
            " def _repr_markdown_(self): return 'm'\nBig()")
    got = good(run(code, displays_bytes=1000))
    assert got.displays == [{"text/plain": "big", "text/markdown": "m"}]
    assert got.dropped == 0 and "limits.displays_mb" in got.warnings[0]
