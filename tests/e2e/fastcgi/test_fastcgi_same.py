"""The same requests as through the web server, straight to the workers:
the workers must be safe without the web server in front.

All of test_bodies.py and test_malformed.py, and the tests of test_requests.py
that are not about the web server.
"""

from __future__ import annotations

from fastcgi_calm import (  # noqa: F401 pylint: disable=unused-import
    client_fixture, where_fixture)
from test_bodies import *  # noqa: F401,F403 pylint: disable=W0401,W0614
from test_malformed import *  # noqa: F401,F403 pylint: disable=W0401,W0614
from test_requests import (  # noqa: F401 pylint: disable=unused-import
    test_body_at_the_limit, test_compressed_request_is_refused,
    test_forbidden_packages, test_headers_are_few_and_fixed,
    test_headers_that_change_nothing, test_packages, test_query_is_ignored,
    test_request_id, test_request_id_is_not_the_clients,
    test_the_exact_line, test_the_exact_order_of_a_failure,
    test_unknown_path)
