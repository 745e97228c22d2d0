# expect: ok
# Programs that are hardly any.
for source in ("a\0b", b"# -*- coding: rot13 -*-\ncevag(1)",
               b"# coding: utf-7\n+AHA-", b"\xef\xbb\xbf1", "\f1", "1\r2",
               "x=" + "1+" * 100000 + "1", "f'{" * 200, "-" * 100000 + "1",
               "lambda:" * 50000 + "1", "'" + "\\N{x}" * 1000):
    print(attempt(compile, source, "x", "exec")[0])
