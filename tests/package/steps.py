"""Steps of tests/package/inside and booted, on a system with the packages."""

import json
import os
import pathlib
import ssl
import subprocess
import time
import urllib.error
import urllib.request

ETC = pathlib.Path("/etc/terrarium")
URL = "https://localhost:8443/"
LEFT_OUT = ("/proc", "/sys", "/dev", "/tmp", "/home", "/var/lib/dpkg",
            "/var/lib/apt", "/var/cache/apt", "/var/cache/debconf",
            "/var/log", "/var/lib/systemd/deb-systemd-helper-enabled")
NO_CHECK_TIME = 0x200000  # of OpenSSL; tests set the clock
passed = 0


def step(words: str) -> None:
    global passed
    passed += 1
    print(f"ok {passed} - {words}", flush=True)


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def apt(*words: str) -> str:
    return run("apt-get", "-q", "-y", "--no-install-recommends", *words)


def until(true, reason: str, within_s: float = 120.0) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, reason
        time.sleep(0.1)


def files() -> "set[str]":
    found = set()
    for folder, names, more in os.walk("/"):
        names[:] = [name for name in names if not os.path.join(
            folder, name).startswith(LEFT_OUT)]
        found |= {os.path.join(folder, name) for name in names + more
                  if name not in ("__pycache__", "ld.so.cache")
                  and not name.endswith(".pyc")}
    return found


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(ETC / "tls.crt"))
    context.verify_flags |= NO_CHECK_TIME
    return context


def status(path: str) -> int:
    try:
        with urllib.request.urlopen(URL + path[1:], context=trusting(),
                                    timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def ask(token: str, path: str = "/", **fields: str) -> dict:
    asked = urllib.request.Request(
        URL + path[1:], data=json.dumps(fields).encode(),
        headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked, context=trusting(),
                                timeout=120) as answer:
        return json.load(answer)


def one_and_one(token: str) -> int:
    return ask(token, code="1+1")["final_expression"]
