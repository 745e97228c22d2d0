"""The parts of nginx.conf.example (conf/nginx-parts) in the nginx.conf of a
host with another site: all tests of the example, and that the other site keeps
working as it did."""

import http.client
import subprocess
from typing import Iterator

import pytest
from nginx_harness import SOURCE, Nginx, running
from ports import free_ports
from test_nginx import *  # noqa: F401,F403
from test_nginx import PATIENT

# As Debian's, which sets for all sites some of the directives that the
# example sets, too.
DEBIAN = """\
http {
	sendfile on;
	tcp_nopush on;
	types_hash_max_size 2048;
	include /etc/nginx/mime.types;
	default_type application/octet-stream;
	ssl_protocols TLSv1.2 TLSv1.3;
	ssl_prefer_server_ciphers on;
	access_log %(log)s/others.log;
	gzip on;
	gzip_types *;
	gzip_min_length 1;
	client_body_temp_path %(tmp)s/body;
	fastcgi_temp_path %(tmp)s/fastcgi;
	proxy_temp_path %(tmp)s/proxy;
	scgi_temp_path %(tmp)s/scgi;
	uwsgi_temp_path %(tmp)s/uwsgi;
	include %(parts)s/terrarium-http.conf;
	server {
		listen 127.0.0.1:%(port)d;
		location / { return 200 "a page of the other site"; }
		location ~ \\.php$ {
			include /etc/nginx/fastcgi_params;
			fastcgi_pass unix:%(run)s/php.sock;
		}
	}
	include %(parts)s/terrarium-site.conf;
}
"""


class Beside(Nginx):
    """An nginx with another site, and ours of the parts."""

    def arrange(self, text: str) -> str:
        self.other_port = free_ports(1)[0]
        parts = self.path("parts")
        (self.directory / "changed").write_text(text)
        subprocess.run([str(SOURCE / "conf" / "nginx-parts"),
                        self.path("changed"), parts], check=True)
        return text[:text.index("http {")] + DEBIAN % {
            "log": self.path("log"), "run": self.path("run"),
            "tmp": self.path("tmp"),
            "parts": parts, "port": self.other_port}

    def other(self, path: str) -> http.client.HTTPResponse:
        one = http.client.HTTPConnection("127.0.0.1", self.other_port, 20)
        one.request("GET", path, headers={"Accept-Encoding": "gzip"})
        return one.getresponse()


@pytest.fixture(name="nginx", scope="module")
def nginx_fixture() -> Iterator[Beside]:
    with running(PATIENT, Beside) as nginx:
        nginx.start_echo("php.sock")
        yield nginx


def test_the_other_site_is_as_it_was(nginx: Beside) -> None:
    page = nginx.other("/")
    assert page.status == 200
    assert page.getheader("Content-Encoding") == "gzip"
    for name in ("X-Frame-Options", "X-Request-Id", "Cache-Control",
                 "Content-Security-Policy"):
        assert page.getheader(name) is None, name


def test_the_other_sites_fastcgi(nginx: Beside) -> None:
    """Its parameters and headers are its own: nothing of ours."""
    reply = nginx.other("/index.php?a=1")
    assert reply.status == 200
    assert reply.getheader("X-Frame-Options") is None
    nginx.stop_echo("php.sock")
    gone = nginx.other("/index.php")
    assert gone.status == 502
    assert b"<html>" in gone.read() or gone.getheader("Content-Encoding")
    nginx.start_echo("php.sock")


def test_ours_is_not_compressed(nginx: Beside) -> None:
    reply = nginx.ask(body={"code": "1" * 2000},
                      headers={"Accept-Encoding": "gzip"})
    assert reply.status == 200
    assert reply.all("Content-Encoding") == []
