"""Hints: each row of the runner's table, met inside a real guest by a program
of the kind that a model writes."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from client import Client
from test_programs import is_installed

HINTS = Path(__file__).resolve().parents[3] / "sandbox/python/hints"
ADAPTERS = HINTS.with_name("adapters")

# A class that is written in Rust: its module is called builtins.
CERTIFICATE = """\
import datetime
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.utcnow()
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
cert = x509.CertificateBuilder().subject_name(name).issuer_name(
    name).public_key(key.public_key()).serial_number(1).not_valid_before(
    now).not_valid_after(now).sign(key, hashes.SHA256())
"""

# Key of the row, modules that it needs, program, piece of the hint; then files
# of the request.
ROWS: list[tuple[Any, ...]] = [
    ("network", "", "import urllib.request\n"
     "urllib.request.urlopen('https://example.com/a.csv')",
     "There is no network here. Send the data as a file"),
    ("network", "", "import socket\nsocket.create_connection(('1.2.3.4', 80))",
     "There is no network here"),
    ("network", "", "import socket\nsocket.gethostbyname('example.com')",
     "There is no network here"),
    ("network", "", "import http.client\n"
     "http.client.HTTPSConnection('example.com').request('GET', '/')",
     "There is no network here"),
    ("network", "requests", "import requests\n"
     "requests.get('https://example.com/x', timeout=5)",
     "There is no network here"),
    ("network", "requests", "import requests\ntry:\n"
     "    requests.get('http://example.com')\n"
     "except requests.exceptions.RequestException as e:\n"
     "    raise RuntimeError('download failed') from e",
     "There is no network here"),
    ("network", "httpx", "import httpx\nhttpx.get('https://example.com/')",
     "There is no network here"),
    ("network", "aiohttp", "import aiohttp\n"
     "async with aiohttp.ClientSession() as session:\n"
     "    await session.get('https://example.com/')",
     "There is no network here"),
    ("network", "pandas", "import pandas\n"
     "pandas.read_csv('https://example.com/a.csv')",
     "There is no network here"),
    ("network", "sklearn", "from sklearn.datasets import "
     "fetch_california_housing\nfetch_california_housing()",
     "load_diabetes()"),
    ("network", "seaborn", "import seaborn\nseaborn.load_dataset('titanic')",
     "the data in the program" if not os.path.exists(
         "/usr/share/python3-plotly/datasets") else
     "load_dataset('tips') and load_dataset('iris') need none."),
    ("network", "statsmodels", "import statsmodels.api as sm\n"
     "sm.datasets.get_rdataset('mtcars')", "Make the data in the program"),
    ("process", "", "import subprocess\nsubprocess.run(['ls', '-l'])",
     "cannot be started here. In Python: use os.listdir"),
    ("process", "", "import subprocess\n"
     "subprocess.check_output('unzip a.zip', shell=True)",
     "use zipfile"),
    ("process", "", "import subprocess, sys\nsubprocess.check_call("
     "[sys.executable, '-m', 'pip', 'install', 'x'])",
     "cannot be started here, and nothing can be installed."),
    ("process", "", "import os\nos.popen('ls').read()", "use os.listdir"),
    ("process", "", "import os\nos.fork()", "use multiprocessing"),
    ("process", "", "import subprocess\nsubprocess.run('nonsense 1', "
     "shell=True)", "use modules of Python, such as pathlib"),
    ("process", "", "import pty\npty.spawn('/bin/sh')",
     "cannot be started here"),
    ("process", "", "import asyncio\n"
     "await asyncio.create_subprocess_shell('ls')", "use os.listdir"),
    ("display", "", "raise RuntimeError('no display name and no $DISPLAY "
     "environment variable')", "There is no display here"),
    ("missing-file", "", "open('Sales.CSV')",
     "There is a file 'in/sales.csv'", {"in/sales.csv": b"a"}),
    ("missing-file", "", "open('/mnt/data/seles.csv')",
     "There is a file 'sales.csv'", {"sales.csv": b"a"}),
    ("missing-file", "", r"open(r'C:\Users\me\Sales.csv')",
     "There is a file 'sales.csv'", {"sales.csv": b"a"}),
    ("missing-file", "", "open('x.json')", "The files here are: a, b.",
     {"b": b"", "a": b""}),
    ("missing-file", "", "open('x.json')", "f09 and 5 more.",
     {f"f{n:02}": b"" for n in range(15)}),
    ("missing-file", "", "open('x.json')", "the request brought none"),
    ("missing-file", "", "open('/data/x.json')",
     "There is no directory '/data'. Only the working directory /home/user"),
    ("missing-file", "", "open('out/x.csv', 'w')",
     "os.makedirs('out', exist_ok=True)"),
    ("missing-file", "", "open('/proc/meminfo')", "There is no /proc"),
    ("missing-file", "pandas", "import pandas\npandas.read_csv('x.csv')",
     "the request brought none"),
    ("missing-file", "", "import shutil\n"
     "shutil.copy('/usr/share/no/such.csv', '.')",
     "That file of the library is not here"),
    ("missing-file", "", "import glob\nglob.glob('/data/*.csv')[0]",
     "No file matches. The files here are: a.csv", {"a.csv": b""}),
    ("missing-file", "", "import os\nos.listdir('/data')",
     "There is no directory '/data'. Only the working"),
    ("missing-file", "cv2", "import cv2\ncv2.imread('Photo.png').shape",
     "cv2.imread returns None", {"photo.png": b""}),
    ("missing-directory", "pandas", "import pandas\n"
     "pandas.DataFrame().to_csv('out/x.csv')", "os.makedirs('out'"),
    ("missing-directory", "pandas", "import pandas\n"
     "pandas.DataFrame().to_csv('/output/x.csv')", "Only the working"),
    ("read-only", "", "open('/etc/x.csv', 'w')", "Only the working"),
    ("read-only", "", "open('/home/x.csv', 'w')", "and /tmp can be written"),
    ("read-only", "", "import os\nos.makedirs('/output/x')",
     "/home/user (/mnt/data leads there)"),
    ("machine-code", "", "raise PermissionError(1, 'cannot allocate executable"
     " memory')", "Use numpy's own functions"),
    ("refused", "", "import os\nos.setsid(); os.setuid(0)",
     "Programs here cannot start processes"),
    ("disk", "", "open('x', 'wb').truncate(1 << 40)", "have 256 MB and"),
    ("disk", "", "for n in range(9):\n"
     "    open(f'{n}', 'wb').write(bytes(60 << 20))", "Remove files"),
    ("open-files", "", "files = [open(f'{n}', 'w') for n in range(100)]",
     "Too many files are open"),
    ("font", "PIL", "from PIL import ImageFont\n"
     "ImageFont.truetype('no_such.woff', 12)", "That font is not here. Use"),
    ("database", "", "import sqlite3\nsqlite3.connect('/data/x.db')",
     "Only the working directory"),
    ("memory", "numpy", "import numpy\nnumpy.zeros((100000, 100000))",
     "This run had 512 MB in all; this array needs 74.5 GiB more."),
    ("memory", "", "bytearray(1 << 40)", "This run had 512 MB in all."),
    ("time", "", "while True: pass", "This run had 0.3 s"),
    ("threads", "", "import threading, time\nfor _ in range(999):\n"
     "    threading.Thread(target=time.sleep, args=(1,), daemon=True).start()",
     "A run may have 32 threads."),
    ("recursion", "", "def f(): f()\nf()", "Calls may be nested"),
    ("stdin", "", "name = input('Name: ')", "no more lines"),
    ("environment", "", "import os\nos.environ['OPENAI_API_KEY']",
     "by its field env"),
    ("arguments", "", "import sys\npath = sys.argv[1]", "sends as args"),
    ("arguments", "", "import argparse\np = argparse.ArgumentParser()\n"
     "p.add_argument('path')\np.parse_args()", "sends as args"),
    ("file-kind", "PIL", "from PIL import Image\n"
     "Image.new('L', (1, 1)).save('a.heic')",
     "without that format. Write PNG"),
    ("file-kind", "", "import zipfile\nzipfile.ZipFile('a.zip')",
     "of another kind", {"a.zip": b"not a zip"}),
    ("file-kind", "pandas", "import pandas\npandas.read_csv('a.csv')",
     "Rows differ in length", {"a.csv": b"a,b\n1,2\n1,2,3,4\n"}),
    ("file-kind", "", "import json\njson.load(open('a.json'))",
     "JSON value in each line", {"a.json": b'{"a": 1}\n{"a": 2}\n'}),
    ("memory", "", "raise OSError(12, 'Cannot allocate memory')",
     "This run had"),
    ("encoding", "", "open('g.csv').read()", "encoding='gb18030'",
     {"g.csv": "名字,数值\n张三,1\n".encode("gbk")}),
    ("encoding", "pandas", "import pandas\npandas.read_csv('g.csv')",
     "encoding='cp1252'", {"g.csv": "café,€\n".encode("cp1252")}),
    ("encoding", "", "open('j.txt').read()", "encoding='shift_jis'",
     {"j.txt": "これはテストです。カタカナ\n".encode("cp932")}),
    ("encoding", "", "open('u.csv').read()", "encoding='utf-16'",
     {"u.csv": "a,b\n".encode("utf-16")}),
    ("encoding", "", "open('x.xlsx').read()", "an xlsx or docx file",
     {"x.xlsx": b"PK\x03\x04\xff\xfe"}),
    ("library", "", "raise ImportError('libarmadillo.so.11: cannot open "
     "shared object file: No such file or directory')",
     "libarmadillo.so.11 is not here"),
    ("library", "", "import ctypes\nctypes.CDLL('libnosuch.so.3')",
     "libnosuch.so.3 is not here"),
    ("imported-name", "", "from collections import Mapping",
     "use collections.abc.Mapping"),
    ("imported-name", "sklearn", "from sklearn.metrics import accuracy_scor",
     "Do you mean accuracy_score?"),
    ("imported-name", "", "from mailbox import mbox",
     "file /home/user/mailbox.py hides Python's own mailbox",
     {"mailbox.py": b""}),
    ("optional", "pandas", "import sweetviz",
     "Use pandas (describe(include='all'), isna().mean(), corr())"),
    ("optional", "sklearn", "import category_encoders",
     "Use sklearn (preprocessing.TargetEncoder"),
    ("optional", "pandas", "import pandas\npandas.read_parquet('x.parquet', "
     "engine='fastparquet')",
     "fastparquet is not installed, and nothing can be installed here. Use "
     "pandas (read_parquet and to_parquet without engine", {"x.parquet": b""}),
    ("optional", "sympy", "from sympy.parsing.latex import parse_latex\n"
     "parse_latex('x')", "antlr4 is not installed"),
    ("optional", "", "import xml\nraise ImportError(\"Pandas requires version "
     "'2.0.1' or newer of 'xml' (version '1.2.0' currently installed).\")",
     "installed here in an older version"),
    ("time-zone", "", "import zoneinfo\nzoneinfo.ZoneInfo('Asia/Calcuta')",
     "Do you mean 'Asia/Calcutta'"),
    ("time-zone", "pytz", "import pytz\npytz.timezone('Europe/Berln')",
     "'Europe/Berlin'"),
    ("label", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales ': [1], 'b': [2]})['sales']",
     "The labels are: 'Sales ', 'b'. Do you mean 'Sales '?"),
    ("label", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales': [1]}).groupby('Sale')",
     "Do you mean 'Sales'?"),
    ("label", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales': [1]})[['Sales', 'x']]",
     "The labels are: 'Sales'."),
    ("label", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales': [1]}).sort_values('sales')",
     "The labels are: 'Sales'. Do you mean 'Sales'?"),
    ("label", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales': [1]}).drop(columns=['Sale'])",
     "Do you mean 'Sales'?"),
    ("label", "pandas", "import pandas\npandas.DataFrame({'a': [1]}).loc[7]",
     "The labels are: 0."),
    ("label", "seaborn", "import pandas, seaborn\nseaborn.barplot("
     "data=pandas.DataFrame({'Sales': [1]}), x='sales', y='Sales')",
     "Do you mean 'Sales'?"),
    ("attribute", "", "import datetime\ndatetime.now()",
     "use datetime.datetime.now()"),
    ("attribute", "", "from datetime import datetime\ndatetime.timedelta(1)",
     "use timedelta"),
    ("attribute", "", "{}.iteritems()", "Instead of iteritems use items()"),
    ("attribute", "below:3.12", CERTIFICATE + "cert.not_valid_after_utc",
     "use not_valid_after.replace(tzinfo=datetime.timezone.utc)"),
    ("attribute", "networkx", "import networkx\nnetworkx.pagerankk",
     "Do you mean pagerank?"),
    ("attribute", "", "'a'.uper()", "Do you mean upper?"),
    ("attribute", "", "import time\ntime.clock()", "time.perf_counter()"),
    ("attribute", "", "[3, 1].sort().reverse()", "The value is None"),
    ("attribute", "pandas", "import pandas\n"
     "pandas.DataFrame({'Sales ': [1]}).sales", "Do you mean 'Sales '?"),
    ("name", "", "nx.Graph()",
     "First write: import networkx as nx"),
    ("name", "", "json.dumps(1)", "First write: import json"),
    ("name", "", "x = {'a': true}", "Python writes True"),
    ("name", "", "total = 1\ntotl + 1", "Do you mean total?"),
    ("name", "", "df.head()", "Each request starts afresh"),
    ("keyword", "pandas", "import pandas\n"
     "pandas.DataFrame().to_csv('x', no_such_word=1)", "is installed here"),
    ("keyword", "", "def f(squared): pass\nf(squaredd=1)",
     "Do you mean squared?"),
    ("language-data", "nltk", "import nltk\nnltk.data.find('corpora/no_such')",
     "cannot be downloaded"),
    ("language-data", "nltk", "from nltk.stem import WordNetLemmatizer\n"
     "WordNetLemmatizer().lemmatize('geese')", "SnowballStemmer"),
    ("language-data", "nltk", "import nltk\nnltk.pos_tag(['a'])",
     "tells the parts of speech"),
    ("locale", "", "import locale\n"
     "locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')", "Only the locales"),
    ("loop", "", "import asyncio\nasync def main(): pass\n"
     "async def outer(): asyncio.run(main())\nawait outer()",
     "await main()"),
    ("period", "pandas", "import pandas\nraise ValueError('Invalid frequency: "
     "ME')", "is installed here. Instead of 'ME' write 'M'."),
    ("source", "", r"open('C:\Users\me\Sales.csv')", "as r'...'"),
    ("source", "below:3.12",
     "x = b'a'\nprint(f'{x.replace(b\"\\n\", b\"\")}')",
     "a backslash within an f-string"),
    ("source", "below:3.12", "print(f'{b'\\n'.hex()}')\n\n\n",
     "the same quotes within an f-string need Python 3.12"),
    ("source", "", "Here is the code:\n```python\nprint(1)\n```",
     "Send the code alone"),
    ("source", "", "import os\\nprint(1)", "escaped twice"),
    ("program", "", "raise RuntimeError('latex program is not installed')",
     "mathtext"),
    ("named-file", "pandas", "import pandas\npandas.read_json('Data.json')",
     "There is a file 'data.json'", {"data.json": b"[]"}),
    ("named-file", "numpy", "import numpy\nnumpy.loadtxt('no.txt')",
     "the request brought none"),
    ("named-file", "docx", "import docx\ndocx.Document('Report.docx')",
     "There is a file 'report.docx'", {"report.docx": b"x"}),
]


def hint_of(answer: dict[str, Any]) -> str:
    """The last lines of the message above the code, from "Hint: " on."""
    assert not answer["success"]
    message = answer["error"]["message"].partition("\n\nCode context:")[0]
    found = re.search(r"\nHint: .*\Z", message, re.DOTALL)
    assert found, message[-1500:]
    return found[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_hint(client: Client, row: tuple[Any, ...]) -> None:
    key, needs, code, piece, *files = row
    if sys.version_info >= (3, 12) and (
            "3.12" in piece or "f-string" in piece):
        pytest.skip("this Python has it")
    if not all(map(is_installed, needs.split())):
        pytest.skip(f"not installed: {needs}")
    more = {"timeout_ms": 300} if key == "time" else {}
    answer = client.run(code, *files, **more).json()
    assert piece in hint_of(answer), answer["error"]["message"][-1500:]


def test_each_row_has_a_program() -> None:
    table = (HINTS / "hints.py").read_text()
    keys = re.findall(r'^    \("([\w-]+)", "', table, re.M)
    assert len(keys) > 25
    assert set(keys) == {row[0] for row in ROWS}


# Program, and a piece of the text of the exception that it catches and prints.
CAUGHT = [
    ("import python_pptx", " or docx"),
    ("import no_such_thing_at_all", "send no_such_thing_at_all.py"),
    ("import scikit_learn", "import sklearn"),
    ("import jsn", "Do you mean json?"),
    ("import yfinance", "There is no network here"),
    ("import psycopg2", "Use sqlite3"),
    ("import pygame", "There is no display here"),
    ("import no_such_module_1, flask", "no_such_module_1 is not installed"),
    ("import kaleido", "fig.write_image() and fig.to_image() work without"),
    ("import mapclassify", "leave out scheme="),
    ("import sklearn.cross_validation", "use sklearn.model_selection"),
    ("import json.no_such",
     "json (2.0.9) is installed, but has no module no_such"),
    ("import urllib.request\nurllib.request.urlopen('http://example.com')",
     "there is no network here"),
    ("import socket\nsocket.socket()", "there is no network here"),
    ("import subprocess\nsubprocess.run(['cat', 'x'])", "use open"),
    ("import os\nos.fork()", "cannot be started here"),
]


@pytest.mark.parametrize("code, piece", CAUGHT)
def test_a_caught_exception_says_it_too(client: Client, code: str,
                                        piece: str) -> None:
    if "docx" in piece and not is_installed("docx") or \
            "sklearn" in piece and not is_installed("sklearn"):
        pytest.skip("the alternative is not installed")
    inner = "\n".join("    " + line for line in code.split("\n"))
    answer = client.run(f"try:\n{inner}\nexcept Exception as e:\n"
                        "    print(e)").json()
    assert answer["success"] and piece in answer["std_out"]
    assert "_terrarium" not in answer["std_out"]


def test_only_installed_alternatives_are_named(client: Client) -> None:
    """Each row of the table of missing modules, as this machine has them."""
    table = (HINTS / "missing.py").read_text()
    block = re.search(r'_INSTEAD = """\n(.*?)"""', table, re.S)
    assert block
    rows = block[1].replace("\n    ", " ").strip().split("\n")
    names = sorted({name for row in rows
                    for name in row.partition(":")[0].split()
                    if not is_installed(name.partition(".")[0])})
    assert len(names) > 50
    said = client.value(
        f"said = {{}}\nfor name in {names!r}:\n"
        "    try: __import__(name)\n"
        "    except ModuleNotFoundError as e: said[name] = str(e)\n"
        "said")
    assert len(said) > 50  # others have another module's name here
    for name, text in said.items():
        used = re.search(r"Use (.*) instead\.$", text)
        for word in used[1].split(" or ") if used else []:
            module = re.match(r"[\w.]+", word)
            assert module, text
            top = module[0].partition(".")[0]
            assert is_installed(top) or (ADAPTERS / top).is_dir(), text


def test_a_missing_module_is_an_ordinary_exception(client: Client) -> None:
    assert client.value("""
