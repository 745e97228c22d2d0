"""Files of E2B's sandboxes on the wire."""

from __future__ import annotations

import json
from typing import Any, Iterator, Optional

import pytest
from client import JSON, Client, Reply
from test_e2b import create, kill, run

BOUNDARY = "----b"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def sandbox(client: Client) -> Iterator[str]:
    found = create(client)["sandboxID"]
    yield found
    kill(client, found)


def form(*parts: tuple[str, bytes]) -> bytes:
    """A body with a part for each (filename, content)."""
    return b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; '
        f'filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'.encode() +
        content + b"\r\n" for name, content in parts
    ) + f"--{BOUNDARY}--\r\n".encode()


def write(client: Client, sandbox: str, body: bytes, query: str = "",
          headers: Optional[dict[str, str]] = None) -> Reply:
    return client.request("POST", "/e2b/files" + query, body, {
        **(headers or FORM), "E2b-Sandbox-Id": sandbox})


def read(client: Client, sandbox: str, path: str) -> Reply:
    return client.request("GET", f"/e2b/files?path={path}", headers={
        "E2b-Sandbox-Id": sandbox})


def call(client: Client, sandbox: str, name: str, **fields: Any) -> Reply:
    return client.request(
        "POST", f"/e2b/filesystem.Filesystem/{name}", json.dumps(fields),
        {**JSON, "E2b-Sandbox-Id": sandbox})


def test_what_is_written_is_read(client: Client, sandbox: str) -> None:
    content = bytes(range(256)) * 3 + b"\r\n--" + BOUNDARY.encode()[:-1]
    for query, path in [("?path=a/b%20c.bin", "/home/user/a/b c.bin"),
                        ("?path=~/d", "/home/user/d"),
                        ("?path=/home/user/x/../e", "/home/user/e"),
                        ("?path=/tmp/%C3%A4", "/tmp/ä"),
                        ("?path=/mnt/data/f", "/home/user/f")]:
        reply = write(client, sandbox, form(("ignored", content)), query)
        assert (reply.status, reply.json()) == (200, [
            {"path": path, "name": path.rpartition("/")[2], "type": "file"}])
        got = read(client, sandbox, query.partition("=")[2])
        assert (got.status, got.body) == (200, content)
        assert got.header("Content-Type") == "application/octet-stream"
        assert read(client, sandbox, path.replace(" ", "+").replace(
            "ä", "%C3%A4")).body == content
    assert run(client, sandbox, "open('/tmp/ä', 'rb').read() == "
               f"open('a/b c.bin', 'rb').read()")[1]["text"] == "True"
    assert run(client, sandbox, "import os\nopen('d', 'a').write('x')\n"
               "os.remove('a/b c.bin')\nos.rmdir('a')")[-2]["type"] != "error"


def test_a_body_of_bytes(client: Client, sandbox: str) -> None:
    assert write(client, sandbox, b"\0raw", "?path=raw", BYTES).status == 200
    assert read(client, sandbox, "raw").body == b"\0raw"
    assert write(client, sandbox, b"", "?path=empty", BYTES).status == 200
    assert read(client, sandbox, "empty").body == b""


def test_many_parts(client: Client, sandbox: str) -> None:
    reply = write(client, sandbox, form(
        ("many/1", b"one"), ("/home/user/many/%22%0D%0A%41", b""),
        ("/tmp/many", b"\r\n")))
    assert [one["path"] for one in reply.json()] == [
        "/home/user/many/1", '/home/user/many/"\r\n%41', "/tmp/many"]
    assert read(client, sandbox, "many/%22%0D%0A%2541").body == b""
    assert read(client, sandbox, "/tmp/many").body == b"\r\n"


@pytest.mark.parametrize("body,query,word", [
    (b"", "?path=x", "multipart"), (b"nonsense", "?path=x", "multipart"),
    (form(("a", b"1"))[:-9], "", "multipart"),
    (form(("a", b"1")).replace(b"--\r\n", b"\r\n"), "", "multipart"),
    (form(), "", "file"), (form(("a", b""), ("b", b"")), "?path=x",
                                "path"),
    (form(("a", b""), ("~/a", b"")), "", "same path"),
    (form(("", b"")), "", "filename"), (form(("x" * 5000, b"")), "", ""),
    (form(("a\0b", b"")), "", ""), (form(("a/" + "x" * 256, b"")), "", ""),
    (form(("/".join("x" * 20), b"")), "", ""),
    (form(("a", b"")).replace(b'name="file"', b'name="other"'), "", "file"),
    (form(("a", b"")), "?path=", "path"), (form(("a", b"")), "?path=%00", ""),
    (form(("a", b"")), "?path=/etc/passwd", "below"),
    (form(("a", b"")), "?path=../../x", "below"),
    (form(("a", b"")), "?path=/home/user", "directory"),
    (form(("a", b"")), "?path=/", "below"),
    (form(("a", b"")), "?path=" + "x" * 2000, "")])
