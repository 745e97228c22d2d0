# expect: crash
# The front door, slammed.
print("partial", end="", flush=True)
os.abort()