import importlib.util, pickle
try:
    import no_such_module
except ImportError as exc:
    one = exc
copy = pickle.loads(pickle.dumps(one))
[repr(one), one.name, one.args, type(one).__name__, repr(copy), copy.name,
 importlib.util.find_spec("no_such_module"), isinstance(one, ImportError)]
""") == ['ModuleNotFoundError("No module named \'no_such_module\'")',
         "no_such_module", ["No module named 'no_such_module'"],
         "ModuleNotFoundError",
         'ModuleNotFoundError("No module named \'no_such_module\'")',
         "no_such_module", None, True]


def test_system_says_why_it_fails(client: Client) -> None:
    answer = client.run("import os\nos.system('ls -l')").json()
    assert answer["final_expression"] != 0
    assert "cannot be started here: use os.listdir" in answer["std_err"]


HOSTILE = [
    "class E(OSError):\n    def __str__(self): raise ValueError\nraise E(1)",
    "class E(OSError):\n    def __str__(self): return 'x' * (1 << 24)\n"
    "raise E(13, 'x', 'y' * 100000)",
    "class E(AttributeError):\n    obj = property(lambda self: 1 / 0)\n"
    "raise E(\"'int' object has no attribute 'x'\")",
    "class K(str):\n    def strip(self): 1 / 0\nraise KeyError(K('x'))",
    "class D:\n    def __dir__(self): return ['a' * 10**6] * 99\nD().b",
    "import builtins, os\nos.walk = os.listdir = None\n"
    "builtins.str = builtins.len = None\nopen('x')",
    "a, b = ValueError('a'), ValueError('b')\n"
    "a.__context__, b.__context__ = b, a\nraise a",
    "raise ModuleNotFoundError('x', name=5)",
    "import importlib._bootstrap as b\n"
    "raise b.ModuleNotFoundError('x', name='a.' * 100000)",
]


@pytest.mark.parametrize("code", HOSTILE)
def test_hostile_exceptions_are_reported(client: Client, code: str) -> None:
    answer = client.run(code).json()
    assert not answer["success"]
    assert answer["error"]["type"] not in ("timeout", "killed", "exited")
    assert "_terrarium" not in answer["error"]["message"]
    assert len(answer["error"]["message"]) < 80 << 10
    assert client.value("1 + 1") == 2


def test_a_program_that_succeeds_has_no_hint(client: Client) -> None:
    answer = client.run("try:\n    open('/etc/x', 'w')\n"
                        "except OSError as e:\n    print(e)").json()
    assert answer["success"] and "Hint" not in answer["std_out"]


def test_the_limits_of_the_request_are_told(client: Client) -> None:
    answer = client.run("bytearray(1 << 40)", memory_mb=100).json()
    assert "This run had 100 MB in all." in hint_of(answer)