def test_a_wrong_write(client: Client, sandbox: str, body: bytes, query: str,
                       word: str) -> None:
    reply = write(client, sandbox, body, query)
    assert (reply.status, reply.json()["code"]) == (400, 400), reply.body
    assert word in reply.json()["message"]


def test_statuses_of_reads(client: Client, sandbox: str) -> None:
    run(client, sandbox, "import os\nos.makedirs('dir')\n"
        "os.symlink('/etc/passwd', 'link')\nos.symlink('dir', 'way')\n"
        "open('dir/in', 'w').close()\nos.mkfifo('pipe')")
    for path, status in [("none", 404), ("dir", 400), ("/home/user", 400),
                         ("/etc/passwd", 404), ("link", 404), ("way/in", 404),
                         ("pipe", 404), ("/", 400), ("", 400),
                         ("x&signature=v1_x", 401)]:
        reply = read(client, sandbox, path)
        assert (reply.status, reply.json()["code"]) == (status, status), path
    assert write(client, sandbox, form(("way/new", b"")), "").status == 400
    assert write(client, sandbox, form(("dir", b"")), "").status == 400
    assert write(client, sandbox, form(("dir/in/x", b"")), "").status == 400
    lost = read(client, "a" * 40, "x")
    assert (lost.status, lost.json()["code"]) == (502, 502)


def test_directories(client: Client, sandbox: str) -> None:
    made = call(client, sandbox, "MakeDir", path="tree/b").json()["entry"]
    assert made["type"] == "FILE_TYPE_DIRECTORY"
    assert (made["name"], made["path"]) == ("b", "/home/user/tree/b")
    assert made["permissions"] == "drwxr-xr-x" and made["mode"] == 0o755
    run(client, sandbox, "open('tree/b/c', 'w').write('12345')\n"
        "open('tree/a', 'w').close()\nopen('tree/b.x', 'w').close()")
    again = call(client, sandbox, "MakeDir", path="tree/b")
    assert (again.status, again.json()["code"]) == (409, "already_exists")

    def names(path: str, **fields: Any) -> list[str]:
        reply = call(client, sandbox, "ListDir", path=path, **fields)
        assert reply.status == 200, reply.body
        return [one["path"][len("/home/user/"):]
                for one in reply.json()["entries"]]

    top = ["tree/a", "tree/b", "tree/b.x"]
    assert names("tree") == names("~/tree", depth=0) == top
    assert names("tree", depth=2) == [
        "tree/a", "tree/b", "tree/b/c", "tree/b.x"]
    entry = call(client, sandbox, "Stat", path="tree/b/c").json()["entry"]
    assert (entry["type"], entry["size"]) == ("FILE_TYPE_FILE", "5")
    assert entry["owner"] == entry["group"] == "user"
    moved = call(client, sandbox, "Move", source="tree/b",
                 destination="new/way").json()["entry"]
    assert moved["path"] == "/home/user/new/way"
    assert names("new", depth=9) == ["new/way", "new/way/c"]
    for _ in range(2):
        reply = call(client, sandbox, "Remove", path="new")
        assert (reply.status, reply.json()) == (200, {})
    assert call(client, sandbox, "Stat", path="new").status == 404
    assert run(client, sandbox, "import os\nsorted(os.listdir('tree'))"
               )[1]["text"] == "['a', 'b.x']"


def test_the_top_is_listed(client: Client, sandbox: str) -> None:
    for path, name in [("/", "home"), ("/home", "user")]:
        got = call(client, sandbox, "ListDir", path=path).json()["entries"]
        assert name in [one["name"] for one in got]
        entry = call(client, sandbox, "Stat", path=path).json()["entry"]
        assert (entry["path"], entry["type"]) == (path, "FILE_TYPE_DIRECTORY")


