"""nginx in front of several hosts: conf/nginx/cluster.conf.example in
nginx.conf.example, as conf/nginx-parts puts them together."""

from __future__ import annotations

import re
import subprocess
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE, MORE = ROOT / "nginx.conf.example", \
    ROOT / "conf/nginx/cluster.conf.example"


def load_parts() -> Any:
    module: Any = types.ModuleType("parts")
    exec(compile((ROOT / "conf/nginx-parts").read_text(), "nginx-parts",
                 "exec"), vars(module))
    return module


parts = load_parts()
FRONT = subprocess.run(
    [str(ROOT / "conf/nginx-parts"), "--cluster", str(EXAMPLE), str(MORE)],
    capture_output=True, text=True, check=True).stdout


def bare(text: str) -> list[str]:
    """The statements of a block's content, without comments."""
    return [" ".join(parts.bare(one).split())
            for one in parts.statements(text)]


def gone(before: str, after: str, *blocks: str) -> set[str]:
    """The names of statements that are in BEFORE and not in AFTER."""
    for block in blocks:
        before, after = (parts.block(one, block) for one in (before, after))
    kept = bare(after)
    return {parts.name(one) for one in bare(before) if one not in kept}


def test_all_else_is_as_in_the_example() -> None:
    example = EXAMPLE.read_text()
    assert gone(example, FRONT) == {"http"}
    assert gone(example, FRONT, "http") == {
        "upstream terrarium_workers", "upstream terrarium_status",
        "fastcgi_next_upstream", "server"}
    changed = gone(example, FRONT, "http", "server")
    assert changed == {
        "location /",
        r"location ~ ^/(e2b/(v2/)?sandboxes(/[a-z0-9-]+(/connect)?)?|"
        r"opensandbox/v1/sandboxes/[a-z0-9-]+/endpoints/[a-z0-9]+)\z",
        r"location ~ ^/((e2b/)?execute|opensandbox/[a-z0-9-]+/code|api/v1/"
        r"(execute|files(/export|/content)?))\z"}
    for block in changed:
        before, after = (
            parts.block(parts.block(parts.block(one, "http"), "server"),
                        re.escape(block)) for one in (example, FRONT))
        assert gone(before, after) <= {"fastcgi_pass"}


def test_calls_of_sessions_have_all_that_others_have() -> None:
    server = parts.block(parts.block(FRONT, "http"), "server")
    usual, keyed = (bare(parts.block(server, f"location {name}"))
                    for name in ("/", "@sessions"))
    assert set(usual) - set(keyed) == {
        "fastcgi_pass terrarium_workers;", "recursive_error_pages on;",
        "if ($session_key) { return 418; }"}
    assert set(keyed) - set(usual) == {
        "fastcgi_pass terrarium_sessions;", "fastcgi_next_upstream off;"}


def test_each_host_is_in_each_list() -> None:
    http = parts.block(FRONT, "http")
    stream = parts.block(FRONT, "stream")
    for host in ("host1", "host2", "host3"):
        for upstream in ("workers", "sessions", "status"):
            kind = "-status" if upstream == "status" else ""
            assert f"/{host}{kind}.sock max_fails=3" in parts.block(
                http, f"upstream terrarium_{upstream}")
        assert stream.count(f"proxy_ssl_name {host};") == 2


def test_an_addition_to_a_block_is_at_its_end() -> None:
    assert parts.merge("a 1;\nhttp {\n\tb 1;\n\tserver {\n\t\tc 1;\n\t}\n}\n",
                       "http {\n\tb 2;\n\td 1;\n\tserver {\n\t\te 1;\n\t}\n}") \
        == "a 1;\nhttp {\n\tb 2;\n\tserver {\n\t\tc 1;\n\t\te 1;\n\t}" \
           "\n\td 1;\n}"
