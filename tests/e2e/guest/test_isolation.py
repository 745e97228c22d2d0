"""Two runs share nothing: the second must not see traces of the first, and
random numbers of the first are random again in the second.

A trace is a pair of programs: one that leaves it, and one that returns it.
The second is run before, to know a clean answer, and several times
after, so that every process of a small pool has had its turn.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from client import Client
from program import part

TURNS = 6  # runs after the trace was left

# name: (leave the trace, show it)
TRACES = {
    "home": (
        "import os\nos.makedirs('d'); open('d/left.txt', 'w').write('x');",
        "import os\nsorted(os.listdir('/home/user'))"),
    "tmp": (
        "open('/tmp/left.txt', 'w').write('x');",
        "import os\nsorted(os.listdir('/tmp'))"),
    "cwd": (
        "import os\nos.chdir('/tmp')",
        "import os\nos.getcwd()"),
    "module": (
        "import sys, types\nsys.modules['left'] = types.ModuleType('left')",
        "import sys\n'left' in sys.modules"),
    "module_attribute": (
        "import json\njson.left = 1\njson.dumps = None",
        "import json\n[hasattr(json, 'left'), json.dumps([1])]"),
    "main_global": (
        "left = 1",
        "'left' in globals()"),
    "environment": (
        "import os\nos.environ['LEFT'] = '1'; os.putenv('LEFT', '1')\n"
        "os.umask(0);",
        "import os\nmask = os.umask(0o22)\n[os.environ.get('LEFT'), mask]"),
    "builtins": (
        "import builtins\nbuiltins.left = 1\n"
        "builtins.len = lambda x: 99\nbuiltins.print = None",
        "import builtins\n[hasattr(builtins, 'left'), len([1]), "
        "callable(print)]"),
    "sys_path": (
        "import sys\nsys.path.insert(0, '/tmp'); sys.path_hooks.clear()\n"
        "sys.meta_path.clear(); sys.setrecursionlimit(77)",
        "import sys\n[sys.path, len(sys.path_hooks), len(sys.meta_path), "
        "sys.getrecursionlimit()]"),
    "argv_and_hooks": (
        "import sys\nsys.argv.append('left')\n"
        "sys.excepthook = sys.displayhook = None\nsys.ps1 = 'left'",
        "import sys\n[sys.argv, sys.excepthook is sys.__excepthook__, "
        "hasattr(sys, 'ps1')]"),
    "warnings": (
        "import warnings\nwarnings.simplefilter('error')\n"
        "warnings.showwarning = None",
        "import warnings\n[len(warnings.filters), warnings.filters[0][0], "
        "callable(warnings.showwarning)]"),
    "rc_params": (
        "import matplotlib as m\nm.rcParams['figure.dpi'] = 33\n"
        "m.rcParams['lines.linewidth'] = 77",
        "import matplotlib as m\n[m.rcParams['figure.dpi'], "
        "m.rcParams['lines.linewidth']]"),
    "figures": (
        "import matplotlib.pyplot as plt\nplt.plot([1]); plt.figure();",
        "import matplotlib.pyplot as plt\nplt.get_fignums()"),
    "numpy": (
        "import numpy as np\nnp.set_printoptions(precision=1)\n"
        "np.seterr(all='raise')\nnp.sum = None",
        "import numpy as np\n[np.get_printoptions()['precision'], "
        "np.geterr(), callable(np.sum)]"),
    "pandas": (
        "import pandas as pd\npd.options.display.max_rows = 3",
        "import pandas as pd\npd.options.display.max_rows"),
    "locale": (
        "import locale, time, os\ntry:\n"
        "    locale.setlocale(locale.LC_ALL, 'C.UTF-8')\n"
        "except locale.Error:\n    pass\n"
        "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()",
        "import locale, time\n[locale.setlocale(locale.LC_ALL), "
        "time.tzname]"),
    "decimal": (
        "import decimal\ndecimal.getcontext().prec = 3\n"
        "decimal.DefaultContext.prec = 3",
        "import decimal\n[decimal.getcontext().prec, "
        "decimal.DefaultContext.prec]"),
    "signals": (
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]);",
        "import signal\n[str(signal.getsignal(signal.SIGTERM)), "
        "signal.getsignal(signal.SIGINT) == signal.SIG_IGN, "
        "len(signal.pthread_sigmask(signal.SIG_BLOCK, []))]"),
    "threads": (
        "import threading, time\nthreading.Thread(target=time.sleep, "
        "args=(30,), daemon=True).start()",
        "import threading\nthreading.active_count()"),
    "logging": (
        "import logging\nlogging.basicConfig(level=1)\n"
        "logging.getLogger('left').addHandler(logging.NullHandler())",
        "import logging\n[logging.root.level, len(logging.root.handlers), "
        "'left' in logging.root.manager.loggerDict]"),
    "atexit": (
        "import atexit\natexit.register(print, 'left')",
        "import atexit\natexit._ncallbacks()"),
    "garbage_collector": (
        "import gc\ngc.disable(); gc.set_threshold(1)",
        "import gc\n[gc.isenabled(), gc.get_threshold()]"),
    "class_attribute": (
        "import fractions, collections\n"
        "fractions.Fraction.left = 1; collections.Counter.__len__ = None",
        "import fractions, collections\n"
        "[hasattr(fractions.Fraction, 'left'), "
        "len(collections.Counter('ab'))]"),
    "descriptors": (
        "import os\nkept = [os.open('/dev/null', 0) for _ in range(9)]\n"
        "os.set_inheritable(kept[0], True)",
        "import os\nfd = os.open('/dev/null', 0)\nos.close(fd)\nfd"),
    "switch_interval": (
        "import sys\nsys.setswitchinterval(1)\n"
        "sys.set_int_max_str_digits(700)",
        "import sys\n[sys.getswitchinterval(), "
        "sys.get_int_max_str_digits()]"),
}


@pytest.mark.parametrize("name", TRACES)
def test_no_trace(client: Client, name: str) -> None:
    leave, show = TRACES[name]
    clean = client.value(show)
    left = client.run(leave).json()
    assert left["success"], left["error"]["message"]
    for _ in range(TURNS):
        assert client.value(show) == clean


def test_arguments_and_environment_do_not_stay(client: Client) -> None:
    client.run("def main(x):\n    return x", arguments={"x": "marker-41"},
               env={"MARKER": "marker-41"}, stdin="marker-41")
    for _ in range(TURNS):
        answer = client.run("import os, sys\n"
                            "[os.environ.get('MARKER'), sys.stdin.read()]")
        assert answer.json()["final_expression"] == [None, ""]


def test_input_files_do_not_stay(client: Client) -> None:
    client.run("1", {"secret.txt": "marker", "sub/secret.txt": "marker"})
    for _ in range(TURNS):
        assert client.value("import os\nos.listdir()") == []


def test_two_at_once_see_only_their_own(client: Client) -> None:
    """Both write the same name while the other one runs."""
    def one(mark: str) -> Any:
        return client.run(
            "import time\n"
            f"open('same.txt', 'w').write({mark!r})\n"
            "time.sleep(0.3)\n"
            "import os\n"
            "[open('same.txt').read(), os.listdir(), os.listdir('/tmp')]"
        ).json()["final_expression"]

    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(one, ["first", "second"]))
    assert seen == [["first", ["same.txt"], []],
                    ["second", ["same.txt"], []]]


def test_no_process_of_another_run_is_seen(client: Client) -> None:
    """Process ids are the run's own: small, and of no other process."""
    busy = threading.Thread(
        target=client.run, args=("import time\ntime.sleep(0.5)",))
    busy.start()
    seen = client.value(part("processes_that_are_seen"))
    busy.join()
    assert seen == [True, []]


