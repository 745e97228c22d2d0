# expect: crash
# The back door of the process.
print("partial", end="", flush=True)
os._exit(137)
