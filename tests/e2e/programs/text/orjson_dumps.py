# Orjson: bytes of values that JSON has not, options, and its refusals.
# expect: success
# needs: numpy
# without: orjson
# stdout:
#     "{\"name\":\"Zo\u00eb\\n\",\"point\":{\"x\":1,\"y\":2.0},\"colour\":\"red\",\"id\":\"00000000-0000-0000-0000-00000000000a\",\"at\":\"2024-02-29T12:30:15.000250\",\"day\":\"2024-02-29\",\"none\":[null,true,null,[]]}\nb'[1e16,1000000000000000.0,0.00001,0.000015,1e-6,-0.0,18446744073709551615]'\nb'{\\n
#     \u0020\"a\": [],\\n \u0020\"b\": [\\n \u0020 \u00201,\\n \u0020
#     \u0020{}\\n
#     \u0020]\\n}\\n'\nb'{\"1\":\"a\",\"2.5\":\"b\",\"null\":\"c\",\"2024-02-29\":\"d\"}'\nb'[\"2024-02-29T12:30:15Z\",\"2024-02-29T12:30:15Z\"]'\nb'{\"array\":[[0,1],[2,3]],\"short\":3.1,\"flag\":true,\"gap\":[0.5,null]}'\nb'[1,2]'
#     b'\"2024-02-29 12:30:15.000250\"' b'[{\"x\": 1}]'\nTypeError - Dict key
#     must be str\nTypeError - Type is not JSON serializable: set\nTypeError -
#     Integer exceeds 64-bit range\nTypeError - Type is not JSON serializable:
#     decimal.Decimal\nTypeError - Type is not JSON serializable:
#     numpy.int64\nTypeError - str is not valid UTF-8: surrogates not
#     allowed\nTypeError - Integer exceeds 53-bit range\nTypeError - numpy
#     array is not C contiguous; use ndarray.tolist() in default\n"
# cut
import dataclasses
import datetime
import decimal
import enum
import uuid

import numpy as np
import orjson


@dataclasses.dataclass
class Point:
    x: int
    y: float
    _hidden: str = "no"


class Colour(enum.Enum):
    RED = "red"


utc = datetime.timezone.utc
moment = datetime.datetime(2024, 2, 29, 12, 30, 15, 250)
print(orjson.dumps({"name": "Zoë\n", "point": Point(1, 2.0),
                    "colour": Colour.RED, "id": uuid.UUID(int=10),
                    "at": moment, "day": moment.date(),
                    "none": [None, True, float("nan"), ()]}).decode())
print(orjson.dumps([1e16, 1e15, 1e-5, 0.000015, 1e-6, -0.0, 2**64 - 1]))
print(orjson.dumps({"b": [1, {}], "a": []}, option=orjson.OPT_INDENT_2 |
                   orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
print(orjson.dumps({1: "a", 2.5: "b", None: "c", moment.date(): "d"},
                   option=orjson.OPT_NON_STR_KEYS))
print(orjson.dumps([moment, moment.replace(tzinfo=utc)],
                   option=orjson.OPT_NAIVE_UTC | orjson.OPT_UTC_Z |
                   orjson.OPT_OMIT_MICROSECONDS))
print(orjson.dumps({"array": np.arange(4).reshape(2, 2),
                    "short": np.float32(3.1), "flag": np.bool_(True),
                    "gap": np.array([0.5, np.nan])},
                   option=orjson.OPT_SERIALIZE_NUMPY))
print(orjson.dumps({1, 2}, default=sorted),
      orjson.dumps(moment, default=str,
                   option=orjson.OPT_PASSTHROUGH_DATETIME),
      orjson.dumps([orjson.Fragment(b'{"x": 1}')]))


def refused(value, **options):
    try:
        print(orjson.dumps(value, **options))
    except orjson.JSONEncodeError as error:
        print(type(error).__name__, "-", error)


for value in ({1: 2}, {1, 2}, 2**64, decimal.Decimal("1.5"), np.int64(3),
              "\ud800"):
    refused(value)
refused(2**53, option=orjson.OPT_STRICT_INTEGER)
refused(np.arange(4).reshape(2, 2).T, option=orjson.OPT_SERIALIZE_NUMPY)