def test_nothing_of_the_request_is_in_memory(client: Client) -> None:
    """The run cannot find the caller's token in its inheritance.

    The token is looked for piecewise reversed, so that the program does not
    hold it itself.
    """
    token = client.token or ""
    found = client.value(
        "import gc, os\n"
        f"wanted = {token[::-1]!r}[::-1]\n"
        "texts = [o for o in gc.get_objects() if isinstance(o, dict)]\n"
        "sum(wanted in v for d in texts for v in list(d.values())\n"
        "    if type(v) is str and v is not wanted)\n"
        "+ sum(wanted in v for v in os.environ.values())"
        .replace("\n+ sum", " + sum"))
    assert found == 0


# -- randomness

SEEDS = ("import random\nrandom.seed(1)\ntry:\n"
         "    import numpy as np\n    np.random.seed(1)\n"
         "except ImportError:\n    pass")

RANDOM = {
    "random": "import random\nrandom.random()",
    "random_choice": "import random\n[random.randrange(10**9) "
                     "for _ in range(3)]",
    "numpy_legacy": "import numpy as np\nnp.random.rand(3)",
    "numpy_generator": "import numpy as np\nnp.random.default_rng().random()",
    "uuid4": "import uuid\nstr(uuid.uuid4())",
    "uuid1": "import uuid\nstr(uuid.uuid1())",
    "uuid_node": "import uuid\nuuid.getnode()",
    "secrets": "import secrets\nsecrets.token_hex()",
    "urandom": "import os\nos.urandom(16).hex()",
    "tempfile": "import tempfile\nf = tempfile.mkstemp()[1]\n"
                "import os\nos.unlink(f)\nf",
    "shuffle": "import random\nx = list(range(50))\nrandom.shuffle(x)\nx",
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_differs_between_runs(client: Client, name: str) -> None:
    code = RANDOM[name]
    values = [client.value(code) for _ in range(4)]
    client.run(SEEDS)
    values += [client.value(code) for _ in range(4)]
    assert len({str(value) for value in values}) == len(values), values


@pytest.mark.parametrize("name", ["random", "numpy_legacy", "uuid4"])
def test_random_differs_at_the_same_moment(client: Client,
                                           name: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(client.value, [RANDOM[name]] * 8))
    assert len({str(value) for value in values}) == len(values), values


def test_a_seed_still_gives_the_same_numbers(client: Client) -> None:
    code = "import random\nrandom.seed(7)\n[random.random(), " \
           "random.randrange(10**6)]"
    assert client.value(code) == client.value(code)


def test_no_number_of_the_host_is_known(client: Client) -> None:
    """The main thread's is the one that it has here."""
    assert client.value("import threading\nthreading.main_thread().native_id"
                        " == threading.get_native_id()") is True
