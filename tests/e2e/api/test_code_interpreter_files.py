"""The code-interpreter door's calls for files: what they do, malformed
requests, and homes that a hostile program has prepared."""

from __future__ import annotations

import base64
import http.client
import json
from typing import Any, Iterator
from urllib.parse import urlencode

import pytest
from client import JSON, Client, Reply, b64
from sessions import detail, together
from test_code_interpreter_v1 import GONE, User

FILES = "/api/v1/files"
NO_URLS = ("This server transfers no files by URL: send them as data: URLs, "
           "and leave upload_url out to get them in the answer")


def data_url(content: bytes, kind: str = "text/plain") -> str:
    return f"data:{kind};base64,{b64(content)}"


class Files(User):
    """A user of /api/v1/files."""

    def call(self, method: str, target: str = FILES, body: Any = None,
             **query: Any) -> Reply:
        query = {"user_uuid": self.name, **query}
        data = body if isinstance(body, (bytes, type(None))) \
            else json.dumps(body)
        return self.client.request(method, f"{target}?{urlencode(query)}", data,
                                   {} if isinstance(body, bytes) else JSON)

    def upload(self, *entries: tuple[str, str, bytes]) -> Reply:
        return self.call("POST", body={"files": [
            {"path": path, "name": name, "download_url": data_url(content)}
            for path, name, content in entries]})

    def export(self, *places: tuple[str, str], **more: Any) -> Reply:
        return self.call("POST", FILES + "/export", {"files": [
            {"path": path, "name": name, **more} for path, name in places]})

    def delete(self, *places: tuple[str, str]) -> Reply:
        return self.call("DELETE", body={"files": [
            {"path": path, "name": name} for path, name in places]})

    def content(self, path: str, name: str) -> Reply:
        return self.call("GET", FILES + "/content", path=path, name=name)

    def replace(self, path: str, name: str, content: bytes) -> Reply:
        return self.call("PUT", FILES + "/content", content, path=path,
                         name=name)

    def read(self, path: str, name: str) -> bytes:
        """A file by the export, which must agree with the content."""
        reply = self.export((path, name))
        assert reply.status == 200, reply.body
        got = reply.json()
        assert list(got) == ["success", "results"] and got["success"] is True
        item = got["results"][0]
        assert list(item) == ["path", "name", "size", "b64_data"]
        content = base64.b64decode(item["b64_data"], validate=True)
        assert (item["path"], item["name"], item["size"]) == \
            (path, name, len(content))
        assert self.content(path, name).body == content
        return content

    def names(self, path: str = "/sandbox") -> list[str]:
        reply = self.call("GET", path=path)
        assert reply.status == 200, reply.body
        assert list(reply.json()) == ["files"]
        return [f"{row['path']}/{row['name']}" for row in reply.json()["files"]]


@pytest.fixture
def user(client: Client) -> Iterator[Files]:
    found = Files(client)
    yield found
    found.release()


# -- what they do

def test_upload_begins_a_session(user: Files) -> None:
    reply = user.upload(("/sandbox", "a.csv", b"1,2"),
                        ("/sandbox/d/e/", "b", b""),
                        ("/home/user/d", "\u4e2d.txt", b"\xff\0"),
                        ("/sandbox/c", "c", b"last"))
    assert reply.status == 201, reply.body
    assert reply.json() == {"success": True, "results": [
        {"full_path": "/sandbox/a.csv", "size": 3},
        {"full_path": "/sandbox/d/e/b", "size": 0},
        {"full_path": "/home/user/d/\u4e2d.txt", "size": 2},
        {"full_path": "/sandbox/c", "size": 4}]}
    assert user.text("import os\nos.getcwd(), open('a.csv').read(), "
                     "open('/sandbox/d/\u4e2d.txt', 'rb').read(), "
                     "os.path.getsize('d/e/b'), os.listdir('d/e')") == \
        "('/sandbox', '1,2', b'\\xff\\x00', 0, ['b'])"
    assert user.text(
        "open('a.csv', 'a').write('3')\nos.remove('d/e/b')\nos.rmdir('d/e')\n"
        "os.stat('c').st_uid == os.getuid(), oct(os.stat('c').st_mode)") == \
        "(True, '0o100644')", "they belong to the program"


