"""What is asked of everybody: programs, and how their answers are known.

A workload's code is statements; its value is an expression, whose text all
must give back. The same text runs in a server, in a peer and in a warm
process.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import os
import random
import tempfile
from dataclasses import dataclass, field

PRELOAD = "numpy pandas matplotlib.pyplot"
PRELOAD_ALL = PRELOAD + " scipy scipy.stats scipy.optimize sklearn " \
    "sklearn.linear_model sklearn.ensemble sympy bs4"
IMPORTS = "import numpy, pandas, matplotlib.pyplot\n"
FILE_BYTES = 10 << 20
PNG = b"\x89PNG\r\n\x1a\n"
SVG = b"<?xml "


@dataclass(frozen=True)
class Workload:
    name: str
    title: str
    code: str
    value: str
    imports: str = ""                 # what a cold interpreter needs of it
    files: dict[str, bytes] = field(default_factory=dict)
    output: str = ""                  # the name of the file it must write
    begins: bytes = b""               # how that file begins ...
    equals: bytes = b""               # ... or all of it

    def program(self) -> str:
        """As a request's code."""
        return f"{self.code}\n{self.value}"

    def printing(self, imports: str) -> str:
        """As a script that prints its value."""
        return f"{imports}{self.code}\nprint({self.value})\n"

    def timed(self) -> str:
        """As a request's code whose value is how long it took, in ns, by
        the clock of the process that runs it."""
        return ("import time as _time\n_begun = _time.perf_counter_ns()\n"
                f"{self.code}\n_value = {self.value}\n"
                "_time.perf_counter_ns() - _begun")

    def body(self) -> bytes:
        fields: dict = {"code": self.program()}
        if self.files:
            fields["files"] = [
                {"filename": name,
                 "b64_data": base64.b64encode(data).decode()}
                for name, data in self.files.items()]
        return json.dumps(fields).encode()

    @functools.cached_property
    def expected(self) -> str:
        """The value's text, found out here."""
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            self.put_files(folder)
            os.chdir(folder)
            scope: dict = {}
            try:
                with contextlib.redirect_stdout(None):
                    exec(self.code, scope)  # one of the texts below
                    return str(eval(self.value, scope))
            finally:
                os.chdir(here)

    def needles(self) -> list[bytes]:
        """What a right answer of the server holds."""
        value = self.expected
        if not value.lstrip("-").isdigit():
            value = json.dumps(value)
        out = [b'"success":true', f'"final_expression":{value}'.encode()]
        if self.output:
            start = base64.b64encode(self.equals) or base64.b64encode(
                self.begins)[:len(self.begins) * 8 // 6]
            out.append(f'"filename":"{self.output}","b64_data":"'.encode()
                       + start)
        return out

    def put_files(self, folder: str) -> None:
        for name, data in self.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)

    def check(self, printed: str, folder: str) -> None:
        """Raises ValueError when a peer's answer is wrong."""
        if printed.strip().strip("'") != self.expected:
            raise ValueError(f"{self.name}: said {printed[:200]!r}, "
                             f"not {self.expected!r}")
        if not self.output:
            return
        with open(os.path.join(folder, self.output), "rb") as file:
            data = file.read()
        if not data.startswith(self.begins) or \
                self.equals and data != self.equals:
            raise ValueError(f"{self.name}: {self.output} is wrong")


CHART = """\
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
months = list(range(1, 13))
figure, axes = plt.subplots()
axes.bar(months, [20 - abs(m - 7) for m in months], label="height")
axes.set_title("A bar chart")
axes.set_xlabel("month")
axes.set_ylabel("height")
axes.legend()
figure.savefig("%s", dpi=200)
plt.close(figure)"""

_data = random.Random(1).randbytes(FILE_BYTES)

WORKLOADS = [
    Workload("one", "1+1", "", "1 + 1"),
    Workload("matmul", "numpy 500x500 matmul",
             "import numpy as np\n"
             "a = np.arange(250000.0).reshape(500, 500) % 7\n"
             "b = a @ a.T", "int(b.trace())", "import numpy\n"),
    Workload("groupby", "pandas groupby, 100,000 rows",
             "import numpy as np\nimport pandas as pd\nn = 100000\n"
             "frame = pd.DataFrame({'key': np.arange(n) * 7919 % 100, "
             "'x': np.arange(n) * 0.5})\n"
             "table = frame.groupby('key')['x'].agg(['mean', 'sum'])",
             "int(table['sum'].sum())", "import pandas\n"),
    Workload("png", "bar chart, PNG of 200 dpi", CHART % "chart.png",
             "'drawn'", "import matplotlib.pyplot\n", output="chart.png",
             begins=PNG),
    Workload("svg", "bar chart, SVG", CHART % "chart.svg", "'drawn'",
             "import matplotlib.pyplot\n", output="chart.svg", begins=SVG),
    Workload("file", "10 MB file in and out",
             "data = open('in.bin', 'rb').read()\n"
             "size = open('out.bin', 'wb').write(data[::-1])", "size",
             files={"in.bin": _data}, output="out.bin",
             equals=_data[::-1]),
]
ONE = WORKLOADS[0]
BY_NAME = {workload.name: workload for workload in WORKLOADS}
# What is compared with a warm process: its work is Python's, not ours.
COMPUTING = [BY_NAME[name] for name in ("matmul", "groupby", "png", "svg")]
