# expect: ok|error
# Deeper than any reader.
deep = []
for _ in range(10 ** 5):
    deep = [deep]
own = []
own.append(own)
[deep, own, {"a": own}]
