# csv, json, html, pickle, excel and compressed files.
import io

import pandas as pd

table = pd.DataFrame({"name": ["ada", "bob", "eve"], "n": [1, 2, 3],
                      "x": [0.5, None, 2.25]})
table.to_csv("t.csv", index=False)
table.to_csv("t.csv.gz", index=False)
table.to_csv("t.csv.xz", index=False)
table.to_csv("t.csv.bz2", index=False)
table.to_csv("t.zip", index=False)
table.to_json("t.json", orient="records")
table.to_pickle("t.pkl")
table.to_excel("t.xlsx", index=False)
html = pd.read_html(io.StringIO(table.to_html(index=False)))[0]
lines = table.to_json(orient="records", lines=True)
result = {
    "csv": open("t.csv").read(),
    "same": [pd.read_csv(name).equals(table) for name in
             ("t.csv", "t.csv.gz", "t.csv.xz", "t.csv.bz2", "t.zip")],
    "python": pd.read_csv("t.csv", engine="python").equals(table),
    "json": open("t.json").read(),
    "lines": pd.read_json(io.StringIO(lines), lines=True).equals(table),
    "pickle": pd.read_pickle("t.pkl").equals(table),
    "excel": pd.read_excel("t.xlsx").equals(table),
    "html": html.equals(table),
    "chunks": sum(len(part) for part in pd.read_csv("t.csv", chunksize=2)),
    "mmap": pd.read_csv("t.csv", memory_map=True).equals(table),
}
import os
for name in os.listdir("."):
    os.remove(name)
result
# expected: {
#   "csv": "name,n,x\nada,1,0.5\nbob,2,\neve,3,2.25\n",
#   "same": [true, true, true, true, true],
#   "python": true,
#   "json": "[{\"name\":\"ada\",\"n\":1,\"x\":0.5},{\"name\":\"bob\",\"n\":2,\"x\":null},{\"name\":\"eve\",\"n\":3,\"x\":2.25}]",
#   "lines": true,
#   "pickle": true,
#   "excel": true,
#   "html": true,
#   "chunks": 3,
#   "mmap": true
# }
