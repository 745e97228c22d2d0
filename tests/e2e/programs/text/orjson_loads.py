# Orjson: strict reading, the refusals, and a way there and back.
# expect: success
# without: orjson
# stdout:
#     "{'name': 'Zo\u00eb', 'sizes': [1, 2.5, -300.0], 'big':
#     1.8446744073709552e+19}\n{'name': 'Zo\u00eb', 'sizes': [1, 2.5, -300.0],
#     'big': 1.8446744073709552e+19}\n{'name': 'Zo\u00eb', 'sizes': [1, 2.5,
#     -300.0], 'big': 1.8446744073709552e+19}\n{'name': 'Zo\u00eb', 'sizes':
#     [1, 2.5, -300.0], 'big': 1.8446744073709552e+19}\nTrue\nInput is a
#     zero-length, empty document: line 1 column 1 (char 0)\ntrailing comma is
#     not allowed: line 1 column 3 (char 2)\nunexpected end of data: line 1
#     column 8 (char 7)\nunexpected character: line 1 column 2 (char
#     1)\nunexpected character: line 1 column 9 (char 8)\nunexpected content
#     after document: line 1 column 5 (char 4)\nunexpected control character
#     in string: line 1 column 3 (char 2)\nno low surrogate in string: line 1
#     column 2 (char 1)\nnumber is infinity when parsed as double: line 1
#     column 1 (char 0)\nstr is not valid UTF-8: surrogates not allowed: line
#     1 column 1 (char 0)\nInput must be bytes, bytearray, memoryview, or str:
#     line 1 column 1 (char 0)\nTrue True\nunexpected character 2 7 15\nTrue
#     33201\n"
# cut
import json

import orjson

text = '{"name": "Zoë", "sizes": [1, 2.5, -3e2], "big": 18446744073709551616}'
for kind in (str, str.encode, lambda one: bytearray(one.encode()),
             lambda one: memoryview(one.encode())):
    print(orjson.loads(kind(text)))
print(orjson.loads('"\\ud83d\\ude00"') == "\U0001f600")
for bad in ("", "[1,]", '{"a": 1', "[NaN]", '["NaN", Infinity]', "[1] 2",
            '"a\nb"', '"\\ud800"', "1e999", b"\xff", 5):
    try:
        print(orjson.loads(bad))
    except orjson.JSONDecodeError as error:
        print(error)
print(issubclass(orjson.JSONDecodeError, json.JSONDecodeError),
      issubclass(orjson.JSONDecodeError, ValueError))
try:
    orjson.loads('{"a": 1,\n "b": tru}')
except json.JSONDecodeError as error:
    print(error.msg, error.lineno, error.colno, error.pos)
rows = [{"id": number, "score": number / 3} for number in range(1000)]
print(orjson.loads(orjson.dumps(rows)) == rows, len(orjson.dumps(rows)))
