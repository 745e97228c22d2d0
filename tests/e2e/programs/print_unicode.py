# expect: success
# stdout: "\u00e9 \u6f22\u5b57 \ud83d\ude00 \u202e\u0000\u001b[31m\n"
print("\u00e9 \u6f22\u5b57 \U0001f600 \u202e\0\x1b[31m")
