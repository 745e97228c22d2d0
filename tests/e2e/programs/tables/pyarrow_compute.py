# Functions of pyarrow.compute: nulls stay nulls, whole numbers divide whole.
# expect: success
# needs: pandas
# without: pyarrow
# stdout: "10 2.5 4 {'min': -3, 'max': 7}\n[3, 0, -1, None, 2]\n[True, False, False, None, True]\n[7, 8, 5, None, None]\n[False, None] [None, True]\n[0, 4, 1, 2, 3] [2, 1, 4, 0, 3]\n['ANN', None, 'BO'] [True, None, False] [['a', 'b'], ['c']]\n[2024, None] [6, None] ['2024-03', None]\n[{'values': 'a', 'counts': 2}, {'values': None, 'counts': 1}]\n[300] int64\nArrowInvalid Integer value 300 not in range: -128 to 127\nArrowInvalid Float value 1.5 was truncated converting to int64\nArrowInvalid divide by zero\nArrowNotImplementedError Function 'add' has no kernel matching input types (string, int64)\nAttributeError pyarrow.compute.hash_join is not here\n"
# cut
import datetime

import pyarrow as pa
import pyarrow.compute as pc

a = pa.array([7, 1, -3, None, 5])
print(pc.sum(a), pc.mean(a), pc.count(a), pc.min_max(a))
print(pc.divide(a, 2).to_pylist())
print(pc.greater(a, 4).to_pylist())
print(pc.cumulative_sum(a).to_pylist())
unknown = pa.array([None, None], pa.bool_())
known = pa.array([False, True])
print(pc.and_kleene(known, unknown).to_pylist(),
      pc.or_kleene(known, unknown).to_pylist())
print(pc.sort_indices(a, sort_keys=[("", "descending")]).to_pylist(),
      pc.array_sort_indices(a).to_pylist())
print(pc.utf8_upper(pa.array(["Ann", None, "bo"])).to_pylist(),
      pc.starts_with(pa.array(["Ann", None, "bo"]), "A").to_pylist(),
      pc.split_pattern(pa.array(["a,b", "c"]), ",").to_pylist())
days = pa.array([datetime.date(2024, 3, 31), None])
print(pc.year(days).to_pylist(), pc.day_of_week(days).to_pylist(),
      pc.strftime(days, format="%Y-%m").to_pylist())
print(pc.value_counts(pa.array(["a", None, "a"])).to_pylist())
wide = pc.add(pa.array([100], pa.int8()), 200)
print(wide.to_pylist(), wide.type)
for wrong in (lambda: wide.cast(pa.int8()),
              lambda: pa.array([1.5]).cast(pa.int64()),
              lambda: pc.divide(a, 0), lambda: pc.add(pa.array(["x"]), 1),
              lambda: pc.hash_join):
    try:
        wrong()
    except (pa.ArrowException, AttributeError) as error:
        print(type(error).__name__, error)
