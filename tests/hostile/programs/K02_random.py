# expect: ok
# All that is random, to be compared between runs.
import random
import secrets
import tempfile
import uuid

import numpy

try:
    import ssl
except ImportError:
    ssl = None
[random.random(), numpy.random.rand(), numpy.random.default_rng().random(),
 numpy.random.mtrand._rand.randint(1 << 30), random.Random().random(),
 uuid.uuid4().hex, uuid.uuid1().hex, secrets.token_hex(8),
 os.urandom(8).hex(), os.path.basename(tempfile.mktemp()),
 ssl.RAND_bytes(8).hex() if ssl else secrets.token_hex(8)]
