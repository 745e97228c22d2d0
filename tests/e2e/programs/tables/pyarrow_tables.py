# Tables and arrays of pyarrow, as they are printed.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "pyarrow.Table\ncity: string\nsales: int64\nrate: double\n----\ncity: [[\"Oslo\",\"Rome\",null]]\nsales: [[3,1,2]]\nrate: [[0.5,null,2]]\n[\n  1,\n  null,\n  3\n]\nlist<item: int64> struct<a: int64, b: string> decimal128(3, 2)\ntimestamp[us] date32[day] null\n[0,1,2,3,4,...,15,16,17,18,19]\nsales: int64\ncity: large_string not null\n-- schema metadata --\nunit: 'EUR'\n{'city': ['Oslo', None], 'sales': [3, 2]}\n[{'city': 'Oslo', 'sales': 6}]\n4 ['city', 'sales', 'rate', 'double'] [6, 2, 4]\n<pyarrow.Int64Scalar: 3> 3 1\nArrowInvalid Could not convert 'x' with type str: tried to convert to int64\nKeyError 'Field \"nothing\" does not exist in schema'\nArrowInvalid Column 1 named b expected length 1 but got length 2\n"
# cut
import datetime
import decimal

import pyarrow as pa
import pyarrow.compute as pc

table = pa.table({"city": ["Oslo", "Rome", None], "sales": [3, 1, 2],
                  "rate": [0.5, None, 2.0]})
print(table)
print(pa.array([1, None, 3]))
kinds = [pa.array(one).type for one in (
    [[1], None], [{"a": 1, "b": "x"}], [decimal.Decimal("1.25")],
    [datetime.datetime(2024, 1, 1)], [datetime.date(2024, 1, 1)], [None])]
print(*kinds[:3])
print(*kinds[3:])
print(pa.array(range(20)).to_string(window=5, skip_new_lines=True))
print(pa.schema([("sales", pa.int64()),
                 pa.field("city", pa.large_string(), nullable=False)],
                metadata={"unit": "EUR"}))
few = table.select(["city", "sales"])
print(few.filter(pc.greater(few["sales"], 1)).to_pydict())
print(pa.concat_tables([few, few]).filter(pc.field("city") == "Oslo").group_by(
    "city").aggregate([("sales", "sum")]).rename_columns(
    ["city", "sales"]).to_pylist())
more = table.append_column("double", pc.multiply(table["sales"], 2))
print(more.num_columns, more.column_names, more["double"].to_pylist())
print(repr(table["sales"][0]), table["sales"][0], table["city"].null_count)
for wrong in (lambda: pa.array([1, "x"]), lambda: table["nothing"],
              lambda: pa.table({"a": [1], "b": [1, 2]})):
    try:
        wrong()
    except (pa.ArrowInvalid, KeyError) as error:
        print(type(error).__name__, error)
