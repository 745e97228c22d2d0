# expect: success
# stdout: "example.com 8080 {'x': ['1', '2']}\nq=a+b%26c na%C3%AFve/%C3%A9\nhttp://a.com/c Not Found\n&lt;a&gt; <\ncfbff0d1-9375-5685-968c-48ce8b15ae17\ntext/plain\n"
# cut
from urllib.parse import parse_qs, quote, urlencode, urljoin, urlparse
from http import HTTPStatus
from html import escape, unescape
import email.message
import uuid

u = urlparse('https://example.com:8080/a/b?x=1&x=2#top')
print(u.hostname, u.port, parse_qs(u.query))
print(urlencode({'q': 'a b&c'}), quote('naïve/é'))
print(urljoin('http://a.com/b/', '../c'), HTTPStatus(404).phrase)
print(escape('<a>'), unescape('&lt;'))
print(uuid.uuid5(uuid.NAMESPACE_DNS, 'example.com'))
m = email.message.EmailMessage()
m['Subject'] = 'Hi'
m.set_content('Body')
print(m.get_content_type())