def test_upload_replaces_whole_files(user: Files) -> None:
    user.text("open('f', 'w').write('old ' * 1000)\nheld = open('f')")
    assert user.upload(("/sandbox", "f", b"first"),
                       ("/sandbox", "f", b"new")).status == 201
    assert user.text("open('f').read(), len(held.read())") == "('new', 4000)"
    assert user.names() == ["/sandbox/f"], "no temporary file is left"


def test_export(user: Files) -> None:
    user.text("import os\nos.makedirs('out')\n"
              "open('out/p.bin', 'wb').write(bytes(range(256)) * 1000)\n"
              "open('e', 'w').close()")
    assert user.read("/sandbox/out", "p.bin") == bytes(range(256)) * 1000
    assert user.read("/home/user/out/", "p.bin")[:2] == b"\0\1"
    assert user.read("/sandbox/e", "e") == b""
    reply = user.export(("/sandbox", "e"), ("/sandbox/out", "p.bin"),
                        upload_url=None, upload_fields=None)
    assert [row["size"] for row in reply.json()["results"]] == [0, 256000]


def test_missing_files(user: Files) -> None:
    user.text("open('a', 'w').write('1')\nimport os\nos.mkdir('d')")
    reply = user.export(("/sandbox", "a"), ("/sandbox", "b"),
                        ("/sandbox", "d"), ("/sandbox/no", "c"))
    assert reply.status == 404
    assert detail(reply) == \
        "File not found in sandbox: Export failed for 3/4 file(s)"
    reply = user.content("/sandbox", "b")
    assert reply.status == 404
    assert detail(reply) == \
        "File not found in sandbox: Download failed for 1/1 file(s)"
    assert user.content("/sandbox/a", "b").status == 404
    assert user.call("GET", path="/sandbox/no").status == 404
    assert user.call("GET", path="/sandbox/a").status == 404


def test_content(user: Files) -> None:
    content = bytes(range(256)) * 20000  # no base64 of it is anywhere
    reply = user.replace("/sandbox/deep/er", "f.bin", content)
    assert reply.status == 201
    assert reply.json() == {"success": True, "results": [
        {"full_path": "/sandbox/deep/er/f.bin", "size": len(content)}]}
    reply = user.content("/sandbox/deep/er", "f.bin")
    assert reply.status == 200 and reply.body == content
    assert reply.header("Content-Type") == "application/octet-stream"
    assert reply.header("Content-Disposition") == "attachment"
    assert reply.header("X-Content-Type-Options") == "nosniff"
    assert reply.header("Content-Length") == str(len(content))
    assert user.replace("/sandbox", "empty", b"").status == 201
    reply = user.content("/sandbox", "empty")
    assert (reply.status, reply.body) == (200, b"")


def test_list(user: Files) -> None:
    assert user.replace("/sandbox/b", "x", b"123").status == 201
    assert user.names() == ["/sandbox/b/x"]
    user.text("import os\nopen('a', 'w').write('1')\nos.utime('a', (5, 5))\n"
              "os.makedirs('b/c')\nopen('b/c/y', 'w').close()\n"
              "os.symlink('a', 'link')")
    rows = user.call("GET").json()["files"]
    assert [(row["path"], row["name"], row["size"]) for row in rows] == [
        ("/sandbox", "a", 1), ("/sandbox/b/c", "y", 0),
        ("/sandbox/b", "x", 3)]
    assert rows[0]["modified"] == "1970-01-01T00:00:05Z"
    assert user.names("/sandbox/b") == ["/sandbox/b/c/y", "/sandbox/b/x"]
    assert user.names("/home/user/b/c/") == ["/sandbox/b/c/y"]
    user.text("for i in range(1200): open(f'b/c/{i}', 'w').close()")
    reply = user.call("GET").json()
    assert len(reply["files"]) == 1000 and reply["truncated"] is True