@pytest.mark.parametrize("name,fields,status", [
    ("ListDir", {"path": "none"}, 404), ("ListDir", {"path": "file"}, 400),
    ("ListDir", {"path": "/etc"}, 404), ("ListDir", {}, 400),
    ("ListDir", {"path": 1}, 400), ("ListDir", {"path": "x", "depth": -1}, 400),
    ("ListDir", {"path": "x", "depth": "1"}, 400),
    ("Stat", {"path": "none"}, 404), ("Stat", {"path": "/usr/bin"}, 404),
    ("Stat", {"path": ""}, 400), ("Stat", {"path": "x" * 2000}, 400),
    ("MakeDir", {"path": "/home/user"}, 409), ("MakeDir", {"path": "/"}, 409),
    ("MakeDir", {"path": "/etc/x"}, 400), ("MakeDir", {"path": "file/x"}, 400),
    ("MakeDir", {"path": "file"}, 400),
    ("Move", {"source": "none", "destination": "x"}, 404),
    ("Move", {"source": "file", "destination": "/etc/x"}, 400),
    ("Move", {"source": "/home/user", "destination": "x"}, 400),
    ("Move", {"source": "file"}, 400),
    ("Move", {"source": "folder", "destination": "folder/in"}, 400),
    ("Remove", {"path": "/home/user"}, 400), ("Remove", {"path": "/"}, 400),
    ("Remove", {"path": "/etc/passwd"}, 400)])
def test_a_wrong_call(client: Client, sandbox: str, name: str,
                      fields: dict[str, Any], status: int) -> None:
    run(client, sandbox, "import os\nopen('file', 'w').close()\n"
        "os.makedirs('folder', exist_ok=True)")
    codes = {400: "invalid_argument", 404: "not_found", 409: "already_exists"}
    reply = call(client, sandbox, name, **fields)
    assert (reply.status, reply.json()["code"]) == (status, codes[status])
    assert set(reply.json()) == {"code", "message"}


def test_links_are_removed_and_moved_themselves(client: Client,
                                                sandbox: str) -> None:
    run(client, sandbox, "import os\nos.makedirs('kept/in')\n"
        "os.symlink('kept', 'to')\nos.makedirs('gone')\n"
        "os.symlink('../kept', 'gone/link')\nopen('kept/f', 'w').close()")
    assert call(client, sandbox, "Remove", path="gone").status == 200
    assert call(client, sandbox, "Remove", path="to").status == 200
    assert call(client, sandbox, "Remove", path="to/f").status == 200
    assert call(client, sandbox, "Stat", path="kept/f").status == 200
    assert call(client, sandbox, "Stat", path="gone").status == 404


def test_a_link_shows_where_it_points(client: Client, sandbox: str) -> None:
    """As its text says, which is not followed: E2B's server resolves it."""
    targets = {"a": "/etc/passwd", "b": "..", "c": "no\n\"\u2028\u00e4",
               "d": "d", "e": "x" * 1023, "g": "plain"}
    run(client, sandbox, "import os\nos.makedirs('links')\n"
        f"for name, text in {targets!r}.items():\n"
        "    os.symlink(text, 'links/' + name)\n"
        "os.symlink(b'a\\xffb\\xc3', 'links/f')\n"
        "os.symlink('x' * 1024, 'links/h')\n"
        "open('links/plain', 'w').close()")
    targets["f"] = "a\ufffdb\ufffd"
    got = {one["name"]: one for one in call(
        client, sandbox, "ListDir", path="links").json()["entries"]}
    assert {name: one["symlinkTarget"] for name, one in got.items()
            if "symlinkTarget" in one} == targets
    assert set(got) - set(targets) == {"h", "plain"}
    for name in ("a", "b", "d", "f", "h", "plain"):
        entry = call(client, sandbox, "Stat", path=f"links/{name}"
                     ).json()["entry"]
        assert entry == got[name]
        assert (entry["type"], entry["path"]) == (
            "FILE_TYPE_FILE", f"/home/user/links/{name}")
        assert (entry["permissions"] == "Lrwxrwxrwx") == (name != "plain")
    assert got["a"]["size"] == "11"
    moved = call(client, sandbox, "Move", source="links/a",
                 destination="links/z").json()["entry"]
    assert moved["symlinkTarget"] == "/etc/passwd"
    assert call(client, sandbox, "Remove", path="links").status == 200


def test_a_deep_tree_is_removed(client: Client, sandbox: str) -> None:
    run(client, sandbox, "import os\nos.makedirs('deep/' + 'x/' * 300)\n"
        "os.chmod('deep/x', 0)")
    assert call(client, sandbox, "Remove", path="deep").status == 200
    assert call(client, sandbox, "Stat", path="deep").status == 404


def test_calls_of_no_sandbox(client: Client) -> None:
    for name in ("ListDir", "Stat"):
        for path in ("x", "/"):
            reply = call(client, "a" * 40, name, path=path)
            assert (reply.status, reply.json()["code"]) == (
                502, "unavailable")
