#!/usr/bin/python3
"""A tour of the client, against the server of `make start`:

    . build/run/env
    export TERRARIUM_URL TERRARIUM_TOKEN TERRARIUM_CACERT
    client/example.py
"""

import io

from terrarium import (End, ProgramFailed, Stdout, Terrarium, ToolSandbox,
                       sandboxed)

client = Terrarium.from_environment()

# A program: its output, its value, its files.
result = client.run("""
import pandas as pd

table = pd.read_csv("ages.csv")
print(len(table), "rows")
table.describe().to_html("ages.html")
float(table.age.mean())
""", files={"ages.csv": b"name,age\nAda,36\nAlan,41\n"}, timeout=10)
print(result.stdout, end="")
print("mean:", result.value, "files:", sorted(result.files))

# A failed program gives a result, too. check() makes it an exception.
try:
    client.run("1 / 0").check()
except ProgramFailed as error:
    print(error)
    print(error.traceback)

# Events, while the program runs.
for event in client.stream("for n in range(3): print(n)"):
    if isinstance(event, Stdout):
        print(event.text, end="")
    elif isinstance(event, End):
        print("took", event.result.runtime_ms, "ms")


SIZE = 16


# A function of this file, run on the server with the names that it uses.
@sandboxed(client, timeout=5, memory=128)
def thumbnail(picture: bytes, size: int = SIZE) -> bytes:
    from PIL import Image  # there; this machine need not have it
    image = Image.open(io.BytesIO(picture))
    image.thumbnail((size, size))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


picture = client.run("""
from PIL import Image
Image.new("RGB", (64, 32), "green").save("green.png")
""", check=True).files["green.png"]
print("thumbnail:", thumbnail(picture)[1:4].decode())


# The call of a framework when a model has chosen a tool.
def add(a: int, b: int) -> int:
    return a + b


print("tool:", ToolSandbox(client).execute("add", add, {"a": 2, "b": 3}))
