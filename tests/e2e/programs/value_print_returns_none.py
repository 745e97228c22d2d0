# expect: success
# stdout: "hi\n"
print("hi")
