"""A small FastCGI server for tests of the web server in front of it.

    python3 fastcgi_echo.py SOCKET

Answers each request with its params and body as JSON; or, where the body is
a JSON object, as the object says:

    {"status": 503}            another status
    {"headers": ["X-A: b"]}    more headers
    {"text": "..."}            this as the body, as text/plain
    {"size": n}                n bytes as the body
    {"sleep": seconds}         first wait, looking whether the peer leaves
    {"do": "die"}              close without an answer
    {"do": "cut"}              close in the middle of the answer
    {"do": "garbage"}          answer bytes that are not FastCGI
"""

import json
import os
import select
import socket
import struct
import sys
import threading
from typing import Any, Dict, Tuple

BEGIN, END, PARAMS, STDIN, STDOUT = 1, 3, 4, 5, 6
HEADER = struct.Struct(">BBHHBx")
RECORD_MAX = 65528


def read_exactly(peer: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = peer.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def read_record(peer: socket.socket) -> Tuple[int, bytes]:
    _, kind, _, size, padding = HEADER.unpack(read_exactly(peer, HEADER.size))
    content = read_exactly(peer, size)
    read_exactly(peer, padding)
    return kind, content


def read_size(data: bytes, at: int) -> Tuple[int, int]:
    if data[at] < 128:
        return data[at], at + 1
    return struct.unpack_from(">I", data, at)[0] & 0x7FFFFFFF, at + 4


def parse_params(data: bytes) -> Dict[str, str]:
    params: Dict[str, str] = {}
    at = 0
    while at < len(data):
        name_size, at = read_size(data, at)
        value_size, at = read_size(data, at)
        name = data[at:at + name_size].decode("latin-1")
        at += name_size
        assert name not in params, f"{name} twice"
        params[name] = data[at:at + value_size].decode("latin-1")
        at += value_size
    return params


def read_request(peer: socket.socket) -> Tuple[Dict[str, str], bytes]:
    streams = {PARAMS: bytearray(), STDIN: bytearray()}
    while True:
        kind, content = read_record(peer)
        if kind == BEGIN:
            continue
        if not content and kind == STDIN:
            return (parse_params(bytes(streams[PARAMS])),
                    bytes(streams[STDIN]))
        streams[kind] += content


def send_stdout(peer: socket.socket, data: bytes) -> None:
    for at in range(0, len(data), RECORD_MAX):
        piece = data[at:at + RECORD_MAX]
        peer.sendall(HEADER.pack(1, STDOUT, 1, len(piece), 0) + piece)


def send_end(peer: socket.socket) -> None:
    peer.sendall(HEADER.pack(1, STDOUT, 1, 0, 0))
    peer.sendall(HEADER.pack(1, END, 1, 8, 0) + bytes(8))


def wish_of(body: bytes) -> Dict[str, Any]:
    try:
        wish = json.loads(body)
    except ValueError:
        return {}
    return wish if isinstance(wish, dict) else {}


def answer(peer: socket.socket, params: Dict[str, str], body: bytes) -> None:
    wish = wish_of(body)
    if wish.get("sleep"):
        left, _, _ = select.select([peer], [], [], wish["sleep"])
        if left:
            print("peer left", flush=True)
            return
    if wish.get("do") == "die":
        return
    if wish.get("do") == "garbage":
        peer.sendall(b"what is this?" * 10)
        return
    content = json.dumps({"params": params,
                          "body": body[:1000].decode("latin-1"),
                          "body_size": len(body)}).encode()
    kind = "application/json"
    if "text" in wish:
        content, kind = wish["text"].encode(), "text/plain"
    if "size" in wish:
        content, kind = b"x" * wish["size"], "text/plain"
    head = [f"Status: {wish.get('status', 200)}", f"Content-Type: {kind}",
            f"Content-Length: {len(content)}", "X-Request-Id: of-the-worker",
            *wish.get("headers", [])]
    send_stdout(peer, "\r\n".join([*head, "", ""]).encode())
    if wish.get("do") == "cut":
        send_stdout(peer, content[:len(content) // 2])
        return
    send_stdout(peer, content)
    send_end(peer)


def serve(peer: socket.socket) -> None:
    with peer:
        try:
            answer(peer, *read_request(peer))
        except (EOFError, OSError):
            pass


def main() -> None:
    path = sys.argv[1]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen(256)
    print("ready", flush=True)
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=(peer,), daemon=True).start()


if __name__ == "__main__":
    main()