def test_delete(user: Files) -> None:
    user.text("import os\nos.mkdir('d')\nopen('d/a', 'w').close()\n"
              "open('b', 'w').close()")
    reply = user.delete(("/sandbox/d", "a"), ("/sandbox", "no"),
                        ("/sandbox/no", "no"))
    assert reply.status == 204 and reply.body == b""
    assert user.names() == ["/sandbox/b"]
    reply = user.delete(("/sandbox", "b"), ("/sandbox", "d"))
    assert reply.status == 400
    assert detail(reply) == ("Invalid path: it is a directory: Deletion "
                             "failed for 1/2 file(s)")
    assert user.names() == ["/sandbox/b"], "nothing was removed"


def test_an_unknown_session(user: Files) -> None:
    place = ("/sandbox", "a")
    for reply in (user.export(place), user.delete(place), user.call("GET"),
                  user.content(*place)):
        assert reply.status == 404
        assert detail(reply) == GONE
    assert user.release().status == 404, "none was begun"


def test_a_head_has_no_body(user: Files) -> None:
    user.replace("/sandbox", "a", b"12345")
    reply = user.call("HEAD", FILES + "/content", path="/sandbox", name="a")
    assert reply.status == 200 and reply.body == b""
    assert reply.header("Content-Length") == "5"


def test_files_belong_to_the_session(user: Files, client: Client) -> None:
    user.replace("/sandbox", "mine", b"1")
    other = Files(client)
    other.text("1")
    assert other.names() == []
    assert other.content("/sandbox", "mine").status == 404
    other.release()


def test_they_take_their_turn(user: Files) -> None:
    """A file that is sent while a program runs is there after it."""
    user.text("import os, time")

    def act(number: int) -> Any:
        if number == 0:
            return user.text(
                "end = time.monotonic() + 1\n"
                "while time.monotonic() < end and not os.path.exists('f'): "
                "pass\nopen('f', 'w').write('program')\n'ran'")
        while not user.client.request("GET", "/status").json()[
                "sessions"]["busy"]:
            pass
        return user.upload(("/sandbox", "f", b"upload")).status

    assert together(2, act) == ["'ran'", 201]
    assert user.read("/sandbox", "f") == b"upload"


# -- sizes

def test_more_than_home_has_left(user: Files) -> None:
    user.text("import os\nfree = os.statvfs('.').f_bavail * 4096\n"
              "with open('big', 'wb') as f:\n"
              "    f.write(bytes(free - (8 << 20)))")
    reply = user.upload(("/sandbox/new/dir", "a", bytes(3 << 20)),
                        ("/sandbox", "b", bytes(9 << 20)))
    assert reply.status == 413, reply.body
    assert detail(reply) == (
        "File exceeds size limit: the sandbox has no room for all files, so "
        "none was written: Upload failed for 2/2 file(s)")
    assert user.text("os.listdir('.')") == "['big']"
    assert user.upload(("/sandbox/new/dir", "a", bytes(3 << 20))).status == 201


def test_more_than_an_answer_holds(user: Files) -> None:
    """A file of holes, and one with many names."""
    user.text("import os\nopen('f', 'wb').write(bytes(1 << 20))\n"
              "os.truncate('f', 200 << 20)\n"
              "for i in range(5): os.link('f', f'f{i}')")
    reply = user.export(*[("/sandbox", f"f{i}") for i in range(5)])
    assert reply.status == 413
    assert detail(reply).startswith("File exceeds size limit: ")
    assert detail(reply).endswith("Export failed for 4/5 file(s)")


