"""channels - the output of a guest: frames, the text in them, the streams.

A frame is a kind and a payload, sent by emit(). Text in frames is ASCII JSON
or UTF-8, whatever the program put into its strings.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from . import emit  # C's; a rehearsal replaces it
from .texts import NOTE_CHARS, cut_at, note

import _thread
import fcntl
import io
import json
import re
import sys
import termios
import time
from typing import Any, Optional, Sequence

# Kinds of frame, shared with the worker.
DISPLAY, VALUE, ERROR, DROPPED, STARTED, REFUSED = 1, 2, 3, 4, 7, 8
WARNING, WHERE = 9, 10

# Warnings of one job, and the bytes of each; the worker takes no more.
WARNINGS, WARNING_BYTES = 20, 500

_quote = json.encoder.encode_basestring_ascii
_lone_surrogates = re.compile("[\ud800-\udfff]").sub
_FileIO, _Text = io.FileIO, io.TextIOWrapper
_Reader, _Writer = io.BufferedReader, io.BufferedWriter
_STREAMS = ("stdin", "stdout", "stderr")
_ioctl, _FIONREAD = fcntl.ioctl, termios.FIONREAD
_clock, _sleep = time.monotonic, time.sleep
_send_lock = _thread.RLock()
_warned: set[bytes] = set()  # of this job


def send(kind: int, payload: bytes) -> None:
    """Send one frame. Locked, because the program's threads may call
    display()."""
    with _send_lock:
        try:
            emit(kind, payload)
        except Exception:
            pass  # the program closed the pipe; the worker reports that


def warn(sentence: str) -> None:
    """Send a sentence for the client, beside the result: a value that was
    changed or cut. The same one is sent once in a job."""
    payload = utf8(sentence)[:WARNING_BYTES].decode("utf-8", "ignore").encode()
    with _send_lock:
        if payload not in _warned and len(_warned) < WARNINGS:
            _warned.add(payload)
            send(WARNING, payload)


def forget_warnings() -> None:
    """A job begins."""
    if _warned:
        _warned.clear()


def unlock_frames() -> None:
    """Make the lock anew in a copy of a guest, because the thread that held it
    does not exist there."""
    _send_lock._at_fork_reinit()


def send_error(job: Any, payload: bytes) -> None:
    """Send the one ERROR frame of a job. Between setting job.failed and the
    frame there is no point at which a signal handler could run."""
    with _send_lock:
        if job.failed:
            return
        try:
            job.failed = True
            emit(ERROR, payload)
        except Exception:
            pass


def json_string(text: str) -> str:
    """TEXT as JSON, ASCII only, without lone surrogates."""
    quoted = _quote(text)
    if "\\ud" in quoted:
        quoted = _quote(_lone_surrogates("\ufffd", text))
    return quoted


def fit(text: str, room: int) -> str:
    """The final value's TEXT as a JSON string of at most ROOM characters. One
    that is longer is cut, with a note of how much is missing."""
    if len(text) <= room:
        quoted = json_string(text)
        if len(quoted) <= room:
            return quoted
    low, high = 0, min(len(text), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if len(json_string(text[:middle])) + NOTE_CHARS <= room:
            low = middle
        else:
            high = middle - 1
    warn(f"the final value was cut: its text has {len(text):,} characters, "
         f"and an answer has room for {room:,} bytes of it")
    if room < 2 * NOTE_CHARS:
        return json_string(text[:max(0, room // 12 - 3)] + "...")
    low = cut_at(text, low)
    return json_string(text[:low] + note(len(text) - low, text[:low]))


def cut(data: bytes, room: int) -> bytes:
    """UTF-8 DATA, without its middle if it is longer than ROOM."""
    if len(data) <= room:
        return data
    half = room // 2 - 40
    head = data[:half].decode("utf-8", "ignore").encode()
    tail = data[-half:].decode("utf-8", "ignore").encode()
    note = b"\n[... %d bytes left out ...]\n"
    return head + note % (len(data) - len(head) - len(tail)) + tail


def utf8(text: str) -> bytes:
    """TEXT as UTF-8, with lone surrogates replaced."""
    return _lone_surrogates("\ufffd", text).encode()


def _open_stream(fd: int, name: str) -> Optional[io.TextIOWrapper]:
    """A text stream over a descriptor, or None if that is closed."""
    try:
        raw = _FileIO(fd, "r" if name == "<stdin>" else "w", closefd=False)
    except OSError:
        return None
    raw.name = name
    if name == "<stdin>":
        stream = _Text(_Reader(raw), "utf-8", "replace")
        stream.mode = "r"
    else:
        stream = _Text(_Writer(raw), "utf-8", "surrogatepass", "\n", True)
        stream.mode = "w"
    return stream


def open_streams(fds: Sequence[int]) -> list[Optional[io.TextIOWrapper]]:
    """Text streams over descriptors of standard input, output and error."""
    return [_open_stream(fd, f"<{name}>")
            for fd, name in zip(fds, _STREAMS)]


def merge_streams(streams: Sequence[Optional[io.TextIOWrapper]]) -> list[
        Optional[io.TextIOWrapper]]:
    """The same streams, with standard error in the buffer of standard output,
    so that output to both keeps its order."""
    stdin, out, err = streams
    if out is None or err is None:
        return [stdin, out, err]
    err = _Text(out.buffer, "utf-8", "surrogatepass", "\n", True, True)
    err.mode = "w"
    out.reconfigure(write_through=True)
    return [stdin, out, err]


def unbuffer_streams(streams: Sequence[Optional[io.TextIOWrapper]]) -> list[
        Optional[io.TextIOWrapper]]:
    """The same streams without buffers of output, as PYTHONUNBUFFERED=1 asks:
    nothing that was printed is lost when the process ends at once."""
    return [streams[0]] + [stream and _unbuffered(stream)
                           for stream in streams[1:]]


def _unbuffered(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    raw = stream.detach().detach()
    raw_text = _Text(raw, "utf-8", "surrogatepass", "\n", False, True)
    raw_text.mode = "w"
    return raw_text


# A program that changes between its streams waits until the worker has read the
# one before: at most so long each time, and in all of a job, in seconds. Behind
# that the order is the one in which the worker reads.
_TURN_S, _TURNS_S = 0.05, 1.0
_LOOK_S = 0.00002  # between looks at a pipe


class _Turns:
    """last: the stream that was written to. waited: so far, in seconds."""
    __slots__ = ("last", "waited")

    def __init__(self) -> None:
        self.last: Optional[io.TextIOWrapper] = None
        self.waited = 0.0


def _settle(stream: io.TextIOWrapper, turns: _Turns) -> None:
    """Flush STREAM and wait until its pipe is empty."""
    began = now = _clock()
    try:
        _Text.flush(stream)
        fd = _Text.fileno(stream)
        until = min(began + _TURN_S, began + _TURNS_S - turns.waited)
        unread = bytearray(4)
        while now < until and _ioctl(fd, _FIONREAD, unread) == 0 and \
                any(unread):
            _sleep(_LOOK_S)
            now = _clock()
    except (ValueError, OSError):
        pass  # the program closed it
    turns.waited += now - began


class _Ordered(io.TextIOWrapper):
    """Standard output or error of a job whose outcome has the order of both.
    """
    turns: Optional[_Turns] = None

    def write(self, text: str) -> int:
        turns = self.turns
        if turns is not None and turns.last is not self:
            last, turns.last = turns.last, self
            if last is not None:
                _settle(last, turns)
        return _Text.write(self, text)


def order_streams(streams: Sequence[Optional[io.TextIOWrapper]]) -> list[
        Optional[io.TextIOWrapper]]:
    """Streams over the same descriptors, in place of STREAMS, which keep the
    order of output to both."""
    turns = _Turns()
    made: list[Optional[io.TextIOWrapper]] = [streams[0]]
    for stream in streams[1:]:
        ordered = stream
        if stream is not None:
            # Detached, because the old stream would close the buffer.
            ordered = _Ordered(stream.detach(), "utf-8", "surrogatepass",
                               "\n", True, True)
            ordered.mode, ordered.turns = "w", turns
        made.append(ordered)
    return made


def install_streams(streams: Sequence[Optional[io.TextIOWrapper]]) -> None:
    """Make them sys.stdin, sys.stdout and sys.stderr."""
    for name, stream in zip(_STREAMS, streams):
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def flush_users() -> None:
    """Flush the program's own replacements of the streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name, None)
        if stream is not None:
            stream.flush()


def flush_ours(streams: Sequence[Optional[io.TextIOWrapper]]) -> None:
    """Flush the output streams of open_streams()."""
    for stream in streams[1:]:
        try:
            _Text.flush(stream)
        except (ValueError, OSError, TypeError):
            pass  # closed or detached by the program
