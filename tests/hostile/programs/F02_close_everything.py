# expect: crash|error
# Nothing left to answer with.
for number in range(256):
    attempt(os.close, number)