def test_no_inode_is_left(user: Files) -> None:
    user.text("import os\nos.mkdir('d')\ntry:\n    i = 0\n    while True:\n"
              "        open(f'd/{i}', 'w').close()\n        i += 1\n"
              "except OSError: pass\nfor i in range(3): os.remove(f'd/{i}')")
    reply = user.upload(("/sandbox/a/b/c", "d", b"1"), ("/sandbox", "e", b"1"))
    assert reply.status == 413, reply.body
    assert user.text("sorted(os.listdir('.'))") == "['d']", "no part is left"
    assert user.upload(("/sandbox", "e", b"1")).status == 201


def test_the_largest_body(user: Files) -> None:
    reply = user.replace("/sandbox", "a", bytes((100 << 20) + 1))
    assert reply.status == 413 and isinstance(detail(reply), str)
    size = (100 << 20) - 1  # the name counts, too
    assert user.replace("/sandbox", "a", bytes(size)).status == 201
    assert len(user.content("/sandbox", "a").body) == size


# -- hostile homes

HOSTILE = """
import os, socket
os.mkdir('/tmp/elsewhere')
open('/tmp/elsewhere/secret', 'w').write('elsewhere')
os.symlink('/tmp/elsewhere', 'out')         # out of home
os.symlink('/', 'root')
os.symlink('..', 'up')
os.symlink('/etc/passwd', 'passwd')
os.symlink('passwd', 'chain')
os.symlink('loop', 'loop')
os.symlink('nowhere', 'dangling')
os.symlink('/proc/self/environ', 'magic')
os.mkdir('inside')
open('inside/file', 'w').write('inside')
os.symlink('inside', 'alias')               # even one that stays in home
os.symlink('inside/file', 'link')
os.mkdir('shut')
open('shut/file', 'w').write('shut')
os.chmod('shut/file', 0)
os.chmod('shut', 0)
open('plain', 'w').write('plain')
sorted(os.listdir('.'))
"""
LINKS = [("/sandbox/out", "secret"), ("/sandbox/root/etc", "passwd"),
         ("/sandbox/up/user", "plain"), ("/sandbox", "passwd"),
         ("/sandbox", "chain"), ("/sandbox", "loop"),
         ("/sandbox", "dangling"), ("/sandbox", "magic"),
         ("/sandbox/alias", "file"), ("/sandbox", "link"),
         ("/sandbox", "inside"), ("/sandbox", "alias"),
         ("/sandbox/plain", "x"), ("/sandbox/loop", "x")]


def test_nothing_is_read_through_a_link(user: Files) -> None:
    user.text(HOSTILE)
    for place in LINKS:
        assert user.export(place).status == 404, place
        assert user.content(*place).status == 404, place
    for path in ("out", "root", "up", "alias", "loop", "plain", "magic"):
        assert user.call("GET", path="/sandbox/" + path).status == 404, path
    assert user.read("/sandbox", "plain") == b"plain"
    listed = user.names()
    assert "/sandbox/plain" in listed and "/sandbox/inside/file" in listed
    assert not [name for name in listed if "elsewhere" in name or
                "passwd" in name or "link" in name or "alias" in name]


def test_nothing_is_written_through_a_link(user: Files) -> None:
    user.text(HOSTILE)
    for path in ("out", "root/tmp", "up", "alias", "loop", "dangling",
                 "plain"):
        reply = user.upload(("/sandbox/" + path, "new", b"new"),
                            ("/sandbox/made/for", "it", b"new"))
        assert reply.status == 400, (path, reply.body)
        assert detail(reply).startswith("Invalid path: ")
        reply = user.replace(f"/sandbox/{path}/deeper", "new", b"new")
        assert reply.status == 400, (path, reply.body)
    assert user.upload(("/sandbox", "inside", b"x")).status == 400
    # An ordinary user's server has the guest's uid, and with it the right.
    assert user.upload(("/sandbox/shut", "new", b"x")).status in (201, 400)
    before = user.names()
    assert "made" not in str(before)
    assert user.text(
        "sorted(os.listdir('/tmp/elsewhere') + os.listdir('inside')), "
        "os.path.exists('made'), os.path.lexists('nowhere')") == \
        "(['file', 'secret'], False, False)"


