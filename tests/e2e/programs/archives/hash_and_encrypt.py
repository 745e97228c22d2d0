# expect: success
# needs: cryptography
# stdout: "2cf24dba5fb0a30e\n772b71c8\nb'secret' 16\nw6k=\n"
# stderr-like: .*
# cut
import base64
import hashlib
import hmac
import secrets
from cryptography.fernet import Fernet

print(hashlib.sha256(b'hello').hexdigest()[:16])
print(hmac.new(b'k', b'm', 'sha1').hexdigest()[:8])
key = Fernet.generate_key()
token = Fernet(key).encrypt(b'secret')
print(Fernet(key).decrypt(token), len(secrets.token_hex(8)))
print(base64.b64encode('é'.encode()).decode())
