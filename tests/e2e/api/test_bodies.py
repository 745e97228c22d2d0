"""The bodies of requests: JSON in every broken form, fields of the wrong type,
input files with hostile names and contents.

Tables: the body, then the error's code and the words that its message must
hold. Every refusal is JSON and names its field.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from answers import check_json_error, check_parsing
from client import JSON, MEGABYTE, Client, Reply, b64

VALID = {"code": "1 + 1", "files": [{"filename": "a.txt", "b64_data": "QQ=="}],
         "timeout_ms": 1000, "stdin": "\u00e9", "env": {"A": "b"}}


# -- JSON: the syntax

DEEP_OK = '{"code":"1","x":' + "[" * 150 + "]" * 150 + "}"

SYNTAX = {
    "empty": (b"", "empty_body"),
    "blank": (b"   ", None),
    "brace": (b"{", "bad_json"),
    "text begun": (b'{"code":"a', "bad_json"),
    "two documents": (b'{"code":"1"}{"code":"2"}', "bad_json"),
    "garbage after": (b'{"code":"1"} x', "bad_json"),
    "nul after": (b'{"code":"1"}\0', "bad_json"),
    "array": (b"[]", "want_object"),
    "string": (b'"code"', "want_object"),
    "number": (b"1", "want_object"),
    "null": (b"null", "want_object"),
    "true": (b"true", "want_object"),
    "duplicate": (b'{"code":"1","code":"2"}', "duplicate_key"),
    "duplicate equal": (b'{"code":"1","code":"1"}', "duplicate_key"),
    "duplicate escaped": (b'{"code":"1","\\u0063ode":"2"}', "duplicate_key"),
    "duplicate within": (b'{"code":"1","env":{"A":"1","A":"2"}}',
                         "duplicate_key"),
    "duplicate in file": (b'{"code":"1","files":[{"filename":"a",'
                          b'"filename":"b","b64_data":""}]}',
                          "duplicate_key"),
    "million arrays": (b'{"code":"1","x":' + b"[" * 1000000, "too_deep"),
    "million objects": (b'{"code":"1","x":' + b'{"a":' * 1000000,
                        "too_deep"),
    "comment": (b'{"code":"1" /* x */}', "bad_json"),
    "line comment": (b'{"code":"1"} // x', "bad_json"),
    "comma": (b'{"code":"1",}', "bad_json"),
    "comma in list": (b'{"code":"1","files":[1,]}', "bad_json"),
    "single quotes": (b"{'code':'1'}", "bad_json"),
    "no quotes": (b'{code:"1"}', "bad_json"),
    "NaN": (b'{"code":"1","timeout_ms":NaN}', "bad_json"),
    "Infinity": (b'{"code":"1","timeout_ms":Infinity}', "bad_json"),
    "True": (b'{"code":"1","x":True}', "bad_json"),
    "leading zero": (b'{"code":"1","timeout_ms":01}', "bad_json"),
    "double zero": (b'{"code":"1","timeout_ms":00}', "bad_json"),
    "hexadecimal": (b'{"code":"1","timeout_ms":0x10}', "bad_json"),
    "underscore": (b'{"code":"1","timeout_ms":1_000}', "bad_json"),
    "plus": (b'{"code":"1","timeout_ms":+1}', "bad_json"),
    "point first": (b'{"code":"1","timeout_ms":.5}', "bad_json"),
    "point last": (b'{"code":"1","timeout_ms":5.}', "bad_json"),
    "exponent bare": (b'{"code":"1","timeout_ms":5e}', "bad_json"),
    "minus alone": (b'{"code":"1","timeout_ms":-}', "bad_json"),
    "bad escape": (b'{"code":"\\x"}', "bad_json"),
    "short escape": (b'{"code":"\\u12"}', "bad_json"),
    "raw newline": (b'{"code":"a\nb"}', "bad_json"),
    "raw tab": (b'{"code":"a\tb"}', "bad_json"),
    "raw nul": (b'{"code":"a\0b"}', "bad_json"),
    "escaped nul": (b'{"code":"a\\u0000b"}', None),
    "lone high surrogate": (b'{"code":"\\ud800"}', None),
    "lone low surrogate": (b'{"code":"\\udc00"}', None),
    "reversed surrogates": (b'{"code":"\\udc00\\ud800"}', None),
    "high then text": (b'{"code":"\\ud800x"}', None),
    "overlong": (b'{"code":"\xc0\x80"}', "bad_utf8"),
    "surrogate bytes": (b'{"code":"\xed\xa0\x80"}', "bad_utf8"),
    "past unicode": (b'{"code":"\xf5\x80\x80\x80"}', "bad_utf8"),
    "past unicode 2": (b'{"code":"\xf4\x90\x80\x80"}', "bad_utf8"),
    "stray byte": (b'{"code":"\xff"}', "bad_utf8"),
    "continuation": (b'{"code":"\x80"}', "bad_utf8"),
    "cut character": (b'{"code":"\xe2\x82"}', "bad_utf8"),
    "overlong three": (b'{"code":"\xe0\x80\x80"}', "bad_utf8"),
    "bad utf-8 in key": (b'{"code":"1","\xff":1}', "bad_utf8"),
    "bom": (b'\xef\xbb\xbf{"code":"1"}', None),
    "utf-16le": ('{"code":"1"}'.encode("utf-16-le"), None),
    "utf-16be": ('{"code":"1"}'.encode("utf-16-be"), None),
    "utf-16": ('{"code":"1"}'.encode("utf-16"), None),
    "utf-32": ('{"code":"1"}'.encode("utf-32"), None),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\3", None),
    "form": (b"code=1%2B1", None),
}


def post_bytes(client: Client, body: bytes) -> Reply:
    return client.request("POST", "/", body, JSON)


@pytest.mark.parametrize("name", SYNTAX)
def test_bad_syntax(client: Client, name: str) -> None:
    body, code = SYNTAX[name]
    reply = post_bytes(client, body)
    check_json_error(reply, 400, code)
    assert reply.seconds < 2


@pytest.mark.parametrize("text", [
    DEEP_OK,
    '{"code":"1","x":[1,-0,1e5,1E-5,0.5,-1.5e+3,true,false,null,"\\/\\b"]}',
    '\r\n\t {"code" : "1" } \n', '{"code":"1","":1,"__proto__":{}}',
    '{"code":"1","\u00e9":1}', '{"code":"1","x":1e999}',
    '{"code":"1","x":' + "9" * 100000 + "}",
    '{"\\u0063ode":"1"}', '{"code":"1","files":[]}',
    '{"code":"1","files":null,"stdin":null,"env":null,"timeout_ms":null,'
    '"memory_mb":null,"session":null}',
], ids=lambda text: text[:24])
def test_good_syntax(client: Client, text: str) -> None:
    reply = post_bytes(client, text.encode("utf-8"))
    assert reply.status == 200, reply.body[:300]
    assert reply.json()["final_expression"] == 1


def test_cut_at_every_byte(client: Client) -> None:
    body = json.dumps(VALID, ensure_ascii=False).encode("utf-8")
    assert post_bytes(client, body).json()["final_expression"] == 2
    for cut in range(len(body)):
        reply = post_bytes(client, body[:cut])
        check_json_error(reply, 400)
        offset = reply.json()["error"].get("offset", 0)
        assert offset <= cut, (cut, offset)


def test_every_byte_spoilt(client: Client) -> None:
    """Each byte in turn replaced by one that fits nowhere."""
    body = json.dumps({"code": "1 + 1", "stdin": "x"}).encode("utf-8")
    for at in range(len(body)):
        reply = post_bytes(client, body[:at] + b"\xff" + body[at + 1:])
        check_json_error(reply, 400)


def test_blank_flood_is_linear(client: Client) -> None:
    reply = post_bytes(client, b" \t\r\n" * (MEGABYTE // 2) + b'{"code":"7"}')
    assert reply.json()["final_expression"] == 7
    assert reply.seconds < 2


def test_many_keys(client: Client) -> None:
    keys = ",".join(f'"k{i}":{i}' for i in range(100000))
    reply = post_bytes(client, ('{"code":"1",' + keys + "}").encode())
    assert reply.status in (200, 400)
    assert reply.seconds < 2


def test_long_key(client: Client) -> None:
    reply = post_bytes(client, b'{"code":"1","' + b"k" * MEGABYTE + b'":1}')
    assert reply.status in (200, 400)


# -- JSON: the types; every refusal names its field

TYPES = [
    ("code", [1, None, [], {}, True, 1.5, ["1"]]),
    ("files", ["x", 1, {}, True]),
    ("timeout_ms", ["5", True, [], {}, 0.5, 1.5]),
    ("memory_mb", ["5", True, [], {}, 0.5]),
    ("stdin", [1, [], {}, True]),
    ("arguments", ["x", 1, [], True]),
    ("env", ["x", 1, [], True]),
    ("session", [1, [], {}, True]),
]


@pytest.mark.parametrize("field, value", [
    (field, value) for field, values in TYPES for value in values],
    ids=lambda x: json.dumps(x))
def test_wrong_type(client: Client, field: str, value: Any) -> None:
    reply = client.post({"code": "1", field: value})
    check_json_error(reply, 400, "bad_type", field)


@pytest.mark.parametrize("field", ["timeout_ms", "memory_mb"])
@pytest.mark.parametrize("number", ["0", "-1", "-0", "1e400", "1e9",
                                    "4294967297", "18446744073709551617",
                                    "9" * 1000])
def test_number_out_of_range(client: Client, field: str,
                             number: str) -> None:
    body = '{"code":"1","%s":%s}' % (field, number)
    check_json_error(post_bytes(client, body.encode()), 400, None, field)


@pytest.mark.parametrize("entry, word", [
    (1, "files[1]"), ("x", "files[1]"), (None, "files[1]"), ([], "files[1]"),
    ({"filename": 1, "b64_data": ""}, "filename"),
    ({"filename": "a", "b64_data": 1}, "b64_data"),
    ({"filename": [], "b64_data": ""}, "filename"),
    ({"filename": "a", "b64_data": True}, "b64_data"),
], ids=str)
def test_wrong_type_in_files(client: Client, entry: Any, word: str) -> None:
    good = {"filename": "good", "b64_data": ""}
    reply = client.post({"code": "1", "files": [good, entry]})
    check_json_error(reply, 400, "bad_type", "files[1]", word)


@pytest.mark.parametrize("entry", [
    {}, {"filename": "a"}, {"b64_data": ""}], ids=str)
def test_missing_in_files(client: Client, entry: Any) -> None:
    reply = client.post({"code": "1", "files": [entry]})
    if reply.status == 200:
        check_parsing(reply, "files[0]")
    else:
        check_json_error(reply, 400, None, "files[0]")


@pytest.mark.parametrize("name", [
    "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "LD_LIBRARY_PATH", "",
    "A=B", "1A", "A B", "A-B", "\u00e9", "GLIBC_TUNABLES"])
def test_bad_env_name(client: Client, name: str) -> None:
    reply = client.post({"code": "1", "env": {name: "x"}})
    check_json_error(reply, 400, None, "env")


@pytest.mark.parametrize("value", [1, None, [], {}, True, 1.5], ids=str)
def test_bad_env_value(client: Client, value: Any) -> None:
    reply = client.post({"code": "1", "env": {"NAME": value}})
    check_json_error(reply, 400, "bad_type", "env")


@pytest.mark.parametrize("fields, code", [
    ({"session": ""}, "bad_session"), ({"session": "x" * 129}, "bad_session"),
    ({"session": "x", "memory_mb": 64}, "limit_out_of_range")], ids=str)
def test_bad_session(client: Client, fields: dict[str, Any],
                     code: str) -> None:
    """Of a server that has them; else it is 403."""
    reply = client.post({"code": "1", **fields})
    if reply.status == 403:
        check_json_error(reply, 403, "sessions_off")
    else:
        check_json_error(reply, 400, code)
        named = "memory_mb" if "memory_mb" in fields else "session"
        assert reply.json()["error"]["message"].startswith(named + " ")


def test_unknown_fields_are_told(client: Client) -> None:
    """They have no effect; a misspelt one must not vanish without a word."""
    reply = client.post({"code": "1 + 1", "preload": "os", "sesion": "x",
                         "user": {"a": [1]}, "Code": "2"})
    assert reply.json()["final_expression"] == 2
    assert reply.json()["warnings"] == [
        f'the field "{name}" is unknown and has no effect'
        for name in ("preload", "sesion", "user", "Code")]


def test_warnings_are_few_and_short(client: Client) -> None:
    """Hostile names: many, long, of control bytes."""
    fields = {f"{n}\r\n\u2028\u00e9" + "x" * 100000: 1 for n in range(30)}
    warnings = client.post({"code": "1", **fields}).json()["warnings"]
    assert len(warnings) == 20
    assert all(len(text) < 200 and text.isprintable() for text in warnings)


def test_hostile_text_is_not_echoed_whole(client: Client) -> None:
    name = "\r\nX-Evil: 1\u2028<script>" * 50
    reply = client.post({"code": "1", "env": {name: "x"}})
    check_json_error(reply, 400)
    assert len(reply.json()["error"]["message"]) < 400
    assert reply.header("X-Evil") is None


# -- input files


def with_file(client: Client, *files: tuple[str, str]) -> Reply:
    return client.post({"code": "import os\nsorted(os.listdir())", "files": [
        {"filename": name, "b64_data": data} for name, data in files]})


@pytest.mark.parametrize("name", [
    "../x", "a/../../x", "/../x", "./../x", "..", ".", "", "a//b", "./", "a/",
    "a/.", "a/..", "/", "//", "/./", "a/./b", "x" * 256, "a/" + "x" * 256,
    "/".join(["d" * 200] * 30), "/".join("d" * 300)], ids=lambda n: n[:20])
def test_bad_file_name(client: Client, name: str) -> None:
    reply = with_file(client, ("good.txt", "QQ=="), (name, "QQ=="))
    check_parsing(reply, "files[1]")
    assert len(reply.json()["error"]["message"]) < 400


def test_nul_in_a_file_name(client: Client) -> None:
    reply = with_file(client, ("a\0.py", ""))
    if reply.status == 200:
        check_parsing(reply, "files[0]")
    else:
        check_json_error(reply, 400)


GOOD_NAMES = ["a\\b", "C:\\x", "%2e%2e", "..%2f", "~", "-rf", " lead",
              "trail ", "trail.", "...", "..a", "new\nline", "esc\x1b[0m",
              "\u202etxt.exe", "\u6f22.txt", "\U0001f600", "con", "x" * 255,
              "sitecustomize.py", ".pth", "main.py"]


@pytest.mark.parametrize("name", GOOD_NAMES, ids=ascii)
def test_odd_but_good_file_name(client: Client, name: str) -> None:
    reply = with_file(client, (name, "QQ=="))
    assert reply.json()["final_expression"] == [name], reply.json()
    assert reply.json()["output_files"] == []


@pytest.mark.parametrize("names", [
    ("a", "a/b"), ("a/b", "a"), ("a", "a", "./a/b"),
    ("a/b/c", "a/b")], ids=str)
def test_file_names_that_clash(client: Client,
                               names: tuple[str, ...]) -> None:
    reply = with_file(client, *((name, "") for name in names))
    check_parsing(reply, f"files[{len(names) - 1}]")


def test_of_two_files_of_one_name_the_later_counts(client: Client) -> None:
    reply = client.post({
        "code": "import os\n[open('a').read(), open('d/a').read(), "
                "sorted(os.listdir())]",
        "files": [{"filename": name, "b64_data": b64(text)} for name, text in (
            ("a", "1"), ("d/a", "2"), ("/a", "3"), ("./d/a", "4"), ("a", "5"),
            ("b", "6"))]})
    assert reply.json()["final_expression"] == ["5", "4", ["a", "b", "d"]]
    assert reply.json()["output_files"] == []


@pytest.mark.parametrize("name", ["/a.txt", "./a.txt", "//./a.txt", ".//a.txt",
                                  "/mnt/data/a.txt", "/home/user/a.txt"])
def test_names_are_relative_to_home(client: Client, name: str) -> None:
    reply = with_file(client, (name, "QQ=="))
    assert reply.json()["final_expression"] == ["a.txt"]


def test_file_names_that_only_look_alike(client: Client) -> None:
    names = sorted(["\u00e9", "e\u0301", "A", "a"])
    reply = with_file(client, *((name, "") for name in names))
    assert reply.json()["final_expression"] == names


@pytest.mark.parametrize("data", [
    "Q", "QQ===", "QQ==QQ==", "QR==", "QUF=", "QUE==", "Q-__", "QQ=Q", "=", "====", "\u00e9A==", "*QQ=", "QUFB=",
    "Q\u0000=="], ids=ascii)
def test_bad_base64(client: Client, data: str) -> None:
    reply = with_file(client, ("good.txt", "QQ=="), ("bad.txt", data))
    if "\0" in data and reply.status == 400:
        return
    check_parsing(reply, "files[1]")


@pytest.mark.parametrize("data", [b"", b"a", b"ab", b"abc", b"\xff\xfe\xfd",
                                  bytes(range(256)), b"?>?>"], ids=repr)
def test_good_base64(client: Client, data: bytes) -> None:
    reply = client.run("list(open('f', 'rb').read())", {"f": data})
    assert reply.json()["final_expression"] == list(data)


@pytest.mark.parametrize("data", ["QUI", "QUI=", " QUI= ", "QU\nI=\r\n",
                                  "Q\tU\vI\f"], ids=repr)
def test_base64_with_blanks_and_without_padding(client: Client,
                                                data: str) -> None:
    reply = client.post({"code": "open('f').read()", "files": [
        {"filename": "f", "b64_data": data}]})
    assert reply.json()["final_expression"] == "AB"


def test_too_many_files(client: Client) -> None:
    files = [{"filename": f"f{i}", "b64_data": ""} for i in range(100000)]
    check_json_error(client.post({"code": "1", "files": files}), 413, None,
                     "files")


def test_files_too_large_for_home(client: Client) -> None:
    """Refused with 413, or there is room for all that a body can hold."""
    data = b64(bytes(70 * MEGABYTE))
    reply = client.post({"code": "import os\nos.stat('f').st_size",
                         "files": [{"filename": "f", "b64_data": data}]},
                        timeout=120)
    if reply.status == 413:
        check_json_error(reply, 413, None, "files")
    else:
        answer = reply.json()
        assert answer.get("final_expression") == 70 * MEGABYTE, answer


def test_large_stdin(client: Client) -> None:
    reply = client.run("import sys\nlen(sys.stdin.read())",
                       stdin="x" * (5 * MEGABYTE))
    assert reply.json()["final_expression"] == 5 * MEGABYTE


def test_stdin_that_nobody_reads(client: Client) -> None:
    reply = client.run("1 + 1", stdin="x" * (5 * MEGABYTE))
    assert reply.json()["final_expression"] == 2
    assert reply.seconds < 2


def test_stdin_with_odd_text(client: Client) -> None:
    text = "a\r\nb\u2028\u00e9\U0001f600\x1b"
    reply = client.run("import sys\nsys.stdin.buffer.read().decode()",
                       stdin=text)
    assert reply.json()["final_expression"] == text