def test_a_link_at_a_files_place_is_replaced(user: Files) -> None:
    user.text(HOSTILE)
    for name in ("passwd", "loop", "dangling", "link", "out", "alias"):
        assert user.upload(("/sandbox", name, name.encode())).status == 201
        assert user.read("/sandbox", name) == name.encode()
    assert user.text(
        "open('/tmp/elsewhere/secret').read(), open('inside/file').read(), "
        "os.path.islink('link'), os.path.exists('nowhere')") == \
        "('elsewhere', 'inside', False, False)"


def test_a_link_is_removed_and_not_its_target(user: Files) -> None:
    user.text(HOSTILE)
    assert user.delete(("/sandbox", "link"), ("/sandbox", "out"),
                       ("/sandbox/alias", "file"),
                       ("/sandbox/up/tmp/elsewhere", "secret")).status == 204
    assert user.text("os.path.lexists('link'), os.path.lexists('out'), "
                     "os.listdir('inside'), os.listdir('/tmp/elsewhere')") == \
        "(False, False, ['file'], ['secret'])"


def test_other_kinds_of_files(user: Files) -> None:
    """What a guest can make beside regular files: a unix socket it cannot, and
    a pipe neither; a huge file of holes, a directory at a file's place."""
    user.text("import os\nos.mkdir('dir')\nf = open('huge', 'wb')\n"
              "f.truncate(250 << 20)\nf.close()\n"
              "def attempt(act, *args):\n    try: act(*args)\n"
              "    except OSError: pass\n"
              "attempt(os.mkfifo, 'pipe')\nattempt(os.mknod, 'node')")
    assert user.content("/sandbox", "dir").status == 404
    for name in ("pipe", "node"):
        assert user.content("/sandbox", name).status == 404
    assert user.replace("/sandbox", "pipe", b"1").status == 201
    assert user.replace("/sandbox", "dir", b"1").status == 400
    reply = user.content("/sandbox", "huge")
    assert reply.status == 200 and len(reply.body) == 250 << 20


def test_names_that_resemble_temporary_ones(user: Files) -> None:
    user.text("import os\nfor i in range(50):\n"
              "    os.mkdir(f'.terrarium-{i:016x}-0')")
    assert user.upload(("/sandbox", "a", b"1")).status == 201
    assert user.read("/sandbox", "a") == b"1"


def test_directories_swapped_by_threads(user: Files) -> None:
    """Threads that outlive their call swap a directory for a link out of home
    as fast as they can; they are stopped while files are used."""
    user.text("""
import os, threading, time
os.makedirs('/tmp/target', exist_ok=True)
open('/tmp/target/f', 'w').write('outside')
os.makedirs('real')
open('real/f', 'w').write('inside')
os.symlink('/tmp/target', 'fake')
def swap():
    while True:
        for a, b in (('place', 'aside'), ('fake', 'place'), ('place', 'fake'),
                     ('aside', 'place')):
            try: os.rename(a, b)
            except OSError: pass
os.rename('real', 'place')
threading.Thread(target=swap, daemon=True).start()
""")
    for turn in range(30):
        reply = user.content("/sandbox/place", "f")
        assert reply.status == 404 or reply.body == b"inside", turn
        reply = user.replace("/sandbox/place", "g", b"new")
        assert reply.status in (201, 400), reply.body
        user.delete(("/sandbox/place", "f" if turn == 29 else "h"))
        assert user.text("os.listdir('/tmp/target'), "
                         "open('/tmp/target/f').read()") == \
            "(['f'], 'outside')"


def test_a_directory_that_is_deep(user: Files) -> None:
    user.text("import os\nfor i in range(60):\n    os.mkdir('d')\n"
              "    os.chdir('d')\nopen('f', 'w').close()\nos.chdir('/sandbox')")
    reply = user.call("GET").json()
    assert reply == {"files": [], "truncated": True}
    assert user.upload(("/sandbox" + "/d" * 15, "f", b"1")).status == 201
    assert user.upload(("/sandbox" + "/d" * 16, "f", b"1")).status == 422


