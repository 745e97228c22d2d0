# expect: success
# stdout: "a\ufffdb\n"
print("a\ud800b")
