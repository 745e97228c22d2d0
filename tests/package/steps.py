"""Steps of tests/package/inside, on a system with the Debian packages."""

import json
import pathlib
import ssl
import subprocess
import time
import urllib.error
import urllib.request

ETC = pathlib.Path("/etc/terrarium")
URL = "https://localhost:8443/"
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


def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(ETC / "tls.crt"))


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