def test_a_removed_home(user: Files) -> None:
    """It cannot be removed, and an open directory that is gone is none."""
    user.text("import os, shutil\nos.makedirs('a/b')\nos.chdir('a/b')\n"
              "shutil.rmtree('/sandbox/a')\n"
              "try: os.rmdir('/home/user')\nexcept OSError: pass")
    assert user.upload(("/sandbox", "f", b"1")).status == 201
    assert user.names() == ["/sandbox/f"]


def test_a_branch_has_the_same_files(user: Files) -> None:
    user.text("x = 1")
    other = Files(user.client)
    assert user.client.request("POST", "/fork", json.dumps(
        {"user_uuid": user.name, "new_uuid": other.name}), JSON).status == 200
    assert user.replace("/sandbox", "f", b"1").status == 201
    assert other.read("/sandbox", "f") == b"1"
    other.release()


# -- no URLs

@pytest.mark.parametrize("url", [
    "http://127.0.0.1/", "https://example.org/a.csv?x=1", "HTTP://host",
    "http://[::1]:80/", "http://169.254.169.254/latest"])
def test_no_url_is_fetched_or_written_to(user: Files, url: str) -> None:
    bodies = [(FILES, {"download_url": url}),
              (FILES + "/export", {"upload_url": url}),
              (FILES + "/export", {"upload_url": url,
                                   "upload_fields": {"a": "b"}})]
    for path, fields in bodies:
        body = {"files": [{"path": "/sandbox", "name": "a",
                           "download_url": data_url(b"1")},
                          {"path": "/sandbox", "name": "b", **fields}]}
        reply = user.call("POST", path, body)
        assert reply.status == 501, reply.body
        assert detail(reply) == NO_URLS
        assert reply.header("Retry-After") is None
        body["files"][0]["path"] = "/sandbox/../etc"
        assert user.call("POST", path, body).status == 422
    assert user.release().status == 404, "no session was begun"


# -- malformed requests

GOOD = {"path": "/sandbox", "name": "a", "download_url": "data:;base64,"}
ENTRIES = [
    ({"path": None}, "string_type", "path"),
    ({"path": 1}, "string_type", "path"),
    ({"path": ...}, "missing", "path"),
    ({"path": ""}, "string_too_short", "path"),
    ({"path": "/sandbox" + "/a" * 600}, "string_too_long", "path"),
    ({"path": "/sandbox" + "/a" * 400}, "string_too_long", "path"),
    ({"path": "/sandbox/" + "\u4e2d" * 200}, "string_too_long", "path"),
    *[({"path": path}, "string_pattern_mismatch", "path") for path in (
        "sandbox", "/", "/sandboxx", "/tmp", "/sandbox/..", "/sandbox/../etc",
        "/sandbox/.", "/sandbox/.hidden", "/sandbox/a.", "/sandbox/a..b",
        "/sandbox//a", "/sandbox//", "/sandbox/a b", "/sandbox/a\n",
        "/sandbox\n", "/sandbox/a/../b", "/home/user/..", "/home/username",
        "/sandbox/\u2028", "/sandbox/a\\b", "/sandbox/%2e%2e",
        "/SANDBOX", " /sandbox", "/sandbox/\U0001f600")],
    ({"name": None}, "string_type", "name"),
    ({"name": ["a"]}, "string_type", "name"),
    ({"name": ...}, "missing", "name"),
    ({"name": ""}, "string_too_short", "name"),
    ({"name": "a" * 256}, "string_too_long", "name"),
    ({"name": "\u4e2d" * 255}, "string_too_long", "path"),
    *[({"name": name}, "string_pattern_mismatch", "name") for name in (
        ".", "..", "a/b", "a b", "a\n", "/", "a\\b", "a:b", "\u2026", "a\t", "*")],
    ({"download_url": ...}, "missing", "download_url"),
    ({"download_url": None}, "string_type", "download_url"),
    ({"download_url": 1}, "string_type", "download_url"),
    *[({"download_url": url}, "url_parsing", "download_url") for url in (
        "", "x", "/etc/passwd", "http:", "http://", "http:///x", "http//x",
        "https://?x", "//host/x", "data:", "data:,x", "data:text/plain,x",
        "data:;base64", "data:;base64;x,YQ==", "data:;base64,Y", "data:;bas"
        "e64,Y*==", "data:;base64,\u00e4", ":")],
    *[({"download_url": url}, "url_scheme", "download_url") for url in (
        "file:///etc/passwd", "ftp://host/x", "gopher://host", "s3://b/k",
        "javascript:1", "httpx://host")],
]


