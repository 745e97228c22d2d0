"""The server for names of sandboxes (conf/nginx/names.conf.example) beside
nginx.conf.example: a certificate of its own, the same paths, and nothing
else."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
from typing import Iterator

import pytest
from nginx_harness import NGINX, SOURCE, Nginx, Reply, running

PARTS = SOURCE / "conf" / "nginx-parts"
MORE = SOURCE / "conf" / "nginx" / "names.conf.example"
ID = "0" * 16 + "a" * 24


def with_names(text: str, folder: str) -> str:
    """The configuration TEXT with a server for e2b.test, whose certificate and
    key are made in FOLDER/etc."""
    place = pathlib.Path(folder)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
         "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=names", "-addext",
         "subjectAltName=DNS:e2b.test,DNS:*.e2b.test", "-keyout",
         str(place / "etc/e2b.key"), "-out", str(place / "etc/e2b.crt")],
        check=True, stderr=subprocess.DEVNULL)
    more = MORE.read_text().replace("e2b.example", "e2b.test").replace(
        "/etc/terrarium/", f"{place}/etc/")
    for name, content in (("example", text), ("more", more)):
        (place / name).write_text(content)
    return subprocess.run(
        [str(PARTS), "--names", str(place / "example"), str(place / "more")],
        check=True, stdout=subprocess.PIPE, text=True).stdout


class Named(Nginx):
    """An nginx with both servers."""

    def arrange(self, text: str) -> str:
        return with_names(text, str(self.directory))

    def named(self, host: str, method: str, path: str,
              headers: dict[str, str], body: str = "") -> Reply:
        """A request to a name, whose certificate is verified."""
        trusted = ssl.create_default_context(cafile=self.path("etc", "e2b.crt"))
        with socket.create_connection(("127.0.0.1", self.port), 20) as plain, \
                trusted.wrap_socket(plain, server_hostname=host) as peer:
            connection = http.client.HTTPConnection(host)
            connection.sock = peer
            with contextlib.closing(connection):
                connection.request(method, path, body, headers)
                return Reply(connection.getresponse())


@pytest.fixture(name="nginx", scope="module")
def nginx_fixture() -> Iterator[Named]:
    with running((), Named) as made:
        assert isinstance(made, Named)
        yield made


def key(nginx: Named) -> dict[str, str]:
    return {"X-API-KEY": f"e2b_{nginx.tokens['alice']}"}


def test_names_have_a_certificate_and_the_paths_below_e2b(
        nginx: Named) -> None:
    for host, method, path, uri in (
            (f"49999-{ID}.e2b.test", "POST", "/execute", "/e2b/execute"),
            (f"49983-{ID}.e2b.test", "GET", "/files?path=x", "/e2b/files"),
            (f"49983-{ID}-t.e2b.test", "GET", "/health", "/e2b/health"),
            ("api.e2b.test", "GET", "/sandboxes", "/e2b/sandboxes")):
        reply = nginx.named(host, method, path, key(nginx))
        assert reply.status == 200, reply.body
        told = json.loads(reply.body)["params"]
        assert told["DOCUMENT_URI"] == uri
        assert told["TERRARIUM_CLIENT"] == "alice"
        assert told.get("E2B_SANDBOX", "") == (
            "" if host.startswith("api") else ID)


def test_no_credential_is_refused_there_too(nginx: Named) -> None:
    reply = nginx.named("api.e2b.test", "GET", "/sandboxes", {})
    assert (reply.status, reply.json()["code"]) == (401, 401)


@pytest.mark.parametrize("host", ["e2b.test", "other.e2b.test"])
@pytest.mark.parametrize("path", [
    "/", "/health", "/sandboxes", "/e2b/sandboxes", "/packages", "/status",
    "/api/v1/status", "/openapi.json"])
def test_nothing_else_is_below_the_domain(nginx: Named, host: str,
                                          path: str) -> None:
    reply = nginx.named(host, "GET", path, key(nginx))
    assert reply.status == 404, reply.body


def test_no_other_door_is_at_a_name(nginx: Named) -> None:
    for path in ("/run", "/mcp", "/packages", "/openapi.json", "/metrics"):
        reply = nginx.named("api.e2b.test", "POST", path, key(nginx), "{}")
        assert reply.status == 404, (path, reply.body)


def test_the_server_for_clients_is_as_it_was(nginx: Named) -> None:
    """Its certificate, its paths, and names that lead to it."""
    reply = nginx.ask("GET", "/packages")
    assert reply.json()["params"]["DOCUMENT_URI"] == "/packages"
    reply = nginx.ask("GET", "/sandboxes", headers={
        "Host": "api.e2b.elsewhere", **key(nginx)}, token=None)
    assert reply.json()["params"]["DOCUMENT_URI"] == "/e2b/sandboxes"
    with pytest.raises(ssl.SSLCertVerificationError):
        nginx.named("localhost", "GET", "/", {})


def test_the_part_beside_other_sites(nginx: Named) -> None:
    """terrarium-names.conf, in a configuration with the other two parts."""
    folder = nginx.path("parts")
    subprocess.run([str(PARTS), nginx.path("example"), folder], check=True)
    part = pathlib.Path(folder, "terrarium-names.conf")
    part.write_text(part.read_text().replace("/etc/terrarium/", nginx.path(
        "etc") + "/"))
    text = pathlib.Path(nginx.path("example")).read_text()
    config = pathlib.Path(nginx.path("whole.conf"))
    config.write_text(text[:text.index("http {")] + "http {\n" + "".join(
        f"\tinclude {folder}/terrarium-{name}.conf;\n"
        for name in ("http", "site", "names")) + "}\n")
    done = subprocess.run(
        [str(NGINX), "-t", "-e", os.devnull, "-c", str(config)], text=True,
        capture_output=True, check=False)
    assert done.returncode == 0 and "[warn]" not in done.stderr, done.stderr
    for name in ("http", "site"):
        assert "e2b.example" not in pathlib.Path(
            folder, f"terrarium-{name}.conf").read_text()
