# pyarrow.csv: types that are found, and the text that is written.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "id: int64\nname: string\nscore: double\nday: date32[day]\nok: bool\nwhen: timestamp[s]\n['Ann', '', 'Zoë'] [3.5, None, 4.0]\n\"id\",\"name\",\"score\",\"day\",\"ok\",\"when\"\n1,\"Ann\",3.5,2024-01-01,true,2024-01-01 10:00:00\n2,\"\",,2024-01-02,false,2024-01-02 11:30:00\n3,\"Zoë\",4,,,\nb: int64 ['01', '02']\nArrowInvalid CSV parse error: Expected 2 columns, got 3: 1,2,3\nArrowInvalid True\n"
# cut
import io

import pyarrow as pa
from pyarrow import csv

TEXT = """id,name,score,day,ok,when
1,Ann,3.5,2024-01-01,true,2024-01-01 10:00:00
2,,NA,2024-01-02,false,2024-01-02 11:30:00
3,Zoë,4,,,
"""
table = csv.read_csv(io.BytesIO(TEXT.encode()))
print(table.schema)
print(table["name"].to_pylist(), table["score"].to_pylist())
out = io.BytesIO()
csv.write_csv(table, out)
print(out.getvalue().decode(), end="")
codes = csv.read_csv(
    io.BytesIO(b"a;b\n01;1\n02;2\n"),
    parse_options=csv.ParseOptions(delimiter=";"),
    convert_options=csv.ConvertOptions(column_types={"a": pa.string()}))
print(str(codes.schema).split("\n")[1], codes["a"].to_pylist())
try:
    csv.read_csv(io.BytesIO(b"a,b\n1,2,3\n"))
except pa.ArrowInvalid as error:
    print(type(error).__name__, error)
try:
    csv.read_csv(io.BytesIO(b"a\nx\n"), convert_options=csv.ConvertOptions(
        column_types={"a": pa.int64()}))
except pa.ArrowInvalid as error:
    print(type(error).__name__, "CSV conversion error to int64" in str(error))