@pytest.mark.parametrize("change, kind, field", ENTRIES)
def test_malformed_entries(user: Files, change: dict[str, Any], kind: str,
                           field: str) -> None:
    entry = {key: value for key, value in {**GOOD, **change}.items()
             if value is not ...}
    body = {"files": [GOOD, entry]}
    reply = user.call("POST", body=body)
    assert reply.status == 422, reply.body
    assert [set(one) for one in detail(reply)] == [{"type", "loc", "msg"}]
    assert (detail(reply)[0]["type"], detail(reply)[0]["loc"]) == \
        (kind, ["body", "files", 1, field])
    if field != "download_url":
        for method, path in (("POST", FILES + "/export"), ("DELETE", FILES)):
            reply = user.call(method, path, body)
            assert reply.status == 422
            assert detail(reply)[0]["type"] == kind
    assert user.release().status == 404, "no session was begun"


@pytest.mark.parametrize("change, kind, field", [
    ({"upload_url": 1}, "string_type", "upload_url"),
    ({"upload_url": "x"}, "url_parsing", "upload_url"),
    ({"upload_url": "http://"}, "url_parsing", "upload_url"),
    ({"upload_url": "ftp://host"}, "url_scheme", "upload_url"),
    ({"upload_url": "data:;base64,"}, "url_scheme", "upload_url"),
    ({"upload_fields": []}, "dict_type", "upload_fields"),
    ({"upload_fields": "a"}, "dict_type", "upload_fields"),
    ({"upload_fields": {"a": 1}, "upload_url": "http://h"}, "string_type",
     "upload_fields"),
    ({"upload_fields": {}}, "missing", "upload_url"),
])
def test_malformed_exports(user: Files, change: dict[str, Any], kind: str,
                           field: str) -> None:
    reply = user.export(("/sandbox", "a"), **change)
    assert reply.status == 422
    assert (detail(reply)[0]["type"], detail(reply)[0]["loc"]) == \
        (kind, ["body", "files", 0, field])


@pytest.mark.parametrize("body, kind, place", [
    (b"", "missing", ["body"]), (b"{", "json_invalid", ["body", 1]),
    (b"[]", "model_attributes_type", ["body"]),
    (b"{}", "missing", ["body", "files"]),
    (b'{"files": null}', "list_type", ["body", "files"]),
    (b'{"files": {}}', "list_type", ["body", "files"]),
    (b'{"files": []}', "too_short", ["body", "files"]),
    (b'{"files": [' + b"1," * 100 + b"1]}", "too_long", ["body", "files"]),
    (b'{"files": [1]}', "model_attributes_type", ["body", "files", 0]),
    (b'{"files": [[]]}', "model_attributes_type", ["body", "files", 0]),
])
def test_malformed_bodies(user: Files, body: bytes, kind: str,
                          place: Any) -> None:
    for method, path in (("POST", FILES), ("POST", FILES + "/export"),
                         ("DELETE", FILES)):
        reply = user.call(method, path, body)
        assert reply.status == 422
        assert [(one["type"], one["loc"]) for one in detail(reply)] == \
            [(kind, place)]


def test_all_faults_are_in_one_list(client: Client) -> None:
    body = {"files": [{"path": "/", "name": "", "download_url": "x"}, 7,
                      {"path": "/sandbox"}]}
    reply = client.request("POST", FILES + "?user_uuid=1", json.dumps(body),
                           JSON)
    assert reply.status == 422
    assert [one["loc"][1:] for one in detail(reply)] == [
        ["user_uuid"], ["files", 0, "path"], ["files", 0, "name"],
        ["files", 0, "download_url"], ["files", 1], ["files", 2, "name"],
        ["files", 2, "download_url"]]


@pytest.mark.parametrize("query, kind, field", [
    ({"name": "a"}, "missing", "path"),
    ({"path": "/sandbox"}, "missing", "name"),
    ({"path": "", "name": "a"}, "string_too_short", "path"),
    ({"path": "/sandbox", "name": ""}, "string_too_short", "name"),
    ({"path": "/etc", "name": "a"}, "string_pattern_mismatch", "path"),
    ({"path": "/sandbox/\0", "name": "a"}, "string_pattern_mismatch", "path"),
    ({"path": "/sandbox", "name": ".."}, "string_pattern_mismatch", "name"),
    ({"path": "/sandbox", "name": "a\0"}, "string_pattern_mismatch", "name"),
    ({"path": "/sandbox", "name": "a/b"}, "string_pattern_mismatch", "name"),
    ({"path": "/sandbox", "name": b"\xff"}, "string_pattern_mismatch",
     "name"),
    ({"path": "/sandbox", "name": "a" * 256}, "string_too_long", "name"),
    ({"path": "/sandbox/" + "a" * 256, "name": "a"}, "string_too_long",
     "path"),
])
def test_malformed_queries(user: Files, query: dict[str, Any], kind: str,
                           field: str) -> None:
    for method in ("GET", "PUT"):
        reply = user.call(method, FILES + "/content",
                          b"x" if method == "PUT" else None, **query)
        assert reply.status == 422, reply.body
        assert [(one["type"], one["loc"]) for one in detail(reply)] == \
            [(kind, ["query", field])]


def test_malformed_listings(user: Files) -> None:
    user.text("1")
    for path, kind in (("", "string_too_short"), ("/etc", "string_pattern_"
                       "mismatch"), ("/sandbox/../", "string_pattern_mismatch"
                                     ), ("/sandbox" + "/a" * 17,
                                         "string_too_long")):
        reply = user.call("GET", path=path)
        assert reply.status == 422, path
        assert detail(reply)[0]["type"] == kind
    reply = user.client.request(
        "GET", f"{FILES}?user_uuid={user.name}&path=/sandbox&path=/sandbox")
    assert reply.status == 422


def test_other_methods(client: Client) -> None:
    for method, path, allowed in (
            ("PUT", FILES, "GET, HEAD, POST, DELETE"),
            ("PATCH", FILES, "GET, HEAD, POST, DELETE"),
            ("GET", FILES + "/export", "POST"),
            ("POST", FILES + "/content", "GET, HEAD, PUT"),
            ("DELETE", FILES + "/content", "GET, HEAD, PUT")):
        reply = client.request(method, path)
        assert (reply.status, reply.header("Allow")) == (405, allowed)


def test_a_body_that_breaks_off_leaves_nothing(user: Files) -> None:
    user.text("1")
    connection = user.client.connection(5)
    connection.putrequest("PUT", f"{FILES}/content?user_uuid={user.name}"
                          "&path=/sandbox&name=f")
    for name, value in user.client.credentials().items():
        connection.putheader(name, value)
    connection.putheader("Content-Length", "1000")
    connection.endheaders(b"part")
    assert connection.sock is not None
    connection.sock.shutdown(1)
    with pytest.raises((http.client.HTTPException, OSError)):
        connection.getresponse().read()
        raise http.client.HTTPException  # an answer is fine, too
    connection.close()
    assert user.names() == []
